// Server process for kill tests. It delivers webhooks from the given database, with a clock that its parent advances.
import process from 'node:process';
import { startSandbox } from '@latchkey/sandbox';

const [database, startAhead] = process.argv.slice(2);
let aheadMs = Number(startAhead);
process.on('message', (ms) => {
  aheadMs = ms;
});
const server = await startSandbox({
  port: 0,
  database,
  clock: { now: () => Date.now() + aheadMs },
});
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)));
process.send?.('ready');

// One server as a process of its own, for tests that need several on one database, or one that can be killed. Told by its
// parent what to do: options as its argument, how far its clock is ahead of the machine's as messages.
import { seedSandbox, startServer } from '@latchkey/server';

const { shops, aheadMs, ...options } = JSON.parse(process.argv[2] ?? '{}');
let ahead = aheadMs;
const silent = {
  info() {},
  warn() {},
  error: (fields, message) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
};
const server = await startServer({
  ...options,
  clock: { now: () => Date.now() + ahead },
  logger: silent,
});
if (shops !== undefined) await seedSandbox(server, shops);

process.on('message', (message) => {
  ahead = message.aheadMs;
  process.send?.({ aheadMs: ahead });
});
process.once('disconnect', () => process.exit());
process.send?.({ port: server.port });

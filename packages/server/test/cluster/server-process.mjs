// One server as a process of its own, for tests that need several on one database, or one that can be killed. Told by its
// parent what to do by messages: options when it is to start, how far its clock is ahead of the machine's after that.
import { once } from 'node:events';
import { seedSandbox, startSandbox } from '@latchkey/sandbox';
import { startServer } from '@latchkey/server';
import { stripePayments } from '@latchkey/stripe';

process.once('disconnect', () => process.exit());
process.send?.('loaded');
const [{ start }] = await once(process, 'message');
const { shops, aheadMs, isQuiet, stripe, ...options } = start;
let ahead = aheadMs;
const silent = {
  info() {},
  warn() {},
  error: (fields, message) => {
    if (!isQuiet) process.stderr.write(`${message} ${JSON.stringify(fields)}\n`);
  },
};
const all = { ...options, clock: { now: () => Date.now() + ahead }, logger: silent };
const server =
  stripe === undefined
    ? await startSandbox(all)
    : await startServer({
        ...all,
        databasePurpose: 'sandbox',
        mailer: { send: async () => undefined },
        payments: stripePayments(stripe),
      });
if (shops !== undefined) await seedSandbox(server, shops);

process.on('message', (message) => {
  ahead = message.aheadMs;
  process.send?.({ aheadMs: ahead });
});
process.send?.({ port: server.port });

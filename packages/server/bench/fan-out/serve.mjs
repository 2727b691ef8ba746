// Runs the service in its own process and counts the statements that it sends to its database. It answers `usage` with the sums
// since its start, and `purge` when it has deleted all expired rows.
import { StatementSync } from 'node:sqlite';
import pg from 'pg';
import { startServer } from '../../dist/index.js';

let statements = 0;
for (const [prototype, names] of [
  [StatementSync.prototype, ['all', 'run']],
  [pg.Client.prototype, ['query']],
]) {
  for (const name of names) {
    const original = prototype[name];
    prototype[name] = function counted(...parameters) {
      statements += 1;
      return original.apply(this, parameters);
    };
  }
}

const server = await startServer({
  port: 0,
  database: process.argv[2],
  mailer: { send: async () => undefined },
  // The endpoints of the benchmark are on this machine.
  webhookTargets: 'public-and-loopback',
});
process.send({ port: server.port });
process.on('message', async (order) => {
  if (order === 'purge') {
    await server.runBackgroundWork();
    process.send({});
    return;
  }
  const { user, system } = process.cpuUsage();
  process.send({ statements, cpuMs: (user + system) / 1000, megabytes: process.memoryUsage.rss() / 1e6 });
});
// A profile of --cpu-prof is written at an ordinary exit only.
process.on('disconnect', () => void server.close().then(() => process.exit()));

// Runs the service with its default options, in its own process.
import { startServer } from '../dist/index.js';

const server = await startServer({
  port: 0,
  database: process.argv[2],
  mailer: { send: async () => undefined },
});
process.send(server.port);
process.on('message', () => process.send({ bytes: process.memoryUsage.rss(), cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit());

// One process of an app that sells memberships. Its parent sets the directory's server and the time.
import { latchkey, postgresDirectory, redisDirectory } from '@latchkey/express';
import express from 'express';

const { store, communityId, communities, now: startsAt, ...options } = JSON.parse(process.argv[2] ?? '{}');
let now = startsAt;
process.on('message', (message) => {
  now = message.now;
  process.send?.({ now });
});
process.once('disconnect', () => process.exit());

const auth = latchkey({
  ...options,
  clock: { now: () => now },
  logger: { warn() {}, error() {} },
  directory: await openDirectory(store),
});
const app = express();
app.all('/webhooks', auth.webhooks({ communities, store: 'memory' }));
app.use(auth.router);
app.get('/', (_request, response) => response.send('Hello'));
app.get('/members', auth.requireMembership({ communityId }), (_request, response) => {
  response.send('The table is set');
});
app.get('/welcome', auth.awaitMembership({ communityId }, { holdSeconds: 2 }), (_request, response) => {
  response.send('Welcome, member');
});
const server = app.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }));

async function openDirectory({ kind, url, prefix }) {
  if (kind === 'Redis') {
    const { createClient } = await import('redis');
    return redisDirectory(await createClient({ url }).connect(), { key: `${prefix}memberships` });
  }
  const { default: pg } = await import('pg');
  return postgresDirectory(new pg.Pool({ connectionString: url, max: 4 }));
}

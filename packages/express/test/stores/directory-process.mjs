// One process of an app that runs in several with one membership directory. See directory-races.test.ts.
import { latchkey, postgresDirectory, redisDirectory, sqliteDirectory } from '@latchkey/express';
import express from 'express';

const { directory, communityId, secret, crash, ...options } = JSON.parse(process.argv[2] ?? '{}');
process.once('disconnect', () => process.exit());

const auth = latchkey({
  ...options,
  directory: await openDirectory(directory),
  logger: { warn() {}, error() {} },
});
if (crash) await recordPairs();
const app = express();
app.use(auth.router);
app.get('/', (_request, response) => response.send('Hello'));
app.get('/members', auth.requireMembership({ communityId }), (_request, response) => {
  response.send('The table is set');
});
app.get('/welcome', auth.awaitMembership({ communityId }, { holdSeconds: 20 }), (_request, response) => {
  response.send('Welcome');
});
app.all('/webhooks', auth.webhooks({ communities: { [communityId]: secret } }));
const server = app.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }));

async function openDirectory({ kind, address, key }) {
  if (kind === 'SQLite') return sqliteDirectory(address);
  if (kind === 'PostgreSQL') {
    const { default: pg } = await import('pg');
    return postgresDirectory(new pg.Pool({ connectionString: address, max: 4 }));
  }
  const { createClient } = await import('redis');
  return redisDirectory(await createClient({ url: address }).connect(), { key });
}

/** Records two memberships in each call until the process is killed. */
async function recordPairs() {
  process.send?.({ port: 0 });
  for (let pair = 0; ; pair += 1) {
    await auth.directory.record(['a', 'b'].map((half) => ({ membershipId: `${half}-${pair}`, communityId })));
    process.send?.({ recorded: pair });
  }
}

// Claims an event and never completes it. event-kills.test.ts kills this process.
import { postgresEventStore, redisEventStore, webhooks } from '@latchkey/express/webhooks';
import express from 'express';
import pg from 'pg';
import { createClient } from 'redis';

const { kind, url, prefix, secret } = JSON.parse(process.argv[2]);

const app = express();
app.all(
  '/webhooks',
  webhooks({
    secret,
    store: await openStore(),
    other: () => {
      process.send('handling');
      return new Promise(() => {});
    },
  }),
);
const server = app.listen(0, '127.0.0.1', () => process.send(server.address().port));

async function openStore() {
  if (kind === 'PostgreSQL') return postgresEventStore(new pg.Pool({ connectionString: url }));
  const client = createClient({ url });
  await client.connect();
  return redisEventStore(client, { prefix });
}

import { DatabaseSync } from 'node:sqlite';
import { referencePayload, sqliteDirectory, webhooks } from '@latchkey/express';
import express from 'express';
import { openQueue } from './queue.ts';

const {
  PORT = '4407',
  DATABASE = 'webhook-consumer.sqlite',
  DIRECTORY = 'memberships.sqlite',
  LATCHKEY_COMMUNITY_ID = '5eed0000-0000-4000-8000-0000000000c0',
  LATCHKEY_WEBHOOK_SECRET,
  NODE_ENV,
} = process.env;
if (NODE_ENV === 'production' && !LATCHKEY_WEBHOOK_SECRET) {
  throw new Error(
    "Set LATCHKEY_WEBHOOK_SECRET. The sandbox's secret is public, so anyone could sign events with it.",
  );
}

// Another program may hold the file for a moment, for example to back it up.
const queue = openQueue(new DatabaseSync(DATABASE, { timeout: 5_000 }));
// The gates of the site read it: latchkey({ directory }).
const directory = sqliteDirectory(DIRECTORY);
const app = express();

app.all(
  '/webhooks',
  webhooks({
    // The secret decides whose event it is. The default is the public secret of the sandbox.
    communities: { [LATCHKEY_COMMUNITY_ID]: LATCHKEY_WEBHOOK_SECRET ?? '5eed00f1'.repeat(8) },
    // Each event's membership is recorded before the event is queued, so gates open at once.
    directory,
    // The bodies of the reference server. For another service, write schemas of its bodies, for example with zod.
    payload: referencePayload,
    // Each event is written to the queue. The response is 200 once it is on disk, so a crash loses no event and the worker
    // has no time limit. Other types are dropped.
    on: { 'membership.created': queue.add, 'membership.updated': queue.add },
    // The queue deduplicates by event id, so no other store is needed.
    store: 'memory',
  }),
);

// The endpoint of the webhook is public, and so is this page. It contains numbers only, no addresses.
app.get('/', (_request, response) => {
  response.json({ members: queue.members().length, waiting: queue.waiting(), given_up: queue.givenUp() });
});

app.listen(Number(PORT), '127.0.0.1', () => {
  process.stdout.write(`http://localhost:${PORT}\n`);
  void queue.work();
});

import { DatabaseSync } from 'node:sqlite';
import { webhooks } from '@latchkey/express';
import express from 'express';
import { openQueue } from './queue.ts';

const {
  PORT = '4407',
  DATABASE = 'webhook-consumer.sqlite',
  LATCHKEY_WEBHOOK_SECRET,
  NODE_ENV,
} = process.env;
if (NODE_ENV === 'production' && !LATCHKEY_WEBHOOK_SECRET) {
  throw new Error(
    "Set LATCHKEY_WEBHOOK_SECRET: the sandbox's is known to everybody, who could sign events with it.",
  );
}

const queue = openQueue(new DatabaseSync(DATABASE));
const app = express();

app.post(
  '/webhooks',
  webhooks({
    // By default the sandbox's own, which everybody may know.
    secret: LATCHKEY_WEBHOOK_SECRET ?? '5eed00f1'.repeat(8),
    // Every event goes into the queue, and the service hears 200 once it is on disk: what happens to it then may take
    // as long as it likes, and a crash loses nothing.
    other: (event) => queue.add(event),
    // The queue takes each event once, by its id, so nothing else needs to remember it.
    store: 'memory',
  }),
);

app.get('/', (_request, response) => {
  response.json({ members: queue.members(), waiting: queue.waiting(), given_up: queue.givenUp() });
});

app.listen(Number(PORT), '127.0.0.1', () => {
  process.stdout.write(`http://localhost:${PORT}\n`);
  queue.work();
});

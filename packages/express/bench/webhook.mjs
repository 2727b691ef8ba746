// What verifying a webhook costs, in process and before any JSON is parsed: verifyWebhookSignature against what nobody can
// do without, one HMAC-SHA256 over the body and one timingSafeEqual, in one run. Budget: at least 0.85 of that, at 1 kB and
// at 64 kB. The whole of verifyWebhook, which reads headers and the event as well, is shown beside it.
//
//   npm run build && node packages/express/bench/webhook.mjs
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { signWebhook } from '@latchkey/express/testing';
import { verifyWebhook, verifyWebhookSignature } from '@latchkey/express/webhooks';

const BUDGET = 0.85;
const ROUNDS = 15;
const ROUND_MS = 250;
const SECRET = '5ec2e701'.repeat(8);
// The fastest kind of key there is: with a Buffer the bare HMAC itself would be several times slower at 1 kB.
const KEY = createSecretKey(SECRET, 'utf8');

for (const [name, size] of [
  ['1 kB', 1024],
  ['64 kB', 64 * 1024],
]) {
  const { body, headers } = signWebhook(
    { type: 'bench', data: { text: 'a'.repeat(size - 120) } },
    { secret: SECRET },
  );
  const bytes = Buffer.from(body);
  const signature = headers['x-svc-signature'];
  const ways = {
    bare: () => {
      const digest = createHmac('sha256', KEY).update(bytes).digest();
      if (!timingSafeEqual(digest, Buffer.from(signature, 'hex'))) throw new Error('refused');
    },
    verified: () => verifyWebhookSignature(bytes, signature, SECRET),
    read: () => verifyWebhook(bytes, headers, SECRET),
  };
  for (const way of Object.values(ways)) measure(way);
  const rounds = Array.from({ length: ROUNDS }, () => {
    const bare = measure(ways.bare);
    return { bare, verified: measure(ways.verified) / bare, read: measure(ways.read) / bare };
  });
  const ratio = median(rounds.map(({ verified }) => verified));
  console.log(
    `${name} (${bytes.length} bytes): bare HMAC ${median(rounds.map(({ bare }) => bare)).toFixed(0)}/s; signature verified ${ratio.toFixed(2)} of it (budget ${BUDGET}); verified and read ${median(rounds.map(({ read }) => read)).toFixed(2)}`,
  );
  if (ratio < BUDGET) process.exitCode = 1;
}

/** How often a second. */
function measure(way) {
  const startedAt = performance.now();
  let times = 0;
  while (performance.now() - startedAt < ROUND_MS) {
    for (let i = 0; i < 50; i += 1) way();
    times += 50;
  }
  return (times * 1000) / (performance.now() - startedAt);
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

// Measures verifyWebhookSignature against the minimum work, one HMAC-SHA256 over the body and one timingSafeEqual, in one
// run at 1 kB and 64 kB. The budget is a ratio of at least 0.85. The complete verifyWebhook, which also parses headers and
// event, is measured for comparison.
//
//   npm run build && node packages/express/bench/webhook.mjs
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { signWebhook } from '@latchkey/express/testing';
import { verifyWebhook, verifyWebhookSignature } from '@latchkey/express/webhooks';

const BUDGET = 0.85;
const ROUNDS = 15;
const ROUND_MS = 250;
const SECRET = '5ec2e701'.repeat(8);
// A KeyObject is the fastest kind of key. With a Buffer, the bare HMAC is several times slower at 1 kB.
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
  const variants = {
    bare: () => {
      const digest = createHmac('sha256', KEY).update(bytes).digest();
      if (!timingSafeEqual(digest, Buffer.from(signature, 'hex'))) throw new Error('The signatures differ.');
    },
    verified: () => verifyWebhookSignature(bytes, signature, SECRET),
    read: () => verifyWebhook(bytes, headers, SECRET),
  };
  for (const variant of Object.values(variants)) measure(variant);
  const rounds = Array.from({ length: ROUNDS }, () => {
    const bare = measure(variants.bare);
    return { bare, verified: measure(variants.verified) / bare, read: measure(variants.read) / bare };
  });
  const ratio = median(rounds.map(({ verified }) => verified));
  console.log(
    `${name} (${bytes.length} bytes): bare HMAC ${median(rounds.map(({ bare }) => bare)).toFixed(0)}/s; signature verified ${ratio.toFixed(2)} of it (budget ${BUDGET}); verified and read ${median(rounds.map(({ read }) => read)).toFixed(2)}`,
  );
  if (ratio < BUDGET) process.exitCode = 1;
}

/** Returns calls per second. */
function measure(call) {
  const startedAt = performance.now();
  let count = 0;
  while (performance.now() - startedAt < ROUND_MS) {
    for (let i = 0; i < 50; i += 1) call();
    count += 50;
  }
  return (count * 1000) / (performance.now() - startedAt);
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

// Measures verifyWebhookSignature against the minimum work, one HMAC-SHA256 over the body and one timingSafeEqual, in one
// run at 1 kB and 64 kB. The budget is a ratio of at least 0.9. The complete verifyWebhook, which also parses headers and
// event, is measured for comparison.
//
//   npm run build && node packages/express/bench/webhook.mjs [--rounds 15] [--json figures.json]
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { parseArgs } from 'node:util';
import { signWebhook } from '@latchkey/express/testing';
import { verifyWebhook, verifyWebhookSignature } from '@latchkey/express/webhooks';
import { spread, writeFigures } from '../../../scripts/bench/measured.mjs';

const BUDGET = 0.9;
const ROUND_MS = 250;
/** Each round alternates between the variants, so that other load on the machine affects all of them equally. */
const SLICES = 10;
const SECRET = '5ec2e701'.repeat(8);
// A KeyObject is the fastest kind of key. With a Buffer, the bare HMAC is several times slower at 1 kB.
const KEY = createSecretKey(SECRET, 'utf8');

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '15' }, json: { type: 'string' } },
});
const figures = {};

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
  measure(variants);
  const rounds = Array.from({ length: Number(options.rounds) }, () => {
    const { bare, verified, read } = measure(variants);
    return { bare, verified: verified / bare, read: read / bare };
  });
  const ratio = median(rounds.map(({ verified }) => verified));
  console.log(
    `${name} (${bytes.length} bytes): bare HMAC ${median(rounds.map(({ bare }) => bare)).toFixed(0)}/s; signature verified ${ratio.toFixed(2)} of it (budget ${BUDGET}); verified and read ${median(rounds.map(({ read }) => read)).toFixed(2)}`,
  );
  if (ratio < BUDGET) process.exitCode = 1;
  figures[`verify${size}Ratio`] = spread(rounds.map(({ verified }) => verified));
  figures[`read${size}Ratio`] = spread(rounds.map(({ read }) => read));
}
writeFigures(options.json, figures);

/** Returns the calls per second of each variant. */
function measure(variants) {
  const sums = Object.entries(variants).map(([name, call]) => ({ name, call, count: 0, ms: 0 }));
  for (let slice = 0; slice < SLICES; slice += 1) {
    for (const sum of sums) {
      const startedAt = performance.now();
      do {
        for (let i = 0; i < 50; i += 1) sum.call();
        sum.count += 50;
      } while (performance.now() - startedAt < ROUND_MS / SLICES);
      sum.ms += performance.now() - startedAt;
    }
  }
  return Object.fromEntries(sums.map(({ name, count, ms }) => [name, (count * 1000) / ms]));
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { latchkey } from '../call.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-payments-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a module, and returns its path. */
function write(name: string, code: string): string {
  const path = join(folder, name);
  writeFileSync(path, code);
  return path;
}

/** A provider that declines everything, with a driver that does the rest. */
const DECLINES = `export default async () => ({
  provider: {
    ...{ name: 'sour', mode: 'test', renewals: 'server' },
    start: async () => ({ kind: 'declined', reason: 'card_declined' }),
    find: async () => ({ kind: 'none' }),
    refund: async () => ({ kind: 'failed', reason: 'There is no payment.' }),
    readEvents: async () => [],
  },
  act: async () => undefined,
  takeWebhooks: async () => [],
  charges: async () => [],
});`;

it('checks the provider of a driver in a file, and fails if a case does', async () => {
  const args = ['conformance', 'payments', '--driver', write('sour.mjs', DECLINES)];
  const { code, out } = await latchkey([
    ...args,
    '--only',
    'buyer.declined,start.after-payment',
    '--verbose',
  ]);
  expect(out).toContain('passed  buyer.declined');
  expect(out).toContain('FAILED  start.after-payment');
  expect(out).toContain('sour: 1 passed, 1 failed');
  expect(code).toBe(1);
});

it('exits with 2 if no case could run', async () => {
  const args = ['conformance', 'payments', '--driver', write('sour.mjs', DECLINES), '--only', 'dispute'];
  const { code, out } = await latchkey([...args, '--json']);
  expect(JSON.parse(out)).toMatchObject({ side: 'payments', subject: 'sour' });
  expect(code).toBe(2);
});

it('lists the cases of an area', async () => {
  const { code, out } = await latchkey(['conformance', 'payments', '--list', '--only', 'refund']);
  expect(out).toContain('refund.twice  The same refund twice pays back once.');
  expect(out).not.toContain('buyer.');
  expect(code).toBe(0);
});

it.each([
  [[], '--driver is required'],
  [['--driver', './nowhere.mjs'], '--driver: ./nowhere.mjs cannot be started'],
  [['--list', '--only', 'magic'], '--only: no case has the id or area magic.'],
])('rejects %j', async (args, message) => {
  const { code, err } = await latchkey(['conformance', 'payments', ...args]);
  expect(err).toContain(message);
  expect(code).not.toBe(0);
});

it('rejects a module without a driver', async () => {
  const args = ['conformance', 'payments', '--driver', write('empty.mjs', 'export default {};')];
  const { code, err } = await latchkey(args);
  expect(err).toContain('is no driver and returns none');
  expect(code).toBe(2);
});

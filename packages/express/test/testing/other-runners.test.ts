import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('What @latchkey/express/testing gives works in node:test as it is', { timeout: 30_000 }, async () => {
  const file = fileURLToPath(new URL('./with-node-test.mjs', import.meta.url));
  // Without vitest's variables: what runs there is another runner.
  const env = { PATH: process.env.PATH };
  const { stdout } = await promisify(execFile)(process.execPath, ['--test', file], { env });
  expect(stdout).toMatch(/pass 2\b/);
  expect(stdout).toMatch(/fail 0\b/);
});

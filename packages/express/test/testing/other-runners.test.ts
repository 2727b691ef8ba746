import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('@latchkey/express/testing works in node:test', { timeout: 30_000 }, async () => {
  const file = fileURLToPath(new URL('./with-node-test.mjs', import.meta.url));
  // Removes vitest's variables, because another runner is tested.
  const env = { PATH: process.env.PATH };
  const { stdout } = await promisify(execFile)(process.execPath, ['--test', file], { env });
  expect(stdout).toMatch(/pass 2\b/);
  expect(stdout).toMatch(/fail 0\b/);
});

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = mkdtempSync(join(tmpdir(), 'latchkey-examples-'));
const MEMBERSHIPS = join(FOLDER, 'memberships.sqlite');

afterAll(() => rmSync(FOLDER, { recursive: true }));

/** Runs an example in production mode, with only these variables set. */
function runInProduction(file: string, variables: Record<string, string> = {}) {
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    PORT: '0',
    DATABASE: ':memory:',
    MEMBERSHIPS_FILE: MEMBERSHIPS,
    ...variables,
  };
  return new Promise<{ status: unknown; stderr: string }>((resolve) => {
    // The limit ends an example that starts, which is the failure.
    const limits = { env, timeout: 30_000 };
    execFile(process.execPath, [join(ROOT, 'examples', file)], limits, (error, _stdout, stderr) => {
      resolve({ status: error === null ? 0 : error.code, stderr });
    });
  });
}

describe.concurrent('with NODE_ENV=production, the examples reject their published secrets', () => {
  it.each([
    ['several-instances/app.ts', 'COOKIE_SECRET'],
    ['several-instances/start.ts', 'COOKIE_SECRET'],
    ['webhook-consumer/app.ts', 'LATCHKEY_WEBHOOK_SECRET'],
    ['external-funnel/app.ts', 'SHOP_TOKEN'],
    ['gated-site/app.ts', 'is published with the sandbox'],
    ['recipes/backend.ts', 'is published with the sandbox'],
  ])('%s exits and names %s', { timeout: 60_000 }, async (file, variable) => {
    const { status, stderr } = await runInProduction(file);
    expect(status, stderr).toBe(1);
    expect(stderr).toContain(variable);
  });

  it.each(['express/app.ts', 'recipes/backend.ts', 'gated-site/app.ts'])(
    '%s rejects a membership directory in memory',
    { timeout: 60_000 },
    async (file) => {
      const { status, stderr } = await runInProduction(file, { MEMBERSHIPS_FILE: ':memory:' });
      expect(status, stderr).toBe(1);
      expect(stderr).toContain('directory: is in memory');
    },
  );

  it('treats an empty variable as missing', { timeout: 60_000 }, async () => {
    const { status, stderr } = await runInProduction('external-funnel/app.ts', { SHOP_TOKEN: '' });
    expect(status, stderr).toBe(1);
    expect(stderr).toContain('SHOP_TOKEN');
  });
});

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** Runs an example in production mode, with only these variables set. */
function runInProduction(file: string, variables: Record<string, string> = {}) {
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    PORT: '0',
    DATABASE: ':memory:',
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
  ])('%s exits and names %s', { timeout: 60_000 }, async (file, variable) => {
    const { status, stderr } = await runInProduction(file);
    expect(status, stderr).toBe(1);
    expect(stderr).toContain(variable);
  });

  it('treats an empty variable as missing', { timeout: 60_000 }, async () => {
    const { status, stderr } = await runInProduction('external-funnel/app.ts', { SHOP_TOKEN: '' });
    expect(status, stderr).toBe(1);
    expect(stderr).toContain('SHOP_TOKEN');
  });
});

import { describe, expect, it } from 'vitest';
import { startSandbox } from '../src/index.js';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe('a sandbox that other machines could reach', () => {
  it.for([
    [{ hostname: '0.0.0.0', baseUrl: 'http://localhost:4400' }, 'hostname'],
    [{ hostname: '::' }, 'hostname'],
    [{ hostname: 'localhost.evil.example' }, 'hostname'],
    [{ baseUrl: 'https://sandbox.example' }, 'baseUrl'],
  ] as const)('does not start with %j', async ([options, name]) => {
    await expect(startSandbox({ ...options, logger: quiet })).rejects.toThrow(
      new RegExp(`^Option "${name}".* set allowPublic`),
    );
  });

  it('starts with allowPublic, and logs a warning', async () => {
    const warnings: string[] = [];
    const logger = { ...quiet, warn: (_fields: object, message: string) => void warnings.push(message) };
    const sandbox = await startSandbox({ baseUrl: 'https://sandbox.example', allowPublic: true, logger });
    await sandbox.close();
    expect(warnings).toEqual([expect.stringContaining('Anyone who reaches it can sign in as any user')]);
  });

  it.for(['localhost', '127.0.0.2', '::1'])('starts at the loopback address %s', async (hostname) => {
    const sandbox = await startSandbox({ hostname, logger: quiet });
    expect((await fetch(`${sandbox.baseUrl}/sandbox`)).status).toBe(200);
    await sandbox.close();
  });
});

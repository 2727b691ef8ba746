import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startSandbox } from '../src/index.js';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Returns a port that nothing listens on. The base URL must be known before the start. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

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

  it('warns on its front page, and shows the control token there only to its own machine', async () => {
    const local = await startSandbox({ logger: quiet });
    const port = await freePort();
    const address = { hostname: '0.0.0.0', port, baseUrl: `http://localhost:${port}` };
    const open = await startSandbox({ ...address, allowPublic: true, logger: quiet });
    const pageOf = async ({ baseUrl }: { baseUrl: string }) =>
      await (await fetch(`${baseUrl}/sandbox`)).text();
    const pages = [await pageOf(local), await pageOf(open)];
    const consolePage = await (await fetch(`${open.baseUrl}/sandbox/requests`)).text();
    await Promise.all([local.close(), open.close()]);
    expect(pages.map((page) => page.includes('Other machines can reach this sandbox'))).toEqual([
      false,
      true,
    ]);
    expect(pages[0]).toContain(local.controlToken);
    expect(pages[1]).not.toContain(open.controlToken);
    expect(pages[1]).not.toContain('COOKIE_SECRET');
    expect(consolePage).toContain('"controlToken":null');
    expect(consolePage).not.toContain(open.controlToken);
  });

  it.for(['localhost', '127.0.0.2', '::1'])('starts at the loopback address %s', async (hostname) => {
    const sandbox = await startSandbox({ hostname, logger: quiet });
    expect((await fetch(`${sandbox.baseUrl}/sandbox`)).status).toBe(200);
    await sandbox.close();
  });
});

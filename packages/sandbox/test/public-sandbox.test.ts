import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Readable } from 'node:stream';
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

/** Program that starts a sandbox on the socket with the descriptor 3, and prints what happened. */
const PROGRAM = `
  import { startSandbox } from '@latchkey/sandbox';
  const quiet = { info() {}, warn() {}, error() {} };
  const options = { ...JSON.parse(process.argv[1]), listeningSocket: 3, logger: quiet };
  const started = startSandbox(options).then(({ controlToken: token }) => ({ token }), ({ message: error }) => ({ error }));
  console.log(JSON.stringify(await started));`;

/** Passes a listening socket to a new process with a sandbox, as a supervisor does. */
async function startOnSocket(host: string, finish: (end: () => void) => void, options: object = {}) {
  const holder = createServer() as Server & { _handle: { fd: number } };
  await new Promise<void>((listening) => holder.listen(0, host, listening));
  const { port } = holder.address() as AddressInfo;
  const settings = JSON.stringify({ hostname: '127.0.0.1', baseUrl: `http://127.0.0.1:${port}`, ...options });
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, settings], {
    cwd: new URL('..', import.meta.url),
    stdio: ['ignore', 'pipe', 'inherit', holder._handle.fd],
  });
  finish(() => void child.kill());
  holder.close();
  const [line] = (await once(child.stdout as Readable, 'data')) as [Buffer];
  return { port, ...(JSON.parse(String(line)) as { token?: string; error?: string }) };
}

/** Address of this machine that other machines reach. */
const outward = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

/** Asks as another machine does: from an address that is not loopback, with the loopback name as its host. */
async function ask(path: string, { host, port, headers }: { host: string; port: number; headers?: object }) {
  return await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = { host, port, path, headers: { host: `127.0.0.1:${port}`, ...headers } };
    request(sent, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    })
      .once('error', reject)
      .end();
  });
}

const PATHS = ['/sandbox', '/sandbox/data', '/sandbox/mailbox', '/sandbox/api/requests', '/sign-in', '/'];

describe('a sandbox on a socket that was passed to it', () => {
  it.for(['0.0.0.0', '::', '::ffff:0.0.0.0', ...(outward === undefined ? [] : [outward])])(
    'does not start if it listens at %s, whatever hostname and baseUrl say',
    async (host, { onTestFinished }) => {
      const { error } = await startOnSocket(host, onTestFinished);
      expect(error).toMatch(/It listens at .* set allowPublic/);
    },
  );

  it.for(['127.0.0.1', '127.0.0.5', '::1'])(
    'starts if it listens at %s',
    async (host, { onTestFinished }) => {
      const { port, token } = await startOnSocket(host, onTestFinished, { hostname: 'ignored.example' });
      expect((await ask('/sandbox', { host, port })).text).toContain(token);
    },
  );
});

describe('a request of another machine', () => {
  it('is refused on every path, and reads no token, if it arrives at a private sandbox', async () => {
    const sandbox = await startSandbox({ logger: quiet });
    const { port, controlToken } = sandbox;
    const key = { authorization: `Bearer ${controlToken}` };
    const answers = await Promise.all(
      PATHS.flatMap((path) =>
        [
          { 'x-forwarded-for': '203.0.113.7' },
          { forwarded: 'for=203.0.113.7' },
          { 'x-forwarded-host': 'my-tunnel.example' },
        ].map((forwarded) => ask(path, { host: '127.0.0.1', port, headers: { ...key, ...forwarded } })),
      ),
    );
    const own = await ask('/sandbox/api/requests', { host: '127.0.0.1', port, headers: key });
    await sandbox.close();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403]));
    for (const { text } of answers) expect(text).not.toContain(controlToken);
    expect(own.status).toBe(200);
  });

  it('shows no token through a proxy, also with allowPublic', async () => {
    const sandbox = await startSandbox({ logger: quiet, allowPublic: true });
    const { port, controlToken } = sandbox;
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    const proxied = await ask('/sandbox', { host: '127.0.0.1', port, headers });
    const own = await ask('/sandbox', { host: '127.0.0.1', port });
    await sandbox.close();
    expect([proxied.status, proxied.text.includes(controlToken)]).toEqual([200, false]);
    expect(own.text).toContain(controlToken);
  });

  it.runIf(outward !== undefined)(
    'is answered with allowPublic, without the token',
    async ({ onTestFinished }) => {
      const { port, token } = await startOnSocket('0.0.0.0', onTestFinished, { allowPublic: true });
      const pages = await Promise.all(
        ['127.0.0.1', outward ?? ''].map((host) => ask('/sandbox', { host, port })),
      );
      expect(token).toBeDefined();
      expect(pages.map(({ status }) => status)).toEqual([200, 200]);
      for (const { text } of pages) expect(text).not.toContain(token);
    },
  );
});

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

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { listeningAt, type RunningLatchkey, startLatchkey } from './running-latchkey.js';

/** Starts `latchkey serve` on a free port; it is killed when the test ends. */
function serve(args: readonly string[], onTestFinished: (end: () => void) => void): RunningLatchkey {
  const latchkey = startLatchkey(['serve', '--port', '0', ...args]);
  onTestFinished(() => void latchkey.process.kill('SIGKILL'));
  return latchkey;
}

describe('latchkey serve', () => {
  it('--sandbox is a whole sandbox: people, clients, a key, and where to click', async ({
    onTestFinished,
  }) => {
    const latchkey = serve(['--sandbox', '--site', 'https://shop.example'], onTestFinished);
    const address = await listeningAt(latchkey);
    await latchkey.told(/Ctrl-C ends it/);
    expect(latchkey.err()).toContain(`${address}/sandbox`);
    const clientId = /public client +(oac_[0-9a-f]{24})/.exec(latchkey.err())?.[1];
    const identity = await fetch(`${address}/oauth/client/${clientId}?widget_origin=https://shop.example`);
    expect(await identity.json()).toMatchObject({ data: { widgetOriginAllowed: true } });
    const home = await (await fetch(`${address}/sandbox`)).text();
    expect(home).toContain('Ada Member');
    expect(home).toContain('https://shop.example');
    latchkey.process.kill('SIGINT');
    expect(await latchkey.ended).toBe(0);
  });

  it('serves a database file for real, behind a base URL', async ({ onTestFinished }) => {
    const args = [
      '--database',
      'sqlite::memory:',
      '--smtp-url',
      'smtp://127.0.0.1:1',
      '--base-url',
      'https://members.example',
      '--payments',
      'simulated',
    ];
    const latchkey = serve(args, onTestFinished);
    const [, local = ''] = await latchkey.told(/listens at (\S+), as https:\/\/members\.example\n/);
    const answer = await fetch(`${local}/sign-in`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('strict-transport-security')).not.toBeNull();
    latchkey.process.kill('SIGTERM');
    expect(await latchkey.ended).toBe(0);
    const lines = latchkey
      .out()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject([
      { level: 'info', msg: 'service started', baseUrl: 'https://members.example' },
      { level: 'info', msg: 'request answered', path: '/sign-in', status: 200 },
    ]);
  });

  it('says which port is taken, and which flag chooses another', async ({ onTestFinished }) => {
    const other = createServer();
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const latchkey = startLatchkey(['serve', '--sandbox', '--port', String(port)]);
    expect(await latchkey.ended).toBe(1);
    expect(latchkey.err()).toBe(
      `Port ${port} at 127.0.0.1 is taken: stop what listens there, or choose another with --port (or LATCHKEY_PORT).\n`,
    );
  });

  it('answers wrong flags with exit code 2', async () => {
    const latchkey = startLatchkey(['serve', '--sandbox', '--prot', '1']);
    expect(await latchkey.ended).toBe(2);
    expect(latchkey.out()).toBe('');
  });
});

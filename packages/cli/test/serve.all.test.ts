import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { fetchAsHost } from '../../../scripts/fetch-as-host.mjs';
import { temporaryFile } from './call.js';
import { listeningAt, type RunningLatchkey, startLatchkey } from './running-latchkey.js';

/** Starts a service on a free port. It is killed when the test ends. */
function start(args: readonly string[], onTestFinished: (end: () => void) => void): RunningLatchkey {
  const latchkey = startLatchkey([...args, '--port', '0']);
  onTestFinished(() => void latchkey.process.kill('SIGKILL'));
  return latchkey;
}

describe('latchkey sandbox', () => {
  it('starts a sandbox with users, clients and an API key, and prints its pages', async ({
    onTestFinished,
  }) => {
    const latchkey = start(['sandbox', '--site', 'https://shop.example'], onTestFinished);
    const address = await listeningAt(latchkey);
    await latchkey.waitFor(/Press Ctrl-C to stop/);
    expect(latchkey.err()).toContain(`${address}/sandbox`);
    expect(latchkey.err()).toContain('All data are in memory and are lost then.');
    const clientId = /^LATCHKEY_PUBLIC_CLIENT_ID=(oac_[0-9a-f]{24})$/m.exec(latchkey.err())?.[1];
    const identity = await fetch(`${address}/oauth/client/${clientId}?widget_origin=https://shop.example`);
    expect(await identity.json()).toMatchObject({ data: { widgetOriginAllowed: true } });
    const home = await (await fetch(`${address}/sandbox`)).text();
    expect(home).toContain('Ada Member');
    expect(home).toContain('https://shop.example');
    latchkey.process.kill('SIGINT');
    expect(await latchkey.ended).toBe(0);
  });

  it('prints no sample people or ids for an empty database', async ({ onTestFinished }) => {
    const file = `sqlite:${temporaryFile(onTestFinished)}`;
    const latchkey = start(['sandbox', '--scenario', 'empty', '--database', file], onTestFinished);
    const address = await listeningAt(latchkey);
    await latchkey.waitFor(/Press Ctrl-C to stop\. The data stay in the database\./);
    expect(latchkey.err()).toContain(`${address}/sandbox/data`);
    expect(latchkey.err()).not.toMatch(/ada@example|LATCHKEY_CLIENT_ID/);
    expect(latchkey.err()).toMatch(/^LATCHKEY_SANDBOX_TOKEN=sbx_/m);
  });
});

describe('latchkey serve', () => {
  it('serves a database behind a base URL and logs requests as JSON', async ({ onTestFinished }) => {
    const args = [
      '--database',
      'sqlite::memory:',
      '--smtp-url',
      'smtp://127.0.0.1:1',
      '--base-url',
      'https://members.example',
      '--trust-proxy',
      'loopback',
      '--brand-name',
      'Hearth Pass',
    ];
    const latchkey = start(['serve', ...args], onTestFinished);
    const [, local = ''] = await latchkey.waitFor(/listens at (\S+), as https:\/\/members\.example\n/);
    const answer = await fetchAsHost(local, 'https://members.example', '/sign-in');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('strict-transport-security')).not.toBeNull();
    expect(await answer.text()).toContain('<title>Sign in · Hearth Pass</title>');
    latchkey.process.kill('SIGTERM');
    expect(await latchkey.ended).toBe(0);
    const lines = latchkey
      .out()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject([
      { level: 'warn', msg: 'No payment provider: nothing can be sold, and buy-plan answers 503' },
      { level: 'info', msg: 'service started', baseUrl: 'https://members.example' },
      { level: 'info', msg: 'Request completed', path: '/sign-in', status: 200 },
    ]);
  });

  it('names the port that is in use and the flag that changes it', async ({ onTestFinished }) => {
    const other = createServer();
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const latchkey = startLatchkey(['sandbox', '--port', String(port)]);
    expect(await latchkey.ended).toBe(1);
    expect(latchkey.err()).toBe(
      `Port ${port} on 127.0.0.1 is already in use. Stop the process that uses it, or choose another port with --port (or LATCHKEY_PORT).\nSee: latchkey explain start_failed\n`,
    );
  });

  it('exits with code 2 after an unknown flag', async () => {
    const latchkey = startLatchkey(['sandbox', '--prot', '1']);
    expect(await latchkey.ended).toBe(2);
    expect(latchkey.out()).toBe('');
  });

  it('reads secrets from files', async ({ onTestFinished }) => {
    const [database, smtpUrl] = [temporaryFile(onTestFinished), temporaryFile(onTestFinished)];
    writeFileSync(database, 'sqlite::memory:\n');
    writeFileSync(smtpUrl, 'smtp://user:password@127.0.0.1:1\n');
    const latchkey = startLatchkey(['serve', '--port', '0'], {
      LATCHKEY_DATABASE_FILE: database,
      LATCHKEY_SMTP_URL_FILE: smtpUrl,
    });
    onTestFinished(() => void latchkey.process.kill('SIGKILL'));
    await listeningAt(latchkey);
    expect(latchkey.err()).not.toContain('password');
  });
});

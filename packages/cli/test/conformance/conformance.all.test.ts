import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningSandbox, sandboxScenario } from '@latchkey/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { latchkey } from '../call.js';
import { startControlSandbox } from '../control/control-sandbox.js';
import { startLatchkey } from '../running-latchkey.js';

let sandbox: RunningSandbox & { readonly env: Record<string, string> };
let folder: string;
beforeAll(async () => {
  sandbox = await startControlSandbox();
  folder = mkdtempSync(join(tmpdir(), 'latchkey-conformance-'));
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

const FULL_SPEED = ['--rate', '1000'];

/** Runs the built command in a process of its own. */
async function run(...args: string[]) {
  const running = startLatchkey(['conformance', ...args], sandbox.env);
  return { code: await running.ended, out: running.out(), err: running.err() };
}

describe('latchkey conformance', () => {
  it('checks a sandbox with the fixtures that it created there', async () => {
    const created = await run('fixtures');
    expect(created.err).not.toContain('Error');
    const fixtures = join(folder, 'fixtures.json');
    writeFileSync(fixtures, created.out);
    const [html, junit] = [join(folder, 'report.html'), join(folder, 'report.xml')];
    const only = 'token.success-created,provision.created,credentials.client-secret-issued';
    const args = ['--base-url', sandbox.baseUrl, '--fixtures', fixtures, '--only', only, ...FULL_SPEED];
    const { code, out } = await run(...args, '--destructive', '--html', html, '--junit', junit);
    expect(out).toContain('3 passed, 0 failed, 0 not run');
    expect(code).toBe(0);
    const page = readFileSync(html, 'utf8');
    expect(page).toContain('Success is a 201 with the token pair.');
    expect(readFileSync(junit, 'utf8')).toContain('tests="3" failures="0"');
    const { keys, clients } = JSON.parse(created.out);
    for (const secret of [keys.full, clients.confidential.clientSecret]) expect(page).not.toContain(secret);
    // The reports contain email addresses.
    for (const report of [html, junit]) expect(statSync(report).mode & 0o777).toBe(0o600);
    expect(page).not.toMatch(/access_token&quot;:&quot;(?!&lt;)/);
  });

  it('rejects files that cannot be written, before its first request', async () => {
    const args = ['conformance', '--base-url', sandbox.baseUrl, '--only', 'authorize', ...FULL_SPEED];
    const reports = await latchkey([...args, '--html', '/nope/x.html', '--junit', folder]);
    expect(reports).toMatchObject({ code: 2, out: '' });
    expect(reports.err).toContain('--html: /nope/x.html cannot be written (ENOENT).');
    expect(reports.err).toContain(`--junit: ${folder} cannot be written (it is a folder).`);
    const resumed = await latchkey([...args, '--resume', '/nope/run.jsonl']);
    expect(resumed).toMatchObject({ code: 1, out: '' });
    expect(resumed.err).toContain('--resume: /nope/run.jsonl cannot be written (ENOENT).');
    expect((await latchkey([...args, '--resume', folder])).err).toContain('cannot be read (EISDIR)');
  });

  it('sends GET requests only with a key and nothing else', async () => {
    const { requests: before } = await sandbox.control.requests.list({ limit: 1 });
    const env = { LATCHKEY_API_KEY: sandboxScenario.apiKey };
    const { code, out } = await latchkey(['conformance', '--base-url', sandbox.baseUrl, ...FULL_SPEED], env);
    expect(code, out).toBe(0);
    expect(out).toContain('needs --destructive');
    const { requests } = await sandbox.control.requests.list({ limit: 500 });
    const sent = requests.slice(
      0,
      requests.findIndex(({ id }) => id === before[0]?.id),
    );
    expect(sent.length).toBeGreaterThan(10);
    expect(sent.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(sent.filter(({ status }) => status === 401).length).toBeLessThan(20);
  });

  it('lists the checks without a request', async () => {
    const { code, out } = await latchkey(['conformance', '--list', '--only', 'userinfo']);
    expect(code).toBe(0);
    expect(out.split('\n')).toContain(
      'probe         userinfo.bearer  userinfo requires a bearer access token.',
    );
  });

  it('continues a run from its file', async () => {
    const state = join(folder, 'run.jsonl');
    const args = [
      'conformance',
      '--base-url',
      sandbox.baseUrl,
      '--only',
      'rejection',
      '--resume',
      state,
      ...FULL_SPEED,
    ];
    const first = await latchkey(args);
    expect(first.out).toContain('8 passed');
    const { requests } = await sandbox.control.requests.list({ limit: 1 });
    const second = await latchkey(args);
    expect(second.out).toContain('8 passed');
    const after = await sandbox.control.requests.list({ limit: 1 });
    expect(after.requests[0]?.id).toBe(requests[0]?.id);
    const other = await latchkey([...args.slice(0, 2), 'https://other.example', ...args.slice(3)]);
    expect(other).toMatchObject({
      code: 1,
      err: expect.stringContaining('has no results of https://other.example'),
    });
  });

  it('exits with 1 if a service breaks a rule', async () => {
    const server = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const baseUrl = `http://127.0.0.1:${port}`;
    const { code, out } = await latchkey([
      'conformance',
      '--base-url',
      baseUrl,
      '--only',
      'userinfo',
      ...FULL_SPEED,
    ]);
    server.close();
    expect(code).toBe(1);
    expect(out).toContain('FAILED  userinfo.bearer');
    expect(out).toContain(`curl -i '${baseUrl}/oauth/userinfo'`);
  });

  it('rejects wrong fixtures without their values', async () => {
    const fixtures = join(folder, 'wrong.json');
    writeFileSync(fixtures, JSON.stringify({ keys: { full: 7, unknown: 'svc_secret' } }));
    const args = ['conformance', '--base-url', sandbox.baseUrl, '--fixtures', fixtures];
    const { code, err } = await latchkey(args);
    expect(code).toBe(2);
    expect(err).toContain('keys.full');
    expect(err).not.toContain('svc_secret');
  });

  it('rejects an unknown area and an address without encryption', async () => {
    const unknown = await latchkey(['conformance', '--base-url', sandbox.baseUrl, '--only', 'tokens']);
    expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('tokens') });
    const plain = await latchkey(['conformance', '--base-url', 'http://service.example']);
    expect(plain).toMatchObject({ code: 2, err: expect.stringContaining('must be an https URL') });
  });
});

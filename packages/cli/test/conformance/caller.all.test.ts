import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unusedAddress } from '@latchkey/conformance/scripted-service';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { latchkey } from '../call.js';
import { startLatchkey } from '../running-latchkey.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-caller-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const ANY_PORT = ['--listen', '127.0.0.1:0'];

/** An app with one page, which calls the service. `RETRIES` lists the statuses that it retries. */
const APP = `
import { createServer } from 'node:http';
const { LATCHKEY_SERVICE_URL, LATCHKEY_API_KEY, LATCHKEY_COMMUNITY_ID, RETRIES = '500,503' } = process.env;
createServer(async ({ url }, response) => {
  const { pathname } = new URL(url, 'http://app');
  if (pathname === '/') return response.end('up');
  const path = '/membership/check-messenger/' + LATCHKEY_COMMUNITY_ID + pathname;
  for (let attempt = 0; ; attempt += 1) {
    const answer = await fetch(LATCHKEY_SERVICE_URL + path, { headers: { authorization: 'Bearer ' + LATCHKEY_API_KEY } });
    if (attempt < 2 && RETRIES.split(',').includes(String(answer.status))) {
      await new Promise((resume) => setTimeout(resume, 100));
      continue;
    }
    const { data } = await answer.json();
    response.writeHead(answer.ok ? 200 : 502).end(answer.ok ? String(data.isActive) : 'failed');
    return;
  }
}).listen(new URL(process.argv[2]).port, '127.0.0.1');
`;

async function writeProfile(changes: object = {}): Promise<string> {
  const app = await unusedAddress();
  const program = join(folder, 'app.mjs');
  writeFileSync(program, APP);
  const path = join(folder, 'caller.json');
  const profile = {
    name: 'one page',
    app,
    start: `"${process.execPath}" "${program}" ${app}`,
    actions: { checkMessenger: { request: 'GET /{messengerUserId}' } },
    timing: { quietSeconds: 0 },
    ...changes,
  };
  writeFileSync(path, JSON.stringify(profile));
  return path;
}

it('starts an app, drives it by its profile and writes the reports', async () => {
  const [html, junit] = [join(folder, 'caller.html'), join(folder, 'caller.xml')];
  const args = [
    '--profile',
    await writeProfile(),
    ...ANY_PORT,
    '--html',
    html,
    '--junit',
    junit,
    '--verbose',
  ];
  const { code, out } = await latchkey(['conformance', 'caller', ...args]);
  expect(out).toContain('passed  retry.not-client-errors');
  expect(out).toContain('not observed: needs the action signIn');
  expect(out).toMatch(/one page: \d+ passed, 0 failed/);
  expect(code).toBe(0);
  expect(readFileSync(junit, 'utf8')).toContain('failures="0"');
  expect(readFileSync(html, 'utf8')).toContain('A client retries 500 with backoff.');
  expect(readFileSync(html, 'utf8')).not.toContain(`svc_${'c0f0'.repeat(3)}`);
});

it('reports a client that retries a 409, with the rule and the messages', {
  tags: ['retry.not-client-errors'],
}, async () => {
  const profile = await writeProfile();
  const content = JSON.parse(readFileSync(profile, 'utf8'));
  writeFileSync(profile, JSON.stringify({ ...content, start: `RETRIES=409,500,503 ${content.start}` }));
  const { code, out } = await latchkey(['conformance', 'caller', '--profile', profile, ...ANY_PORT]);
  expect(out).toContain('FAILED  retry.not-client-errors');
  expect(out).toContain('the service answered 409. The client sent the request 3 times.');
  expect(out).toContain('1 failed');
  expect(code).toBe(1);
});

it('runs a command under a selected script', async () => {
  const program = join(folder, 'once.mjs');
  writeFileSync(
    program,
    `const { LATCHKEY_SERVICE_URL: url, LATCHKEY_API_KEY: key, LATCHKEY_COMMUNITY_ID: id } = process.env;
    const answer = await fetch(url + '/membership/check-messenger/' + id + '/7', { headers: { authorization: 'Bearer ' + key } });
    const { success } = await answer.json();
    process.exit(success === true ? 0 : 1);`,
  );
  const run = `"${process.execPath}" "${program}"`;
  const args = ['conformance', 'caller', ...ANY_PORT, '--run', run, '--json'];
  const { code, out } = await latchkey([...args, '--script', 'unknown fields', '--script', 'data only']);
  const { results } = JSON.parse(out) as { results: { id: string; outcome: string }[] };
  const failed = results.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
  expect(failed).toEqual(['envelope.every-key-optional']);
  expect(code).toBe(1);
});

it('observes a client that is used by hand, until Ctrl-C', async () => {
  const running = startLatchkey([
    'conformance',
    'caller',
    ...ANY_PORT,
    '--script',
    'status 404',
    '--verbose',
  ]);
  const [, url = ''] = await running.waitFor(/LATCHKEY_SERVICE_URL=(\S+)/);
  const [, key = ''] = await running.waitFor(/LATCHKEY_API_KEY=(\S+)/);
  const path = '/membership/join-messenger-community-external/buyer-1';
  const headers = { authorization: `Bearer ${key}` };
  expect((await fetch(`${url}${path}`, { headers })).status).toBe(404);
  const form = (origin: string) => ({
    method: 'POST',
    headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'script=ordinary',
    redirect: 'manual' as const,
  });
  expect((await fetch(`${url}/.conformance`, form('https://elsewhere.example'))).status).toBe(403);
  expect((await fetch(`${url}/.conformance`, form(url))).status).toBe(303);
  expect((await fetch(`${url}${path}`, { headers })).status).toBe(200);
  const page = await (await fetch(`${url}/.conformance`)).text();
  expect(page).toContain('retry.not-client-errors');
  running.process.kill('SIGINT');
  expect(await running.ended).toBe(0);
  expect(running.out()).toContain('passed  api-key.bearer-header');
  expect(running.out()).toContain('not observed');
});

it.each([
  [['--profile', 'nowhere.json'], '--profile: nowhere.json cannot be read (ENOENT).'],
  [['--script', 'nonsense'], '--script: there is no script "nonsense". Use --script list.'],
  [['--listen', 'nonsense'], 'must be an address such as 127.0.0.1:4490'],
])('rejects %j', async (args, message) => {
  const { code, err } = await latchkey(['conformance', 'caller', ...args]);
  expect(err).toContain(message);
  expect(code).toBe(2);
});

it('names the field of a profile that is invalid', async () => {
  const profile = await writeProfile({ actions: { checkMessenger: { request: 'active' } } });
  const { code, err } = await latchkey(['conformance', 'caller', '--profile', profile, ...ANY_PORT]);
  expect(err).toContain('actions.checkMessenger');
  expect(code).toBe(2);
});

it('reports an app that does not start, with its output', async () => {
  const profile = await writeProfile({ start: 'echo the port is taken >&2; exit 3' });
  const { code, err } = await latchkey(['conformance', 'caller', '--profile', profile, ...ANY_PORT]);
  expect(err).toContain('the app ended with 3');
  expect(err).toContain('the port is taken');
  expect(code).toBe(1);
});

it('passes the example of an external funnel by the profile in its folder', async () => {
  const example = join(import.meta.dirname, '../../../../examples/external-funnel');
  const app = await unusedAddress();
  const content = JSON.parse(readFileSync(join(example, 'conformance.json'), 'utf8'));
  expect(content.start).toBe('PORT=4409 node app.ts');
  const start = `PORT=${new URL(app).port} "${process.execPath}" "${example}/app.ts"`;
  const profile = join(folder, 'funnel.json');
  writeFileSync(profile, JSON.stringify({ ...content, app, start }));
  const { code, out } = await latchkey(['conformance', 'caller', '--profile', profile, ...ANY_PORT]);
  expect(out).toContain('external funnel: 12 passed, 0 failed');
  expect(code).toBe(0);
});

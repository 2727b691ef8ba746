import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  CLIENT_SECRET,
  CONFIDENTIAL_CLIENT,
  type FakeServiceOptions,
  type FakeUser,
  fakeMembership,
  fakeUser,
  READINGS,
  type RunningFakeService,
  respond,
  startFakeService,
  unusedAddress,
} from '@latchkey/conformance/scripted-service';
import { describe, expect, it, onTestFinished } from 'vitest';
import { doctor } from './doctor.js';

const COMMUNITY = '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0200';
const CHECK_PATH = `/membership/check-messenger/${COMMUNITY}/7`;
const MESSENGER_FLAGS = ['--community', COMMUNITY, '--messenger-user-id', '7'];
const SECRETS = { LATCHKEY_API_KEY: 'svc_test-key-with-secret-text' };

async function start(options: FakeServiceOptions = {}): Promise<RunningFakeService> {
  // These tests choose the reading and the assumption themselves.
  const service = await startFakeService({ reading: 'first', ...options });
  for (const key of [SECRETS.LATCHKEY_API_KEY, 'acme_test']) service.addApiKey({ key });
  onTestFinished(() => service.close());
  return service;
}

/** Starts a service that answers everything with 401 and these headers. The fake service admits every origin. */
async function startPlain(headers: Record<string, string>): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(request.method === 'OPTIONS' ? 204 : 401, headers).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Signs a user in without a browser. */
async function accessTokenOf(service: RunningFakeService, user: FakeUser): Promise<string> {
  const redirectUri = 'https://shop.example/auth/callback';
  const code = service.issueCode({ user, clientId: CONFIDENTIAL_CLIENT, redirectUri, challenge: undefined });
  const response = await fetch(`${service.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: CONFIDENTIAL_CLIENT,
      client_secret: CLIENT_SECRET,
      redirect_uri: redirectUri,
      code,
    }),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  return token;
}

describe.each(READINGS)('latchkey doctor --service, %s reading', (reading) => {
  it('finds nothing that differs', async () => {
    const service = await start({ reading });
    const { ids, code } = await doctor(
      service.url,
      [
        ...['--client-id', CONFIDENTIAL_CLIENT, '--redirect-uri', 'https://shop.example/auth/callback'],
        ...['--origin', 'https://shop.example', ...MESSENGER_FLAGS],
      ],
      { ...SECRETS, LATCHKEY_ACCESS_TOKEN: await accessTokenOf(service, fakeUser('ada@example.com', [{}])) },
    );
    expect(ids('differs')).toEqual([]);
    expect(code).toBe(0);
    expect(ids('ok')).toEqual(
      expect.arrayContaining(['userinfo.sub', 'memberships.list-shape', 'answer-size']),
    );
  });

  it('sends no request that could change something, and no key to any other endpoint', async () => {
    const service = await start({ reading });
    await doctor(service.url, ['--origin', 'https://shop.example', ...MESSENGER_FLAGS], {
      ...SECRETS,
      LATCHKEY_ACCESS_TOKEN: 'test-access-token',
    });
    const posts = service.requests.filter(({ method }) => method !== 'GET' && method !== 'OPTIONS');
    expect(posts.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /oauth/token']);
    expect(posts[0]?.form.get('client_id')).toBe(`oac_${'0'.repeat(24)}`);
    const withKey = service.requests.filter(({ headers }) => headers.authorization?.includes('test-key'));
    expect(withKey.map(({ method, path }) => `${method} ${path}`)).toEqual([`GET ${CHECK_PATH}`]);
  });

  it('compares the ids of the messenger check and of the OAuth list', async () => {
    const service = await start({ reading });
    const user = fakeUser('ada@example.com', [{}]);
    const env = { ...SECRETS, LATCHKEY_ACCESS_TOKEN: await accessTokenOf(service, user) };
    const list = await fetch(`${service.url}/oauth/memberships`, {
      headers: { authorization: `Bearer ${env.LATCHKEY_ACCESS_TOKEN}` },
    });
    const { memberships } = (await list.json()) as { memberships: { id: string }[] };
    const check = (membershipId: string | null) => async () => {
      service.on(
        `GET ${CHECK_PATH}`,
        respond(200, { success: true, data: { isActive: true, membershipId } }),
      );
      const run = await doctor(service.url, MESSENGER_FLAGS, env);
      return run.check('membership-id-shared')?.result;
    };
    expect(await check(memberships[0]?.id.toUpperCase() ?? '')()).toBe('ok');
    expect(await check(fakeMembership({}).id)()).toBe('differs');
    expect(await check(null)()).toBe('not_checked');
  });
});

describe('latchkey doctor --service', () => {
  it('reports a service that does not answer, and checks the rest without it', async () => {
    const { ids, check, code } = await doctor(await unusedAddress(), ['--origin', 'https://shop.example']);
    expect(ids('differs')).toEqual(['reachable']);
    expect(check('reachable')?.meaning).toContain('ECONNREFUSED');
    expect(ids('ok')).toEqual([]);
    expect(code).toBe(1);
  });

  it('names the final address behind a redirect', async () => {
    const service = await start();
    service.replyInOrder(respond(308, '', { location: 'https://api.service.example/v' }));
    const { check } = await doctor(service.url);
    expect(check('base-url-final')).toMatchObject({
      result: 'differs',
      action: expect.stringContaining('https://api.service.example.'),
    });
  });

  it('names a website that answers every path with a page', async () => {
    const service = await start();
    service.replyInOrder(respond(200, '<html></html>', { 'content-type': 'text/html' }));
    const { ids } = await doctor(service.url);
    expect(ids('differs')).toEqual(['reachable', 'unknown-path', 'service-names']);
    // The rules would only repeat it.
    expect(
      ids('ok')
        .concat(ids('differs'))
        .filter((id) => id.includes('.')),
    ).toEqual([]);
  });

  it('names a clock that differs by more than a minute', async () => {
    const service = await start();
    const date = new Date(Date.now() - 5 * 60_000).toUTCString();
    service.replyInOrder(respond(404, '{}', { date }));
    const { check } = await doctor(service.url);
    expect(check('clock')).toMatchObject({ result: 'differs', meaning: expect.stringContaining('ahead of') });
  });

  it.each([
    ['no header', {}],
    ['another origin', { 'access-control-allow-origin': 'https://other.example' }],
    [
      'a wildcard for headers, which does not include Authorization',
      { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' },
    ],
  ])('names backend for CORS with %s', async (_name, headers) => {
    const service = await startPlain(headers);
    const { check } = await doctor(service, ['--origin', 'https://shop.example']);
    expect(check('token-cors')).toMatchObject({
      result: 'differs',
      action: expect.stringContaining('backend'),
    });
  });

  it.each([
    [
      'authorize.unknown-client',
      '/oauth/authorize',
      () => respond(302, '', { location: 'https://x.example' }),
    ],
    ['oauth-error.invalid-client-unknown', '/oauth/token', () => respond(400, { error: 'invalid_request' })],
    [
      'oauth-error.no-www-authenticate',
      '/oauth/token',
      () => respond(401, { error: 'invalid_client' }, { 'www-authenticate': 'Basic' }),
    ],
    ['userinfo.sub', '/oauth/userinfo', () => respond(200, { email: null })],
    ['memberships.list-shape', '/oauth/memberships', () => respond(200, [])],
    ['client-identity.client-id', `/oauth/client/${CONFIDENTIAL_CLIENT}`, () => respond(200, { data: {} })],
    ['check-messenger.result-is-active', CHECK_PATH, () => respond(200, { success: true, data: {} })],
  ])('finds that the rule %s is broken, with its section and what to do', async (rule, path, reply) => {
    const service = await start();
    service.on(path, reply());
    const args = ['--client-id', CONFIDENTIAL_CLIENT, ...MESSENGER_FLAGS];
    const { check, code } = await doctor(service.url, args, {
      ...SECRETS,
      LATCHKEY_ACCESS_TOKEN: 'test-access-token',
    });
    expect(code).toBe(1);
    expect(check(rule)).toMatchObject({
      section: expect.stringMatching(/\w/),
      result: 'differs',
      meaning: expect.stringContaining('Expected '),
      action: expect.stringMatching(/\w\.$/),
    });
  });

  it('follows other names of the service', async () => {
    const service = await start({ serviceNames: { apiKeyPrefix: 'acme_', messenger: 'telegram' } });
    const { ids, report } = await doctor(
      service.url,
      ['--service-names', '{"apiKeyPrefix":"acme_","messenger":"telegram"}', ...MESSENGER_FLAGS],
      { LATCHKEY_API_KEY: 'acme_test' },
    );
    expect(ids('differs')).toEqual([]);
    expect(ids('ok')).toEqual(expect.arrayContaining(['service-names', 'api-key.prefix', 'check-messenger']));
    expect(report.names).toEqual({ apiKeyPrefix: 'acme_', headerPrefix: 'X-Svc-', messenger: 'telegram' });
  });

  it('never prints a secret, also if the service repeats it', async () => {
    const service = await start();
    service.on('/oauth/userinfo', ({ headers }) => Response.json({ [String(headers.authorization)]: 1 }));
    const { text } = await doctor(service.url, MESSENGER_FLAGS, {
      ...SECRETS,
      LATCHKEY_ACCESS_TOKEN: 'test-access-token',
      LATCHKEY_WEBHOOK_SECRET: '5eed00f1'.repeat(8),
    });
    expect(text).not.toMatch(/test-access-token|secret-text|5eed00f1/);
  });
});

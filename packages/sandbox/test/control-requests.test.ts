import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it as plainIt } from 'vitest';
import type { RawRequest } from '../src/control/requests/capture-body.js';
import { RequestLog } from '../src/control/requests/request-log.js';
import { type LoggedRequest, type RequestPage, sandboxScenario } from '../src/index.js';
import { Services } from '../src/services/services.js';
import { callControl } from './control-caller.js';
import { it, type SandboxUnderTest, signedIn } from './sandbox-under-test.js';
import { waitForRequests } from './wait-for-requests.js';

const { apiKey, community, confidentialClient, publicClient, users, webhooks } = sandboxScenario;

async function newest(service: SandboxUnderTest, query = ''): Promise<RequestPage['requests']> {
  const { body } = await callControl<RequestPage>(service, `GET /requests${query}`);
  return body.requests;
}

/** Requests of {@link signInAda}. */
const SIGN_IN_REQUESTS = 5;

/** Returns the newest entry whose path contains a text. */
async function entryOf(service: SandboxUnderTest, path: string): Promise<LoggedRequest & { curl: string }> {
  await waitForRequests(service, (request) => request.path.includes(path));
  const [summary] = await newest(service, `?${new URLSearchParams({ path })}`);
  return (await callControl<LoggedRequest & { curl: string }>(service, `GET /requests/${summary?.id}`)).body;
}

function provision(service: SandboxUnderTest, fields: object, key: string = apiKey) {
  return service.request('/membership/provision-external', {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ communityId: community.id, ...fields }),
  });
}

/** Signs Ada in to the public client. Returns every secret that was on the wire. */
async function signInAda(service: SandboxUnderTest): Promise<readonly string[]> {
  const browser = await signedIn(service, users.ada.email);
  const verifier = randomBytes(32).toString('base64url');
  const redirectUri = `${service.baseUrl}/widget/callback/${publicClient.clientId}`;
  const query = new URLSearchParams({
    client_id: publicClient.clientId,
    redirect_uri: redirectUri,
    scope: 'memberships.read',
    state: 'state-of-the-test',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  await browser.get(`/oauth/authorize?${query}`);
  const consent = await browser.post('/oauth/consent', {
    ...Object.fromEntries(query),
    account: users.ada.id,
    decision: 'allow',
  });
  const code = new URL(consent.headers.get('location') ?? '', service.baseUrl).searchParams.get('code') ?? '';
  const form = {
    grant_type: 'authorization_code',
    client_id: publicClient.clientId,
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  };
  const answer = await service.request('/oauth/token', { method: 'POST', body: new URLSearchParams(form) });
  const pair = await answer.json();
  await service.request('/oauth/memberships', { headers: { Authorization: `Bearer ${pair.access_token}` } });
  return [
    code,
    verifier,
    pair.access_token,
    pair.refresh_token,
    'state-of-the-test',
    ...browser.cookies.values(),
  ];
}

describe('the request log', () => {
  it('contains a call with its caller, both bodies and both clocks', async ({ service }) => {
    service.server.clock.advance(3600_000);
    await provision(service, { externalOrderId: 'order-1', email: users.ben.email });
    const entry = await entryOf(service, 'provision-external');
    expect(entry).toMatchObject({
      method: 'POST',
      path: '/membership/provision-external',
      endpoint: 'provisionExternal',
      status: 200,
      answered: true,
      caller: { kind: 'api-key', ownerId: users.dana.id, owner: users.dana.email },
      serviceTime: '2026-06-12T15:05:00.000Z',
      realTime: '2026-06-12T14:05:00.000Z',
      requirements: [],
    });
    expect(JSON.parse(entry.requestBody?.text ?? '')).toMatchObject({ externalOrderId: 'order-1' });
    expect(JSON.parse(entry.responseBody?.text ?? '')).toMatchObject({ data: { status: 'created' } });
    expect(entry.curl).toContain('Authorization: Bearer $TOKEN');
  });

  it('contains no secret of a whole sign-in, nor of calls with wrong credentials', async ({ service }) => {
    const secrets = [
      ...(await signInAda(service)),
      apiKey,
      confidentialClient.clientSecret,
      webhooks.community.secret,
    ];
    const wrongToken = randomBytes(32).toString('base64url');
    const { clientId, clientSecret } = confidentialClient;
    const requests: [string, RequestInit][] = [
      [`/oauth/userinfo?access_token=${wrongToken}`, { headers: { Authorization: `Bearer ${wrongToken}` } }],
      [
        '/oauth/token',
        { method: 'POST', body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret }) },
      ],
      [
        '/oauth/token',
        {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: `{"client_secret":"${clientSecret}",`,
        },
      ],
      [
        '/oauth/token',
        {
          method: 'POST',
          headers: { Authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
          body: new URLSearchParams({ [apiKey]: apiKey }),
        },
      ],
      [
        '/oauth/revoke',
        { method: 'POST', body: `client_id=${clientId}&clien%74_secret=abc-def-1&token=short-token` },
      ],
      [
        '/membership/provision-external',
        {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${apiKey}` },
          body: JSON.stringify({
            communityId: community.id,
            nested: { [apiKey]: [apiKey] },
            webhookSecret: webhooks.community.secret,
          }),
        },
      ],
      ['/oauth/token', { method: 'POST', body: `${'x'.repeat(70_000)}&client_secret=${clientSecret}` }],
    ];
    for (const [path, init] of requests) await service.request(path, init);
    await waitForRequests(service, () => true, SIGN_IN_REQUESTS + requests.length);
    const ids = (await newest(service, '?limit=500')).map(({ id }) => id);
    const entries = await Promise.all(
      ids.map(async (id) => (await callControl(service, `GET /requests/${id}`)).body),
    );
    const text = decodeURIComponent(JSON.stringify(entries).replaceAll(/%(?![0-9A-F]{2})/gi, '%25'));
    for (const secret of [
      ...secrets,
      wrongToken,
      'abc-def-1',
      'short-token',
      btoa(`${clientId}:${clientSecret}`),
    ]) {
      expect(text).not.toContain(secret);
    }
    expect(text).toContain('[hidden]');
  });

  it('names the client of a sign-in, and hides the typed code', async ({ service }) => {
    await signInAda(service);
    expect(await entryOf(service, '/oauth/token')).toMatchObject({
      caller: { kind: 'client', clientId: publicClient.clientId },
    });
    expect(await entryOf(service, '/oauth/memberships')).toMatchObject({
      caller: { clientId: publicClient.clientId, userId: users.ada.id },
    });
    const browser = service.browser();
    await browser.post('/sign-in/code', { email: users.ben.email });
    const code = service.server.mailbox.latestFor(users.ben.email)?.code ?? '';
    await browser.post('/sign-in/verify', { email: users.ben.email, code });
    await waitForRequests(service, ({ path }) => path === '/sign-in/verify');
    const text = JSON.stringify(
      service.server.control.requests
        .list({ limit: 500 })
        .requests.map(({ id }) => service.server.control.requests.find(id)),
    );
    expect(code).toMatch(/^\d{6}$/);
    expect(text).not.toContain(code);
  });

  it.for([
    [{}, 'svc_wrong', 401, 'api-key.malformed-key'],
    [{}, `svc_${'x'.repeat(43)}`, 401, 'api-key.unknown-key'],
    [{}, apiKey, 400, 'api-key.status-validation'],
    [
      { externalOrderId: 'o', email: users.ada.email, onOverlap: 'error' },
      apiKey,
      409,
      'provision.overlap-error',
    ],
    [
      { communityId: sandboxScenario.otherCommunity.id, externalOrderId: 'o', email: 'a@b.example' },
      apiKey,
      403,
      'api-key.missing-role',
    ],
  ] as const)('names the rule behind a rejection: %j', async ([fields, key, status, rule], { service }) => {
    expect((await provision(service, fields, key)).status).toBe(status);
    expect((await entryOf(service, 'provision-external')).requirements).toEqual([rule]);
  });

  it('names the rule behind an expired token, and none that it cannot prove', async ({ service }) => {
    const [, , accessToken = ''] = await signInAda(service);
    service.clock.advance(3600_000);
    await service.request('/oauth/userinfo', { headers: { Authorization: `Bearer ${accessToken}` } });
    expect((await entryOf(service, '/oauth/userinfo')).requirements).toEqual([
      'oauth-error.invalid-token-expired',
    ]);
    await service.request('/oauth/authorize?client_id=x');
    expect((await entryOf(service, '/oauth/authorize?client_id=x')).requirements).toEqual([]);
  });

  it('is filtered by path, status, client and text, and read page by page', async ({ service }) => {
    await signInAda(service);
    await provision(service, { externalOrderId: 'order-77', email: users.ben.email });
    await provision(service, {});
    await waitForRequests(service, () => true, SIGN_IN_REQUESTS + 2);
    expect(await newest(service, '?status=4xx&path=provision')).toHaveLength(1);
    expect(
      (await newest(service, `?client=${publicClient.clientId}`)).every(
        ({ caller }) => caller?.kind === 'client',
      ),
    ).toBe(true);
    expect(await newest(service, `?client=${users.dana.email}`)).toHaveLength(2);
    expect(await newest(service, '?text=ORDER-77')).toHaveLength(1);
    const all = (await newest(service)).map(({ id }) => id);
    const paged: string[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const query: string = next === '' ? '?limit=2' : `?limit=2&after=${next}`;
      const { body } = await callControl<RequestPage>(service, `GET /requests${query}`);
      paged.push(...body.requests.map(({ id }) => id));
      next = body.next;
    }
    expect(paged).toEqual(all);
    expect((await callControl(service, 'DELETE /requests')).status).toBe(204);
    expect(await newest(service)).toEqual([]);
  });

  plainIt('keeps a bounded number of entries and bytes', () => {
    const services = new Services({ now: Date.now });
    const request = getCall({ path: '/p' });
    const log = new RequestLog(services, 3, 100_000);
    for (let n = 0; n < 5; n += 1) log.add(request, RAW);
    expect(log.list().requests.map(({ id }) => id)).toEqual(['req_5', 'req_4', 'req_3']);
    const small = new RequestLog(services, 100, 2_000);
    for (let n = 0; n < 50; n += 1) small.add(getCall({ path: `/${'x'.repeat(300)}` }), RAW);
    expect(small.list().requests.length).toBeLessThan(5);
  });
});

const RAW: RawRequest = {
  method: 'GET',
  url: '/p',
  headers: [],
  body: { kept: Buffer.alloc(0), bytes: 0 },
};

function getCall({ path }: { path: string }): Omit<LoggedRequest, 'id'> {
  return {
    serviceTime: '',
    realTime: '',
    method: 'GET',
    path,
    endpoint: null,
    caller: null,
    status: 200,
    durationMs: 1,
    answered: true,
    fault: null,
    requirements: [],
    authorization: null,
    requestBody: null,
    responseBody: null,
    location: null,
    replayOf: null,
    requestHeaders: {},
    responseHeaders: {},
  };
}

describe('the event stream', () => {
  it('sends requests and mail as they happen, and continues after an event', async ({ service }) => {
    const open = async (lastId?: string) => {
      const response = await fetch(`${service.baseUrl}/sandbox/api/stream`, {
        headers: {
          Authorization: `Bearer ${service.server.controlToken}`,
          ...(lastId && { 'Last-Event-ID': lastId }),
        },
      });
      expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      return response.body?.pipeThrough(new TextDecoderStream()).getReader();
    };
    const readUntil = async (reader: Awaited<ReturnType<typeof open>>, wanted: string) => {
      let text = '';
      while (!text.includes(wanted)) {
        const { value, done } = (await reader?.read()) ?? { done: true };
        if (done) throw new Error(`The stream ended before ${wanted}: ${text}`);
        text += value;
      }
      return text;
    };
    const first = await open();
    await readUntil(first, 'connected');
    await service.browser().post('/sign-in/code', { email: users.ben.email });
    const text = await readUntil(first, 'event: request');
    expect(text).toContain('event: mail');
    expect(text).toContain('"subject":"•••••• is your Latchkey code"');
    expect(text).not.toContain(service.server.mailbox.latestFor(users.ben.email)?.code);
    const again = await open('1');
    expect(await readUntil(again, 'id: 2')).not.toContain('id: 1\n');
  });

  plainIt('ends when the sandbox closes', async () => {
    const { createSandboxUnderTest } = await import('./sandbox-under-test.js');
    const service = await createSandboxUnderTest();
    const response = await fetch(`${service.baseUrl}/sandbox/api/stream`, {
      headers: { Authorization: `Bearer ${service.server.controlToken}` },
    });
    const text = response.text();
    await service.server.close();
    expect(await text).toContain('connected');
  });
});

import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ENDPOINTS, webhookEventSchemas } from '@latchkey/contract';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  CLIENT_SECRET,
  CONFIDENTIAL_CLIENT,
  createFakeService,
  type FakeService,
  type FakeServiceOptions,
  type FakeUser,
  fakeFetch,
  fakeMembership,
  fakeUser,
  PUBLIC_CLIENT,
  type ReadingName,
} from '../../src/scripted-service.js';

const ORIGIN = 'https://shop.example';
const SECRET = 'a1'.repeat(32);

let ada: FakeUser;
beforeEach(() => {
  ada = fakeUser('ada@example.com', [{ validUntil: null }]);
});

function start(reading: ReadingName, options: FakeServiceOptions = {}) {
  const service = createFakeService({ reading, visitor: ada, ...options });
  const send = fakeFetch(service);
  return { service, ask: (path: string, init?: RequestInit) => send(`https://service.example${path}`, init) };
}

/** Signs the visitor in as a client. Returns the response and the fields of the token pair. */
async function signIn({ service, ask }: ReturnType<typeof start>, clientId = CONFIDENTIAL_CLIENT) {
  const redirectUri = `${ORIGIN}/callback`;
  const code = service.issueCode({ user: ada, clientId, redirectUri, challenge: undefined, scope: SCOPES });
  const body = new URLSearchParams({
    ...{ grant_type: 'authorization_code', client_id: clientId, code, redirect_uri: redirectUri },
    ...(clientId === CONFIDENTIAL_CLIENT ? { client_secret: CLIENT_SECRET } : {}),
  });
  const response = await ask('/oauth/token', { method: 'POST', body, headers: { origin: ORIGIN } });
  const pair = (await response.json()) as Record<string, string>;
  const get = (path: string) => ask(path, { headers: { authorization: `Bearer ${pair.access_token}` } });
  return { response, pair, get };
}

const SCOPES = 'memberships.read products.read';

describe('the second reading differs from the first', () => {
  it('in the sub: another one for each client, always the same, and not the user id', async () => {
    const { service } = start('second');
    const again = start('second').service;
    const subs = [service.subOf(ada), service.subOf(ada, PUBLIC_CLIENT), service.userIdOf(ada), ada.sub];
    expect(new Set(subs.map((id) => id.toLowerCase())).size).toBe(4);
    expect(again.subOf(ada)).toBe(service.subOf(ada));
    expect(service.subOf(fakeUser('ben@example.com'))).not.toBe(service.subOf(ada));
    const first = start('first').service;
    expect([first.subOf(ada), first.subOf(ada, PUBLIC_CLIENT), first.userIdOf(ada)]).toEqual(
      Array(3).fill(ada.sub),
    );
    const { get } = await signIn(start('second'));
    expect(await (await get('/oauth/userinfo')).json()).toMatchObject({ sub: service.subOf(ada) });
  });

  it('in the memberships: ids in upper case, no validUntil for lifetime access, unknown fields', async () => {
    const { get } = await signIn(start('second'));
    const body = await (await get('/oauth/memberships')).json();
    expect(ENDPOINTS.memberships.success.body.loose.safeParse(body).success).toBe(true);
    expect(body.memberships).toEqual([
      expect.objectContaining({ id: ada.memberships[0]?.id.toUpperCase(), renews: null }),
    ]);
    expect(body.memberships[0]).not.toHaveProperty('validUntil');
    const first = await signIn(start('first'));
    expect(await (await first.get('/oauth/memberships')).json()).toEqual({ memberships: ada.memberships });
  });

  it('in the token pair: another order of scopes, and a lower-case type', async () => {
    const { pair } = await signIn(start('second'));
    expect(pair).toMatchObject({ token_type: 'bearer', scope: 'products.read memberships.read' });
    expect(pair.access_token?.length).toBeGreaterThan(100);
    expect(pair.access_token).toMatch(/[.~+/]/);
    const first = await signIn(start('first'));
    expect(first.pair).toMatchObject({ token_type: 'Bearer', scope: SCOPES });
  });

  it('in the JSON: a charset, and unknown names that appear twice', async () => {
    const { ask } = start('second');
    const response = await ask(`/oauth/client/${PUBLIC_CLIENT}`);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const text = await response.text();
    expect(text.match(/"x_region"/g)).toHaveLength(2);
    expect(JSON.parse(text)).toMatchObject({
      data: { clientId: PUBLIC_CLIENT, logoUrl: expect.any(String) },
    });
    expect(JSON.parse(text)).not.toHaveProperty('success');
  });

  it('in CORS: the origin of the page, at the endpoints of the widget only', async () => {
    const second = start('second');
    const { response } = await signIn(second);
    expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    const preflight = await second.ask('/oauth/userinfo', { method: 'OPTIONS', headers: { origin: ORIGIN } });
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      200,
      'Authorization, Content-Type',
    ]);
    const headers = { origin: ORIGIN, authorization: 'Bearer svc_key' };
    const api = (reading: ReadingName) => start(reading).ask('/membership/check-messenger/c/7', { headers });
    expect((await api('second')).headers.get('access-control-allow-origin')).toBeNull();
    expect((await api('first')).headers.get('access-control-allow-origin')).toBe('*');
  });

  it('in the order of checks, and in messages', async () => {
    const errorOf = async (reading: ReadingName) => {
      const body = new URLSearchParams({ client_id: 'oac_unknown', grant_type: 'password' });
      return (await start(reading).ask('/oauth/token', { method: 'POST', body })).json();
    };
    expect([(await errorOf('first')).error, (await errorOf('second')).error]).toEqual([
      'invalid_client',
      'invalid_request',
    ]);
    const messageOf = async (reading: ReadingName) =>
      (await (await start(reading).ask('/oauth/client/oac_unknown')).json()).message;
    expect(await messageOf('second')).not.toBe(await messageOf('first'));
  });

  it('in the order of the parameters of a redirect', async () => {
    const query = `client_id=${CONFIDENTIAL_CLIENT}&redirect_uri=${ORIGIN}/&scope=memberships.read&state=s`;
    const parametersOf = async (reading: ReadingName) => {
      const { headers } = await start(reading).ask(`/oauth/authorize?${query}`);
      return [...new URL(headers.get('location') ?? '').searchParams.keys()];
    };
    expect(await parametersOf('second')).toEqual(['state', 'code']);
    expect(await parametersOf('first')).toEqual(['code', 'state']);
  });
});

/** A receiver of webhooks on a real port. It answers with these statuses, and repeats the last one. */
async function receiver(...statuses: number[]) {
  const received: { method: string; headers: Record<string, unknown>; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const status = statuses[Math.min(received.length, statuses.length - 1)] ?? 200;
    received.push({ method: request.method ?? '', headers: request.headers, body });
    response.writeHead(status).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, received };
}

/** Sells a membership to the visitor, with one endpoint for the events. */
async function sell(service: FakeService, url: string, ownerId?: string) {
  const community = service.addCommunity(ownerId === undefined ? {} : { ownerId });
  const plan = service.addPlan({ communityId: community.id, days: 30 });
  service.addWebhook({ url, secret: SECRET, communityId: community.id });
  if (ownerId !== undefined) service.addApiKey({ key: 'svc_key', ownerId });
  service.addUser(ada);
  const response = await fakeFetch(service)('https://service.example/api/checkout/buy-plan', {
    method: 'POST',
    headers: { authorization: 'Bearer svc_key', 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ pricingPlanId: plan.id, communityId: community.id, externalId: 'e-1', email: ' ADA@example.com' },
      ...{ successUrl: `${ORIGIN}/done?a=b`, cancelUrl: `${ORIGIN}/no` },
    }),
  });
  const { data } = (await response.json()) as { data: { checkoutUrl: string } };
  const returnUrl = service.pay(data.checkoutUrl);
  await service.settled();
  return { community, plan, returnUrl, checkoutUrl: data.checkoutUrl };
}

describe('events of a purchase', () => {
  it('have the form of the reference server in the first reading', async () => {
    const { url, received } = await receiver(204);
    const { service } = start('first');
    await sell(service, url);
    // Two events are sent at the same time, so they arrive in any order.
    expect(new Set(received.map(({ headers }) => headers['x-svc-event-type']))).toEqual(
      new Set(['membership.created', 'payment.success']),
    );
    expect(received).toHaveLength(2);
    for (const { method, headers, body } of received) {
      const event = JSON.parse(body);
      expect(webhookEventSchemas[event.type as 'payment.success'].strict.safeParse(event)).toMatchObject({
        success: true,
      });
      expect([method, event.id]).toEqual(['POST', headers['x-svc-event-id']]);
      expect(headers['x-svc-signature']).toBe(createHmac('sha256', SECRET).update(body).digest('hex'));
    }
  });

  it('have another form, encoding and method in the second, and arrive twice in any order', async () => {
    const { url, received } = await receiver(204);
    const { service } = start('second', { serviceNames: { headerPrefix: 'X-Acme-', apiKeyPrefix: 'svc_' } });
    await sell(service, url);
    expect(received).toHaveLength(4);
    expect(new Set(received.map(({ headers }) => headers['x-acme-event-id'])).size).toBe(2);
    for (const { method, headers, body } of received) {
      expect(method).toBe('PUT');
      expect(headers['x-acme-signature']).toBe(
        `sha256=${createHmac('sha256', SECRET).update(body).digest('base64')}`,
      );
      const event = JSON.parse(body);
      expect(Object.keys(event)).toEqual(['event', 'object']);
      expect(event.object.user_id).toBe(service.userIdOf(ada));
    }
    service.renew(ada, service.deliveries[0]?.communityId ?? '', 30);
    await service.settled();
    expect(received.at(-1)).toMatchObject({
      body: '',
      headers: { 'x-acme-event-type': 'membership.updated' },
    });
  });

  it('come again after an error, and never again against webhook-redelivery', async () => {
    const failing = await receiver(500, 500, 500, 200);
    await sell(start('first').service, failing.url);
    expect(failing.received.length).toBeGreaterThan(4);
    const lost = await receiver(500);
    await sell(start('first', { against: 'webhook-redelivery' }).service, lost.url);
    expect(lost.received).toHaveLength(2);
  });
});

describe('the state of a sale', () => {
  it('is a membership in the list, with an id of version 7 in the second reading', async () => {
    const { url } = await receiver(200);
    for (const reading of ['first', 'second'] as const) {
      ada = fakeUser('ada@example.com');
      const started = start(reading);
      await sell(started.service, url);
      const { get } = await signIn(started);
      const { memberships } = await (await get('/oauth/memberships')).json();
      expect(memberships).toHaveLength(1);
      expect(memberships[0].id.charAt(14)).toBe(reading === 'second' ? '7' : '4');
    }
  });

  it('is listed to clients of the same seller only, in the second reading', async () => {
    const { url } = await receiver(200);
    for (const [reading, count] of [
      ['first', 1],
      ['second', 0],
    ] as const) {
      ada = fakeUser('ada@example.com');
      const started = start(reading);
      await sell(started.service, url, 'another seller');
      const { get } = await signIn(started);
      expect((await (await get('/oauth/memberships')).json()).memberships).toHaveLength(count);
    }
    ada.memberships = [fakeMembership()];
    const { get } = await signIn(start('second'));
    expect((await (await get('/oauth/memberships')).json()).memberships).toHaveLength(1);
  });

  it('returns the buyer to successUrl, with further parameters in the second reading', async () => {
    const { url } = await receiver(200);
    const first = await sell(start('first').service, url);
    expect(first.returnUrl).toBe(`${ORIGIN}/done?a=b`);
    const second = await sell(start('second').service, url);
    expect(second.returnUrl).toMatch(/done\?a=b&session_id=.+&redirect_status=succeeded$/);
    expect(new URL(second.checkoutUrl).hostname).toBe('localhost');
    const against = await sell(start('first', { against: 'checkout-return' }).service, url);
    expect(against.returnUrl).toBe(`${ORIGIN}/done`);
  });
});

import { createServer } from 'node:http';
import express from 'express';
import session from 'express-session';
import { afterEach, describe, expect, it } from 'vitest';
import { type LatchkeyOptions, latchkey, memoryDirectory } from '../../src/index.js';
import { createTestService, exampleEvent, manualClock, signWebhook } from '../../src/testing/index.js';
import { COMMUNITY, PRODUCT, SHOP_MEMBERS } from '../community-directory.js';
import { listen } from '../listen.js';
import { SECRET } from '../webhooks/endpoint.js';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

const HOUR = 3_600_000;
const OTHER = '5eed0000-0000-4000-8000-0000000000c9';

/** An app with the options that tests replace. */
async function startApp(options: Partial<LatchkeyOptions>) {
  const auth = latchkey({
    serviceUrl: 'https://service.example',
    clientId: `oac_${'a'.repeat(24)}`,
    appUrl: 'https://shop.example',
    cookieSecret: 'a secret of the tests, of more than 32 characters',
    directory: memoryDirectory(),
    logger: { warn: () => {}, error: () => {} },
    ...options,
  });
  const app = express();
  app.use(auth.router);
  app.get('/members', auth.requireMembership(SHOP_MEMBERS), (request, response) => {
    response.send(`Welcome, ${request.latchkey?.user?.email}`);
  });
  app.all('/webhooks', auth.webhooks({ communities: { [COMMUNITY]: SECRET } }));
  const { url, close } = await listen(createServer(app));
  closing.push(close);
  return { auth, url };
}

describe('createTestService', () => {
  it('signs a visitor with memberships in, without a real service', async () => {
    const service = createTestService();
    const { auth, url } = await startApp({ fetch: service.fetch });
    const ada = await service.signIn(auth, { email: 'ada@example.com', memberships: [SHOP_MEMBERS] });
    const answer = await fetch(`${url}/members`, { headers: ada.headers });
    expect([answer.status, await answer.text()]).toEqual([200, 'Welcome, ada@example.com']);
    expect(service.requests).toEqual(['GET /oauth/memberships']);
    expect((await fetch(`${url}/members`)).status).toBe(401);
  });

  it('signs in visitors without a membership, or with another one', async () => {
    const service = createTestService();
    const { auth, url } = await startApp({ fetch: service.fetch });
    for (const memberships of [[], [{}], [{ productId: PRODUCT }], [{ communityId: OTHER }]]) {
      const ben = await service.signIn(auth, { memberships });
      expect((await fetch(`${url}/members`, { headers: ben.headers })).status).toBe(403);
    }
  });

  it('keeps two visitors apart and can change their memberships', async () => {
    const service = createTestService();
    const { auth, url } = await startApp({ fetch: service.fetch });
    const [ada, ben] = [
      await service.signIn(auth, { memberships: [SHOP_MEMBERS] }),
      await service.signIn(auth),
    ];
    const statusOf = async ({ headers }: typeof ada) => (await fetch(`${url}/members`, { headers })).status;
    expect([await statusOf(ada), await statusOf(ben)]).toEqual([200, 403]);
    await ben.setMemberships([SHOP_MEMBERS]);
    await ada.setMemberships([]);
    expect([await statusOf(ada), await statusOf(ben)]).toEqual([403, 200]);
  });

  it('renews tokens when the clock is moved, until they are revoked', async () => {
    const service = createTestService();
    const clock = manualClock();
    const { auth, url } = await startApp({ fetch: service.fetch, clock });
    const ada = await service.signIn(auth, { memberships: [SHOP_MEMBERS] });
    clock.advance(HOUR);
    const answer = await fetch(`${url}/members`, { headers: ada.headers });
    expect(answer.status).toBe(200);
    expect(service.requests).toContain('POST /oauth/token');
    const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    expect(cookie).not.toBe(ada.cookie);
    ada.revoke();
    clock.advance(HOUR);
    expect((await fetch(`${url}/members`, { headers: { cookie } })).status).toBe(401);
  });

  it('can simulate an outage: the gate responds with 503 once the cache is too old', async () => {
    const service = createTestService();
    const clock = manualClock();
    const { auth, url } = await startApp({ fetch: service.fetch, clock });
    const ada = await service.signIn(auth, { memberships: [SHOP_MEMBERS] });
    const statusOf = async () => (await fetch(`${url}/members`, { headers: ada.headers })).status;
    expect(await statusOf()).toBe(200);
    service.isDown = true;
    clock.advance(60_000);
    expect(await statusOf()).toBe(200);
    clock.advance(5 * 60_000);
    expect(await statusOf()).toBe(503);
  });

  it('signs in with server-side sessions', async () => {
    const service = createTestService();
    const { auth, url } = await startApp({
      fetch: service.fetch,
      session: { store: new session.MemoryStore() },
    });
    const ada = await service.signIn(auth, { memberships: [SHOP_MEMBERS] });
    expect((await fetch(`${url}/members`, { headers: ada.headers })).status).toBe(200);
  });

  it('works with signed webhooks', async () => {
    const service = createTestService();
    const { auth, url } = await startApp({ fetch: service.fetch });
    const ada = await service.signIn(auth);
    const event = exampleEvent('membership.created', { user: { sub: ada.user.sub }, communityId: COMMUNITY });
    expect((await fetch(`${url}/webhooks`, signWebhook(event, { secret: SECRET }))).status).toBe(200);
  });

  it('records the memberships of the site in the directory of the app', async () => {
    const service = createTestService();
    const { auth } = await startApp({ fetch: service.fetch });
    const member = { id: 'm-1', communityId: COMMUNITY, pricingPlanId: 'monthly' };
    const ada = await service.signIn(auth, { memberships: [member, { id: 'm-2' }] });
    await ada.setMemberships([{ id: 'm-3', productId: PRODUCT }]);
    expect([...((await auth.directory?.find(['m-1', 'm-2', 'm-3'])) ?? [])]).toEqual([
      ['m-1', { membershipId: 'm-1', communityId: COMMUNITY, productId: null, pricingPlanId: 'monthly' }],
      ['m-3', { membershipId: 'm-3', communityId: null, productId: PRODUCT, pricingPlanId: null }],
    ]);
  });

  it('answers membership_unknown for a membership without a community or product', async () => {
    const service = createTestService();
    const { auth, url } = await startApp({ fetch: service.fetch });
    const ben = await service.signIn(auth, { memberships: [{ id: 'm-9' }] });
    const answer = await fetch(`${url}/members`, { headers: ben.headers });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ error: 'membership_unknown', membershipIds: ['m-9'] });
  });

  it('lists a membership until its end', async () => {
    const service = createTestService();
    const clock = manualClock();
    const { auth, url } = await startApp({ fetch: service.fetch, clock });
    const validUntil = new Date(clock.now() + HOUR / 2).toISOString();
    const ada = await service.signIn(auth, { memberships: [{ ...SHOP_MEMBERS, validUntil }] });
    const statusOf = async () => (await fetch(`${url}/members`, { headers: ada.headers })).status;
    expect(await statusOf()).toBe(200);
    clock.advance(HOUR / 2);
    expect(await statusOf()).toBe(403);
  });

  it('needs a directory for memberships of the site', async () => {
    const service = createTestService();
    const auth = latchkey({
      serviceUrl: 'https://service.example',
      clientId: `oac_${'a'.repeat(24)}`,
      appUrl: 'https://shop.example',
      cookieSecret: 'a secret of the tests, of more than 32 characters',
      fetch: service.fetch,
    });
    await expect(service.signIn(auth, { memberships: [SHOP_MEMBERS] })).rejects.toThrow(
      'latchkey({ directory: memoryDirectory() })',
    );
  });

  it.each<[string, object, string]>([
    ['has expired', { validUntil: '2021-01-01T00:00:00Z' }, 'has the validUntil "2021-01-01T00:00:00Z"'],
    ['has an unreadable end', { validUntil: 'soon' }, 'has the validUntil "soon"'],
    [
      'begins in the future',
      { validFrom: '2999-01-01T00:00:00Z' },
      'has the validFrom "2999-01-01T00:00:00Z"',
    ],
    ['is inactive', { isActive: false }, 'has isActive false'],
    ['has an unknown type', { productType: 'comunity' }, 'has the unknown productType "comunity"'],
    ['is a community and has a product', { productType: 'community', productId: PRODUCT }, 'and a productId'],
    [
      'is a digital product and has a community',
      { productType: 'digital_product', communityId: COMMUNITY },
      'and a communityId',
    ],
    ['has both', { communityId: COMMUNITY, productId: PRODUCT }, 'has a communityId and a productId'],
    ['has a plan of nothing', { pricingPlanId: 'monthly' }, 'has a pricingPlanId'],
    ['is misspelt', { communityID: COMMUNITY }, 'has the unknown field communityID'],
  ])('rejects a membership that %s', async (_name, membership, message) => {
    const service = createTestService();
    const { auth } = await startApp({ fetch: service.fetch });
    const signingIn = service.signIn(auth, { memberships: [membership] });
    await expect(signingIn).rejects.toThrow(TypeError);
    await expect(signingIn).rejects.toThrow(message);
  });

  it('throws if the app would call the real service', async () => {
    const service = createTestService();
    const { auth } = await startApp({});
    await expect(service.signIn(auth)).rejects.toThrow('latchkey({ fetch: service.fetch })');
    await expect(service.signIn({ ...auth })).rejects.toThrow('installed twice');
  });
});

import { createServer } from 'node:http';
import express from 'express';
import session from 'express-session';
import { afterEach, describe, expect, it } from 'vitest';
import { type LatchkeyOptions, latchkey } from '../../src/index.js';
import { createTestService, exampleEvent, manualClock, signWebhook } from '../../src/testing/index.js';
import { listen } from '../listen.js';
import { SECRET } from '../webhooks/endpoint.js';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

const HOUR = 3_600_000;

/** An app with the options that tests replace. */
async function startApp(options: Partial<LatchkeyOptions>) {
  const auth = latchkey({
    serviceUrl: 'https://service.example',
    clientId: `oac_${'a'.repeat(24)}`,
    appUrl: 'https://shop.example',
    cookieSecret: 'a secret of the tests, of more than 32 characters',
    logger: { warn: () => {}, error: () => {} },
    ...options,
  });
  const app = express();
  app.use(auth.router);
  app.get('/members', auth.requireMembership({ productType: 'community' }), (request, response) => {
    response.send(`Welcome, ${request.latchkey?.user?.email}`);
  });
  app.post('/webhooks', auth.webhooks({ secret: SECRET }));
  const { url, close } = await listen(createServer(app));
  closing.push(close);
  return { auth, url };
}

describe('createTestService', () => {
  it('signs a visitor with memberships in, without a real service', async () => {
    const service = createTestService();
    const { auth, url } = await startApp({ fetch: service.fetch });
    const ada = await service.signIn(auth, { email: 'ada@example.com', memberships: [{}] });
    const answer = await fetch(`${url}/members`, { headers: ada.headers });
    expect([answer.status, await answer.text()]).toEqual([200, 'Welcome, ada@example.com']);
    expect(service.requests).toEqual(['GET /oauth/memberships']);
    expect((await fetch(`${url}/members`)).status).toBe(401);
  });

  it('signs in visitors without a membership, or with another one', async () => {
    const service = createTestService();
    const { auth, url } = await startApp({ fetch: service.fetch });
    for (const memberships of [[], [{ productType: 'agency' }], [{ validUntil: '2021-01-01T00:00:00Z' }]]) {
      const ben = await service.signIn(auth, { memberships });
      expect((await fetch(`${url}/members`, { headers: ben.headers })).status).toBe(403);
    }
  });

  it('keeps two visitors apart and can change their memberships', async () => {
    const service = createTestService();
    const { auth, url } = await startApp({ fetch: service.fetch });
    const [ada, ben] = [await service.signIn(auth, { memberships: [{}] }), await service.signIn(auth)];
    const statusOf = async ({ headers }: typeof ada) => (await fetch(`${url}/members`, { headers })).status;
    expect([await statusOf(ada), await statusOf(ben)]).toEqual([200, 403]);
    ben.setMemberships([{}]);
    ada.setMemberships([]);
    expect([await statusOf(ada), await statusOf(ben)]).toEqual([403, 200]);
  });

  it('renews tokens when the clock is moved, until they are revoked', async () => {
    const service = createTestService();
    const clock = manualClock();
    const { auth, url } = await startApp({ fetch: service.fetch, clock });
    const ada = await service.signIn(auth, { memberships: [{}] });
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
    const ada = await service.signIn(auth, { memberships: [{}] });
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
    const ada = await service.signIn(auth, { memberships: [{}] });
    expect((await fetch(`${url}/members`, { headers: ada.headers })).status).toBe(200);
  });

  it('works with signed webhooks', async () => {
    const service = createTestService();
    const { auth, url } = await startApp({ fetch: service.fetch });
    const ada = await service.signIn(auth);
    const event = exampleEvent('membership.created', { user: { sub: ada.user.sub } });
    expect((await fetch(`${url}/webhooks`, signWebhook(event, { secret: SECRET }))).status).toBe(200);
  });

  it('throws if the app would call the real service', async () => {
    const service = createTestService();
    const { auth } = await startApp({});
    await expect(service.signIn(auth)).rejects.toThrow('latchkey({ fetch: service.fetch })');
    await expect(service.signIn({ ...auth })).rejects.toThrow('installed twice');
  });
});

import { createHash } from 'node:crypto';
import { type FakeUser, fakeMembership, fakeUser } from '@latchkey/test-services';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LatchkeyOptionsError } from '../src/index.js';
import { Browser, NAVIGATION } from './browser.js';
import { DAY, MINUTE, SECOND } from './manual-clock.js';
import { type Shop, startShop } from './shop.js';

let shop: Shop;
let ada: FakeUser;
let ben: FakeUser;
beforeEach(async () => {
  shop = await startShop();
  ada = fakeUser('ada@example.com', [fakeMembership()]);
  ben = fakeUser('ben@example.com');
});
afterEach(() => shop.close());

const asked = () => shop.service.count('GET /oauth/memberships');
const members = (by = shop.browser) => by.request(`${shop.url}/members`);

describe('a gate, for a signed-out visitor', () => {
  it('redirects a navigation to sign-in and back to the requested page', async () => {
    const page = await shop.browser.open(`${shop.url}/members?roast=dark&size=2`, { follow: false });
    expect(page.status).toBe(302);
    expect(page.headers.get('location')).toBe(
      `${shop.url}/auth/login?returnTo=%2Fmembers%3Froast%3Ddark%26size%3D2`,
    );
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    expect(page.headers.get('vary')).toContain('Cookie');
    shop.service.visitor = ada;
    expect(await shop.browser.open(`${shop.url}/members?roast=dark&size=2`)).toMatchObject({
      url: `${shop.url}/members?roast=dark&size=2`,
      text: 'The table is set',
    });
  });

  it.each(['application/json', '*/*', 'application/json, text/html;q=0.5', ''])(
    'responds with 401 as JSON to Accept: %s',
    async (accept) => {
      const page = await shop.browser.request(`${shop.url}/members`, { headers: { accept } });
      expect(page).toMatchObject({
        status: 401,
        json: { error: 'sign_in_required', message: 'Sign in first.' },
      });
      expect(page.headers.get('cache-control')).toBe('private, no-store');
    },
  );

  it('sends an explanation to a form instead of a redirect, because its content would be lost', async () => {
    const page = await shop.browser.open(`${shop.url}/account`, {
      method: 'POST',
      body: 'a=b',
      follow: false,
    });
    expect(page.status).toBe(401);
    expect(page.text).toContain('nothing was saved');
    expect(page.text).toContain('<a href="/auth/login">Sign in</a>');
  });

  it.each(['//evil.example/members', '/.//evil.example', '/\\evil.example'])(
    'redirects to sign-in without a destination if the address is %s',
    async (path) => {
      const all = await startShop({
        beside: shop,
        routes: (app, auth) => {
          app.use(auth.router);
          app.use(auth.requireSignIn());
        },
      });
      const { status, headers } = await rawGet(all.url, path);
      expect(status).toBe(302);
      expect(headers.get('location')).toBe(`${all.url}/auth/login`);
      await all.close();
    },
  );

  it('uses the format that the route sets, whatever Accept says', async () => {
    const fixed = await startShop({
      beside: shop,
      routes: (app, auth) => {
        app.use(auth.router);
        app.get('/api', auth.requireSignIn({ respond: 'json' }), (_request, response) =>
          response.send('api'),
        );
        app.get(
          '/page',
          auth.requireMembership({ productType: 'community' }, { respond: 'html' }),
          (_request, response) => response.send('page'),
        );
      },
    });
    expect((await fixed.browser.open(`${fixed.url}/api`)).status).toBe(401);
    expect((await fixed.browser.request(`${fixed.url}/page`)).status).toBe(302);
    await fixed.close();
  });
});

/** Sends a request with an unmodified path, which fetch would normalize. */
async function rawGet(url: string, path: string): Promise<{ status: number; headers: Map<string, string> }> {
  const { connect } = await import('node:net');
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.end(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: ${NAVIGATION.accept}\r\nConnection: close\r\n\r\n`,
  );
  let text = '';
  for await (const chunk of socket) text += chunk;
  const [statusLine = '', ...lines] = (text.split('\r\n\r\n')[0] ?? '').split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(': ');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)];
  });
  return { status: Number(statusLine.split(' ')[1]), headers: new Map(headers) };
}

describe('requireMembership', () => {
  it('admits members and forbids caching of the response', async () => {
    await shop.signIn(ada);
    const page = await members();
    expect(page).toMatchObject({ status: 200, text: 'The table is set' });
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    expect(page.headers.get('vary')).toBe('Cookie');
  });

  it('rejects a visitor without a membership with 403 and the reason, as JSON and as a page [memberships.empty-means-no-access]', async () => {
    await shop.signIn(ben);
    expect(await members()).toMatchObject({
      status: 403,
      json: { error: 'membership_required', message: 'ben@example.com has no active membership here.' },
    });
    const page = await shop.browser.open(`${shop.url}/members`);
    expect(page.status).toBe(403);
    expect(page.text).toContain('<h1>This page is for members</h1>');
    expect(page.text).toContain('ben@example.com has no active membership here.');
    expect(page.text).toContain('<form method="post" action="/auth/logout">');
    const style = /<style>([\s\S]*)<\/style>/.exec(page.text)?.[1] ?? '';
    expect(page.headers.get('content-security-policy')).toContain(
      createHash('sha256').update(style).digest('base64'),
    );
  });

  it('reports that the visitor has another membership', async () => {
    await shop.signIn(fakeUser('dana@example.com', [fakeMembership({ productType: 'agency' })]));
    expect((await members()).json.message).toBe(
      'dana@example.com has an active membership, but not one that includes this page.',
    );
  });

  it('escapes text that visitors can choose', async () => {
    await shop.signIn(fakeUser('"<script>alert(1)</script>"@example.com'));
    const page = await shop.browser.open(`${shop.url}/members`);
    expect(page.text).toContain('&quot;&lt;script&gt;alert(1)&lt;/script&gt;&quot;@example.com');
    expect(page.text).not.toContain('<script');
  });

  it('shows a custom page with the details for an offer', async () => {
    const own = await startShop({
      beside: shop,
      options: {
        pages: {
          forbidden: (_request, response, details) => {
            response.json(details);
          },
        },
      },
    });
    const agency = fakeMembership({ productType: 'agency' });
    await own.signIn({ ...ben, memberships: [agency] });
    const page = await own.browser.open(`${own.url}/members`);
    expect(page.status).toBe(403);
    expect(page.json).toEqual({
      reason: 'other_membership',
      message: expect.stringContaining('ben@example.com'),
      user: { sub: ben.sub, email: 'ben@example.com' },
      memberships: [agency],
      rule: { productType: 'community' },
      signOutPath: '/auth/logout',
    });
    await own.close();
  });

  it('passes errors of a custom page to Express', async () => {
    const broken = await startShop({
      beside: shop,
      options: {
        pages: {
          forbidden: async () => {
            throw new Error('the template is missing');
          },
        },
      },
    });
    await broken.signIn(ben);
    const page = await broken.browser.open(`${broken.url}/members`);
    expect(page.text).toContain('the template is missing');
    await broken.close();
  });

  it('calls the service once a minute for each user, not for each request', async () => {
    await shop.signIn(ada);
    for (let request = 0; request < 20; request += 1) await members();
    expect(asked()).toBe(1);
    shop.clock.advance(MINUTE - 1);
    await members();
    expect(asked()).toBe(1);
    shop.clock.advance(1);
    await Promise.all(Array.from({ length: 20 }, () => members()));
    expect(asked()).toBe(2);
  });

  it('rejects from the millisecond a cached membership expires [memberships.valid-until]', async () => {
    ada.memberships = [
      fakeMembership({ validUntil: new Date(shop.clock.now() + 30 * SECOND).toISOString() }),
    ];
    await shop.signIn(ada);
    shop.clock.advance(30 * SECOND - 1);
    expect((await members()).status).toBe(200);
    shop.clock.advance(1);
    expect((await members()).status).toBe(403);
  });

  it('rejects on expiry during an outage, and admits a visitor with another membership', async () => {
    const ending = fakeMembership({ validUntil: new Date(shop.clock.now() + 30 * SECOND).toISOString() });
    ada.memberships = [ending, fakeMembership({ productType: 'agency' })];
    await shop.signIn(ada);
    shop.service.on('/oauth/memberships', 'reset');
    shop.clock.advance(30 * SECOND);
    expect((await members()).status).toBe(403);
  });

  it('ignores memberships that are inactive or have an unreadable end', async () => {
    await shop.signIn({
      ...ada,
      memberships: [fakeMembership({ isActive: false }), fakeMembership({ validUntil: 'soon' })],
    });
    expect((await members()).status).toBe(403);
  });

  it('accepts unknown fields and product types [versioning.ignore-unknown-fields]', async () => {
    await shop.signIn({
      ...ada,
      memberships: [
        fakeMembership({ productType: 'newsletter' }),
        { ...fakeMembership(), tier: 'gold' } as never,
      ],
    });
    expect((await members()).status).toBe(200);
  });

  it('rejects only on a response of the last five seconds, so new members are admitted', async () => {
    await shop.signIn(ben);
    ben.memberships.push(fakeMembership());
    shop.clock.advance(5 * SECOND);
    expect((await members()).status).toBe(200);
  });

  it('does not call the service for every rejection', async () => {
    await shop.signIn(ben);
    for (let request = 0; request < 10; request += 1) expect((await members()).status).toBe(403);
    expect(asked()).toBe(1);
  });

  it('uses the last response for five minutes during an outage, then responds with 503', async () => {
    await shop.signIn(ada);
    for (const fault of ['reset', 'server-error', 'html'] as const) {
      shop.service.on('/oauth/memberships', fault);
      shop.clock.advance(MINUTE);
      expect((await members()).status, fault).toBe(200);
    }
    shop.clock.advance(2 * MINUTE - 1);
    expect((await members()).status).toBe(200);
    shop.clock.advance(1);
    expect(await members()).toMatchObject({ status: 503, json: { error: 'service_unavailable' } });
    expect((await shop.browser.open(`${shop.url}/members`)).text).toContain(
      'cannot be checked at the moment',
    );
    shop.service.clear();
    shop.clock.advance(5 * SECOND);
    expect((await members()).status).toBe(200);
  });

  it('does not retry on every request during an outage, so visitors do not wait', async () => {
    await shop.signIn(ada);
    shop.clock.advance(MINUTE);
    shop.service.on('/oauth/memberships', 'reset');
    for (let request = 0; request < 20; request += 1) await members();
    expect(asked()).toBe(2);
  });

  it('calls the service after the clock was set back, because the age of the cache is unknown', async () => {
    shop.clock.advance(DAY);
    await shop.signIn(ada);
    shop.clock.advance(-2 * MINUTE);
    ada.memberships = [];
    expect((await members()).status).toBe(403);
    expect(asked()).toBe(2);
  });

  it('does not overrule a rejection by the service with an older response [oauth-error.branch-on-error] [memberships.insufficient-scope]', async () => {
    await shop.signIn(ada);
    shop.service.on('/oauth/memberships', 'insufficient-scope');
    shop.clock.advance(MINUTE);
    expect((await members()).status).toBe(503);
    expect(JSON.stringify(shop.log)).toContain('insufficient_scope');
  });

  it('ends the session when the service has revoked everything', async () => {
    await shop.signIn(ada);
    shop.service.revokeEverything();
    shop.clock.advance(MINUTE);
    expect((await members()).status).toBe(401);
  });

  it('renews a token that was revoked early and retries', async () => {
    await shop.signIn(ada);
    shop.service.revokeAccessTokens();
    shop.clock.advance(MINUTE);
    const [page, ...others] = await Promise.all(Array.from({ length: 10 }, () => members()));
    expect([page, ...others].map((each) => each?.status)).toEqual(Array(10).fill(200));
    expect(shop.service.count('POST /oauth/token')).toBe(2);
  });

  it('shares the cache between the sessions of a user, never between users', async () => {
    await shop.signIn(ada);
    const adasPhone = new Browser();
    await shop.signIn(ada, { browser: adasPhone });
    const bens = new Browser();
    await shop.signIn(ben, { browser: bens });
    expect([
      (await members()).status,
      (await members(adasPhone)).status,
      (await members(bens)).status,
    ]).toEqual([200, 200, 403]);
  });

  it('requires the scope memberships.read when it is created', async () => {
    await expect(startShop({ beside: shop, options: { scopes: ['products.read'] } })).rejects.toThrow(
      /memberships\.read\. Add it to scopes/,
    );
  });

  it('rejects an empty rule when it is created, not at the first request', () => {
    expect(() => shop.auth.requireMembership({})).toThrow(LatchkeyOptionsError);
    // @ts-expect-error: respond accepts only html and json.
    expect(() => shop.auth.requireSignIn({ respond: 'xml' })).toThrow(/'html' or 'json'/);
  });

  it('passes errors of a predicate to Express and admits no visitor', async () => {
    const faulty = await startShop({
      beside: shop,
      routes: (app, auth) => {
        app.use(auth.router);
        const rule = () => {
          throw new Error('the rule is broken');
        };
        app.get('/members', auth.requireMembership(rule), (_request, response) => response.send('in'));
      },
    });
    await faulty.signIn(ada);
    const page = await faulty.browser.request(`${faulty.url}/members`);
    expect(page.status).toBe(500);
    expect(page.text).toContain('the rule is broken');
    await faulty.close();
  });
});

it('a gate above the router fails with an error that names the missing line', async () => {
  const unmounted = await startShop({
    beside: shop,
    routes: (app, auth) =>
      app.get('/members', auth.requireSignIn(), (_request, response) => response.send('in')),
  });
  const page = await unmounted.browser.request(`${unmounted.url}/members`);
  expect(page.status).toBe(500);
  expect(page.text).toContain('app.use(auth.router)');
  await unmounted.close();
});

it('a gate of one instance rejects a session of another', async () => {
  const other = await startShop({ beside: shop, client: 'public' });
  await other.signIn(ada);
  expect((await other.browser.request(`${other.url}/account`)).status).toBe(200);
  const cookie = other.browser.headerFor('/');
  expect((await new Browser().request(`${shop.url}/account`, { headers: { cookie } })).status).toBe(401);
  await other.close();
});

it('keeps an existing Vary header', async () => {
  const varied = await startShop({
    beside: shop,
    routes: (app, auth) => {
      app.use((_request, response, next) => {
        response.vary('Origin');
        next();
      });
      app.use(auth.router);
      app.get('/account', auth.requireSignIn(), (_request, response) => response.send('in'));
    },
  });
  shop.clock.advance(DAY);
  expect((await varied.browser.request(`${varied.url}/account`)).headers.get('vary')).toBe('Origin, Cookie');
  await varied.close();
});

import { createHash } from 'node:crypto';
import { type FakeUser, fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LatchkeyOptionsError } from '../src/index.js';
import { Browser } from './browser.js';
import { PRODUCT, SHOP_MEMBERS } from './community-directory.js';
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

describe('requireMembership', () => {
  it('admits members and forbids caching of the response', async () => {
    await shop.signIn(ada);
    const page = await members();
    expect(page).toMatchObject({ status: 200, text: 'The table is set' });
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    expect(page.headers.get('vary')).toBe('Cookie');
  });

  it('rejects a visitor without a membership with 403 and the reason, as JSON and as a page', {
    tags: ['memberships.empty-means-no-access'],
  }, async () => {
    await shop.signIn(ben);
    expect(await members()).toMatchObject({
      status: 403,
      json: { error: 'membership_required', message: 'ben@example.com has no active membership here.' },
    });
    const page = await shop.browser.open(`${shop.url}/members`);
    expect(page.status).toBe(403);
    expect(page.text).toContain('<h1>This page is for members</h1>');
    expect(page.text).toContain('<bdi>ben@example.com</bdi> has no active membership here.');
    expect(page.text).toContain('<form method="post" action="/auth/logout">');
    const style = /<style>([\s\S]*)<\/style>/.exec(page.text)?.[1] ?? '';
    expect(page.headers.get('content-security-policy')).toContain(
      createHash('sha256').update(style).digest('base64'),
    );
  });

  it('reports that the visitor has another membership', async () => {
    const agency = fakeMembership({ productType: 'agency' });
    await shop.auth.directory?.record({ membershipId: agency.id, productId: PRODUCT });
    await shop.signIn(fakeUser('dana@example.com', [agency]));
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
    await own.auth.directory?.record({ membershipId: agency.id, productId: PRODUCT });
    await own.signIn({ ...ben, memberships: [agency] });
    const page = await own.browser.open(`${own.url}/members`);
    expect(page.status).toBe(403);
    expect(page.json).toEqual({
      reason: 'other_membership',
      message: expect.stringContaining('ben@example.com'),
      user: { sub: own.subOf(ben), email: 'ben@example.com' },
      memberships: own.listed([agency]).map((each) => ({
        ...each,
        ...{ isKnown: true, communityId: null, productId: PRODUCT, pricingPlanId: null },
      })),
      rule: SHOP_MEMBERS,
      signOutPath: '/auth/logout',
      switchUrl: '/auth/login?returnTo=%2Fmembers&switch=1',
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

  it('rejects from the millisecond a cached membership expires', {
    tags: ['memberships.valid-until'],
  }, async () => {
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
    const agency = fakeMembership({ productType: 'agency' });
    await shop.auth.directory?.record({ membershipId: agency.id, productId: PRODUCT });
    ada.memberships = [ending, agency];
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

  it('accepts unknown fields and product types', { tags: ['versioning.ignore-unknown-fields'] }, async () => {
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
    const tooBusy = () => Response.json({ error: 'slow_down' }, { status: 429 });
    for (const fault of ['reset', 'server-error', 'html', tooBusy] as const) {
      shop.service.on('/oauth/memberships', fault);
      shop.clock.advance(MINUTE);
      expect((await members()).status, String(fault)).toBe(200);
    }
    shop.clock.advance(MINUTE - 1);
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
    // One read, which is repeated once, since the connection broke.
    expect(asked()).toBe(1 + 2);
  });

  it('calls the service after the clock was set back, because the age of the cache is unknown', async () => {
    shop.clock.advance(DAY);
    await shop.signIn(ada);
    shop.clock.advance(-2 * MINUTE);
    ada.memberships = [];
    expect((await members()).status).toBe(403);
    expect(asked()).toBe(2);
  });

  it('does not overrule a rejection by the service with an older response', {
    tags: ['oauth-error.branch-on-error', 'memberships.insufficient-scope'],
  }, async () => {
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
    // @ts-expect-error: a rule names a membership.
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

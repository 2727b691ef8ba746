import { type FakeUser, fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LatchkeyError, LatchkeyOptionsError, type RejectedVisitor } from '../src/index.js';
import { PRODUCT, SHOP_MEMBERS } from './community-directory.js';
import { MINUTE } from './manual-clock.js';
import { type Shop, type ShopSetup, startShop } from './shop.js';

let shop: Shop;
let ada: FakeUser;
let ben: FakeUser;
beforeEach(async () => {
  ada = fakeUser('ada@example.com', [fakeMembership()]);
  ben = fakeUser('ben@example.com');
});
afterEach(() => shop.close());

const community = SHOP_MEMBERS;

async function open(routes: NonNullable<ShopSetup['routes']>, options: ShopSetup['options'] = {}) {
  shop = await startShop({
    options,
    routes: (app, auth) => {
      app.use(auth.router);
      app.get('/', (_request, response) => response.send('Hello'));
      routes(app, auth);
    },
  });
}

describe('upgradeUrl', () => {
  it('is linked on the page and contained in JSON', async () => {
    await open(
      (app, auth) =>
        app.get('/members', auth.requireMembership(community), (_request, response) => response.send('in')),
      { upgradeUrl: '/join?from="members"' },
    );
    await shop.signIn(ben);
    expect((await shop.browser.open(`${shop.url}/members`)).text).toContain(
      '<a href="/join?from=&quot;members&quot;">Get access</a>',
    );
    expect((await shop.browser.request(`${shop.url}/members`)).json).toMatchObject({
      error: 'membership_required',
      upgradeUrl: '/join?from="members"',
    });
  });

  it('of a gate takes precedence, and can depend on rule and visitor', async () => {
    const seen: RejectedVisitor[] = [];
    await open(
      (app, auth) =>
        app.get(
          '/members',
          auth.requireMembership(community, {
            upgradeUrl: (outsider) => {
              seen.push(outsider);
              return outsider.reason === 'other_membership' ? 'https://pay.example/switch' : undefined;
            },
          }),
          (_request, response) => response.send('in'),
        ),
      { upgradeUrl: ({ rule }) => (rule === community ? '/join/community' : '/join') },
    );
    await shop.signIn(ben);
    expect((await shop.browser.request(`${shop.url}/members`)).json.upgradeUrl).toBe('/join/community');
    const agency = fakeMembership({ productType: 'agency' });
    await shop.auth.directory?.record({ membershipId: agency.id, productId: PRODUCT });
    await shop.signIn({ ...ada, memberships: [agency] });
    expect((await shop.browser.request(`${shop.url}/members`)).json.upgradeUrl).toBe(
      'https://pay.example/switch',
    );
    expect(seen.map(({ reason, user, memberships }) => [reason, user?.email, memberships.length])).toEqual([
      ['no_membership', 'ben@example.com', 0],
      ['other_membership', 'ada@example.com', 1],
    ]);
  });

  it.each([
    'javascript:alert(1)',
    '//evil.example',
    '/\\evil.example',
    'join',
    '',
    'data:text/html,x',
    'ftp://x.example',
  ])('rejects %j, as an option and from a function', async (address) => {
    await open((app, auth) =>
      app.get(
        '/members',
        auth.requireMembership(community, { upgradeUrl: () => address }),
        (_request, response) => response.send('in'),
      ),
    );
    expect(() => shop.auth.requireMembership(community, { upgradeUrl: address })).toThrow(
      LatchkeyOptionsError,
    );
    await shop.signIn(ben);
    const page = await shop.browser.open(`${shop.url}/members`);
    expect(page.status).toBe(500);
    expect(page.text).toContain('upgradeUrl must be a path');
  });
});

describe('a teaser', () => {
  beforeEach(async () => {
    await open((app, auth) =>
      app.all(
        '/article',
        auth.requireMembership(community, {
          upgradeUrl: '/join',
          teaser: (_request, response, { reason, user, signInUrl, upgradeUrl }) => {
            response.send(`The beginning (${reason} ${user?.email} ${signInUrl} ${upgradeUrl})`);
          },
        }),
        (_request, response) => response.send('The whole article'),
      ),
    );
  });

  it('is shown to signed-out visitors and non-members, and not to members', async () => {
    const stranger = await shop.browser.open(`${shop.url}/article?p=1`);
    expect(stranger).toMatchObject({
      status: 200,
      text: 'The beginning (signed_out undefined /auth/login?returnTo=%2Farticle%3Fp%3D1 /join)',
    });
    expect(stranger.headers.get('cache-control')).toBe('private, no-store');
    await shop.signIn(ben);
    expect((await shop.browser.open(`${shop.url}/article`)).text).toMatch(
      /^The beginning \(no_membership ben@/,
    );
    await shop.signIn(ada);
    expect((await shop.browser.open(`${shop.url}/article`)).text).toBe('The whole article');
  });

  it('is used for navigations only: scripts receive 401 and 403, forms their page', async () => {
    const script = { headers: { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' } };
    expect((await shop.browser.request(`${shop.url}/article`, script)).status).toBe(401);
    await shop.signIn(ben);
    expect((await shop.browser.request(`${shop.url}/article`, script)).status).toBe(403);
    const form = await shop.browser.open(`${shop.url}/article`, { method: 'POST', body: 'a=b' });
    expect(form.status).toBe(403);
    expect(form.text).not.toContain('The beginning');
  });

  it('is replaced by 503 when it needs memberships that cannot be checked', async () => {
    await shop.close();
    await open((app, auth) =>
      app.get(
        '/article',
        auth.requireMembership(community, {
          teaser: () => {
            throw new LatchkeyError('service_unavailable', 'Memberships cannot be checked.');
          },
        }),
      ),
    );
    const { status, text, headers } = await shop.browser.open(`${shop.url}/article`);
    expect(status).toBe(503);
    expect(text).toContain('Try again');
    expect(headers.get('retry-after')).toBe('5');
  });

  it('is replaced by 503 during an outage', async () => {
    shop.service.on('/oauth/memberships', 'reset');
    await shop.signIn(ben);
    expect((await shop.browser.open(`${shop.url}/article`)).status).toBe(503);
  });
});

describe('req.latchkey.has', () => {
  beforeEach(() =>
    open((app) =>
      app.get('/has', async (request, response) => {
        response.json(
          await request.latchkey?.has({ any: [community, { productType: 'agency', from: 'any-seller' }] }),
        );
      }),
    ),
  );
  const has = async () => (await shop.browser.request(`${shop.url}/has`)).text;

  it('checks a rule, and returns false for signed-out visitors without a request', async () => {
    expect(await has()).toBe('false');
    expect(shop.service.log()).toEqual([]);
    await shop.signIn(ben);
    expect(await has()).toBe('false');
    await shop.signIn(ada);
    expect(await has()).toBe('true');
  });

  it('fails with 503 during an outage', async () => {
    shop.service.on('/oauth/memberships', 'reset');
    await shop.signIn(ada);
    expect((await shop.browser.request(`${shop.url}/has`)).status).toBe(503);
  });
});

describe('res.locals.latchkey', () => {
  beforeEach(() =>
    open((app, auth) => {
      app.get('/page', auth.locals(), (_request, response) => response.render('page'));
      app.set(
        'view',
        class {
          readonly path = 'page';
          render(options: object, done: (error: unknown, text: string) => void) {
            const { latchkey: view } = options as unknown as Express.Locals;
            done(null, JSON.stringify({ ...view, member: view?.has(community) }));
          }
        },
      );
    }),
  );
  const page = () => shop.browser.open(`${shop.url}/page?p=1`);
  const shown = async () => JSON.parse((await page()).text);

  it('contains the visitor and the memberships for templates', async () => {
    expect(await shown()).toEqual({
      signedIn: false,
      memberships: [],
      membershipsKnown: true,
      signInUrl: '/auth/login?returnTo=%2Fpage%3Fp%3D1',
      signOutPath: '/auth/logout',
      member: false,
    });
    await shop.signIn(ada);
    expect(await shown()).toMatchObject({
      signedIn: true,
      user: { email: 'ada@example.com' },
      memberships: shop.listed(ada.memberships),
      membershipsKnown: true,
      member: true,
    });
    expect((await page()).headers.get('cache-control')).toBe('private, no-store');
  });

  it('reports unknown memberships during an outage, and the page is sent', async () => {
    shop.service.on('/oauth/memberships', 'reset');
    await shop.signIn(ada);
    expect(await shown()).toMatchObject({
      signedIn: true,
      membershipsKnown: false,
      memberships: [],
      member: false,
    });
  });

  it('shows a visitor as signed out if the session has ended', async () => {
    await shop.signIn(ada);
    shop.service.revokeEverything();
    shop.clock.advance(MINUTE);
    expect(await shown()).toMatchObject({ signedIn: false, membershipsKnown: true, member: false });
  });
});

describe('forgetMemberships', () => {
  beforeEach(async () => {
    await open((app, auth) =>
      app.get('/members', auth.requireMembership(community), (_request, response) => response.send('in')),
    );
    await shop.signIn(ada);
  });
  const members = async () => (await shop.browser.request(`${shop.url}/members`)).status;
  const asked = () => shop.service.count('GET /oauth/memberships');

  it('revokes cached access at once', async () => {
    ada.memberships = [];
    expect(await members()).toBe(200);
    shop.auth.forgetMemberships('somebody else');
    expect(await members()).toBe(200);
    shop.auth.forgetMemberships(shop.subOf(ada));
    expect(await members()).toBe(403);
  });

  it('forgets all users if called without a user', async () => {
    ada.memberships = [];
    shop.auth.forgetMemberships();
    expect(await members()).toBe(403);
  });

  it('leaves no stale response for an outage', async () => {
    shop.service.on('/oauth/memberships', 'reset');
    shop.auth.forgetMemberships(shop.subOf(ada));
    expect(await members()).toBe(503);
  });

  it('allows a request at once after a recent failure', async () => {
    shop.service.on('/oauth/memberships', 'reset');
    shop.clock.advance(MINUTE);
    await members();
    shop.service.clear();
    const before = asked();
    shop.auth.forgetMemberships(shop.subOf(ada));
    expect(await members()).toBe(200);
    expect(asked()).toBe(before + 1);
  });
});

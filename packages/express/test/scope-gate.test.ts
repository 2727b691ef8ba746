import { type FakeUser, fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LatchkeyOptionsError } from '../src/index.js';
import { SHOP_MEMBERS } from './community-directory.js';
import { MINUTE } from './manual-clock.js';
import { type Shop, startShop } from './shop.js';

let shop: Shop;
let dana: FakeUser;
beforeEach(async () => {
  shop = await startShop({
    routes: (app, auth) => {
      app.use(auth.router);
      app.get('/', (request, response) => response.send(`Granted: ${request.latchkey?.scopes.toSorted()}`));
      app.all('/products', auth.requireScope('products.read'), (_request, response) =>
        response.send('Your products'),
      );
      app.get('/both', auth.requireScope(['memberships.read', 'products.read']), (_request, response) =>
        response.send('Both'),
      );
      app.get('/members', auth.requireMembership(SHOP_MEMBERS), (_request, response) =>
        response.send('The table is set'),
      );
      app.get('/asks', async (request, response) => {
        response.json(await request.latchkey?.memberships());
      });
    },
  });
  dana = fakeUser('dana@example.com', [fakeMembership()]);
});
afterEach(() => shop.close());

const asked = (location: string | null | undefined) => new URL(location ?? '').searchParams.get('scope');
const signInsSoFar = () => shop.service.count('GET /oauth/authorize');

describe('requireScope', () => {
  it('redirects a navigation to the service for the scope, silently, and back', async () => {
    await shop.signIn(dana);
    expect(await shop.browser.open(`${shop.url}/products?page=2`)).toMatchObject({
      url: `${shop.url}/products?page=2`,
      text: 'Your products',
    });
    expect(signInsSoFar()).toBe(2);
    expect((await shop.browser.open(shop.url)).text).toBe('Granted: memberships.read,products.read');
  });

  it('requests the granted scopes and the missing one, and no scope that the app does not use', async () => {
    await shop.signIn(dana);
    const toLogin = await shop.browser.open(`${shop.url}/products`, { follow: false });
    expect(toLogin.headers.get('location')).toBe(
      `${shop.url}/auth/login?returnTo=%2Fproducts&scope=products.read`,
    );
    const away = await shop.browser.request(toLogin.headers.get('location') ?? '');
    expect(asked(away.headers.get('location'))).toBe('memberships.read products.read');
    const invented = await shop.browser.request(`${shop.url}/auth/login?scope=products.write%20admin`);
    expect(asked(invented.headers.get('location'))).toBe('memberships.read');
    const repeated = await shop.browser.request(`${shop.url}/auth/login?scope=products.read&scope=x`);
    expect(asked(repeated.headers.get('location'))).toBe('memberships.read');
  });

  it('redirects once, then sends a page with a link to a visitor who refused', async () => {
    shop.service.grantedScopes = ['memberships.read'];
    await shop.signIn(dana);
    const page = await shop.browser.open(`${shop.url}/products`);
    expect(page).toMatchObject({ url: `${shop.url}/products`, status: 403 });
    expect(page.text).toContain('This needs your permission to see the products that you sell.');
    expect(page.text).toContain(
      '<a href="/auth/login?returnTo=%2Fproducts&amp;scope=products.read">Allow access</a>',
    );
    expect(signInsSoFar()).toBe(2);
    await shop.browser.open(`${shop.url}/products`);
    expect(signInsSoFar()).toBe(2);

    shop.service.grantedScopes = undefined;
    const granted = await shop.browser.open(
      `${shop.url}/auth/login?returnTo=%2Fproducts&scope=products.read`,
    );
    expect(granted).toMatchObject({ url: `${shop.url}/products`, status: 200 });
  });

  it('remembers the refusal through a refresh and in another process', async () => {
    shop.service.grantedScopes = ['memberships.read'];
    await shop.signIn(dana);
    await shop.browser.open(`${shop.url}/products`);
    shop.clock.advance(61 * MINUTE);
    expect((await shop.browser.open(`${shop.url}/products`)).status).toBe(403);
    expect(signInsSoFar()).toBe(2);
  });

  it('responds to scripts with 403 and the missing scopes', async () => {
    await shop.signIn(dana);
    for (const path of ['/products', '/both']) {
      expect(await shop.browser.request(`${shop.url}${path}`)).toMatchObject({
        status: 403,
        json: {
          error: 'insufficient_scope',
          message: 'This needs your permission to see the products that you sell.',
          missingScopes: ['products.read'],
        },
      });
    }
    expect(signInsSoFar()).toBe(1);
  });

  it('does not redirect a form, because its content would be lost', async () => {
    await shop.signIn(dana);
    const page = await shop.browser.open(`${shop.url}/products`, {
      method: 'POST',
      body: 'a=b',
      follow: false,
    });
    expect(page.status).toBe(403);
    expect(page.text).toContain('href="/auth/login?scope=products.read"');
  });

  it('redirects a signed-out visitor to sign-in first', async () => {
    expect((await shop.browser.request(`${shop.url}/products`)).json.error).toBe('sign_in_required');
    expect((await shop.browser.open(`${shop.url}/products`, { follow: false })).headers.get('location')).toBe(
      `${shop.url}/auth/login?returnTo=%2Fproducts`,
    );
  });

  it('leaves the session unchanged if the visitor declines, and ends on a page', async () => {
    await shop.signIn(dana);
    shop.service.visitor = undefined;
    const page = await shop.browser.open(`${shop.url}/products`);
    expect(page.status).toBe(403);
    expect(page.url).toContain('/auth/callback');
    expect(page.text).toContain('scope=products.read');
    expect((await shop.browser.request(`${shop.url}/members`)).status).toBe(200);
  });

  it('rejects an unknown scope when it is created', () => {
    // @ts-expect-error: unknown scope.
    expect(() => shop.auth.requireScope('products.write')).toThrow(LatchkeyOptionsError);
    expect(() => shop.auth.requireScope([])).toThrow(/at least one of memberships\.read, products\.read/);
  });
});

describe('a session without memberships.read', () => {
  beforeEach(async () => {
    shop.service.grantedScopes = ['products.read'];
    await shop.signIn(dana);
  });

  it('is rejected by requireMembership, which requested the scope at sign-in', {
    tags: ['memberships.insufficient-scope'],
  }, async () => {
    const page = await shop.browser.open(`${shop.url}/members`);
    expect(page.status).toBe(403);
    expect(page.text).toContain('your permission to see your memberships');
    expect(await shop.browser.request(`${shop.url}/members`)).toMatchObject({
      status: 403,
      json: { error: 'insufficient_scope', missingScopes: ['memberships.read'] },
    });
    expect(shop.service.count('GET /oauth/memberships')).toBe(0);
  });

  it('fails memberships() with 403 for Express', async () => {
    expect((await shop.browser.request(`${shop.url}/asks`)).status).toBe(403);
  });
});

import { describe, expect } from 'vitest';
import {
  allow,
  authorizePath,
  callResource,
  confidentialRequest,
  consentFields,
  consentPath,
  postToken,
  publicRedemption,
  publicRequest,
  signedIn,
} from './authorization-flow.js';
import { type Browser, locationOf, redirectQuery } from './browser.js';
import { parsePage, textOf } from './pages/page-document.js';
import { BACKEND_SHOP, CONFIDENTIAL, it, PUBLIC, SHOP } from './service-under-test.js';

const CALLBACK = `${BACKEND_SHOP}/auth/callback`;

describe('consent page', () => {
  it('shows the client, the scopes, the user and the redirect target', async ({ service }) => {
    const browser = await signedIn(service);
    const response = await browser.get(consentPath(confidentialRequest({ scope: 'memberships.read' })));
    const $ = parsePage(await response.text());
    const text = textOf($, 'main');
    for (const fact of ['Ember & Oak', 'Small-batch coffee', 'ada@example.com', 'localhost:4402']) {
      expect(text).toContain(fact);
    }
  });

  it('checks the request like authorize does', async ({ service }) => {
    const browser = await signedIn(service);
    const foreign = publicRequest(service, { redirect_uri: 'https://evil.example/' });
    expect((await browser.get(consentPath(foreign))).status).toBe(400);
    const response = await browser.get(consentPath(publicRequest(service, { scope: 'admin' })));
    expect(redirectQuery(response).error).toBe('invalid_scope');
  });

  it('redirects a visitor to the sign-in page', async ({ service }) => {
    const response = await service.browser().get(consentPath(publicRequest(service)));
    expect(locationOf(response)).toMatch(/^\/sign-in\?continue=%2Foauth%2Fauthorize/);
  });
});

describe('decision', () => {
  it('to decline redirects with access_denied and the state, and is not stored', {
    tags: [
      'authorize.declined',
      'oauth-error.access-denied-redirect-only',
      'authorize.error-redirect-parameters',
    ],
  }, async ({ service }) => {
    const browser = await signedIn(service);
    const query = publicRequest(service);
    const response = await browser.post('/oauth/consent', { ...query, decision: 'decline' });
    expect(response.status).toBe(302);
    expect(redirectQuery(response)).toEqual({ error: 'access_denied', state: 'state-of-the-client' });
    expect(locationOf(await browser.get(authorizePath(query)))).toContain('/oauth/consent');
  });

  it('to allow redirects with a code, and the browser never caches it', async ({ service }) => {
    const browser = await signedIn(service);
    const fields = await consentFields(browser, publicRequest(service));
    const response = await browser.post('/oauth/consent', { ...fields, decision: 'allow' });
    expect(response.status).toBe(302);
    expect(Object.keys(redirectQuery(response))).toEqual(['code', 'state']);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('must be one of the two', async ({ service }) => {
    const browser = await signedIn(service);
    const fields = await consentFields(browser, publicRequest(service));
    const response = await browser.post('/oauth/consent', { ...fields, decision: 'perhaps' });
    expect(response.status).toBe(400);
    expect(response.headers.get('location')).toBeNull();
  });

  it('counts only for the user on the page: another user who signed in since is asked again', async ({
    service,
  }) => {
    const browser = await signedIn(service);
    const query = publicRequest(service);
    const fields = await consentFields(browser, query);
    await browser.post('/sandbox/sign-in', { email: 'dana@example.com' });

    const response = await browser.post('/oauth/consent', { ...fields, decision: 'allow' });
    expect(response.status).toBe(303);
    expect(locationOf(response)).toBe(consentPath(query));
    const asked = parsePage(await (await browser.get(locationOf(response))).text());
    expect(textOf(asked, 'main')).toContain('dana@example.com');
    expect(locationOf(await browser.get(authorizePath(query)))).toContain('/oauth/consent');
  });

  it('asks again even a user who has given the same consent before, instead of sending a code', async ({
    service,
  }) => {
    const query = publicRequest(service);
    await allow(await signedIn(service, 'dana@example.com'), query);
    const browser = await signedIn(service);
    const fields = await consentFields(browser, query);
    await browser.post('/sandbox/sign-in', { email: 'dana@example.com' });
    const response = await browser.post('/oauth/consent', { ...fields, decision: 'allow' });
    expect(locationOf(response)).toBe(consentPath(query));
    expect((await browser.get(locationOf(response))).status).toBe(200);
  });

  it('without a user counts for none', async ({ service }) => {
    const browser = await signedIn(service);
    const query = publicRequest(service);
    const response = await browser.post('/oauth/consent', { ...query, decision: 'allow' });
    expect(locationOf(response)).toBe(consentPath(query));
  });

  it('is checked like the request: a changed form gets nothing', async ({ service }) => {
    const browser = await signedIn(service);
    const changed = publicRequest(service, { redirect_uri: 'https://evil.example/' });
    const response = await browser.post('/oauth/consent', { ...changed, decision: 'allow' });
    expect(response.status).toBe(400);
    expect(response.headers.get('location')).toBeNull();
  });

  it('of a user whose session has ended leads to the sign-in page', async ({ service }) => {
    const browser = await signedIn(service);
    service.clock.advance(14 * 24 * 3600_000);
    const response = await browser.post('/oauth/consent', { ...publicRequest(service), decision: 'allow' });
    expect(response.status).toBe(303);
    expect(locationOf(response)).toMatch(/^\/sign-in\?/);
  });
});

/** Returns the hidden fields of the first form on the account page that withdraws a consent. */
async function revokeFields(browser: Browser): Promise<Record<string, string>> {
  const $ = parsePage(await (await browser.get('/account')).text());
  const first = $('form[action="/account/apps/revoke"]').first().find('input[type="hidden"]');
  return Object.fromEntries(first.toArray().map((field) => [$(field).attr('name'), $(field).attr('value')]));
}

describe('consent', () => {
  it('is stored for the same or fewer scopes, not for more', async ({ service }) => {
    const browser = await signedIn(service);
    await allow(browser, publicRequest(service, { scope: 'memberships.read' }));
    const ask = async (scope: string) =>
      locationOf(await browser.get(authorizePath(publicRequest(service, { scope }))));
    expect(await ask('memberships.read')).toContain('code=');
    expect(await ask('memberships.read products.read')).toMatch(/^\/oauth\/consent/);
    await allow(browser, publicRequest(service, { scope: 'products.read' }));
    expect(await ask('memberships.read products.read')).toContain('code=');
  });

  describe('counts for what the page showed', () => {
    const asksAgain = async (browser: Browser, query: Record<string, string>) => {
      const location = locationOf(await browser.get(authorizePath(query)));
      if (location.includes('code=')) return undefined;
      expect(location).toBe(consentPath(query));
      return textOf(parsePage(await (await browser.get(location)).text()), '.changed li');
    };

    it.for([
      [{ name: 'City library' }, 'Its name was Ember & Oak.'],
      [{ logoUrl: 'https://evil.example/logo.svg' }, 'Its logo or its description is new.'],
      [{ description: 'The official app of your library.' }, 'Its logo or its description is new.'],
    ] as const)('and is asked for again after %o', async ([settings, change], { service }) => {
      const { operator } = service.server;
      const browser = await signedIn(service);
      const query = confidentialRequest();
      await allow(browser, query);
      await operator.change('clients', CONFIDENTIAL, {
        redirectUris: [CALLBACK, 'https://new.example/cb'],
      });
      expect(await asksAgain(browser, query)).toBeUndefined();

      await operator.change('clients', CONFIDENTIAL, settings);
      expect(await asksAgain(browser, query)).toBe(change);
      await allow(browser, query);
      expect(await asksAgain(browser, query)).toBeUndefined();
    });

    it('and is asked for again for another redirect URI, also of the same site', async ({ service }) => {
      const browser = await signedIn(service);
      await allow(browser, confidentialRequest());
      const [page, site] = [`${BACKEND_SHOP}/other`, 'https://library.example/cb'];
      await service.server.operator.change('clients', CONFIDENTIAL, {
        redirectUris: [CALLBACK, page, site],
      });
      const atPage = confidentialRequest({ redirect_uri: page });
      expect(await asksAgain(browser, atPage)).toBe('Your sign-in goes to another page of the site.');
      const atSite = confidentialRequest({ redirect_uri: site });
      expect(await asksAgain(browser, atSite)).toBe('Your sign-in goes to a new address, the one above.');
      await allow(browser, atSite);
      expect(await asksAgain(browser, atSite)).toBeUndefined();
      expect(await asksAgain(browser, confidentialRequest())).toBeUndefined();
      expect(await asksAgain(browser, atPage)).toBe('Your sign-in goes to another page of the site.');
    });

    it('and is asked for again for another page that receives the code of the hosted callback', async ({
      service,
    }) => {
      const browser = await signedIn(service);
      const stateOf = (o: string) => Buffer.from(JSON.stringify({ n: 'nonce', o })).toString('base64url');
      await allow(browser, publicRequest(service, { state: stateOf(SHOP) }));
      await service.server.operator.change('clients', PUBLIC, {
        widgetOrigins: [SHOP, 'https://new.example'],
      });
      const there = publicRequest(service, { state: stateOf('https://new.example') });
      expect(await asksAgain(browser, there)).toBe('Your sign-in goes to a new address, the one above.');
    });

    it('and is asked for again once the client is no longer verified, not when it becomes verified', async ({
      service,
    }) => {
      const { operator } = service.server;
      const browser = await signedIn(service);
      await operator.change('clients', CONFIDENTIAL, { verified: false });
      await allow(browser, confidentialRequest());
      await operator.change('clients', CONFIDENTIAL, { verified: true });
      expect(await asksAgain(browser, confidentialRequest())).toBeUndefined();
      await allow(browser, confidentialRequest());
      await operator.change('clients', CONFIDENTIAL, { verified: false });
      expect(await asksAgain(browser, confidentialRequest())).toBe('It is no longer verified.');
    });

    it('and not for what the owner made of it while the page was open', async ({ service }) => {
      const browser = await signedIn(service);
      const query = confidentialRequest();
      const fields = await consentFields(browser, query);
      await service.server.operator.change('clients', CONFIDENTIAL, { name: 'City library' });
      const response = await browser.post('/oauth/consent', { ...fields, decision: 'allow' });
      expect(response.status).toBe(303);
      expect(locationOf(response)).toBe(consentPath(query));
      expect(await asksAgain(browser, query)).toBe('');
    });
  });

  it('is valid for one client and one user', async ({ service }) => {
    const browser = await signedIn(service);
    await allow(browser, publicRequest(service));
    expect(locationOf(await browser.get(authorizePath(confidentialRequest())))).toMatch(/^\/oauth\/consent/);
    const other = await signedIn(service, 'ben@example.com');
    expect(locationOf(await other.get(authorizePath(publicRequest(service))))).toMatch(/^\/oauth\/consent/);
  });

  it("can be withdrawn on the account page, which revokes the app's codes and tokens at once", async ({
    service,
  }) => {
    const browser = await signedIn(service);
    const code = await allow(browser, publicRequest(service));
    const pair = await (await postToken(service, publicRedemption(service, code))).json();
    const { access_token: accessToken } = pair as { access_token: string };
    const unredeemed = await allow(browser, publicRequest(service));

    const fields = await revokeFields(browser);
    expect(fields.clientId).toBe(PUBLIC);
    const revoked = await browser.post('/account/apps/revoke', fields);
    expect(revoked.status).toBe(303);

    expect((await callResource(service, accessToken)).status).toBe(401);
    expect((await postToken(service, publicRedemption(service, unredeemed))).status).toBe(400);
    expect(locationOf(await browser.get(authorizePath(publicRequest(service))))).toMatch(/^\/oauth\/consent/);
    const after = parsePage(await (await browser.get(locationOf(revoked))).text());
    expect(after('form[action="/account/apps/revoke"]')).toHaveLength(0);
  });

  it('is withdrawn only for the user on the page, not for one who signed in since in another tab', async ({
    service,
  }) => {
    const browser = await signedIn(service);
    await allow(browser, publicRequest(service));
    const dana = await signedIn(service, 'dana@example.com');
    await allow(dana, publicRequest(service));

    const fields = await revokeFields(browser);
    await browser.post('/sandbox/sign-in', { email: 'dana@example.com' });
    const response = await browser.post('/account/apps/revoke', fields);
    expect(response.status).toBe(409);
    expect(textOf(parsePage(await response.text()), 'main')).toContain('Nothing was changed');
    for (const person of [dana, await signedIn(service)]) {
      expect(locationOf(await person.get(authorizePath(publicRequest(service))))).toContain('code=');
    }
  });

  it('of another client or user stays when one is withdrawn', async ({ service }) => {
    const browser = await signedIn(service);
    await allow(browser, publicRequest(service));
    await allow(browser, confidentialRequest());
    const ben = await signedIn(service, 'ben@example.com');
    await allow(ben, publicRequest(service));
    await browser.post('/account/apps/revoke', await revokeFields(browser));
    expect(locationOf(await browser.get(authorizePath(confidentialRequest())))).toContain('code=');
    expect(locationOf(await ben.get(authorizePath(publicRequest(service))))).toContain('code=');
  });
});

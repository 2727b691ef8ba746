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
import { it, PUBLIC } from './service-under-test.js';

describe('the consent page', () => {
  it('tells who asks for what, on whose behalf, and where the answer goes', async ({ service }) => {
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

  it('leads who is not signed in to the sign-in page', async ({ service }) => {
    const response = await service.browser().get(consentPath(publicRequest(service)));
    expect(locationOf(response)).toMatch(/^\/sign-in\?continue=%2Foauth%2Fauthorize/);
  });
});

describe('the answer', () => {
  it('to a declined request is access_denied and the state, and is not remembered [authorize.declined] [oauth-error.access-denied-redirect-only] [authorize.error-redirect-parameters]', async ({
    service,
  }) => {
    const browser = await signedIn(service);
    const query = publicRequest(service);
    const response = await browser.post('/oauth/consent', { ...query, decision: 'decline' });
    expect(response.status).toBe(302);
    expect(redirectQuery(response)).toEqual({ error: 'access_denied', state: 'state-of-the-client' });
    expect(locationOf(await browser.get(authorizePath(query)))).toContain('/oauth/consent');
  });

  it('to an allowed one is a code, never stored by the browser', async ({ service }) => {
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

  it('counts only for the person that the page named: who has signed in since in another tab is asked anew', async ({
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

  it('asks anew even the one who has allowed the same before, instead of sending a code for them', async ({
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

  it('that names nobody counts for nobody', async ({ service }) => {
    const browser = await signedIn(service);
    const query = publicRequest(service);
    const response = await browser.post('/oauth/consent', { ...query, decision: 'allow' });
    expect(locationOf(response)).toBe(consentPath(query));
  });

  it('is checked like the question: a form that was changed gets nothing', async ({ service }) => {
    const browser = await signedIn(service);
    const changed = publicRequest(service, { redirect_uri: 'https://evil.example/' });
    const response = await browser.post('/oauth/consent', { ...changed, decision: 'allow' });
    expect(response.status).toBe(400);
    expect(response.headers.get('location')).toBeNull();
  });

  it('of somebody whose session has ended leads to the sign-in page', async ({ service }) => {
    const browser = await signedIn(service);
    service.clock.advance(14 * 24 * 3600_000);
    const response = await browser.post('/oauth/consent', { ...publicRequest(service), decision: 'allow' });
    expect(response.status).toBe(303);
    expect(locationOf(response)).toMatch(/^\/sign-in\?/);
  });
});

/** The hidden fields of the account page's first form that takes a consent back. */
async function revokeFields(browser: Browser): Promise<Record<string, string>> {
  const $ = parsePage(await (await browser.get('/account')).text());
  const first = $('form[action="/account/apps/revoke"]').first().find('input[type="hidden"]');
  return Object.fromEntries(first.toArray().map((field) => [$(field).attr('name'), $(field).attr('value')]));
}

describe('a consent', () => {
  it('is remembered for the same scopes and for fewer, not for more', async ({ service }) => {
    const browser = await signedIn(service);
    await allow(browser, publicRequest(service, { scope: 'memberships.read' }));
    const ask = async (scope: string) =>
      locationOf(await browser.get(authorizePath(publicRequest(service, { scope }))));
    expect(await ask('memberships.read')).toContain('code=');
    expect(await ask('memberships.read products.read')).toMatch(/^\/oauth\/consent/);
    await allow(browser, publicRequest(service, { scope: 'products.read' }));
    expect(await ask('memberships.read products.read')).toContain('code=');
  });

  it('is given to one client by one person', async ({ service }) => {
    const browser = await signedIn(service);
    await allow(browser, publicRequest(service));
    expect(locationOf(await browser.get(authorizePath(confidentialRequest())))).toMatch(/^\/oauth\/consent/);
    const other = await signedIn(service, 'ben@example.com');
    expect(locationOf(await other.get(authorizePath(publicRequest(service))))).toMatch(/^\/oauth\/consent/);
  });

  it('can be taken back on the account page: the app is listed, and its codes and tokens end at once', async ({
    service,
  }) => {
    const browser = await signedIn(service);
    const code = await allow(browser, publicRequest(service));
    const pair = await (await postToken(service, publicRedemption(service, code))).json();
    const { access_token: accessToken } = pair as { access_token: string };
    const unspent = await allow(browser, publicRequest(service));

    const fields = await revokeFields(browser);
    expect(fields.clientId).toBe(PUBLIC);
    const revoked = await browser.post('/account/apps/revoke', fields);
    expect(revoked.status).toBe(303);

    expect((await callResource(service, accessToken)).status).toBe(401);
    expect((await postToken(service, publicRedemption(service, unspent))).status).toBe(400);
    expect(locationOf(await browser.get(authorizePath(publicRequest(service))))).toMatch(/^\/oauth\/consent/);
    const after = parsePage(await (await browser.get(locationOf(revoked))).text());
    expect(after('form[action="/account/apps/revoke"]')).toHaveLength(0);
  });

  it('is taken back only for the person whose account page it was: who has signed in since in another tab keeps theirs', async ({
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

  it('of another client or person stays when one is taken back', async ({ service }) => {
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

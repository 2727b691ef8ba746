import { describe, expect } from 'vitest';
import {
  allow,
  authorizePath,
  callbackOf,
  confidentialRequest,
  consentPath,
  publicRequest,
  signedIn,
} from './authorization-flow.js';
import { type Browser, locationOf, redirectQuery } from './browser.js';
import { it, type ServiceUnderTest, SHOP } from './service-under-test.js';

/** State of the widget on a page of the origin. */
function stateOf(origin: unknown): string {
  return Buffer.from(JSON.stringify({ n: 'nonce', o: origin })).toString('base64url');
}

/** A visitor, a user without consent, and a user with consent. */
async function everybody(service: ServiceUnderTest): Promise<Browser[]> {
  const consenting = await signedIn(service);
  await allow(consenting, publicRequest(service));
  return [service.browser(), await signedIn(service, 'ben@example.com'), consenting];
}

describe('the hosted callback', () => {
  it.for([
    ['a foreign page', 'https://evil.example'],
    ['a page on another port', 'http://localhost:4499'],
    ['an origin that only some browsers can parse', 'https://xn--0.example'],
    ['no origin', ''],
    ['a list', [SHOP]],
  ])('answers everybody alike, without a code, if the state names %s', async ([, origin], { service }) => {
    const query = publicRequest(service, { state: stateOf(origin) });
    for (const browser of await everybody(service)) {
      for (const path of [authorizePath(query), consentPath(query)]) {
        const response = await browser.get(path);
        expect(response.status).toBe(302);
        expect(locationOf(response).split('?')[0]).toBe(callbackOf(service));
        expect(redirectQuery(response)).toEqual({ error: 'access_denied', state: query.state });
      }
    }
  });

  it('gets no code from a consent form whose state names a foreign page', async ({ service }) => {
    const [, , browser] = await everybody(service);
    const query = publicRequest(service, { state: stateOf('https://evil.example') });
    const response = await browser?.post('/oauth/consent', { ...query, decision: 'allow', account: 'any' });
    expect(response && redirectQuery(response)).toEqual({ error: 'access_denied', state: query.state });
  });

  it('gets a code for an allowed page', async ({ service }) => {
    const browser = await signedIn(service);
    const query = publicRequest(service, { state: stateOf(SHOP) });
    await allow(browser, query);
    expect(redirectQuery(await browser.get(authorizePath(query))).code).toBeDefined();
  });

  it('accepts an opaque state, which no page can receive an answer with', {
    tags: ['authorize.state-echoed'],
  }, async ({ service }) => {
    const browser = await signedIn(service);
    await allow(browser, publicRequest(service));
    const query = publicRequest(service, { state: 'opaque' });
    expect(redirectQuery(await browser.get(authorizePath(query)))).toEqual({
      code: expect.any(String),
      state: 'opaque',
    });
  });

  it('does not change the rules of other redirect URIs', async ({ service }) => {
    const browser = await signedIn(service);
    await allow(browser, confidentialRequest());
    const query = confidentialRequest({ state: stateOf('https://evil.example') });
    expect(redirectQuery(await browser.get(authorizePath(query))).code).toBeDefined();
  });
});

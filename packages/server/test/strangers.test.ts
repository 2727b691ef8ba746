import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import {
  allow,
  authorizePath,
  confidentialRequest,
  consentPath,
  publicRequest,
  signedIn,
} from './authorization-flow.js';
import { type Browser, locationOf } from './browser.js';
import { openCheckout } from './checkout-world.js';
import { BACKEND_SHOP, it, type ServiceUnderTest, SHOP } from './service-under-test.js';

const { community } = sandboxScenario;

const FROM_STRANGER = {
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  referer: 'https://evil.example/',
};

/** A visitor, a user without consent, a user with consent, and an operator. */
async function everybody(service: ServiceUnderTest): Promise<Browser[]> {
  const consenting = await signedIn(service);
  await allow(consenting, publicRequest(service));
  await allow(consenting, confidentialRequest());
  return [service.browser(), await signedIn(service, 'ben@example.com'), consenting];
}

/** Everything of a response that a browser could tell a page, except the time. */
async function answerOf(response: Response) {
  const headers = Object.fromEntries(response.headers);
  for (const name of ['date', 'etag', 'x-request-id']) delete headers[name];
  return { status: response.status, headers, body: await response.text() };
}

describe('a page of another site', () => {
  it.for([
    ['cross-site', FROM_STRANGER],
    ['same-site', { ...FROM_STRANGER, 'sec-fetch-site': 'same-site' }],
    ['without a referrer', { ...FROM_STRANGER, referer: '' }],
    [
      'a script or an image of a sibling',
      { ...FROM_STRANGER, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
    ],
  ] as const)('gets the same answer for every visitor: %s', async ([, headers], { service }) => {
    const people = await everybody(service);
    const [ask, askThere] = [authorizePath(publicRequest(service)), authorizePath(confidentialRequest())];
    const { id: pricingPlanId } = await service.server.operator.createPricingPlan({
      ...{ communityId: community.id, name: 'Free', priceMinor: 0, currency: 'EUR' },
    });
    for (const path of [
      await openCheckout(service, { pricingPlanId }),
      ask,
      askThere,
      consentPath(publicRequest(service)),
      consentPath(confidentialRequest()),
      `/sign-in?${new URLSearchParams({ continue: askThere })}`,
      '/sign-in',
      '/account',
      '/account/export',
      '/account/data',
      '/seller',
      '/developer',
      '/operator',
    ]) {
      const answers = await Promise.all(
        people.map(async (browser) => await answerOf(await browser.get(path, headers))),
      );
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size, path).toBe(1);
      expect(answers[0]?.headers['set-cookie'], path).toBeUndefined();
    }
  });

  it('that asks for a sign-in leads to a page of the service that goes on without a click', async ({
    service,
  }) => {
    const browser = await signedIn(service);
    const query = confidentialRequest({ state: `"'><b>&amp; 'ü'` });
    await allow(browser, query);
    const first = await browser.get(authorizePath(query), FROM_STRANGER);
    expect(first.status).toBe(302);
    const page = await (await browser.get(locationOf(first), FROM_STRANGER)).text();
    const [, target = ''] = /http-equiv="refresh" content="0;url=([^"]*)"/.exec(page) ?? [];
    const own = { ...FROM_STRANGER, 'sec-fetch-site': 'same-origin', referer: `${service.baseUrl}/` };
    const onwards = target.replaceAll('&amp;', '&');
    expect(onwards).toBe(authorizePath(query));
    expect(locationOf(await browser.get(onwards, own))).toContain('code=');
  });
});

it('a page of the client itself, the address bar and programs are answered at once', async ({ service }) => {
  const browser = await signedIn(service);
  const query = confidentialRequest();
  await allow(browser, query);
  for (const headers of [
    { ...FROM_STRANGER, referer: `${BACKEND_SHOP}/` },
    { ...FROM_STRANGER, 'sec-fetch-site': 'none', referer: '' },
    {},
  ]) {
    expect(locationOf(await browser.get(authorizePath(query), headers))).toContain('code=');
  }
  const foreign = { ...FROM_STRANGER, referer: `${SHOP}/` };
  expect(locationOf(await browser.get(authorizePath(query), foreign))).toBe(consentPath(query));
});

import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { errorsOn, fillIn, hiddenFields } from './area-forms.js';
import {
  allow,
  authorizePath,
  callResource,
  postToken,
  publicRedemption,
  publicRequest,
  refreshPublic,
  signedIn,
  type TokenPairBody,
} from './authorization-flow.js';
import { type Browser, locationOf } from './browser.js';
import { parsePage, textOf } from './pages/page-document.js';
import { it, type ServiceUnderTest, START } from './service-under-test.js';

const SESSIONS = '/account/sessions';
const END = { path: SESSIONS, action: '/account/sessions/end' };

async function pageOf(browser: Browser, path: string) {
  const response = await browser.get(path);
  expect(response.status).toBe(200);
  return parsePage(await response.text());
}

async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.get('/account')).status === 200;
}

/** Returns tokens of the public client for the user who is signed in to the browser. */
async function tokensOf(service: ServiceUnderTest, browser: Browser): Promise<TokenPairBody> {
  const code = await allow(browser, publicRequest(service));
  return (await (await postToken(service, publicRedemption(service, code))).json()) as TokenPairBody;
}

describe('account page', () => {
  it('lists expired and future memberships separately', async ({ service }) => {
    const { operator } = service.server;
    const { users, products } = sandboxScenario;
    await operator.grantMembership({
      userId: users.cleo.id,
      productType: 'digital_product',
      productId: products.brewGuide.id,
      validFrom: START + 1,
    });
    const $ = await pageOf(await signedIn(service, 'cleo@example.com'), '/account');
    expect(textOf($, '#memberships')).toContain('This account has no active membership.');
    expect(textOf($, '#upcoming')).toContain('The Brew Guide');
    expect(textOf($, '#expired')).toContain('Ember & Oak Coffee Club');
  });
});

describe('profile form', () => {
  it('accepts another name and an empty name', async ({ service }) => {
    const ada = await signedIn(service);
    const path = '/account/profile';
    expect((await pageOf(ada, path))('#name').attr('value')).toBe('Ada Member');
    const saved = await fillIn(ada, { path }, { name: '  Ada Lovelace ' });
    expect(textOf(await pageOf(ada, locationOf(saved)), '.signed-in-person')).toContain('Ada Lovelace');
    await fillIn(ada, { path }, { name: ' ' });
    const $ = await pageOf(ada, path);
    expect(textOf($, '.signed-in-person')).toContain('ada@example.com');
    expect($('#name').attr('value')).toBe('');
  });

  it('rejects an invalid name and keeps the typed text', async ({ service }) => {
    const ada = await signedIn(service);
    const path = '/account/profile';
    for (const name of ['x'.repeat(201), 'two\nlines', '\u200b']) {
      const refused = await fillIn(ada, { path }, { name });
      expect(refused.status).toBe(400);
      expect(Object.keys(await errorsOn(refused))).toEqual(['name']);
    }
    expect((await pageOf(ada, path))('#name').attr('value')).toBe('Ada Member');
  });
});

describe('session list', () => {
  it('lists every browser, newest first, and marks the current one', async ({ service }) => {
    const first = await signedIn(service);
    service.clock.advance(60_000);
    const second = await signedIn(service);
    await signedIn(service, 'ben@example.com');
    const rows = (await pageOf(second, SESSIONS))('#sessions tbody tr');
    expect(rows).toHaveLength(2);
    expect(rows.eq(0).text()).toContain('14:06 UTC');
    expect(rows.eq(0).text()).toContain('This browser');
    expect(rows.eq(1).text()).toContain('14:05 UTC');
    expect((await pageOf(first, SESSIONS))('#sessions tbody tr').eq(1).text()).toContain('This browser');
  });

  it('omits sessions that have ended', async ({ service }) => {
    await signedIn(service);
    service.clock.advance(14 * 24 * 3600_000);
    const $ = await pageOf(await signedIn(service), SESSIONS);
    expect($('#sessions tbody tr')).toHaveLength(1);
  });

  it('signs out all other browsers of the user, but neither this browser nor other users', async ({
    service,
  }) => {
    const [here, there, ben] = [
      await signedIn(service),
      await signedIn(service),
      await signedIn(service, 'ben@example.com'),
    ];
    const ended = await fillIn(here, END, { which: 'others' });
    expect(textOf(await pageOf(here, locationOf(ended)), '[role="status"]')).toContain('all other browsers');
    expect(await isSignedIn(here)).toBe(true);
    expect(await isSignedIn(there)).toBe(false);
    expect(await isSignedIn(ben)).toBe(true);
  });

  it('signs out every browser, including this one', async ({ service }) => {
    const [here, there] = [await signedIn(service), await signedIn(service)];
    const cookies = new Map(here.cookies);
    const ended = await fillIn(here, END, { which: 'all' });
    expect(locationOf(ended)).toBe('/signed-out');
    expect(here.cookies.size).toBe(0);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    expect((await service.request('/account', { headers: { cookie } })).status).toBe(302);
    expect(await isSignedIn(there)).toBe(false);
  });

  it('revokes the tokens and codes of apps only when the box is ticked, and keeps the consents', async ({
    service,
  }) => {
    const ada = await signedIn(service);
    const ben = await signedIn(service, 'ben@example.com');
    const tokens = await tokensOf(service, ada);
    const bens = await tokensOf(service, ben);
    const code = await allow(ada, publicRequest(service));
    await fillIn(ada, END, { which: 'others' });
    expect((await callResource(service, tokens.access_token)).status).toBe(200);

    const ended = await fillIn(ada, END, { which: 'others', apps: 'on' });
    expect(textOf(await pageOf(ada, locationOf(ended)), '[role="status"]')).toContain('and all apps');
    expect((await callResource(service, tokens.access_token)).status).toBe(401);
    expect((await refreshPublic(service, tokens.refresh_token)).status).toBe(400);
    expect((await postToken(service, publicRedemption(service, code))).status).toBe(400);
    expect((await callResource(service, bens.access_token)).status).toBe(200);
    expect(locationOf(await ada.get(authorizePath(publicRequest(service))))).toContain('code=');
  });

  it('signs out no browser when no choice is sent', async ({ service }) => {
    const [here, there] = [await signedIn(service), await signedIn(service)];
    await fillIn(here, END, { which: 'some' });
    expect(await isSignedIn(there)).toBe(true);
  });
});

describe('form of the account area', () => {
  it('changes nothing when another user has signed in with this browser since', async ({ service }) => {
    const browser = await signedIn(service);
    const forms = ['/account/profile', '/developer/clients/new', '/developer/api-keys/new'] as const;
    for (const path of forms) {
      const action = path.replace('/new', '');
      const fields = await hiddenFields(browser, path, action);
      await browser.post('/sandbox/sign-in', { email: 'ben@example.com' });
      const response = await browser.post(action, { ...fields, name: 'Taken over' });
      expect(response.status).toBe(409);
      expect(textOf(parsePage(await response.text()), 'main')).toContain('Nothing was changed');
      expect(textOf(await pageOf(browser, '/account/profile'), '.signed-in-person')).toContain('Ben Visitor');
      await browser.post('/sandbox/sign-in', { email: 'ada@example.com' });
    }
  });

  it('redirects a visitor to the sign-in page, and after the sign-in to an existing page', async ({
    service,
  }) => {
    for (const [path, home] of [
      ['/account/profile', '/account/profile'],
      ['/account/sessions/end', '/account/sessions'],
      ['/developer/api-keys', '/developer/api-keys/new'],
      ['/developer/clients/oac_x/secret', '/developer/clients'],
      ['/developer/webhooks/x/resume', '/developer/webhooks'],
    ] as const) {
      const response = await service.browser().post(path, {});
      expect(response.status).toBe(303);
      expect(locationOf(response)).toBe(`/sign-in?${new URLSearchParams({ continue: home })}`);
    }
  });
});

describe('page of the account area', () => {
  it.for([
    ['/account'],
    ['/account/profile'],
    ['/account/sessions'],
    ['/developer'],
    ['/developer/api-keys'],
    ['/developer/api-keys/new'],
    ['/developer/clients/new'],
    ['/developer/webhooks?done=on'],
  ] as const)('%s redirects a visitor to the sign-in page and back', async ([path], { service }) => {
    const browser = service.browser();
    const response = await browser.get(path);
    expect(response.status).toBe(302);
    expect(locationOf(response)).toBe(`/sign-in?${new URLSearchParams({ continue: path })}`);
    const { continue: continueTo = '' } = Object.fromEntries(
      new URL(locationOf(response), service.baseUrl).searchParams,
    );
    const back = await browser.post('/sandbox/sign-in', { email: 'ada@example.com', continue: continueTo });
    expect(locationOf(back)).toBe(path);
  });

  it('never shows text from its address', async ({ service }) => {
    const browser = await signedIn(service);
    for (const path of ['/account', '/developer/api-keys', '/developer/clients', '/developer/webhooks']) {
      const html = await (await browser.get(`${path}?done=%3Cb%3Ehello&notice=hello&error=hello`)).text();
      expect(html).not.toContain('hello');
    }
  });
});

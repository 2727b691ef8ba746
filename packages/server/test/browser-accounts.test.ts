import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { allow, authorizePath, consentPath, publicRequest, signedIn } from './authorization-flow.js';
import { type Browser, locationOf, redirectQuery } from './browser.js';
import { parsePage, textOf } from './pages/page-document.js';
import { itWithDatabase as it } from './service-with-database.js';

const DAY = 24 * 3_600_000;
const CHOOSER = '/sign-in?choose=1';

async function signInAs(browser: Browser, ...emails: string[]): Promise<void> {
  for (const email of emails) await browser.post('/sandbox/sign-in', { email });
}

/** Returns the email address of the account whom pages act for. */
async function currentIn(browser: Browser): Promise<string | undefined> {
  const page = await browser.get('/account/profile');
  if (page.status !== 200) return undefined;
  const $ = parsePage(await page.text());
  return $('#identity bdi').last().text();
}

/** Returns the addresses that the chooser lists, in its order. */
async function accountsIn(browser: Browser, path = CHOOSER): Promise<string[]> {
  const page = await browser.get(path);
  expect(page.status).toBe(200);
  const $ = parsePage(await page.text());
  return $('.accounts > li')
    .toArray()
    .map((item) => $(item).find('bdi').last().text());
}

async function choose(browser: Browser, account: string, continueTo = '/account'): Promise<string> {
  return locationOf(await browser.post('/sign-in/account', { account, continue: continueTo }));
}

const cookieOf = (browser: Browser) =>
  [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');

const { ada, ben, dana } = sandboxScenario.users;

describe('the accounts of a browser', () => {
  it('stay signed in when another one signs in, and pages act for the last one', async ({ service }) => {
    const browser = await signedIn(service, ada.email);
    await signInAs(browser, ben.email);
    expect(await currentIn(browser)).toBe(ben.email);
    expect(await accountsIn(browser)).toEqual([ben.email, ada.email]);
    expect(await choose(browser, ada.id)).toBe('/account');
    expect(await currentIn(browser)).toBe(ada.email);
    expect(await accountsIn(browser)).toEqual([ada.email, ben.email]);
  });

  it('have one session each, with a new id after every sign-in', async ({ service }) => {
    const browser = await signedIn(service, ada.email);
    const before = cookieOf(browser);
    await signInAs(browser, ben.email, ada.email);
    expect(await accountsIn(browser)).toEqual([ada.email, ben.email]);
    expect((await service.browser().get('/account', { cookie: before })).status).toBe(302);
  });

  it('are six at most, and the one that was used least recently is signed out', async ({ service }) => {
    const browser = service.browser();
    const emails = Array.from({ length: 7 }, (_, index) => `person${index}@example.com`);
    let first = '';
    for (const email of emails) {
      await browser.post('/sign-in/code', { email });
      await browser.post('/sign-in/verify', { code: service.server.mailbox?.latestFor(email)?.code ?? '' });
      first ||= cookieOf(browser);
    }
    expect(await accountsIn(browser)).toEqual(emails.slice(1).reverse());
    expect((await service.browser().get('/account', { cookie: first })).status).toBe(302);
    const session = [...browser.cookies].find(([name]) => name.includes('_session'))?.[1];
    expect(session).toHaveLength(6 * 43 + 5);
  });

  it('end together when the user signs out, and nothing of them is shown any more', async ({ service }) => {
    const browser = await signedIn(service, ada.email);
    await signInAs(browser, ben.email);
    const copy = cookieOf(browser);
    await browser.post('/sign-out', {});
    expect(browser.cookies.size).toBe(0);
    expect(await accountsIn(browser)).toEqual([]);
    const thief = { cookie: copy };
    expect((await service.browser().get('/account', thief)).status).toBe(302);
    expect(await (await service.browser().get(CHOOSER, thief)).text()).not.toContain(
      'class="people accounts"',
    );
  });

  it('can be removed one by one, and then pages act for nobody until the user chooses', async ({
    service,
  }) => {
    const browser = await signedIn(service, ada.email);
    await signInAs(browser, dana.email, ben.email);
    const copy = cookieOf(browser);
    const back = await browser.post('/sign-out', { account: dana.id, continue: CHOOSER });
    expect(locationOf(back)).toBe(CHOOSER);
    expect(await accountsIn(browser)).toEqual([ben.email, ada.email]);
    expect(await currentIn(browser)).toBe(ben.email);
    await browser.post('/sign-out', { account: ben.id });
    expect(await currentIn(browser)).toBeUndefined();
    expect(await accountsIn(browser, '/sign-in?continue=%2Faccount')).toEqual([ada.email]);
    expect(await accountsIn(service.browser())).toEqual([]);
    await choose(browser, ada.id);
    expect(await currentIn(browser)).toBe(ada.email);
    // A copy of the cookie contains the ended sessions too.
    const thief = await (await service.browser().get(CHOOSER, { cookie: copy })).text();
    expect(thief).not.toContain(`value="${ben.id}"`);
    expect(thief).not.toContain(`value="${dana.id}"`);
  });

  it('disappear with the end of their sessions: elsewhere, by idleness or by deletion', async ({
    service,
  }) => {
    const browser = await signedIn(service, ada.email);
    await signInAs(browser, dana.email, ben.email);
    const elsewhere = await signedIn(service, ada.email);
    await elsewhere.post('/account/sessions/end', { account: ada.id, which: 'others' });
    expect(await accountsIn(browser)).toEqual([ben.email, dana.email]);
    service.clock.advance(6 * DAY);
    expect(await currentIn(browser)).toBe(ben.email);
    service.clock.advance(DAY);
    expect(await accountsIn(browser)).toEqual([ben.email]);
  });

  it('stay when one ends all sessions of its own', async ({ service }) => {
    const browser = await signedIn(service, ada.email);
    await signInAs(browser, ben.email);
    await browser.post('/account/sessions/end', { account: ben.id, which: 'all' });
    expect(await currentIn(browser)).toBeUndefined();
    expect(await accountsIn(browser)).toEqual([ada.email]);
  });

  it('stay when one begins two-step sign-in, which gives its session a new id', async ({ service }) => {
    const browser = await signedIn(service, ada.email);
    await signInAs(browser, ben.email);
    await browser.post('/account/two-step/set-up', { account: ben.id });
    expect(await accountsIn(browser)).toEqual([ben.email, ada.email]);
  });
});

describe('a form of a page that was opened with one account', () => {
  it('does not act for another one that was chosen meanwhile', async ({ service }) => {
    const browser = await signedIn(service, ada.email);
    await signInAs(browser, ben.email);
    await choose(browser, ada.id);
    const rename = await browser.post('/account/profile', { account: ben.id, name: 'Somebody' });
    expect(rename.status).toBe(409);
    const consent = await browser.post('/oauth/consent', {
      ...publicRequest(service),
      account: ben.id,
      decision: 'allow',
    });
    expect(locationOf(consent)).toBe(consentPath(publicRequest(service)));
    expect(locationOf(await browser.get(authorizePath(publicRequest(service))))).toContain('/oauth/consent');
  });
});

describe('the choice of an account', () => {
  it('is limited to the sessions of the browser', async ({ service }) => {
    await signedIn(service, ben.email);
    const browser = await signedIn(service, ada.email);
    for (const account of [ben.id, '', 'nobody']) {
      expect(await choose(browser, account)).toBe('/sign-in?continue=%2Faccount&choose=1');
    }
    expect(await currentIn(browser)).toBe(ada.email);
  });

  it('is rejected from other sites, like the removal', async ({ service }) => {
    const browser = await signedIn(service, ada.email);
    await signInAs(browser, ben.email);
    const crossSite = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    for (const path of ['/sign-in/account', '/sign-out']) {
      expect((await browser.post(path, { account: ada.id }, crossSite)).status).toBe(403);
    }
    expect(await currentIn(browser)).toBe(ben.email);
    expect(await accountsIn(browser)).toEqual([ben.email, ada.email]);
  });

  it('continues on the service only', async ({ service }) => {
    const browser = await signedIn(service, ada.email);
    for (const target of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
      expect(await choose(browser, ada.id, target)).toBe('/account');
    }
  });

  it('needs a calm press, and the page says which account is the current one', async ({ service }) => {
    const browser = await signedIn(service, ada.email);
    await signInAs(browser, ben.email);
    const page = parsePage(await (await browser.get(CHOOSER)).text());
    expect(page('.accounts form[data-at-once]').length).toBe(0);
    expect(page('script[src]').length).toBe(1);
    expect(textOf(page, '.accounts > li:first-child')).toContain('Current account');
    expect(textOf(page, '.accounts > li:last-child')).not.toContain('Current account');
  });
});

describe('an authorization request with prompt=select_account', () => {
  it('lets a signed-in user choose, and goes on with the same request for the chosen one', async ({
    service,
  }) => {
    const browser = await signedIn(service, ada.email);
    const request = publicRequest(service);
    await allow(browser, request);
    await signInAs(browser, ben.email);
    await allow(browser, request);
    const asked = await browser.get(authorizePath({ ...request, prompt: 'select_account' }));
    expect(asked.status).toBe(302);
    const chooser = locationOf(asked);
    expect(chooser).toBe(`/sign-in?${new URLSearchParams({ continue: authorizePath(request) })}&choose=1`);
    expect(await accountsIn(browser, chooser)).toEqual([ben.email, ada.email]);
    const next = await choose(browser, ada.id, authorizePath(request));
    const { code, state } = redirectQuery(await browser.get(next));
    expect(code).toBeTruthy();
    expect(state).toBe('state-of-the-client');
    expect(await currentIn(browser)).toBe(ada.email);
  });

  it('asks a visitor without accounts to sign in', async ({ service }) => {
    const asked = await service
      .browser()
      .get(authorizePath({ ...publicRequest(service), prompt: 'select_account' }));
    expect(locationOf(asked)).toMatch(/^\/sign-in\?/);
    expect(await accountsIn(service.browser(), locationOf(asked))).toEqual([]);
  });

  it('ignores other values and takes the value from a list', async ({ service }) => {
    const browser = await signedIn(service, ada.email);
    await allow(browser, publicRequest(service));
    for (const prompt of ['none', 'login', 'consent', 'SELECT_ACCOUNT', '']) {
      const answer = await browser.get(authorizePath({ ...publicRequest(service), prompt }));
      expect(redirectQuery(answer).code, prompt).toBeTruthy();
    }
    const listed = await browser.get(
      authorizePath({ ...publicRequest(service), prompt: 'login select_account' }),
    );
    expect(locationOf(listed)).toMatch(/^\/sign-in\?/);
  });

  it('is checked before it asks', async ({ service }) => {
    const browser = await signedIn(service, ada.email);
    const wrong = { ...publicRequest(service, { scope: 'admin' }), prompt: 'select_account' };
    expect(redirectQuery(await browser.get(authorizePath(wrong))).error).toBe('invalid_scope');
  });
});

describe('an authorization request that nobody has opened', () => {
  const PREFETCHES = [
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'x-purpose': 'preview' },
    { 'x-moz': 'prefetch' },
  ];

  it('issues no code', async ({ service, db }) => {
    const browser = await signedIn(service, ada.email);
    const path = authorizePath(publicRequest(service));
    await allow(browser, publicRequest(service));
    const codes = async () =>
      (await db.selectFrom('authorization_codes').select('code_hash').execute()).length;
    const before = await codes();
    for (const headers of PREFETCHES) {
      const answer = await browser.get(path, headers as unknown as Record<string, string>);
      expect([answer.status, answer.headers.get('location')]).toEqual([503, null]);
    }
    const cookie = cookieOf(browser);
    const head = await service.request(path, { method: 'HEAD', redirect: 'manual', headers: { cookie } });
    expect([head.status, head.headers.get('location')]).toEqual([204, null]);
    expect(await codes()).toBe(before);
    expect(redirectQuery(await browser.get(path)).code).toBeTruthy();
  });
});

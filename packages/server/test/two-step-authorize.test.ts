import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { totpCode } from '../src/features/two-step/authenticator-app.js';
import { allow, authorizePath, publicRequest, signedIn } from './authorization-flow.js';
import { type Browser, locationOf } from './browser.js';
import { parsePage, textOf } from './pages/page-document.js';
import { it, type ServiceUnderTest } from './service-under-test.js';
import {
  beginSetup,
  changeWith,
  confirmSetup,
  enterSecond,
  MINUTE,
  recoveryCodesOn,
  SECOND_STEP,
  TWO_STEP,
} from './two-step-world.js';

const ADA = 'ada@example.com';

/** Ways in which a file can start a session, or give one to a browser. */
const STARTS_SESSION = /\b(?:start(?:User)?Session\(|writeUserSession\(|insertInto\('user_sessions'\))/;

/** Turns two-step sign-in on for Ada, and returns the secret of her app. */
async function enrolAda(service: ServiceUnderTest): Promise<string> {
  const browser = await signedIn(service);
  const { secret } = await beginSetup(browser);
  expect((await confirmSetup(browser, await totpCode(secret, service.clock.now()))).status).toBe(200);
  service.clock.advance(MINUTE);
  return secret;
}

/** Enters Ada's e-mailed code in a browser that comes from an authorization request. */
async function finishFirstStep(service: ServiceUnderTest, continueTo: string): Promise<Browser> {
  const browser = service.browser();
  await browser.post('/sign-in/code', { email: ADA, continue: continueTo });
  const code = service.server.mailbox?.latestFor(ADA)?.code ?? '';
  const response = await browser.post('/sign-in/verify', { code, continue: continueTo });
  expect(locationOf(response)).toBe(`${SECOND_STEP}?${new URLSearchParams({ continue: continueTo })}`);
  return browser;
}

describe('authorization of a user with two-step sign-in', () => {
  it('continues after the second step, and the page names the app', async ({ service }) => {
    const secret = await enrolAda(service);
    const continueTo = authorizePath(publicRequest(service));
    const browser = await finishFirstStep(service, continueTo);
    const page = await browser.get(`${SECOND_STEP}?${new URLSearchParams({ continue: continueTo })}`);
    // Chromium applies form-action to the redirects after the form, which end at the app.
    expect(page.headers.get('content-security-policy')).toMatch(/form-action 'self' \S+/);
    const $ = parsePage(await page.text());
    expect(textOf($, 'main')).toContain(ADA);
    expect(textOf($, 'main')).toContain('sandbox mailbox');
    const entered = await enterSecond(browser, await totpCode(secret, service.clock.now()), continueTo);
    expect(locationOf(entered)).toBe(continueTo);
    expect(await allow(browser, publicRequest(service))).not.toBe('');
  });

  it('finds no session if the browser skips the second step', async ({ service }) => {
    await enrolAda(service);
    const request = publicRequest(service);
    const browser = await finishFirstStep(service, authorizePath(request));
    const skipped = await browser.get(authorizePath(request));
    expect(locationOf(skipped)).toMatch(/^\/sign-in\?/);
    expect(await allow(browser, request).catch(() => '')).toBe('');
  });

  it('is skipped by the button of the sandbox only, which is a test tool', async ({ service }) => {
    await enrolAda(service);
    const picked = await signedIn(service);
    expect((await picked.get('/account')).status).toBe(200);
    const signIn = parsePage(await (await service.browser().get('/sign-in')).text());
    expect(textOf(signIn, '.people')).toContain('Two-step sign-in is on, and this button skips it');
  });
});

describe('sandbox', () => {
  it('shows the current codes of users with two-step sign-in in the mailbox', async ({ service }) => {
    const secret = await enrolAda(service);
    const path = `/sandbox/mailbox?${new URLSearchParams({ to: ADA })}`;
    const browser = service.browser();
    for (let step = 0; step < 2; step += 1) {
      const page = parsePage(await (await browser.get(path)).text());
      expect(textOf(page, '#app-codes')).toContain(await totpCode(secret, service.clock.now()));
      service.clock.advance(MINUTE);
    }
    const ben = await signedIn(service, 'ben@example.com');
    const setup = await beginSetup(ben);
    const pending = parsePage(await (await browser.get('/sandbox/mailbox')).text());
    expect(textOf(pending, '#app-codes')).toContain(await totpCode(setup.secret, service.clock.now()));
    const other = parsePage(await (await browser.get('/sandbox/mailbox?to=ben%40example.com')).text());
    expect(textOf(other, '#app-codes')).not.toContain(ADA);
  });
});

describe('request log of the sandbox', () => {
  it('contains neither the secret of an app nor codes', async ({ service }) => {
    const ada = await signedIn(service);
    const { secret } = await beginSetup(ada);
    const appCode = await totpCode(secret, service.clock.now());
    const codes = await recoveryCodesOn(await confirmSetup(ada, appCode));
    const [spaced = '', joined = ''] = codes;
    const browser = await finishFirstStep(service, '/account');
    await enterSecond(browser, 'none of the codes');
    await enterSecond(browser, spaced);
    await changeWith(ada, 'recovery-codes', joined.replaceAll('-', ''));
    const requests = service.server.control?.requests;
    const logged = requests?.list().requests.map(({ id }) => requests.find(id)) ?? [];
    const text = JSON.stringify(logged);
    for (const path of [SECOND_STEP, `${TWO_STEP}/confirm`, `${TWO_STEP}/recovery-codes`])
      expect(text).toContain(`"${path}"`);
    const cookies = [...ada.cookies, ...browser.cookies].map(([, value]) => value);
    for (const hidden of [secret, appCode, ...codes, joined.replaceAll('-', ''), ...cookies])
      expect(text).not.toContain(hidden);
  });
});

describe('session', () => {
  it('is started by the end of a sign-in and by the buttons of the sandbox, and nowhere else', () => {
    const packages = join(import.meta.dirname, '../..');
    const callers = globSync('*/src/**/*.{ts,tsx}', { cwd: packages })
      .filter((file) => STARTS_SESSION.test(readFileSync(join(packages, file), 'utf8')))
      .map((file) => file.replaceAll('\\', '/'));
    expect(callers.sort()).toEqual([
      'sandbox/src/people/sandbox-people.ts',
      'sandbox/src/sandbox-routes.ts',
      // Takes a session that ends from its browser.
      'server/src/features/sessions/sessions.pages.tsx',
      'server/src/features/sessions/sessions.ts',
      'server/src/features/sign-in/enter-code.pages.tsx',
      'server/src/features/sign-in/second-step.routes.tsx',
      'server/src/features/two-step/second-step.ts',
      // Gives a session a new id.
      'server/src/features/two-step/two-step.routes.tsx',
      'server/src/web/kit/areas/user-session.ts',
    ]);
  });
});

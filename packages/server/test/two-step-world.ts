import { expect } from 'vitest';
import { findTotpStep, totpCode } from '../src/features/two-step/authenticator-app.js';
import { fillIn, hiddenFields } from './area-forms.js';
import type { Browser } from './browser.js';
import { parsePage } from './pages/page-document.js';
import { type Client, newestCode, type SignInWorld, signIn } from './sign-in-world.js';

export const TWO_STEP = '/account/two-step';
export const SECOND_STEP = '/sign-in/second-step';
const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const DAY = 24 * 60 * MINUTE;
/** Time for which one code of an app is current. */
export const STEP = 30 * SECOND;

/** User with two-step sign-in. */
export interface EnrolledUser {
  email: string;
  /** Secret of the authenticator app in base32. */
  secret: string;
  recoveryCodes: string[];
}

/** Returns the secret and the `otpauth:` address that the set-up page shows. */
export async function readSetup(browser: Browser): Promise<{ secret: string; address: string }> {
  const response = await browser.get(`${TWO_STEP}/set-up`);
  expect(response.status).toBe(200);
  const $ = parsePage(await response.text());
  const secret = $('.copy-secret .copy-value').text().replaceAll(' ', '');
  return { secret, address: $('a[href^="otpauth:"]').attr('href') ?? '' };
}

/** Starts a set-up in a signed-in browser. */
export async function startSetup(browser: Browser): Promise<Response> {
  return await fillIn(browser, { path: TWO_STEP, action: `${TWO_STEP}/set-up` }, {});
}

/** Starts a set-up in a signed-in browser, and returns what its page shows. */
export async function beginSetup(browser: Browser): Promise<{ secret: string; address: string }> {
  expect((await startSetup(browser)).status).toBe(303);
  return await readSetup(browser);
}

/** Confirms the set-up with a code. */
export async function confirmSetup(browser: Browser, code: string, others?: 'on'): Promise<Response> {
  const page = { path: `${TWO_STEP}/set-up`, action: `${TWO_STEP}/confirm` };
  return await fillIn(browser, page, { code, ...(others && { others }) });
}

/** Returns the recovery codes of a page that shows them. */
export async function recoveryCodesOn(response: Response): Promise<string[]> {
  const $ = parsePage(await response.text());
  return $('[data-copy-source]').text().trim().split('\n');
}

/** Signs in and turns two-step sign-in on. The clock ends one minute later, so that a new code is current. */
export async function enrol(world: SignInWorld, client: Client, email: string): Promise<EnrolledUser> {
  await signIn(world, client, email);
  const { secret } = await beginSetup(client.browser);
  const response = await confirmSetup(client.browser, await codeAt(world, secret));
  expect(response.status).toBe(200);
  const recoveryCodes = await recoveryCodesOn(response);
  expect(recoveryCodes).toHaveLength(10);
  world.service.clock.advance(MINUTE);
  return { email, secret, recoveryCodes };
}

/** Returns the code that the app shows, some time from now. */
export async function codeAt({ service }: SignInWorld, secret: string, fromNow = 0): Promise<string> {
  return await totpCode(secret, service.clock.now() + fromNow);
}

/** Six digits that are the code of no step that is accepted now. */
export async function wrongCode({ service }: SignInWorld, secret: string): Promise<string> {
  for (let number = 0; ; number += 1) {
    const code = `${number}`.padStart(6, '0');
    if ((await findTotpStep({ secret, code }, service.clock.now())) === undefined) return code;
  }
}

/** Enters the e-mailed code, so that the browser waits for the second step. */
export async function finishFirstStep(world: SignInWorld, client: Client, email: string): Promise<void> {
  expect((await client.ask(email)).status).toBe(303);
  const response = await client.enter(newestCode(world, email));
  expect(response.status).toBe(303);
  expect(response.headers.get('location')).toBe(`${SECOND_STEP}?continue=%2Faccount`);
}

/** Returns a browser at a client address in which the user has signed in. */
export async function signedInClient(world: SignInWorld, address: string, email: string): Promise<Client> {
  const client = world.from(address);
  await signIn(world, client, email);
  return client;
}

/** Returns a browser at a client address that waits for the second step. */
export async function clientAtSecondStep(
  world: SignInWorld,
  address: string,
  email: string,
): Promise<Client> {
  const client = world.from(address);
  await finishFirstStep(world, client, email);
  return client;
}

/** Enters the second factor. */
export async function enterSecond(
  browser: Browser,
  code: string,
  continueTo = '/account',
): Promise<Response> {
  return await browser.post(SECOND_STEP, { code, with: 'app', continue: continueTo });
}

/** Sends a form of the settings that needs a second factor. */
export async function changeWith(
  browser: Browser,
  change: 'turn-off' | 'recovery-codes',
  code: string,
): Promise<Response> {
  const path = `${TWO_STEP}/${change}`;
  return await browser.post(path, { ...(await hiddenFields(browser, path, path)), code });
}

export async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.get('/account')).status === 200;
}

import { sandboxScenario } from '@latchkey/sandbox';
import type { BrowserContext, Locator, Page } from '@playwright/test';
import { appCode, readSecret } from './authenticator-app.js';
import { pressCalmly } from './calm-press.js';
import { JOURNEY, LONG } from './levels.js';
import { tabTo } from './tab-to.js';
import { expect, openPopup, signInAtService, test, type World } from './world.js';

const { users } = sandboxScenario;

const MINUTE_MS = 60_000;

async function press(page: Page, control: Locator): Promise<void> {
  await tabTo(page, control);
  await pressCalmly(page, 'Enter');
}

async function type(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

async function recoveryCodesOn(page: Page): Promise<string[]> {
  const text = await page.getByRole('group', { name: 'Recovery codes' }).textContent();
  return (text ?? '').trim().split('\n');
}

test('a member turns on two-step sign-in, and signs in with it in the popup, with the keyboard alone', {
  tag: JOURNEY,
}, async ({ page, world }) => {
  await signInAtService(page, world, users.ada.name);
  await page.goto(`${world.service.baseUrl}/account`);
  await press(page, page.getByRole('link', { name: 'Two-step sign-in' }));
  await press(page, page.getByRole('button', { name: 'Set up two-step sign-in' }));
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
  const secret = await readSecret(page);
  await type(page, page.getByLabel('Six-digit code'), appCode(secret, world.clock.now()));
  await expect(page.getByRole('heading', { name: 'Your recovery codes' })).toBeVisible();
  const recoveryCodes = await recoveryCodesOn(page);
  expect(recoveryCodes).toHaveLength(10);
  await press(page, page.getByRole('link', { name: 'I have saved the codes' }));
  await expect(page.getByText('You have 10 recovery codes left.')).toBeVisible();
  await press(page, page.getByRole('button', { name: 'Sign out' }));
  await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();

  world.clock.advance(MINUTE_MS);
  await page.goto(world.scriptTagShop.url);
  const popup = await openPopup(page);
  const closed = popup.waitForEvent('close');
  await type(popup, popup.getByLabel(/e-?mail/i), users.ada.email);
  await expect(popup.getByLabel('Six-digit code')).toBeVisible();
  await type(popup, popup.getByLabel('Six-digit code'), world.service.mailbox.codeFor(users.ada.email) ?? '');
  await expect(popup.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await type(popup, popup.getByLabel('Code from your app'), appCode(secret, world.clock.now()));
  await press(popup, popup.getByRole('button', { name: 'Allow' }));
  await closed;
  await expect(page.locator('latchkey-login').first()).toContainText(users.ada.email);
});

test('a member without the app signs in by redirect with a recovery code', async ({ page, world }) => {
  await signInAtService(page, world, users.ada.name);
  await page.goto(`${world.service.baseUrl}/account/two-step`);
  await page.getByRole('button', { name: 'Set up two-step sign-in' }).click();
  const secret = await readSecret(page);
  await page.getByLabel('Six-digit code').fill(appCode(secret, world.clock.now()));
  await page.getByRole('button', { name: 'Turn on two-step sign-in' }).click();
  const codes = await recoveryCodesOn(page);
  await page.getByRole('button', { name: 'Sign out' }).click();

  await page.goto(`${world.backendShop.url}/table`);
  await page.getByLabel(/e-?mail/i).fill(users.ada.email);
  await page.getByRole('button', { name: 'E-mail me a code' }).click();
  await page.getByLabel('Six-digit code').fill(world.service.mailbox.codeFor(users.ada.email) ?? '');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('link', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(codes[0] ?? '');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('This week’s table');
});

/** Enters the e-mailed code, so that the page asks for the second step. */
async function finishFirstStep(page: Page, world: World): Promise<void> {
  await page.goto(`${world.service.baseUrl}/sign-in?continue=%2Faccount`);
  await page.getByLabel(/e-?mail/i).fill(users.ada.email);
  await page.getByRole('button', { name: 'E-mail me a code' }).click();
  await page.getByLabel('Six-digit code').fill(world.service.mailbox.codeFor(users.ada.email) ?? '');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
}

async function enterAppCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code from your app').fill(code);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Enters twenty wrong codes with the mailbox alone. */
async function useUpWrongCodes(world: World, { request }: BrowserContext, code: string): Promise<void> {
  const { baseUrl, mailbox } = world.service;
  const headers = { origin: baseUrl, 'sec-fetch-site': 'same-origin' };
  const post = async (path: string, fields: Record<string, string>) => {
    const form = { continue: '/account', ...fields };
    return await request.post(`${baseUrl}${path}`, { form, headers, maxRedirects: 0 });
  };
  for (let signIn = 0; signIn < 4; signIn++) {
    await post('/sign-in/code', { email: users.ada.email });
    await post('/sign-in/verify', { code: mailbox.codeFor(users.ada.email) ?? '' });
    for (let guess = 0; guess < 5; guess++) {
      expect((await post('/sign-in/second-step', { code })).status()).toBe(400);
    }
  }
}

test('a member signs in while someone with the mailbox uses up the wrong codes', { tag: LONG }, async ({
  page,
  world,
  browser,
}) => {
  await signInAtService(page, world, users.ada.name);
  await page.goto(`${world.service.baseUrl}/account/two-step`);
  await page.getByRole('button', { name: 'Set up two-step sign-in' }).click();
  const secret = await readSecret(page);
  await page.getByLabel('Six-digit code').fill(appCode(secret, world.clock.now()));
  await page.getByRole('button', { name: 'Turn on two-step sign-in' }).click();
  const codes = await recoveryCodesOn(page);
  await page.getByRole('button', { name: 'Sign out' }).click();

  await useUpWrongCodes(
    world,
    await browser.newContext(),
    appCode(secret, world.clock.now() - 10 * MINUTE_MS),
  );

  world.clock.advance(MINUTE_MS);
  const code = () => appCode(secret, world.clock.now());
  const phone = await (await browser.newContext()).newPage();
  await finishFirstStep(phone, world);
  await enterAppCode(phone, code());
  await expect(phone.getByRole('heading', { name: 'Too many wrong codes' })).toBeVisible();
  await phone.getByRole('link', { name: 'Use a recovery code' }).click();
  await phone.getByLabel('Recovery code').fill(codes[0] ?? '');
  await phone.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(phone).toHaveURL(`${world.service.baseUrl}/account`);

  await finishFirstStep(page, world);
  await enterAppCode(page, `${code().slice(0, 3)} ${code().slice(3)}`);
  await expect(page).toHaveURL(`${world.service.baseUrl}/account`);
});

import { sandboxScenario } from '@latchkey/sandbox';
import type { Locator, Page } from '@playwright/test';
import { pressCalmly } from './calm-press.js';
import { JOURNEY, LONG } from './levels.js';
import { openCheckout } from './open-checkout.js';
import { tabTo } from './tab-to.js';
import { expect, signInAtService, test } from './world.js';

const { users } = sandboxScenario;

/** Moves the focus to the control and presses a key. */
async function press(page: Page, control: Locator, key: 'Enter' | 'Space'): Promise<void> {
  await tabTo(page, control);
  await pressCalmly(page, key);
}

/** Moves the focus to the field and types into it. */
async function type(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.type(text);
}

/** Moves the focus to the group of choices, which one press of the Tab key reaches, and to the choice with the arrow keys. */
async function choose(page: Page, choice: Locator): Promise<void> {
  await tabTo(page, page.getByRole('radio', { checked: true }));
  for (let presses = 0; presses < 10 && !(await choice.isChecked()); presses++) {
    await page.keyboard.press('ArrowDown');
  }
  await expect(choice).toBeFocused();
}

test('a visitor signs in with the keyboard alone: address, code and consent', { tag: JOURNEY }, async ({
  page,
  world,
}) => {
  await page.goto(`${world.backendShop.url}/table`);
  await type(page, page.getByLabel(/e-?mail/i), users.ada.email);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel(/code/i)).toBeVisible();
  const code = world.service.mailbox.codeFor(users.ada.email) ?? '';
  await type(page, page.getByLabel(/code/i), code);
  await page.keyboard.press('Enter');
  await press(page, page.getByRole('button', { name: 'Allow' }), 'Enter');
  await expect(page.getByRole('main')).toContainText(/member/i);
});

test('a buyer pays with the keyboard alone, after a declined card', { tag: JOURNEY }, async ({
  page,
  world,
}) => {
  const site = await world.site(() => '<h1>Thank you</h1>');
  await page.goto(await openCheckout(world, { successUrl: `${site.origin}/thanks`, cancelUrl: site.url }));
  await choose(page, page.getByLabel(/0002/));
  await press(page, page.getByRole('button', { name: /^Pay/ }), 'Enter');
  await expect(page.getByRole('alert')).toContainText('declined');
  await choose(page, page.getByLabel(/4242/));
  await press(page, page.getByRole('button', { name: /^Pay/ }), 'Enter');
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
});

test('a developer creates an API key with the keyboard alone', { tag: JOURNEY }, async ({ page, world }) => {
  await signInAtService(page, world, users.dana.name);
  await page.goto(`${world.service.baseUrl}/developer/api-keys`);
  await press(page, page.getByRole('link', { name: /new|create/i }).first(), 'Enter');
  await type(page, page.getByLabel('Name'), 'Door');
  await press(page, page.getByLabel('MEMBERSHIP_READ'), 'Space');
  await press(page, page.getByRole('button', { name: 'Create key' }), 'Enter');
  await expect(page.getByLabel('API key')).toHaveText(/^svc_/);
});

test('a developer sets up a webhook with the keyboard alone', { tag: LONG }, async ({ page, world }) => {
  await signInAtService(page, world, users.dana.name);
  await page.goto(`${world.service.baseUrl}/developer/webhooks`);
  await press(page, page.getByRole('link', { name: /new|create|add/i }).first(), 'Enter');
  await type(page, page.getByLabel('Endpoint'), `${world.service.baseUrl}/sandbox/receiver`);
  await press(page, page.getByRole('button', { name: /create|add/i }), 'Enter');
  await expect(page.getByLabel(/signing secret/i)).toHaveText(/^[0-9a-f]{64}$/);
});

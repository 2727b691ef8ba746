import type { Page } from '@playwright/test';
import { JOURNEY } from '../levels.js';
import { expect, recordPageErrors, test } from '../world.js';
import { expectAccessible, sharedSandbox } from './console-page.js';

const sandbox = sharedSandbox();
let pageErrors: string[];

test.beforeEach(async ({ context }) => {
  await sandbox().control.snapshots.reset();
  pageErrors = await recordPageErrors(context);
});
test.afterEach(() => expect(pageErrors).toEqual([]));

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Starts a payment at the provider, as the service does, and returns where the buyer goes. */
async function start(orderId: string, method: string): Promise<string> {
  const { bank, baseUrl, clock } = sandbox();
  const started = await bank.provider.start({
    ...{ orderId, method, kind: 'card', amountMinor: 900, currency: 'EUR' },
    ...{ description: 'Monthly (Sunrise Club)', buyerEmail: 'ada@example.com', renews: null },
    ...{ returnUrl: `${baseUrl}/sandbox?returned`, cancelUrl: `${baseUrl}/sandbox?cancelled` },
    expiresAt: clock.now() + 3600_000,
  });
  return 'url' in started ? started.url : baseUrl;
}

test('a payment appears at once, is refunded in parts, disputed, and its webhooks are sent again', {
  tag: JOURNEY,
}, async ({ page }) => {
  await page.goto(`${sandbox().baseUrl}/sandbox/payments`);
  await expect(page.getByText('No payments yet.')).toBeVisible();
  await page.getByLabel('Next webhooks').selectOption('withhold');
  await expect(page.getByText('The provider sends webhooks only by hand.')).toBeVisible();
  await start('console-order', 'card-4242');
  await page.getByRole('option', { name: /9\.00 EUR/ }).click();
  const amount = page.getByLabel('Amount in EUR');
  await amount.fill('much');
  await button(page, 'Refund').click();
  await expect(page.getByText('Enter an amount such as 4.50.')).toBeVisible();
  await amount.fill('4.50');
  await button(page, 'Refund').click();
  await expect(page.getByText('4.50 EUR are left.')).toBeVisible();
  await button(page, 'Open a dispute').click();
  await expect(page.getByText('The buyer disputes the payment.')).toBeVisible();
  await button(page, 'Seller wins').click();
  await expect(page.getByText('The seller has won it.')).toBeVisible();
  await button(page, 'Send now: webhook refunded').click();
  await expect(button(page, 'Send again: webhook refunded')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Provider is down').check();
  await expect(page.getByText('The provider is down.')).toBeVisible();
  await expect(start('while-down', 'card-4242')).rejects.toThrow('down');
});

test('the page of the bank approves a payment by keyboard, and is accessible', { tag: JOURNEY }, async ({
  page,
}) => {
  await page.goto(await start('bank-order', 'card-3220'));
  await expect(page.getByRole('heading', { name: 'Approve your payment' })).toBeVisible();
  await expectAccessible(page);
  await button(page, 'Approve the payment').focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\?returned$/);
  const { payments } = await sandbox().control.payments.list();
  expect(payments).toMatchObject([{ state: 'paid', pageUrl: null }]);
});

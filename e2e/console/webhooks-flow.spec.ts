import { sandboxScenario } from '@latchkey/sandbox';
import { expect, type Page } from '@playwright/test';
import { expectNoViolations } from '../axe.js';
import { test } from '../calm-press.js';
import { JOURNEY } from '../levels.js';
import { sharedSandbox } from './console-page.js';

const { memberships } = sandboxScenario;
const sandbox = sharedSandbox({ logger: { info() {}, warn() {}, error() {} } });

/** Records an event about Ada's membership. */
const emit = () =>
  sandbox().control.deliveries.sendTest({
    type: 'membership.updated',
    membershipId: memberships.adaCommunity.id,
  });

const open = (page: Page, query = '') => page.goto(`${sandbox().baseUrl}/sandbox/webhooks${query}`);
const detail = (page: Page) => page.getByRole('region', { name: /^Event / });
const rows = (page: Page) => page.getByRole('listbox', { name: 'Events, newest first' });

test('shows new events live, and every attempt with request and response', async ({ page }) => {
  await open(page);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await expect(page.getByText(/^\d+ events$/)).toBeVisible();
  const event = await emit();
  await expect(rows(page).getByRole('option').first()).toContainText('membership.updated');
  await rows(page).getByRole('option').first().click();
  await expect(page).toHaveURL(new RegExp(`id=${event.id}`));
  await expect(detail(page).getByText('POST http://')).toBeVisible();
  await expect(detail(page).getByText('X-Svc-Signature')).toBeVisible();
  await expect(detail(page).getByText('Response 204')).toBeVisible();
  await expectNoViolations(page);
});

test('sends a delivery again, twice and with a wrong signature', { tag: JOURNEY }, async ({ page }) => {
  const { id } = await emit();
  await open(page, `?id=${id}`);
  await detail(page)
    .getByRole('button', { name: /^Send again to/ })
    .click();
  await expect(
    page.getByText('Sent again, with the same event id. The endpoint answered 204.'),
  ).toBeVisible();
  await detail(page)
    .getByRole('button', { name: /^Send twice to/ })
    .click();
  await expect(detail(page).getByText('sent twice')).toHaveCount(2);
  await detail(page)
    .getByRole('button', { name: /^Send with a wrong signature to/ })
    .click();
  await expect(page.getByText('Sent with a wrong signature. The endpoint answered 400.')).toBeVisible();
  await expect(detail(page).getByText('wrong signature', { exact: true })).toBeVisible();
});

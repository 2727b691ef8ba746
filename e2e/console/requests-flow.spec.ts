import { sandboxScenario } from '@latchkey/sandbox';
import { JOURNEY } from '../levels.js';
import { expect, recordPageErrors, test } from '../world.js';
import { allowClipboard, expectAccessible, sharedSandbox } from './console-page.js';
import { call, logRows, openedEntry, openLog, provision } from './request-log.js';

const { apiKey } = sandboxScenario;
const sandbox = sharedSandbox();

test.beforeEach(() => sandbox().control.requests.clear());

test('requests appear live, and open with rule, bodies and headers, under the strict policy', {
  tag: JOURNEY,
}, async ({ page, context }) => {
  const pageErrors = await recordPageErrors(context);
  await openLog(page, sandbox());
  await expect(page.getByText('No requests yet.')).toBeVisible();
  await call(sandbox(), '/oauth/userinfo', { headers: { 'X-Own-Token': 'very-secret' } });
  await provision(sandbox());
  await expect(logRows(page)).toHaveCount(2);
  await expect(logRows(page).first()).toContainText('/membership/provision-external');
  await logRows(page).last().click();
  await expect(openedEntry(page)).toContainText('oauth-error.invalid-token-missing');
  await expect(page).toHaveURL(/\?id=req_\d+$/);
  await page.getByText('Request headers').click();
  await expect(openedEntry(page)).toContainText('x-own-token');
  await expect(openedEntry(page)).not.toContainText('very-secret');
  await logRows(page).first().click();
  await expect(openedEntry(page)).toContainText('"externalOrderId": "order-1"');
  await expect(openedEntry(page)).not.toContainText(apiKey);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'provisionExternal' }).click();
  await expect(page.getByLabel('Endpoint')).toHaveValue('provisionExternal');
  expect(pageErrors).toEqual([]);
});

test('replay sends the request again and shows its entry; copy as curl hides the key', async ({
  page,
  context,
}) => {
  await allowClipboard(context);
  const id = await provision(sandbox());
  await openLog(page, sandbox(), `?id=${id}`);
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await expect(page.getByRole('button', { name: 'Copied as a curl command' })).toBeVisible();
  if (context.browser()?.browserType().name() === 'chromium') {
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain('curl -X POST');
    expect(copied).not.toContain(apiKey);
  }
  await page.getByRole('button', { name: 'Replay' }).click();
  await expect(page.getByText(/^Sent again as req_\d+: 200\./)).toBeVisible();
  await expect(openedEntry(page)).toContainText('idempotent_return');
  await expect(openedEntry(page).getByRole('link', { name: id, exact: true })).toBeVisible();
  await expect(logRows(page)).toHaveCount(2);
  await expect(logRows(page).first()).toContainText('replay');
});

import { createSandbox } from '@latchkey/sandbox';
import type { Page } from '@playwright/test';
import { expectNoViolations } from './axe.js';
import { JOURNEY } from './levels.js';
import { freePort, npmScript, STARTS_MS } from './running-command.js';
import { expect, pickUser, recordPageErrors, test } from './world.js';

/** Counts clicks, and prints the seconds since a start. Nothing is asserted about the time. */
function createLog(start: number) {
  let clicks = 0;
  return {
    clicks: () => clicks,
    /** Clicks, and names the click. */
    async click(target: ReturnType<Page['getByRole']>) {
      clicks += 1;
      await target.click();
    },
    print(step: string) {
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      process.stdout.write(`    ${seconds.padStart(6)} s, ${clicks} clicks: ${step}\n`);
    },
  };
}

const step = (front: Page, name: string) => front.locator('#walkthrough-checks .is-done', { hasText: name });

/** Follows the walkthrough from sign-in to the end of access. Its links open the shop in a new tab. */
async function followTheSteps(front: Page, log: ReturnType<typeof createLog>): Promise<Page> {
  const opened = front.waitForEvent('popup');
  await log.click(front.getByRole('link', { name: 'Open the shop' }));
  const shop = await opened;
  await log.click(shop.getByRole('button', { name: 'ben@example.com' }));
  await log.click(shop.getByRole('button', { name: 'Allow' }));
  await expect(step(front, 'Sign in')).toBeVisible();
  log.print('signed in');

  await log.click(shop.getByRole('button', { name: /^Join for/ }));
  await log.click(shop.getByRole('button', { name: /^Pay/ }));
  await expect(shop.getByRole('heading', { name: /This week’s table/ })).toBeVisible();
  await expect(step(front, 'Buy a membership')).toBeVisible();
  log.print('paid');
  await expect(step(front, 'The gate opens')).toBeVisible();
  log.print('the gate is open');
  await expect(step(front, 'The webhook arrives')).toBeVisible();
  log.print('the webhook arrived');

  await log.click(front.getByRole('button', { name: 'End access now' }));
  await expect(step(front, 'Access ends')).toBeVisible();
  await expect(front.getByRole('heading', { name: 'The clock moved' })).toBeVisible();
  log.print('access ended');
  return shop;
}

test('within six clicks from npm start, one has signed in, paid, and seen access end', {
  tag: JOURNEY,
}, async ({ page }) => {
  const log = createLog(performance.now());
  const port = await freePort();
  const start = npmScript('start', {
    LATCHKEY_PORT: `${port}`,
    LATCHKEY_SHOP_PORT: '0',
    LATCHKEY_BACKEND_SHOP_PORT: '0',
  });
  try {
    await expect.poll(start.printed, { timeout: STARTS_MS }).toContain('forgotten when you press Ctrl-C');
    const address = /http:\/\/\S+\/sandbox$/m.exec(start.printed())?.[0] ?? '';
    await page.goto(address);
    log.print('the front page is open');
    const shop = await followTheSteps(page, log);
    expect(log.clicks()).toBeLessThanOrEqual(6);

    await shop.reload();
    await expect(shop.getByRole('heading', { name: 'This account has no seat yet' })).toBeVisible();
    await expect(page.locator('#env')).toContainText(`LATCHKEY_SERVICE_URL=http://127.0.0.1:${port}`);
    const env = await page.locator('#env pre').textContent();
    expect(start.printed()).toContain(env?.trim());
  } finally {
    await start.stop();
  }
});

test('without a shop, the sample site shows the same, and the button joins as Ben though Ada is signed in', {
  tag: JOURNEY,
}, async ({ page, context }) => {
  const pageErrors = await recordPageErrors(context);
  const sandbox = await createSandbox();
  try {
    sandbox.guide.shops = [];
    await page.goto(`${sandbox.baseUrl}/sandbox`);
    const opened = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'Open the sample site' }).first().click();
    const site = await opened;
    const signIn = async (pick?: string) => {
      const popup = site.waitForEvent('popup');
      await site.locator('latchkey-login').getByRole('button').first().click();
      const window = await popup;
      const closed = window.waitForEvent('close');
      if (pick !== undefined) await pickUser(window, pick);
      await window.getByRole('button', { name: 'Allow' }).click();
      await closed;
    };
    await signIn('ada@example.com');
    await expect(site.getByText('You are a member.')).toBeVisible();
    await expect(step(page, 'Sign in')).toBeVisible();

    const joining = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Join as Ben' }).click();
    const plans = await joining;
    await plans.getByRole('button', { name: 'Buy Monthly' }).click();
    await plans.getByRole('button', { name: /^Pay/ }).click();
    await expect(step(page, 'Buy a membership')).toContainText('ben@example.com bought Monthly');

    await site.reload();
    await expect(site.getByText('Sign in to see it.')).toBeVisible();
    await signIn();
    await expect(site.getByText('You are a member.')).toBeVisible();
    await expect(step(page, 'The gate opens')).toBeVisible();
    await expect(page.locator('#people')).toContainText('until');
    await expectNoViolations(site);

    await page.getByRole('button', { name: 'End access now' }).click();
    await expect(page.locator('#walkthrough-count')).toHaveText('All 5 done');
    await site.reload();
    await expect(site.getByText('You are a member.')).toBeHidden();
    expect(pageErrors).toEqual([]);
  } finally {
    await sandbox.close();
  }
});

test('the front page follows the steps live, under its policy, and keeps the focus', async ({
  page,
  context,
  world,
}) => {
  const pageErrors = await recordPageErrors(context);
  await page.goto(`${world.service.baseUrl}/sandbox`);
  await page.getByRole('link', { name: 'Open the members’ page' }).focus();
  const shop = await context.newPage();
  await shop.goto(`${world.backendShop.url}/auth/login?returnTo=%2Ftable`);
  await shop.getByRole('button', { name: 'ben@example.com' }).click();
  await shop.getByRole('button', { name: 'Allow' }).click();
  await expect(page.locator('#walkthrough-count')).toHaveText('1 of 5 done');
  await expect(page.getByRole('link', { name: 'Open the members’ page' })).toBeFocused();
  expect(pageErrors).toEqual([]);
});

test('values, the .env file and snippets are copied by button and by keyboard', async ({
  page,
  context,
  world,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: world.service.baseUrl });
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await page.goto(`${world.service.baseUrl}/sandbox`);
  await page.getByRole('button', { name: 'Copy Base URL' }).click();
  await expect(page.getByText('Copied: Base URL')).toBeAttached();
  expect(await clipboard()).toBe(world.service.baseUrl);

  await page.locator('summary', { hasText: '.env' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Copy .env file' }).press('Enter');
  await expect.poll(clipboard).toContain(`LATCHKEY_SANDBOX_TOKEN=${world.service.controlToken}`);

  await page.locator('summary', { hasText: 'React' }).click();
  await page.getByRole('button', { name: 'Copy React snippet' }).click();
  await expect.poll(clipboard).toContain('export function Membership()');
  await expectNoViolations(page);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the steps are ticked when the page is loaded again, and nothing offers to copy', async ({
    page,
    context,
    world,
  }) => {
    const front = `${world.service.baseUrl}/sandbox`;
    await page.goto(front);
    await expect(page.getByRole('button', { name: /^Copy/ })).toHaveCount(0);
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Open the shop' }).click();
    const shop = await opened;
    await shop.getByRole('button', { name: 'ben@example.com' }).click();
    await shop.getByRole('button', { name: 'Allow' }).click();
    await expect(shop.getByRole('heading', { name: 'This account has no seat yet' })).toBeVisible();
    await page.goto(front);
    await expect(page.locator('#walkthrough-count')).toHaveText('1 of 5 done');
    await page.getByRole('button', { name: '+1 hour' }).click();
    await expect(page.getByRole('heading', { name: 'The clock moved' })).toBeVisible();
  });
});

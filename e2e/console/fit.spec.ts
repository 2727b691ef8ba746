import { sandboxScenario } from '@latchkey/sandbox';
import { expect, type Page } from '@playwright/test';
import { test } from '../calm-press.js';
import { LONG } from '../levels.js';
import { sharedSandbox } from './console-page.js';

/** Details of the layout. In the short form, `all-pages.spec.ts` measures each view on a narrow screen. */
const DETAIL = { tag: LONG };

const sandbox = sharedSandbox();
const VIEWS = ['requests', 'webhooks', 'payments', 'data', 'faults', 'clock', 'snapshots', 'configurator'];

const open = async (page: Page, path: string) => {
  await page.goto(`${sandbox().baseUrl}${path}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('Loading…')).toHaveCount(0);
};
/** Pixels by which the content of an element is wider than the element. */
const excess = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => element.scrollWidth - element.clientWidth);

// 640 px: a wide window at 200 % zoom.
test('no view scrolls sideways at 360 and at 640 px, mirrored or not', DETAIL, async ({ page }) => {
  for (const view of VIEWS) {
    await page.setViewportSize({ width: 640, height: 860 });
    await open(page, `/sandbox/${view}`);
    for (const [width, dir] of [
      [640, 'ltr'],
      [360, 'ltr'],
      [360, 'rtl'],
    ] as const) {
      await page.setViewportSize({ width, height: 860 });
      await page.evaluate((direction) => document.documentElement.setAttribute('dir', direction), dir);
      expect(`${view} ${width} ${dir} ${await excess(page, 'html')}`).toBe(`${view} ${width} ${dir} 0`);
    }
  }
});

test('the heading of every tool is at the same place and has the same size', DETAIL, async ({ page }) => {
  const links = page.getByRole('navigation', { name: 'Sandbox' }).getByRole('link');
  await open(page, '/sandbox');
  const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  // The API reference is a page of the service.
  const paths = addresses.filter((address) => address.startsWith('/sandbox'));
  expect(paths).toHaveLength(11);
  const places: string[] = [];
  for (const path of paths) {
    await open(page, path);
    const atWidths: string[] = [];
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 860 });
      atWidths.push(
        await page.getByRole('heading', { level: 1 }).evaluate((heading) => {
          const { x, y } = heading.getBoundingClientRect();
          return `${x} ${y} ${getComputedStyle(heading).fontSize}`;
        }),
      );
    }
    places.push(`at 390 px: ${atWidths[0]}, at 1280 px: ${atWidths[1]}`);
  }
  expect(places).toEqual(Array(paths.length).fill(places[0]));
});

test(
  'the kinds of records all fit a wide screen, and the chosen one is in view on a narrow one',
  DETAIL,
  async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 860 });
    await open(page, '/sandbox/data?kind=webhooks');
    const kinds = page.getByRole('navigation', { name: 'Kinds of records' });
    expect(await excess(page, 'nav.kinds')).toBe(0);
    await page.setViewportSize({ width: 360, height: 860 });
    await open(page, '/sandbox/data?kind=webhooks');
    await expect(kinds.getByRole('link', { name: 'Webhooks' })).toBeInViewport({ ratio: 0.99 });
  },
);

test('the data view opens at its top and stays there when a record is chosen', DETAIL, async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 860 });
  await open(page, '/sandbox/data?kind=plans');
  const top = () => page.evaluate(() => scrollY);
  expect(await top()).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
  await page.getByRole('option').first().click();
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
  expect(await top()).toBe(0);
});

test('an event names its person and the zone of its time on a narrow screen', DETAIL, async ({ page }) => {
  await sandbox().control.deliveries.sendTest({
    type: 'membership.updated',
    membershipId: sandboxScenario.memberships.adaCommunity.id,
  });
  await page.setViewportSize({ width: 360, height: 860 });
  await open(page, '/sandbox/webhooks');
  await expect(page.getByText('Times in UTC')).toBeVisible();
  const row = page.getByRole('listbox').getByRole('option').first();
  await expect(row.getByText(sandboxScenario.users.ada.email)).toBeVisible();
  await open(page, '/sandbox/requests');
  await expect(page.getByText('Times in UTC')).toBeVisible();
});

test('an opened entry replaces the list on a phone, and the list returns to its place', {
  tag: LONG,
}, async ({ page }) => {
  for (let count = 0; count < 30; count += 1)
    await fetch(`${sandbox().baseUrl}/oauth/client/unknown-${count}`);
  await page.setViewportSize({ width: 390, height: 860 });
  await open(page, '/sandbox/requests');
  const list = page.getByRole('listbox');
  const entry = page.getByRole('region', { name: /^Request req_/ });
  await expect(list.getByRole('option').nth(2)).toBeVisible();
  const top = await page.evaluate(() => {
    scrollTo(0, 150);
    return scrollY;
  });
  expect(top).toBeGreaterThan(100);
  await list.getByRole('option').nth(2).click();
  await expect(entry.getByRole('heading', { level: 2 })).toBeFocused();
  await expect(entry.getByRole('heading', { level: 2 })).toBeInViewport();
  await expect(list).toBeHidden();
  await expect(page.getByLabel('Text')).toBeHidden();
  await page.getByRole('button', { name: 'Back to the list' }).click();
  await expect(list).toBeFocused();
  await expect(entry).toBeHidden();
  expect(await page.evaluate(() => scrollY)).toBe(top);
  // Keys move the selection without leaving the list.
  await page.keyboard.press('Home');
  await expect(list.getByRole('option', { selected: true })).toHaveAttribute('aria-posinset', '1');
  await expect(list).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(list).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(list).toBeFocused();
  await list.getByRole('option').first().click();
  await expect(list).toBeHidden();
  await page.goBack();
  await expect(list).toBeVisible();
  await expect(page).toHaveURL(/\/sandbox\/requests$/);
});

test('headers of an attempt stack their name over their value on a phone', DETAIL, async ({ page }) => {
  const { id } = await sandbox().control.deliveries.sendTest({
    type: 'membership.updated',
    membershipId: sandboxScenario.memberships.adaCommunity.id,
  });
  await page.setViewportSize({ width: 320, height: 860 });
  await open(page, `/sandbox/webhooks?id=${id}`);
  const header = page.locator('.headers > div', { hasText: 'Content-Type' }).first();
  await expect(header.locator('dd')).toHaveText('application/json');
  const [name, value] = [await header.locator('dt').boundingBox(), await header.locator('dd').boundingBox()];
  expect(value?.y).toBeGreaterThanOrEqual((name?.y ?? 0) + (name?.height ?? 0));
  expect(value?.width).toBeGreaterThan(220);
});

test('the state of an event never covers its type', DETAIL, async ({ page }) => {
  for (const [width, dir] of [
    [320, 'ltr'],
    [390, 'rtl'],
    [1280, 'ltr'],
  ] as const) {
    await page.setViewportSize({ width, height: 860 });
    await open(page, '/sandbox/webhooks');
    await page.evaluate((direction) => document.documentElement.setAttribute('dir', direction), dir);
    const row = page.getByRole('listbox').getByRole('option').first();
    // As long as a translation of it.
    await row.locator('.pill').evaluate((pill) => {
      pill.textContent = 'livraison effectuée';
    });
    const [pill, type] = [
      await row.locator('.pill').boundingBox(),
      await row.locator('.type').boundingBox(),
    ] as const;
    if (pill === null || type === null) throw new Error('The row has no state or no type.');
    const overlap = Math.min(pill.x + pill.width, type.x + type.width) - Math.max(pill.x, type.x);
    expect(`${width} ${overlap <= 0}`).toBe(`${width} true`);
  }
});

test('a list is as high as its rows, and its long names wrap', DETAIL, async ({ page }) => {
  await sandbox().operator.create('users', {
    email: 'donau@example.com',
    name: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
  });
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 860 });
    await open(page, '/sandbox/data?kind=users&text=donau');
    const row = page.getByRole('option');
    await expect(row).toHaveCount(1);
    const title = row.locator('.title');
    expect(await title.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0);
    expect(await title.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    const [list, only] = [await page.getByRole('listbox').boundingBox(), await row.boundingBox()];
    expect(Math.abs((list?.height ?? 0) - (only?.height ?? 0))).toBeLessThan(3);
  }
  await open(page, '/sandbox/requests?text=nothing-contains-this');
  await expect(page.getByText('No request matches.')).toBeVisible();
  expect((await page.locator('.split').boundingBox())?.height).toBeLessThan(260);
});

test('a reset lists its consequences, and its button is not the primary one', DETAIL, async ({ page }) => {
  await open(page, '/sandbox/snapshots');
  const opener = page.getByRole('button', { name: 'Reset to Fresh shop' });
  await opener.click();
  await expect(page.getByText('All data are deleted')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Reset sandbox' })).toHaveClass(/\bdanger\b/);
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
});

test('the first page has one primary button and shows every value in full', async ({ page }) => {
  // A purchase and its webhook, without a sign-in before them.
  const { users, plans } = sandboxScenario;
  await sandbox().control.deliveries.buy({ userId: users.ben.id, pricingPlanId: plans.monthly.id });
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 860 });
    await page.goto(`${sandbox().baseUrl}/sandbox`);
    await expect(page.locator('#walkthrough-count')).toContainText('2 of 5');
    await expect(page.locator('.primary')).toHaveCount(1);
    const cut = await page
      .locator('.values .copy-value')
      .evaluateAll((values) => values.filter((value) => value.scrollWidth > value.clientWidth).length);
    expect(cut).toBe(0);
  }
});

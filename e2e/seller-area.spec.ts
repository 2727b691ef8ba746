import { sandboxScenario } from '@latchkey/sandbox';
import type { Page } from '@playwright/test';
import { expectNoViolations } from './axe.js';
import { pressCalmly } from './calm-press.js';
import { JOURNEY, LONG } from './levels.js';
import { tabTo } from './tab-to.js';
import { expect, signInAtService, test, type World } from './world.js';

const { community, users } = sandboxScenario;

const base = `/seller/communities/${community.id}`;

const INVITED = 'Invitation saved. We e-mail the address once, unless its holder or our limits prevent it.';

async function openSection(page: Page, name: string): Promise<void> {
  await page
    .getByRole('navigation', { name: 'seller area' })
    .getByRole('link', { name, exact: true })
    .click();
}

async function expectDone(page: Page, text: string): Promise<void> {
  await expect(page.getByRole('status').first()).toHaveText(text);
  await expectNoViolations(page);
}

/** Signs the current user out and another user in. */
async function switchUser(page: Page, world: World, name: string): Promise<void> {
  await page.context().clearCookies();
  await signInAtService(page, world, name);
}

/** Creates a yearly plan: first with an invalid price, then with a valid one. */
async function createPlan(page: Page): Promise<void> {
  await openSection(page, 'Plans');
  await page.getByRole('link', { name: 'New plan' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Yearly');
  await page.getByLabel('Price').fill('1.5000');
  await page.getByLabel('Currency').selectOption('KWD');
  await page.getByLabel('Days of access per payment').fill('365');
  await page.getByLabel('Renews automatically').check();
  await page.getByRole('button', { name: 'Create plan' }).click();
  // The form is rejected. The error has the focus and links to its field, which keeps the input.
  const summary = page.getByRole('alert').filter({ hasText: 'Nothing was saved' });
  await expect(summary).toBeFocused();
  await expectNoViolations(page);
  await summary.getByRole('link').click();
  await expect(page.getByLabel('Price')).toBeFocused();
  await expect(page.getByLabel('Price')).toHaveValue('1.5000');
  // The error is above its field, which is as wide as the one beside it.
  const [error, price, currency] = await Promise.all(
    [page.locator('#price-errors'), page.getByLabel('Price'), page.getByLabel('Currency')].map((part) =>
      part.boundingBox(),
    ),
  );
  expect(error?.x).toBe(price?.x);
  expect([price?.width, price?.y]).toEqual([currency?.width, currency?.y]);
  await expect(page.getByLabel('Renews automatically')).toBeChecked();
  await page.getByLabel('Price').fill('1.500');
  await page.getByRole('button', { name: 'Create plan' }).click();
  await expectDone(page, 'Plan created.');
  await expect(page.getByRole('table', { name: 'Plans for sale' })).toContainText(/KWD\s1\.500/);
}

/** Creates a drop that starts at a day and a time in the time zone of the browser. */
async function createDrop(page: Page): Promise<void> {
  await openSection(page, 'Drops');
  await page.getByRole('link', { name: 'New drop' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('First flush');
  await page.getByLabel('Slots').fill('20');
  await page.getByLabel('Starts', { exact: true }).fill('2030-03-01');
  await page.getByLabel('Starts: time (optional)').fill('09:30');
  await page.getByRole('button', { name: 'Create drop' }).click();
  await expectDone(page, 'Drop created.');
  await expect(page.getByLabel('Starts', { exact: true })).toHaveValue('2030-03-01');
  await expect(page.getByLabel('Starts: time (optional)')).toHaveValue('09:30');
  await page.getByRole('main').getByRole('link', { name: 'Drops' }).click();
  const starts = page.getByRole('table', { name: 'Drops' }).locator('time').first();
  await expect(starts).toHaveAttribute('datetime', '2030-03-01T08:30:00.000Z');
  await expect(starts).toContainText('09:30');
}

/** Opens the form of an invitation, and sends it. */
async function invite(page: Page, link: string, email: string): Promise<void> {
  await page.getByRole('link', { name: link }).first().click();
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await expectDone(page, INVITED);
}

test.use({ timezoneId: 'Europe/Berlin' });

test('a plan is created with the keyboard alone, from the list to the confirmation', { tag: LONG }, async ({
  page,
  world,
}) => {
  await signInAtService(page, world, 'Dana Owner');
  await page.goto(`${world.service.baseUrl}${base}/plans`);
  await tabTo(page, page.getByRole('link', { name: 'New plan' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('New plan');
  for (const [label, text] of [
    ['Name', 'Quarterly'],
    ['Price', '24,50'],
    ['Days of access per payment', '90'],
  ] as const) {
    await tabTo(page, page.getByLabel(label, { exact: true }));
    await page.keyboard.type(text);
  }
  await tabTo(page, page.getByLabel('Renews automatically'));
  await page.keyboard.press('Space');
  await tabTo(page, page.getByLabel('By card'));
  await page.keyboard.press('ArrowRight');
  await expect(page.getByLabel('In crypto')).toBeChecked();
  await page.keyboard.press('ArrowLeft');
  await tabTo(page, page.getByRole('button', { name: 'Create plan' }));
  await page.keyboard.press('Enter');
  await expectDone(page, 'Plan created.');
  await expect(page.getByRole('row', { name: /^Quarterly/ })).toContainText('€24.50');
});

test('a double click on Create creates one plan', async ({ page, world }) => {
  await signInAtService(page, world, 'Dana Owner');
  await page.goto(`${world.service.baseUrl}${base}/plans/new`);
  await page.getByLabel('Name', { exact: true }).fill('Quarterly');
  await page.getByLabel('Price').fill('24');
  await page.getByRole('button', { name: 'Create plan' }).dblclick();
  await expectDone(page, 'Plan created.');
  await expect(page.getByRole('row', { name: /^Quarterly/ })).toHaveCount(1);
});

test('the members are filtered by status and searched without scripts', async ({ browser, world }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await signInAtService(page, world, 'Dana Owner');
  await page.goto(`${world.service.baseUrl}${base}/members`);
  const filter = page.getByRole('navigation', { name: 'Members by status' });
  await expect(filter.getByRole('link')).toHaveText([
    /^All\s*2$/,
    /^Active\s*1$/,
    /^Ending soon\s*0$/,
    /^Ended\s*1$/,
  ]);
  await filter.getByRole('link', { name: 'Ended' }).click();
  const rows = page.getByRole('table').getByRole('rowheader');
  await expect(rows).toContainText(['Cleo Lapsed']);
  await page.getByLabel('Search members').fill(users.ada.email);
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByText('No member found')).toBeVisible();
  await filter.getByRole('link', { name: 'Active' }).click();
  await expect(rows).toContainText(['Ada Member']);
  await page.getByRole('link', { name: 'Clear search' }).click();
  await expect(filter.getByRole('link', { name: 'Active' })).toHaveAttribute('aria-current', 'page');
  await page.getByRole('link', { name: 'Ada Member' }).click();
  await page.getByRole('button', { name: 'End membership…' }).click();
  await expect(page.getByRole('button', { name: 'End membership now' })).toBeVisible();
  await context.close();
});

test('a seller creates a community, a plan, a drop and a membership, and the member sees it in their account', {
  tag: JOURNEY,
}, async ({ page, world }) => {
  await signInAtService(page, world, 'Ben Visitor');
  await page.goto(`${world.service.baseUrl}/seller`);
  await page.getByRole('link', { name: 'New community' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Tea & Biscuits');
  await page.getByRole('button', { name: 'Create community' }).click();
  await expectDone(page, 'Community created. You are its owner.');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tea & Biscuits');

  await createPlan(page);

  await createDrop(page);

  await openSection(page, 'Members');
  await invite(page, 'Invite a member', users.ada.email);
  const invited = page.getByRole('table', { name: 'Invitations' });
  await expect(invited).toContainText(users.ada.email);
  await expect(invited).not.toContainText('Ada Member');

  await switchUser(page, world, 'Ada Member');
  await page.goto(`${world.service.baseUrl}/account`);
  await expect(page.getByRole('region', { name: 'Memberships', exact: true })).not.toContainText('Tea');
  await expectNoViolations(page);
  await page.getByRole('button', { name: 'Accept the invitation to “Tea & Biscuits”' }).click();
  await expectDone(page, 'Invitation accepted.');
  await expect(page.getByRole('region', { name: 'Memberships', exact: true })).toContainText(
    'Tea & Biscuits',
  );

  await switchUser(page, world, 'Ben Visitor');
  await page.goto(`${world.service.baseUrl}/seller`);
  await page.getByRole('link', { name: 'Tea & Biscuits' }).click();
  await openSection(page, 'Members');
  await page.getByLabel('Search members').fill(`${users.ada.messengerUserId}`);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('link', { name: 'Ada Member' }).click();
  await page.getByRole('button', { name: 'End membership…' }).click();
  const dialog = page.getByRole('dialog', { name: 'End this membership now?' });
  await expect(dialog.getByRole('listitem')).toContainText([
    'Ada Member loses access at once',
    'not refunded',
    'invite them again',
  ]);
  await expectNoViolations(page);
  await dialog.getByRole('button', { name: 'End membership now' }).click();
  await expectDone(page, 'Membership ended.');

  await switchUser(page, world, 'Ada Member');
  await page.goto(`${world.service.baseUrl}/account`);
  await expect(page.getByRole('region', { name: 'Past memberships' })).toContainText('Tea & Biscuits');
  await expect(page.getByRole('region', { name: 'Memberships', exact: true })).not.toContainText('Tea');
});

test('a person declines an invitation, and leaves a membership after a confirmation', async ({
  page,
  world,
}) => {
  const members = `${world.service.baseUrl}/seller/communities/${community.id}/members`;
  await signInAtService(page, world, 'Dana Owner');
  await page.goto(members);
  await invite(page, 'Invite a member', users.ben.email);

  await switchUser(page, world, 'Ben Visitor');
  await page.goto(`${world.service.baseUrl}/account`);
  await page.getByRole('button', { name: /^Decline/ }).click();
  await expectDone(page, "Invitation declined. This community can't invite you again for 90 days.");
  await expect(page.getByRole('region', { name: 'Invitations' })).toHaveCount(0);

  await switchUser(page, world, 'Ada Member');
  await page.goto(`${world.service.baseUrl}/account`);
  await page.getByRole('link', { name: `Leave ${community.name}` }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'You lose access at once' })).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole('button', { name: 'Leave now' }).click();
  await expectDone(page, 'You left. Your access has ended.');
  await expect(page.getByRole('region', { name: 'Past memberships' })).toContainText(community.name);
});

test('an owner appoints an admin, who can do everything except change roles, and removes the role by keyboard', async ({
  page,
  world,
}) => {
  const roles = `${world.service.baseUrl}/seller/communities/${community.id}/roles`;
  await signInAtService(page, world, 'Dana Owner');
  await page.goto(roles);
  await invite(page, 'Invite an owner or admin', users.ada.email);

  await switchUser(page, world, 'Ada Member');
  await page.goto(`${world.service.baseUrl}/account`);
  await page.getByRole('button', { name: `Accept the invitation to “${community.name}”` }).click();
  await expectDone(page, 'Invitation accepted.');
  await page.goto(roles);
  await expect(page.getByText('Only an owner can change roles.')).toBeVisible();
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Invite an owner or admin' })).toHaveCount(0);
  await openSection(page, 'Plans');
  await expect(page.getByRole('link', { name: 'New plan' })).toBeVisible();

  await switchUser(page, world, 'Dana Owner');
  await page.goto(roles);
  await page.getByRole('button', { name: 'Change the role of Ada Member' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Role of Ada Member' });
  await expect(dialog).toBeVisible();
  await expectNoViolations(page);
  await tabTo(page, dialog.getByRole('button', { name: 'Remove role' }));
  await pressCalmly(page, 'Enter');
  await expectDone(page, 'Role removed. The API keys of this user lost their access too.');
  await expect(page.getByText('Only active owner')).toBeVisible();
});

import { sandboxScenario } from '@latchkey/sandbox';
import type { Page } from '@playwright/test';
import { expectNoViolations } from './axe.js';
import { expect, signInAtService, test, type World } from './world.js';

const { community, plans, dropSlot, memberships, products, users } = sandboxScenario;

const INVITED = 'Invitation saved. No e-mail is sent: tell the person where to accept it.';

async function openSection(page: Page, name: string): Promise<void> {
  await page
    .getByRole('navigation', { name: 'seller area' })
    .getByRole('link', { name, exact: true })
    .click();
}

async function expectDone(page: Page, text: string): Promise<void> {
  await expect(page.getByRole('status')).toHaveText(text);
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
  await expect(page.getByLabel('Renews automatically')).toBeChecked();
  await page.getByLabel('Price').fill('1.500');
  await page.getByRole('button', { name: 'Create plan' }).click();
  await expectDone(page, 'Plan created.');
  await expect(page.getByRole('region', { name: 'For sale' })).toContainText(/KWD\s1\.500/);
}

test('a seller creates a community, a plan, a drop and a membership, and the member sees it in their account', async ({
  page,
  world,
}) => {
  await signInAtService(page, world, 'Ben Visitor');
  await page.goto(`${world.service.baseUrl}/seller`);
  await page.getByLabel('Name of the new community').fill('Tea & Biscuits');
  await page.getByRole('button', { name: 'Create community' }).click();
  await expectDone(page, 'Community created. You are its owner.');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tea & Biscuits');

  await createPlan(page);

  await openSection(page, 'Drops');
  await page.getByLabel('Name', { exact: true }).fill('First flush');
  await page.getByLabel('Slots').fill('20');
  await page.getByLabel('Starts (UTC)').fill('2030-03-01T09:30');
  await page.getByRole('button', { name: 'Create drop' }).click();
  await expectDone(page, 'Drop created.');
  await expect(page.getByLabel('Starts (UTC)')).toHaveValue('2030-03-01T09:30');
  await page.getByRole('main').getByRole('link', { name: 'Drops' }).click();
  await expect(page.getByText('1 March 2030, 09:30 UTC')).toBeVisible();

  await openSection(page, 'Members');
  await page.getByLabel('E-mail address').fill(users.ada.email);
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await expectDone(page, INVITED);
  const invited = page.getByRole('region', { name: 'Invited' });
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
  await page.getByText('End membership…', { exact: true }).click();
  await page.getByRole('button', { name: 'End membership now' }).click();
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
  await page.getByLabel('E-mail address').fill(users.ben.email);
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await expectDone(page, INVITED);

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
  await page.getByLabel('E-mail address').fill(users.ada.email);
  await page.getByLabel('Role', { exact: true }).selectOption('ADMIN');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await expectDone(page, INVITED);

  await switchUser(page, world, 'Ada Member');
  await page.goto(`${world.service.baseUrl}/account`);
  await page.getByRole('button', { name: `Accept the invitation to “${community.name}”` }).click();
  await expectDone(page, 'Invitation accepted.');
  await page.goto(roles);
  await expect(page.getByText('Only an owner can change roles.')).toBeVisible();
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
  await openSection(page, 'Plans');
  await expect(page.getByRole('button', { name: 'Create plan' })).toBeVisible();

  await switchUser(page, world, 'Dana Owner');
  await page.goto(roles);
  await page.getByText('Remove the role of Ada Member').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Remove role', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expectDone(page, 'Role removed. The API keys of this user lost their access too.');
  await expect(page.getByText('This is the only active owner', { exact: false })).toBeVisible();
});

const base = `/seller/communities/${community.id}`;
const product = `/seller/products/${products.brewGuide.id}`;
const PAGES = {
  'a community': ['', '/roles', '/plans', '/drops', '/members', '/sales'].map(
    (section) => `${base}${section}`,
  ),
  'what a community has': [
    `${base}/plans/${plans.monthly.id}`,
    `${base}/drops/${dropSlot.id}`,
    `${base}/members/${memberships.adaCommunity.id}`,
  ],
  products: ['/seller', '/seller/products/new', product, `${product}/buyers`, `${product}/sales`],
};

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme });

    for (const [name, paths] of Object.entries(PAGES)) {
      test(`no seller's page about ${name} has an accessibility violation, or is wider than a narrow screen`, async ({
        page,
        world,
      }) => {
        await signInAtService(page, world, 'Dana Owner');
        for (const path of paths) {
          await page.setViewportSize({ width: 1280, height: 860 });
          expect((await page.goto(`${world.service.baseUrl}${path}`))?.status()).toBe(200);
          await expectNoViolations(page);
          await page.setViewportSize({ width: 320, height: 860 });
          const width = await page.evaluate(() => document.documentElement.scrollWidth);
          expect(`${path} ${width}`).toBe(`${path} 320`);
        }
      });
    }
  });
}

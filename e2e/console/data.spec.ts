import { sandboxScenario } from '@latchkey/sandbox';
import { expect, type Locator, type Page } from '@playwright/test';
import { test } from '../calm-press.js';
import { LONG, longIf } from '../levels.js';
import { expectAccessible, sharedSandbox } from './console-page.js';

const sandbox = sharedSandbox();
const { community, users, plans } = sandboxScenario;

const path = (query: Record<string, string>) =>
  `${sandbox().baseUrl}/sandbox/data?${new URLSearchParams(query)}`;
const form = (page: Page): Locator => page.locator('record-form');
/** Content of the dialog that asks before an end. The dialog contains it by a slot, which no locator follows. */
const question = (page: Page): Locator => page.locator('console-dialog > .choice');

/** Values to create, change and end a record of one kind. `change` and `end` are absent where the service has neither. */
interface Steps {
  readonly kind: string;
  readonly one: string;
  readonly fill: Readonly<Record<string, string>>;
  readonly change?: Readonly<Record<string, string>>;
  readonly end?: string;
  /** Text of the detail after the change, and after the end. */
  readonly changed?: string;
  readonly ended?: string;
}

const KINDS: readonly Steps[] = [
  {
    ...{ kind: 'users', one: 'user', end: 'Sign out everywhere', changed: 'Gus Guest', ended: 'Gus Guest' },
    ...{ fill: { 'E-mail address': 'gus@example.com' }, change: { Name: 'Gus Guest' } },
  },
  {
    ...{ kind: 'communities', one: 'community', end: 'Close community', changed: 'Tea Club' },
    ...{ fill: { Name: 'Tea', Owner: users.ben.name }, change: { Name: 'Tea Club' } },
  },
  {
    // An owner accepts the role, so until then the user is an admin.
    ...{ kind: 'roles', one: 'role', end: 'Remove role', changed: 'ADMIN' },
    fill: { Community: community.name, User: users.ada.name },
    change: { Role: 'OWNER' },
  },
  {
    ...{ kind: 'plans', one: 'plan', end: 'Archive plan', changed: '7700' },
    fill: { Community: community.name, Name: 'Year', Price: '9900' },
    change: { Price: '7700' },
  },
  {
    ...{ kind: 'products', one: 'product', end: 'Delete product', changed: 'tea-mug' },
    ...{ fill: { Seller: users.dana.name, Name: 'Mug', Slug: 'mug' }, change: { Slug: 'tea-mug' } },
  },
  {
    ...{ kind: 'memberships', one: 'membership', end: 'End membership', ended: 'expired' },
    fill: { User: users.ben.name, Community: community.name },
    ...{ change: { 'Ends (UTC)': '2090-01-01' }, changed: '2090-01-01' },
  },
  {
    ...{ kind: 'drops', one: 'drop', end: 'End drop', changed: 'Autumn', ended: 'cancelled' },
    fill: { Community: community.name, Name: 'Summer', 'Starts (UTC)': '2089-01-01' },
    change: { Name: 'Autumn' },
  },
  {
    ...{ kind: 'signups', one: 'signup' },
    fill: { Community: community.name, 'E-mail address': 'new@example.com' },
  },
  {
    ...{ kind: 'invitations', one: 'invitation', end: 'Withdraw invitation' },
    fill: { Community: community.name, 'E-mail address': 'new@example.com' },
  },
  { kind: 'reservations', one: 'reservation', fill: { Buyer: users.ben.name, Plan: plans.monthly.name } },
  {
    ...{ kind: 'clients', one: 'client', end: 'Delete client', changed: 'https://shop.example' },
    fill: { Owner: users.dana.name, Type: 'confidential', Name: 'Shop' },
    change: { 'Allowed web origins': 'https://shop.example' },
  },
  {
    ...{ kind: 'keys', one: 'API key', end: 'Revoke API key' },
    fill: { Owner: users.dana.name, Name: 'Test', MEMBERSHIP_READ: '' },
  },
  {
    ...{ kind: 'webhooks', one: 'webhook', end: 'Delete webhook', changed: '127.0.0.1:9/other' },
    fill: { Owner: users.dana.name, Community: community.name, Endpoint: 'http://127.0.0.1:9/hook' },
    change: { Endpoint: 'http://127.0.0.1:9/other' },
  },
  {
    ...{ kind: 'operators', one: 'operator', end: 'Remove operator', changed: 'ADMIN' },
    ...{ fill: { User: users.ben.name, Role: 'VIEWER' }, change: { Role: 'ADMIN' } },
  },
];

/** Fills fields by their labels: selects by the label of an option, boxes by ticking them. */
async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    const field = form(page).getByLabel(label).first();
    // The options of a select arrive from the control API. The field takes an id until then.
    await expect(field).toBeVisible();
    if (['Owner', 'User', 'Seller', 'Buyer', 'Community', 'Plan'].includes(label))
      await expect(field.locator('option', { hasText: value })).toHaveCount(1);
    const kind = await field.evaluate((element) => (element as HTMLInputElement).type);
    if (kind === 'select-one') await field.selectOption({ label: value });
    else if (kind === 'checkbox') await field.check();
    else await field.fill(value);
  }
}

/** Kinds with every sort of field, step and result. The forms of the others have the same. */
const SHORT = ['memberships', 'clients'];

for (const { kind, one, fill: values, change, changed = '', end, ended } of KINDS) {
  test(
    `${kind} are created${change ? ', changed' : ''}${end ? ' and ended' : ''}`,
    longIf(!SHORT.includes(kind)),
    async ({ page }) => {
      await page.goto(path({ kind }));
      await page.getByRole('button', { name: `Create ${one}` }).click();
      await fill(page, values);
      await form(page)
        .getByRole('button', { name: `Create ${one}` })
        .click();
      await expect(page.getByText(`Created: ${one}.`)).toBeVisible();
      await expect(page).toHaveURL(/[?&]id=/);
      const detail = page.locator('record-detail');
      await expect(detail).toBeVisible();
      if (['clients', 'keys', 'webhooks', 'reservations'].includes(kind)) {
        await expect(page.getByRole('region', { name: 'Shown once' })).toBeVisible();
      }
      if (change !== undefined) {
        await detail.getByRole('button', { name: 'Edit' }).click();
        for (const label of Object.keys(change).filter((name) => name in values && name !== 'Role'))
          await expect(form(page).getByLabel(label).first()).toHaveValue(values[label] ?? '');
        await fill(page, change);
        await form(page).getByRole('button', { name: 'Save changes' }).click();
        await expect(page.getByText('Changes saved.')).toBeVisible();
        await expect(detail).toContainText(changed);
      }
      if (end === undefined) return;
      await detail.getByRole('button', { name: end }).click();
      await question(page).getByRole('button', { name: end }).click();
      await expect(page.getByText(`Done: ${end} (${one}).`)).toBeVisible();
      if (ended !== undefined) await expect(detail).toContainText(ended);
    },
  );
}

test('a new membership asks for what its type needs, and for a day with an optional time', {
  tag: LONG,
}, async ({ page }) => {
  await page.goto(path({ kind: 'memberships' }));
  await page.getByRole('button', { name: 'Create membership' }).click();
  await expect(form(page).getByLabel('Product', { exact: true })).toHaveCount(0);
  await form(page).getByLabel('Type').selectOption('digital_product');
  await expect(form(page).getByLabel('Community')).toHaveCount(0);
  await fill(page, { User: users.eve.name, 'Ends (UTC)': '2091-02-03' });
  await form(page).getByLabel('Ends (UTC): time (optional)').fill('16:45');
  await form(page).getByLabel('Product', { exact: true }).selectOption({ index: 1 });
  await form(page).getByRole('button', { name: 'Create membership' }).click();
  await expect(page.locator('record-detail')).toContainText('2091-02-03 16:45 UTC');
});

test('errors are shown beside their fields, and the first one has the focus', async ({ page }) => {
  await page.goto(path({ kind: 'plans', communityId: community.id }));
  await page.getByRole('button', { name: 'Create plan' }).click();
  await fill(page, { Name: 'Year', Price: 'many' });
  await form(page).getByRole('button', { name: 'Create plan' }).click();
  const price = form(page).getByLabel('Price');
  await expect(price).toHaveAttribute('aria-invalid', 'true');
  await expect(price).toBeFocused();
  await expect(price).toHaveAccessibleDescription(/Enter whole minor units/);
  await expect(form(page).getByLabel('Name')).toHaveValue('Year');
});

test('a choice without a value asks for one in words, not for an id', { tag: LONG }, async ({ page }) => {
  await page.goto(path({ kind: 'plans' }));
  await page.getByRole('button', { name: 'Create plan' }).click();
  const communities = form(page).getByLabel('Community');
  await expect(communities.locator('option', { hasText: community.name })).toHaveCount(1);
  await form(page).getByRole('button', { name: 'Create plan' }).click();
  await expect(communities).toHaveAccessibleDescription('Choose a community.');
});

test('a record has an address, links to what belongs to it, and the list works with the keyboard', {
  tag: LONG,
}, async ({ page }) => {
  await page.goto(path({ kind: 'communities', id: community.id }));
  const detail = page.locator('record-detail');
  await expect(detail.getByRole('heading', { name: community.name })).toBeVisible();
  await detail.getByRole('link', { name: /^Memberships/ }).click();
  await expect(page.getByText(`Only those of ${community.name}`)).toBeVisible();
  const list = page.getByRole('listbox', { name: 'Memberships' });
  await list.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(detail.getByRole('link', { name: community.name })).toBeVisible();
  await page.goBack();
  await expect(page).not.toHaveURL(/[?&]id=/);
  await expect(detail).toBeHidden();
});

test('changes of others appear, and a search limits the list', { tag: LONG }, async ({ page }) => {
  await page.goto(path({ kind: 'users' }));
  await expect(page.getByRole('option', { name: /Ada Member/ })).toBeVisible();
  await sandbox().operator.createUser({ email: 'zoe@example.com', name: 'Zoe' });
  await sandbox().operator.create('users', { email: 'yan@example.com', name: 'Yan' });
  await expect(page.getByRole('option', { name: /Yan/ })).toBeVisible();
  const search = page.getByRole('searchbox', { name: 'Search users' });
  await search.fill('zoe@');
  await search.press('Enter');
  await expect(page.getByRole('option')).toHaveCount(1);
});

test('one signs in as a user, and opens a client in the developer area', { tag: LONG }, async ({ page }) => {
  await page.goto(path({ kind: 'users', id: users.ada.id }));
  await page.getByRole('button', { name: 'Sign in as this user' }).click();
  await expect(page).toHaveURL(/\/account$/);
  await page.goto(path({ kind: 'clients', id: sandboxScenario.publicClient.clientId }));
  await page.getByRole('button', { name: 'Open in the developer area' }).click();
  await expect(page).toHaveURL(/\/developer\/clients\/oac_/);
  await expect(page.getByRole('heading', { name: sandboxScenario.publicClient.name }).first()).toBeVisible();
});

test('the list, a record and a form are accessible', { tag: LONG }, async ({ page }) => {
  await page.goto(path({ kind: 'users', id: users.dana.id }));
  await expect(page.locator('record-detail')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Edit' }).click();
  await expect(form(page)).toBeVisible();
  await expectAccessible(page);
});

test('the mailbox shows new mail by itself, and keeps the focus', async ({ page }) => {
  const { mailbox, baseUrl } = sandbox();
  await mailbox.send({ to: users.ada.email, subject: 'First', text: 'First' });
  await page.goto(`${baseUrl}/sandbox/mailbox`);
  const first = page.getByRole('link', { name: 'First' });
  await first.focus();
  await mailbox.send({ to: users.ada.email, subject: 'Second', text: 'Second' });
  await expect(page.getByRole('link', { name: 'Second' })).toBeVisible();
  await expect(first).toBeFocused();
});

test('reads the counts about once a second while requests arrive', { tag: LONG }, async ({ page }) => {
  let counted = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/sandbox/api/data') counted += 1;
  });
  await page.goto(path({ kind: 'users' }));
  await expect(page.getByRole('option').first()).toBeVisible();
  const before = counted;
  const started = performance.now();
  // The counts follow although the requests never pause.
  while (counted < before + 3) await fetch(`${sandbox().baseUrl}/oauth/client/unknown`);
  expect(performance.now() - started).toBeGreaterThan(1_500);
});

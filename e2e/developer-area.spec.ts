import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sandboxScenario } from '@latchkey/sandbox';
import type { Page } from '@playwright/test';
import { expectNoViolations } from './axe.js';
import { JOURNEY } from './levels.js';
import { freePort, moduleText } from './running-command.js';
import { expect, openPopup, pickUser, signInWithPopup, test, type World } from './world.js';

const { users, community, webhooks } = sandboxScenario;

/** Signs in at the service and opens a page of the developer area. */
async function openAsDana(page: Page, { service }: World, path: string): Promise<void> {
  await page.goto(`${service.baseUrl}${path}`);
  await pickUser(page, users.dana.email);
  await expect(page).toHaveURL(`${service.baseUrl}${path}`);
}

/** Opens a window for the developer, so that the visitor's window stays signed out. */
async function developerPage(page: Page): Promise<Page> {
  const context = await page.context().browser()?.newContext();
  if (context === undefined) throw new Error('The browser is gone.');
  return await context.newPage();
}

test('a developer registers an app with the hosted callback, and its snippet signs a member in on another origin', {
  tag: JOURNEY,
}, async ({ page, world }) => {
  let pasted = '';
  const site = await world.site(() => `<!doctype html><title>Tea House</title>${pasted}`);
  const developer = await developerPage(page);
  await openAsDana(developer, world, '/developer/clients/new');
  await developer.getByLabel('Name').fill('Tea House');
  await developer.getByLabel('Allowed web origins').fill(site.origin);
  await developer.getByRole('button', { name: 'Register app' }).click();
  await expect(developer.getByRole('status')).toContainText('App registered');
  pasted = (await developer.getByRole('group', { name: 'In your page' }).textContent()) ?? '';
  expect(pasted).toContain(`${world.service.baseUrl}/widget/latchkey.js`);

  await page.goto(site.url);
  await signInWithPopup(page, users.ada.email);
  await expect(page.locator('latchkey-login').first()).toContainText(users.ada.email);

  // The owner removes the origin. From then on the popup rejects the page and says so.
  await developer.getByRole('link', { name: 'Edit' }).click();
  await developer.getByLabel('Allowed web origins').fill('https://elsewhere.example');
  await developer.getByRole('button', { name: 'Save changes' }).click();
  await expect(developer.getByRole('status')).toContainText('saved');
  await page.evaluate(() => {
    sessionStorage.clear();
    localStorage.clear();
  });
  await page.goto(site.url);
  const popup = await openPopup(page);
  await expect(popup.getByRole('main')).toContainText(site.origin);
  await developer.context().close();
});

test('a confidential app shows its secret once, and its snippet gates a page of an Express app', async ({
  page,
  world,
}) => {
  const { operator } = world.service;
  const appUrl = `http://localhost:${await freePort()}`;
  const developer = await developerPage(page);
  await openAsDana(developer, world, '/developer/clients/new');
  await developer.getByLabel('Name').fill('Tea Office');
  await developer.getByLabel('Confidential').check();
  await developer.getByLabel('Hosted callback').uncheck();
  await developer.getByLabel('Redirect URIs').fill(`${appUrl}/auth/callback`);
  await developer.getByRole('button', { name: 'Register app' }).click();
  const secret = (await developer.getByLabel('Client secret').textContent()) ?? '';
  // A reload sends the form again. The service ignores it and doesn't show the secret again.
  await developer.reload();
  await expect(developer.getByRole('status')).toContainText('already processed');
  await expect(developer.getByRole('link', { name: 'Tea Office' })).toHaveCount(1);
  await developer.getByRole('link', { name: 'Tea Office' }).click();
  expect(await developer.content()).not.toContain(secret);
  const code = (await developer.getByRole('group', { name: 'In your Express app' }).textContent()) ?? '';

  // Each run starts with an empty directory.
  const app = moduleText(code.replace('memberships.sqlite', ':memory:'), {
    LATCHKEY_CLIENT_SECRET: secret,
    LATCHKEY_WEBHOOK_SECRET: webhooks.community.secret,
    COOKIE_SECRET: 'c'.repeat(32),
  });
  try {
    await expect(async () => {
      await page.goto(`${appUrl}/members`);
    }).toPass();
    await pickUser(page, users.ben.email);
    await page.getByRole('button', { name: 'Allow' }).click();
    expect(new URL(page.url()).origin).toBe(appUrl);
    // The webhook records who becomes a member from now on.
    await operator.change('webhooks', webhooks.community.id, { url: `${appUrl}/webhooks` });
    await operator.grantMembership({
      userId: users.ben.id,
      productType: 'community',
      communityId: community.id,
    });
    await expect(async () => {
      await page.goto(`${appUrl}/members`);
      await expect(page.getByText(`"email":"${users.ben.email}"`)).toBeVisible({ timeout: 500 });
    }).toPass();
  } finally {
    await app.stop();
  }
  await developer.context().close();
});

test('a developer creates an API key, which works until it is revoked', async ({ page, world }) => {
  await openAsDana(page, world, '/developer/api-keys/new');
  await page.getByRole('button', { name: 'Create key' }).click();
  // With nothing chosen, the summary has the focus and links to the fields.
  await expect(page.getByRole('alert')).toBeFocused();
  await page.getByRole('alert').getByRole('link').first().click();
  await expect(page.getByLabel('Name')).toBeFocused();
  await page.getByLabel('Name').fill('Door');
  await page.getByLabel('MEMBERSHIP_READ').check();
  await page.getByRole('button', { name: 'Create key' }).click();
  const key = (await page.getByLabel('API key').textContent()) ?? '';
  expect(page.url()).not.toContain(key);

  const check = async () =>
    await page.request.get(
      `${world.service.baseUrl}/membership/check-messenger/${community.id}/${users.ada.messengerUserId}`,
      { headers: { authorization: `Bearer ${key}` } },
    );
  expect(await (await check()).json()).toMatchObject({ success: true, data: { isActive: true } });

  await page.getByRole('link', { name: 'Continue to API keys' }).click();
  await page.getByRole('link', { name: 'Revoke the key Door' }).click();
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await expect(page.getByRole('status')).toContainText('revoked');
  expect((await check()).status()).toBe(401);
});

test('going back to the page of a secret does not show it again', async ({ page, world }) => {
  await openAsDana(page, world, '/developer/api-keys/new');
  await page.getByLabel('Name').fill('Door');
  await page.getByLabel('MEMBERSHIP_READ').check();
  await page.getByRole('button', { name: 'Create key' }).click();
  const key = (await page.getByLabel('API key').textContent()) ?? '';
  await page.getByRole('link', { name: 'Continue to API keys' }).click();
  await page.goBack().catch(() => undefined);
  expect(await page.content()).not.toContain(key);
});

test('an owner reveals the signing secret of a webhook and hides it again', async ({ page, world }) => {
  await openAsDana(page, world, '/developer/webhooks');
  await expect(page.getByRole('main')).not.toContainText(webhooks.community.secret);
  await page.getByRole('row').filter({ hasText: community.name }).getByRole('link').first().click();
  await page.getByRole('button', { name: 'Reveal secret' }).click();
  await expect(page.locator('#signing-secret output')).toHaveText(webhooks.community.secret);
  await expectNoViolations(page);
  await page.getByRole('link', { name: 'Hide secret' }).click();
  await expect(page.getByRole('button', { name: 'Reveal secret' })).toBeVisible();
  expect(await page.content()).not.toContain(webhooks.community.secret);
});

test('an id is copied with its button', async ({ page, world }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openAsDana(page, world, '/developer');
  await page.getByRole('button', { name: 'Copy community ID' }).click();
  await expect(async () => {
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(community.id);
  }).toPass();
});

test('a delivery shows its request and the response, and a failure leads there from the start page', async ({
  page,
  world,
}) => {
  const { operator } = world.service;
  const endpoint = createServer((_request, response) =>
    response.writeHead(422).end('{"error":"unknown plan"}'),
  );
  await new Promise<void>((listening) => endpoint.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/hooks`;
  await operator.createWebhook({ ownerId: users.dana.id, communityId: community.id, url });
  await operator.grantMembership({
    userId: users.ben.id,
    productType: 'community',
    communityId: community.id,
  });
  await openAsDana(page, world, '/developer');
  const failures = page.locator('#failures');
  await expect(async () => {
    await page.reload();
    await expect(failures.getByRole('cell', { name: '422' })).toBeVisible({ timeout: 500 });
  }).toPass();
  await failures.getByRole('link', { name: 'membership.created' }).click();
  await expect(page.getByRole('group', { name: 'Request headers' })).toContainText('X-Svc-Signature: ');
  await expect(page.getByRole('group', { name: 'Response body' })).toContainText('"error": "unknown plan"');
  await page.getByText('Send it from a terminal').click();
  await expect(page.getByRole('group', { name: 'curl command' })).toContainText(`'${url}'`);
  await expectNoViolations(page);
  endpoint.close();
});

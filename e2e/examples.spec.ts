import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteDirectory } from '@latchkey/express';
import { sandboxScenario } from '@latchkey/sandbox';
import type { Page } from '@playwright/test';
import { LONG } from './levels.js';
import { freePort, npmScript, type RunningCommand, STARTS_MS } from './running-command.js';
import { prepareStrangers, STRANGERS } from './strangers.js';
import { expect, pickUser, signInAtService, signInWithPopup, test, type World } from './world.js';

/** Signs members of other sellers in, one after the other, and asserts that a page for members rejects them. */
async function expectStrangersOutside(page: Page, { world, url }: { world: World; url: string }) {
  await prepareStrangers(world);
  for (const email of STRANGERS) {
    await page.context().clearCookies();
    await page.goto(url);
    await pickUser(page, email);
    const answered = page.waitForResponse((response) => response.url() === url && response.status() === 403);
    await page.getByRole('button', { name: 'Allow' }).click();
    await answered;
  }
}

test('the script-tag example signs a visitor in and opens its members’ part', async ({ page, world }) => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  await world.service.operator.change('clients', `oac_${'5c'.repeat(12)}`, { widgetOrigins: [origin] });
  const example = npmScript('example:script-tag', {
    PORT: `${port}`,
    LATCHKEY_SERVICE_URL: world.service.baseUrl,
  });
  try {
    await expect.poll(example.printed, { timeout: STARTS_MS }).toContain(origin);
    await page.goto(origin);
    await signInWithPopup(page, 'ada@example.com');
    await expect(page.getByText('Members see this.')).toBeVisible();
    await prepareStrangers(world);
    for (const email of STRANGERS) {
      await page.context().clearCookies();
      await page.reload();
      await signInWithPopup(page, email);
      await expect(page.locator('latchkey-gate')).toHaveJSProperty('state', 'locked');
      await expect(page.getByText('Members see this.')).toBeHidden();
    }
  } finally {
    await example.stop();
  }
});

test('the Express example sends a visitor to sign in and back to the page for members', async ({
  page,
  world,
}) => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  await world.service.operator.change('clients', `oac_${'e5'.repeat(12)}`, {
    redirectUris: [`${origin}/auth/callback`],
  });
  const example = npmScript('example:express', {
    PORT: `${port}`,
    LATCHKEY_SERVICE_URL: world.service.baseUrl,
  });
  try {
    await expect.poll(example.printed, { timeout: STARTS_MS }).toContain(origin);
    await page.goto(`${origin}/members`);
    await pickUser(page, 'ada@example.com');
    await page.getByRole('button', { name: 'Allow' }).click();
    await expect(page.getByText('Welcome, ada@example.com')).toBeVisible();
    await expectStrangersOutside(page, { world, url: `${origin}/members` });
  } finally {
    await example.stop();
  }
});

test('the landing page signs visitors up for the next drop and shows the result', { tag: LONG }, async ({
  page,
  world,
}) => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const example = npmScript('example:drop-landing-page', {
    PORT: `${port}`,
    LATCHKEY_SERVICE_URL: world.service.baseUrl,
  });
  const signUp = async (email: string, phone = '') => {
    await page.goto(origin);
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Phone').fill(phone);
    await page.getByRole('button', { name: 'Notify me' }).click();
  };
  try {
    await expect.poll(example.printed, { timeout: STARTS_MS }).toContain(origin);
    for (const [email, phone, result] of [
      ['grace@example.com', '020 7946 0018', 'country code'],
      ['grace@example.com', '+44 20 7946 0018', 'Thank you.'],
      // The same for a known address, so that the page does not reveal whose address that is.
      ['grace@example.com', '', 'Thank you.'],
      ['ada@example.com', '', 'Thank you.'],
    ] as const) {
      await signUp(email, phone);
      await expect(page.getByRole('status')).toContainText(result);
    }
    const foreign = await fetch(`${origin}/signup`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams({ email: 'victim@example.com' }),
      redirect: 'manual',
    });
    expect(foreign.headers.get('location')).toBe('/?result=foreign');
  } finally {
    await example.stop();
  }
});

test('the external funnel grants a membership once for each order, and revokes it', { tag: LONG }, async ({
  world,
}) => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const example = npmScript('example:external-funnel', {
    PORT: `${port}`,
    LATCHKEY_SERVICE_URL: world.service.baseUrl,
  });
  const tell = async (path: string, notice: object, token = 'only-for-trying-out') => {
    const response = await fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(notice),
    });
    const body = await response.json();
    return { ...body, status: body.status ?? response.status };
  };
  const first = { orderId: '1042', email: 'Grace@example.com', days: 30 };
  const second = { orderId: '1043', email: 'grace@example.com ', days: 30 };
  try {
    await expect.poll(example.printed, { timeout: STARTS_MS }).toContain(origin);
    expect(await tell('/sales', first, 'of-somebody')).toMatchObject({ status: 401 });

    const created = await tell('/sales', first);
    expect(created).toMatchObject({ status: 'created' });
    expect(await tell('/sales', first)).toEqual({ ...created, status: 'idempotent_return' });

    const extended = await tell('/sales', second);
    expect(extended).toMatchObject({ status: 'extended', membershipId: created.membershipId });
    const monthMs = 30 * 24 * 3600_000;
    expect(Date.parse(extended.validUntil) - Date.parse(created.validUntil)).toBe(monthMs);
    expect(await tell('/sales', first)).toEqual({ ...created, status: 'idempotent_return' });

    expect(await tell('/refunds', first)).toMatchObject({ status: 409 });
    // The days of the first order remain.
    const refunded = await tell('/refunds', second);
    expect(refunded).toMatchObject({ validUntil: created.validUntil, membershipId: created.membershipId });
    expect(await tell('/refunds', second)).toMatchObject({ status: 'idempotent_return' });
    expect(await tell('/sales', second)).toMatchObject({ validUntil: created.validUntil });

    // An order that the service rejects adds no days to the next one.
    const rejected = { orderId: '1044', email: 'hopper@example.com', days: 30 };
    world.service.control.faults.add({
      effect: { kind: 'status', status: 409 },
      endpoint: 'provisionExternal',
      times: 1,
    });
    expect(await tell('/sales', rejected)).toMatchObject({ status: 422 });
    const alone = { orderId: '1046', email: 'hopper@example.com', days: 30 };
    const before = Date.now();
    const granted = await tell('/sales', alone);
    expect(Date.parse(granted.validUntil)).toBeLessThan(before + monthMs + 60_000);
    const taken = await tell('/refunds', alone);
    expect(Date.parse(taken.validUntil)).toBeLessThan(Date.now());
    expect(await tell('/sales', alone)).toMatchObject({ validUntil: taken.validUntil });
    world.clock.advance(3600_000);
    expect(await tell('/sales', { ...alone, orderId: '1047' })).toMatchObject({ status: 'replaced' });

    // A refund that arrives before its sale, and one of a sale whose response is lost.
    const late = { orderId: '1048', email: 'late@example.com', days: 30 };
    expect(await tell('/refunds', late)).toMatchObject({ status: 'cancelled' });
    expect(await tell('/sales', late)).toMatchObject({ status: 'cancelled' });
    const lost = { orderId: '1049', email: 'lost@example.com', days: 30 };
    world.service.control.faults.add({ effect: { kind: 'answer-lost' }, endpoint: 'provisionExternal' });
    expect(await tell('/sales', lost)).toMatchObject({ status: 503 });
    world.service.control.faults.clear();
    expect(Date.parse((await tell('/refunds', lost)).validUntil)).toBeLessThan(Date.now());

    for (const wrong of [{ email: 'nobody' }, { days: 1e300 }, { days: '30' }]) {
      const { status } = await tell('/sales', { ...first, orderId: '1050', ...wrong });
      expect([400, 422]).toContain(status);
    }
    expect(example.printed()).toContain('endpoint: POST ');
  } finally {
    await example.stop();
  }
});

test('the import records the members of the seller area’s file, and names the line of a wrong row', {
  tag: LONG,
}, async ({ page, world }) => {
  const { community, memberships } = sandboxScenario;
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-import-'));
  const env = { DIRECTORY: join(folder, 'memberships.sqlite') };
  const file = join(folder, 'members.csv');
  const { baseUrl } = world.service;
  const running: RunningCommand[] = [];
  const importFile = async (expected: string) => {
    const example = npmScript('example:import-members', env, [file]);
    running.push(example);
    await expect.poll(example.printed, { timeout: STARTS_MS }).toContain(expected);
  };
  try {
    await signInAtService(page, world, 'Dana Owner');
    const exported = await page.request.get(`${baseUrl}/seller/communities/${community.id}/members.csv`);
    const text = await exported.text();
    expect(text).toContain(memberships.adaCommunity.id);
    writeFileSync(file, text);
    await importFile(`${file}: 2 memberships`);
    const directory = sqliteDirectory(env.DIRECTORY);
    const entries = await directory.find([memberships.adaCommunity.id]);
    await directory.close();
    expect(entries.get(memberships.adaCommunity.id)).toMatchObject({ communityId: community.id });

    writeFileSync(file, text.replace(community.id, 'Coffee club'));
    await importFile('Line 2: communityId must be a UUID; got "Coffee club"');
  } finally {
    for (const example of running) await example.stop();
    rmSync(folder, { recursive: true });
  }
});

test('the webhook consumer counts each new member once, and catches up on missed events', async ({
  request,
  world,
}) => {
  const { webhooks, users, community, apiKey } = sandboxScenario;
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-consumer-'));
  const start = () =>
    npmScript('example:webhook-consumer', {
      PORT: `${port}`,
      DATABASE: join(folder, 'queue.sqlite'),
      DIRECTORY: join(folder, 'memberships.sqlite'),
    });
  const provision = async (order: string, email: string) => {
    const answer = await request.post(`${world.service.baseUrl}/membership/provision-external`, {
      headers: { authorization: `Bearer ${apiKey}` },
      data: { communityId: community.id, externalOrderId: order, email },
    });
    expect(answer.status()).toBe(200);
    provisioned.push((await answer.json()).data.membershipId);
  };
  const provisioned: string[] = [];
  const state = async () => (await request.get(origin)).json();
  // Events from before the change still go to the webhook's old address.
  await world.service.runBackgroundWork();
  await world.service.operator.change('webhooks', webhooks.community.id, { url: `${origin}/webhooks` });
  let example = start();
  try {
    await expect.poll(example.printed, { timeout: STARTS_MS }).toContain(origin);
    await provision('order-1', users.ben.email);
    await expect.poll(state).toMatchObject({ members: 1, waiting: 0, given_up: 0 });
    const directory = sqliteDirectory(join(folder, 'memberships.sqlite'));
    expect((await directory.find(provisioned)).get(provisioned[0] ?? '')).toMatchObject({
      communityId: community.id,
    });
    await directory.close();

    await example.stop();
    await provision('order-2', 'grace@example.com');
    await world.service.runBackgroundWork();
    example = start();
    await expect.poll(example.printed, { timeout: STARTS_MS }).toContain(origin);
    world.clock.advance(60_000);
    await world.service.runBackgroundWork();
    await expect.poll(async () => (await state()).members).toBe(2);
  } finally {
    await example.stop();
    rmSync(folder, { recursive: true });
  }
});

test('the gated site shows a teaser, sells a plan, waits for the payment, and then opens [buy-plan.success-url-no-proof]', async ({
  page,
  context,
  world,
}) => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  await world.service.operator.change('clients', `oac_${'e5'.repeat(12)}`, {
    redirectUris: [`${origin}/auth/callback`],
  });
  const { webhooks } = sandboxScenario;
  await world.service.operator.change('webhooks', webhooks.community.id, { url: `${origin}/webhooks` });
  const example = npmScript('example:gated-site', {
    PORT: `${port}`,
    LATCHKEY_SERVICE_URL: world.service.baseUrl,
  });
  const signInAs = async (email: string) => {
    await pickUser(page, email);
    await page.getByRole('button', { name: 'Allow' }).click();
  };
  const article = page.getByText('ninety seconds for the Huila');
  try {
    await expect.poll(example.printed, { timeout: STARTS_MS }).toContain(origin);
    await page.goto(origin);
    await page.getByRole('link', { name: 'Listening for first crack' }).click();
    await expect(page.getByText('Members can read on.')).toBeVisible();
    await expect(article).toBeHidden();
    const markup = await page.locator('script[type="application/ld+json"]').textContent();
    const paidPart = { isAccessibleForFree: false, cssSelector: '.members-only' };
    expect(JSON.parse(markup ?? '')).toMatchObject({ isAccessibleForFree: false, hasPart: paidPart });

    await page.getByRole('link', { name: 'Become a member' }).click();
    await signInAs('ben@example.com');
    await expect(page).toHaveURL(`${origin}/join`);

    // Without a payment the page waits, and offers no plan.
    const waiting = await context.newPage();
    await waiting.goto(`${origin}/welcome`);
    await expect(waiting.getByRole('heading')).toHaveText('Thank you, one moment');
    await expect(waiting.getByText('Become a member')).toBeHidden();

    await page.getByRole('button', { name: 'Go to checkout' }).click();
    await page.getByRole('button', { name: 'Pay €9.00' }).click();
    await expect(page).toHaveURL(`${origin}/welcome`);
    // The waiting page continues by itself.
    await expect(waiting.getByRole('heading')).toHaveText('Welcome to the table');
    await page.getByRole('link', { name: 'Listening for first crack' }).click();
    await expect(page.locator('.members-only')).toContainText('ninety seconds for the Huila');
    await page.goto(origin);
    await expect(page.getByText('Become a member')).toBeHidden();
    await page.context().clearCookies();
    await page.goto(`${origin}/auth/login?returnTo=/notes/first-crack`);
    await signInAs('eve@example.com');
    await expect(page.getByText('Members can read on.')).toBeVisible();
    await expect(page.locator('.members-only')).toBeHidden();
    // A member is not sold the plan again.
    await page.context().clearCookies();
    await page.goto(`${origin}/auth/login?returnTo=/join`);
    await signInAs('ada@example.com');
    await page.getByRole('button', { name: 'Go to checkout' }).click();
    await expect(page.getByRole('link', { name: 'Continue' })).toHaveAttribute('href', '/welcome');
  } finally {
    await example.stop();
  }
});

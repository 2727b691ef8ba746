import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sandboxScenario, seedSandbox, startSandbox } from '@latchkey/sandbox';
import { createManualClock, startServer } from '@latchkey/server';
import { stripePayments } from '@latchkey/stripe';
import { startFakeStripe } from '@latchkey/stripe/testing';
import { expect, type Page } from '@playwright/test';
import { test } from './calm-press.js';
import { JOURNEY } from './levels.js';
import { startPostgresServer } from './postgres-server.js';
import { openSellingSite } from './selling-site.js';

const { users } = sandboxScenario;
const WEBHOOK_SECRET = 'whsec_of_this_test';
/** Longer than the kit keeps memberships, in milliseconds. */
const CACHED_MS = 61_000;

/** A server that sells with a fake of Stripe, on the data of the sandbox, and a site that sells through it. */
async function openShop(database: string) {
  const clock = createManualClock(Date.now());
  const quiet = { info() {}, warn() {}, error() {} };
  const sandbox = await startSandbox({ database, port: 0, clock, logger: quiet });
  await seedSandbox(sandbox, {
    scriptTagShop: 'http://localhost:4401',
    backendShop: 'http://localhost:4402',
  });
  await sandbox.close();
  const stripe = await startFakeStripe();
  const codes = new Map<string, string>();
  const service = await startServer({
    ...{ database, databasePurpose: 'sandbox', port: 0, clock, logger: quiet },
    webhookTargets: 'public-and-loopback',
    mailer: { send: async ({ to, code }) => void (code !== undefined && codes.set(to, code)) },
    payments: stripePayments({
      ...{ secretKey: stripe.secretKey, webhookSecret: WEBHOOK_SECRET, mode: 'test', apiUrl: stripe.url },
    }),
  });
  stripe.addEndpoint({ url: `${service.baseUrl}/payments/stripe/webhook`, secret: WEBHOOK_SECRET });
  const site = await openSellingSite({ service, clock });
  return {
    ...{ clock, service, site, stripe },
    async signIn(page: Page, email: string) {
      await page.getByLabel('E-mail address').fill(email);
      await page.getByRole('button', { name: /code/i }).click();
      await expect(page.getByLabel('Six-digit code')).toBeVisible();
      await expect.poll(() => codes.get(email)).toBeDefined();
      await page.getByLabel('Six-digit code').fill(codes.get(email) ?? '');
      await page.getByRole('button', { name: 'Sign in' }).click();
    },
    async close() {
      site.close();
      await service.close();
      await stripe.close();
    },
  };
}

async function openSqlite() {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-stripe-'));
  const close = async () => rmSync(folder, { recursive: true });
  return { database: `sqlite:${join(folder, 'service.sqlite')}`, close };
}

for (const [engine, openDatabase, tag] of [
  ['SQLite', openSqlite, [JOURNEY]],
  ['PostgreSQL', startPostgresServer, []],
] as const) {
  test(`a visitor pays with Stripe, the gate opens before the webhook, and a refund closes it, on ${engine}`, {
    tag: [...tag],
  }, async ({ page }) => {
    const { database, close } = await openDatabase();
    const shop = await openShop(database);
    const { site, stripe, service, clock } = shop;
    try {
      await page.goto(`${site.origin}/members`);
      await shop.signIn(page, users.ben.email);
      await page.getByRole('button', { name: 'Allow' }).click();
      await expect(page.getByRole('heading', { name: 'This page is for members' })).toBeVisible();
      await page.getByRole('link', { name: 'Get access' }).click();
      await page.getByRole('button', { name: 'Monthly: €9 per month' }).click();

      // The site sends the visitor to Stripe's page. The first card is declined, the second asks the bank.
      await expect(page).toHaveURL(new RegExp(`^${stripe.url}/c/pay/`));
      stripe.holdWebhooks(true);
      await page.getByRole('button', { name: 'Pay with a card that is declined' }).click();
      await page.getByRole('button', { name: 'Pay with 3-D Secure' }).click();
      await expect(page.getByRole('heading', { name: 'Your bank' })).toBeVisible();
      await page.getByRole('button', { name: 'Complete' }).click();

      await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
      await page.getByRole('link', { name: /^Continue to localhost/ }).click();
      const table = page.getByRole('heading', { name: 'The table is set' });
      await expect(table).toBeVisible();
      await expect(page).toHaveURL(`${site.origin}/members`);
      stripe.holdWebhooks(false);
      await stripe.delivered();
      await page.reload();
      await expect(table).toBeVisible();

      // Stripe's dashboard gives the money back.
      const before = site.delivered.length;
      const [charge] = stripe.account.charges.values();
      stripe.account.refund({ payment_intent: String(charge?.payment_intent) });
      await stripe.delivered();
      await service.runBackgroundWork();
      const types = () => site.delivered.slice(before).map((headers) => headers['x-svc-event-type']);
      await expect.poll(types).toContain('membership.updated');
      clock.advance(CACHED_MS);
      await page.goto(`${site.origin}/members`);
      await expect(page.getByRole('heading', { name: 'This page is for members' })).toBeVisible();
      expect(stripe.account.charges.size).toBe(1);
    } finally {
      await shop.close();
      await close();
    }
  });
}

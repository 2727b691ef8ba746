import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LatchkeyClient } from '@latchkey/client';
import {
  CLIENT_SECRET,
  CONFIDENTIAL_CLIENT,
  fakeUser,
  type RunningFakeService,
  startFakeService,
} from '@latchkey/conformance/scripted-service';
import { latchkey, memoryDirectory } from '@latchkey/express';
import { expect } from '@playwright/test';
import express from 'express';
import { test as base } from './calm-press.js';
import { loginOf, signInButton } from './world.js';

const SERVICE_NAMES = { apiKeyPrefix: 'acme_', headerPrefix: 'X-Acme-', messenger: 'telegram' };
const SECRET = 'a1'.repeat(32);
const DAY = 24 * 3_600_000;
/** The widget's files, which the site serves itself. */
const FILES = dirname(fileURLToPath(import.meta.resolve('@latchkey/widget/callback.js')));

interface Site {
  origin: string;
  service: RunningFakeService;
  /** Types of the events that reached a handler. */
  events: string[];
  advance(milliseconds: number): void;
}

/** A site with the kit and the widget, at a service that reads the specification in another way, under other names. */
const test = base.extend<{ site: Site }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
  site: async ({}, use) => {
    let now = Date.now();
    const clock = { now: () => now };
    const service = await startFakeService({ reading: 'second', serviceNames: SERVICE_NAMES, clock });
    const app = express();
    const server = createServer(app);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const origin = `http://localhost:${port}`;
    service.visitor = fakeUser('ada@example.com');
    const events: string[] = [];
    const advance = (milliseconds: number) => {
      now += milliseconds;
    };
    mountSite(app, { origin, service, clock, events });
    await use({ origin, service, events, advance });
    await service.close();
    server.closeAllConnections();
    server.close();
  },
});

function mountSite(
  app: express.Express,
  { origin, service, clock, events }: Omit<Site, 'advance'> & { clock: { now(): number } },
): void {
  const { id: communityId } = service.addCommunity();
  const plan = service.addPlan({ communityId, days: 30 });
  service.addWebhook({ url: `${origin}/webhooks`, secret: SECRET, communityId });
  const names = { serviceUrl: service.url, serviceNames: SERVICE_NAMES };
  const auth = latchkey({
    ...{ ...names, appUrl: origin, clock, directory: memoryDirectory() },
    ...{ clientId: CONFIDENTIAL_CLIENT, clientSecret: CLIENT_SECRET },
    cookieSecret: 'a secret of this test only, and long enough',
    logger: { warn: () => {}, error: () => {} },
  });
  const client = new LatchkeyClient({ ...names, apiKey: `acme_${'k'.repeat(43)}` });
  app.all(
    '/webhooks',
    auth.webhooks({
      communities: { [communityId]: SECRET },
      readMembership: ({ body }) => readBody(body),
      other: ({ type }) => void events.push(type),
    }),
  );
  const onSale = { id: plan.id, communityId, name: 'Monthly', price: '€9', term: 'per month' };
  app.use(auth.router, auth.checkout({ client, plans: [onSale] }));
  app.use('/latchkey', express.static(FILES));
  app.get('/members', auth.requireMembership({ communityId }), (_request, response) => {
    response.send('<h1>The members page</h1>');
  });
  app.get('/', (_request, response) => {
    const attributes = `client-id="${CONFIDENTIAL_CLIENT}" service-url="${service.url}" backend="/auth"`;
    response.send(`<!doctype html><html lang="en"><title>Shop</title>
      <script src="/latchkey/latchkey-plans.js" defer></script>
      <script src="/latchkey/latchkey.js" defer></script>
      <latchkey-login ${attributes} mode="redirect"></latchkey-login>
      <latchkey-gate ${attributes} mode="redirect" community="${communityId}"><p>The table is set</p></latchkey-gate>
      <form method="post" action="/auth/checkout"><input type="hidden" name="plan" value="${plan.id}">
      <input type="hidden" name="returnTo" value="/"><button>Buy</button></form></html>`);
  });
}

/** The body of the second reading, at places that the default reader does not know. */
function readBody(body: unknown): { membershipId: string } | undefined {
  const object: unknown = Reflect.get(Object(body), 'object');
  const membershipId: unknown = Reflect.get(Object(object), 'membership_id');
  return typeof membershipId === 'string' ? { membershipId } : undefined;
}

test('a visitor signs in, buys, passes the gates, stays signed in and signs out at another service', async ({
  page,
  site,
}) => {
  await page.goto(site.origin);
  await signInButton(page).click();
  await expect(loginOf(page)).toContainText('ada@example.com');
  const table = page.getByText('The table is set');
  await expect(table).toBeHidden();

  await page.getByRole('button', { name: 'Buy' }).click();
  await page.getByRole('button', { name: 'Pay' }).click();
  await expect(page).toHaveURL(`${site.origin}/`);
  await expect(table).toBeVisible();
  await site.service.settled();
  expect(site.events.toSorted()).toEqual(['membership.created', 'payment.success']);
  await page.goto(`${site.origin}/members`);
  await expect(page.getByRole('heading')).toHaveText('The members page');

  site.advance(2 * DAY);
  await page.goto(`${site.origin}/members`);
  await expect(page.getByRole('heading')).toHaveText('The members page');
  expect(site.service.forms().map((form) => form.get('grant_type'))).toContain('refresh_token');

  await page.goto(site.origin);
  await loginOf(page).getByRole('button', { name: 'ada@example.com' }).click();
  await loginOf(page).getByRole('button', { name: 'Sign out' }).click();
  await expect(signInButton(page)).toBeVisible();
  await expect(table).toBeHidden();
  const headers = { accept: 'application/json' };
  expect((await page.request.get(`${site.origin}/members`, { headers })).status()).toBe(401);
});

import { createServer } from 'node:http';
import { LatchkeyClient } from '@latchkey/client';
import {
  CLIENT_SECRET,
  CONFIDENTIAL_CLIENT,
  type FakeCommunity,
  type FakePlan,
  type FakeServiceOptions,
  type FakeUser,
  type RunningFakeService,
  startFakeService,
} from '@latchkey/conformance/scripted-service';
import express from 'express';
import {
  type CheckoutPlan,
  type Latchkey,
  latchkey,
  type MembershipDirectory,
  memoryDirectory,
  recordingClient,
} from '../../src/index.js';
import type { WebhookOptions } from '../../src/webhooks/index.js';
import { Browser, NAVIGATION, type Page } from '../browser.js';
import { COOKIE_SECRET } from '../cookie-secret.js';
import { listen } from '../listen.js';
import { type ManualClock, manualClock } from '../manual-clock.js';

/** Days of access of the plan that the shop sells. */
export const PLAN_DAYS = 3;

/** An app that sells memberships of one of two communities, whose service keeps state. */
export interface LiveShop {
  url: string;
  service: RunningFakeService;
  /** The community that the shop sells. Its events arrive at the shop. */
  community: FakeCommunity;
  /** Another community of the same seller. Its events arrive at the shop, too. */
  otherCommunity: FakeCommunity;
  otherPlan: FakePlan;
  clock: ManualClock;
  auth: Latchkey;
  directory: MembershipDirectory;
  client: LatchkeyClient;
  browser: Browser;
  log: { level: 'warn' | 'error'; message: string; details: unknown }[];
  /** Types and ids of the events that reached a handler. */
  events: { type: string; id: string }[];
  open(path: string): Promise<Page>;
  status(path: string): Promise<number>;
  signIn(user: FakeUser): Promise<Page>;
  /** Orders the plan as the form of the shop does. Returns the address of the checkout. */
  order(returnTo?: string): Promise<string>;
  /** Pays at the page of the checkout, and opens the page to which the buyer returns. */
  pay(checkoutUrl: string): Promise<Page>;
  close(): Promise<void>;
}

export interface LiveShopSetup {
  service?: FakeServiceOptions;
  webhooks?: Partial<WebhookOptions>;
  directory?: MembershipDirectory;
  /** Another process of the same app. */
  beside?: Pick<LiveShop, 'url' | 'service' | 'clock' | 'community' | 'otherCommunity' | 'otherPlan'>;
}

/** Reads the body of the second reading. The default reader reads that of the first one. */
const readSecondBody: NonNullable<WebhookOptions['readMembership']> = ({ body }) => {
  const object: unknown = Reflect.get(Object(body), 'object');
  const membershipId: unknown = Reflect.get(Object(object), 'membership_id');
  return typeof membershipId === 'string' ? { membershipId } : undefined;
};

export async function openLiveShop({
  service: serviceOptions = {},
  webhooks = {},
  directory = memoryDirectory(),
  beside,
}: LiveShopSetup = {}): Promise<LiveShop> {
  const clock = beside?.clock ?? manualClock();
  const service = beside?.service ?? (await startFakeService({ clock, ...serviceOptions }));
  const community = beside?.community ?? service.addCommunity();
  const otherCommunity = beside?.otherCommunity ?? service.addCommunity();
  const { id: communityId } = community;
  const otherPlan = beside?.otherPlan ?? service.addPlan({ communityId: otherCommunity.id });
  const plan = service.addPlan({ communityId, days: PLAN_DAYS });
  const app = express();
  app.set('env', 'test');
  const { url, close } = await listen(createServer(app));
  const log: LiveShop['log'] = [];
  const events: LiveShop['events'] = [];
  const secrets = { [communityId]: 'a1'.repeat(32), [otherCommunity.id]: 'b2'.repeat(32) };
  for (const [id, secret] of Object.entries(secrets)) {
    service.addWebhook({ url: `${url}/webhooks`, secret, communityId: id });
  }
  const { serviceNames } = service;
  const auth = latchkey({
    ...{ serviceUrl: service.url, serviceNames, appUrl: beside?.url ?? url, directory, clock },
    ...{ clientId: CONFIDENTIAL_CLIENT, clientSecret: CLIENT_SECRET, cookieSecret: COOKIE_SECRET },
    checkClientAtStart: false,
    logger: {
      warn: (message, details) => log.push({ level: 'warn', message, details }),
      error: (message, details) => log.push({ level: 'error', message, details }),
    },
  });
  const apiKey = `${serviceNames.apiKeyPrefix}${'k'.repeat(43)}`;
  const client = new LatchkeyClient({ serviceUrl: service.url, serviceNames, apiKey, clock });
  const onSale: CheckoutPlan = { id: plan.id, communityId, name: 'Monthly', price: '€9', term: 'a month' };
  app.all(
    '/webhooks',
    auth.webhooks({
      communities: secrets,
      store: 'memory',
      ...(service.settings.reading === 'second' ? { readMembership: readSecondBody } : {}),
      other: ({ type, id }) => void events.push({ type, id }),
      ...webhooks,
    }),
  );
  app.use(auth.router, auth.checkout({ client, plans: [onSale], holdSeconds: 1 }));
  app.get('/', (request, response) => {
    response.send(request.latchkey?.signedIn ? `Hello ${request.latchkey.user?.sub}` : 'Hello stranger');
  });
  app.get('/token', async (request, response) => {
    const token = await request.latchkey?.accessToken().catch(() => undefined);
    response.send(service.isLiveAccessToken(token ?? '') ? 'A live token' : 'No token');
  });
  app.get('/members', auth.requireMembership({ communityId }), (_request, response) => {
    response.send('The table is set');
  });
  app.get('/other', auth.requireMembership({ communityId: otherCommunity.id }), (_request, response) => {
    response.send('The other table is set');
  });
  // The directory in memory is logged at the start.
  log.length = 0;
  const browser = new Browser();
  const open = (path: string) => browser.open(`${url}${path}`);

  return {
    ...{ url, service, community, otherCommunity, otherPlan, clock, auth, directory },
    client: recordingClient(client, directory),
    ...{ browser, log, events, open },
    status: async (path) => (await open(path)).status,
    async signIn(user) {
      service.visitor = user;
      return open('/auth/login');
    },
    async order(returnTo = '/members') {
      const page = await browser.request(`${url}/auth/checkout`, {
        method: 'POST',
        headers: {
          ...NAVIGATION,
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'same-origin',
        },
        body: `${new URLSearchParams({ plan: plan.id, returnTo })}`,
      });
      return page.headers.get('location') ?? `no checkout: ${page.status} ${page.text}`;
    },
    async pay(checkoutUrl) {
      const paid = await fetch(`${checkoutUrl}/pay`, { method: 'POST', redirect: 'manual' });
      return browser.open(paid.headers.get('location') ?? '');
    },
    async close() {
      await close();
      if (beside === undefined) await service.close();
    },
  };
}

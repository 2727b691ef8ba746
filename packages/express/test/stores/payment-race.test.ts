import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { LatchkeyClient } from '@latchkey/client';
import { readRequest } from '@latchkey/conformance/scripted-service';
import { type RunningSandbox, sandboxScenario, seedSandbox, startSandbox } from '@latchkey/sandbox';
import { createManualClock, type ManualClock } from '@latchkey/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from '../browser.js';
import { formIn, hiddenFields, pay } from '../checkout/market.js';
import { COOKIE_SECRET } from '../cookie-secret.js';
import { listen } from '../listen.js';
import { type AppProcesses, startProcesses } from './app-processes.js';
import { createDatabase, openRedis, type StoreKind, storesOfRace } from './store-servers.js';

const PROCESSES = 3;
/** Rounds of each timing on each store. `LATCHKEY_ROUNDS` sets another number for a longer run. */
const ROUNDS = Number(process.env.LATCHKEY_ROUNDS ?? 3);
const APP_URL = 'http://shop.localhost';
/** Time between the first visit and the return of a buyer. */
const PAYING_MS = 30_000;
const silent = { info: () => {}, warn: () => {}, error: () => {} };
const { apiKey, community, confidentialClient, plans, users, webhooks } = sandboxScenario;

interface World {
  sandbox: RunningSandbox;
  clock: ManualClock;
  app: AppProcesses;
  /** Members of other communities: one of another seller, and one of this site's other community. */
  strangers: readonly Browser[];
  /** Sends all due webhooks, each to the next process. */
  deliver(): Promise<void>;
  close(): Promise<void>;
}

async function startWorld(kind: StoreKind): Promise<World> {
  const clock = createManualClock(Date.now());
  const sandbox = await startSandbox({ port: 0, clock, logger: silent, backgroundWork: false });
  await seedSandbox(sandbox, { scriptTagShop: 'http://localhost:1', backendShop: APP_URL });
  await sandbox.runBackgroundWork();
  const { operator } = sandbox;
  const { id: otherCommunity } = await operator.createCommunity({ ownerId: users.dana.id, name: 'Tea club' });
  const store = await openDirectoryServer(kind);
  let urls: readonly string[] = [];
  let deliveries = 0;
  const front = await listen(
    createServer(async (request, response) => {
      const { headers, body } = await readRequest(request);
      deliveries += 1;
      const target = `${urls[deliveries % urls.length]}/webhooks`;
      const answer = await fetch(target, { method: 'POST', headers: signedHeaders(headers), body });
      response.writeHead(answer.status).end(await answer.text());
    }),
  );
  const url = `${front.url}/webhooks`;
  await operator.change('webhooks', webhooks.community.id, { url });
  const other = { ownerId: users.dana.id, communityId: otherCommunity, url };
  const { secret } = await operator.createWebhook(other);
  const app = await startProcesses(new URL('./payment-process.mjs', import.meta.url), {
    count: PROCESSES,
    options: {
      store: store.address,
      communityId: community.id,
      communities: { [community.id]: webhooks.community.secret, [otherCommunity]: secret },
      serviceUrl: sandbox.baseUrl,
      clientId: confidentialClient.clientId,
      clientSecret: confidentialClient.clientSecret,
      appUrl: APP_URL,
      cookieSecret: COOKIE_SECRET,
      now: clock.now(),
    },
  });
  urls = app.urls;
  const { id: foreignCommunity } = await operator.createCommunity({ ownerId: users.ben.id, name: 'Bait' });
  const strangers = await Promise.all(
    [foreignCommunity, otherCommunity].map(async (communityId, index) => {
      const email = `stranger-${index}@example.com`;
      const { id: userId } = await operator.createUser({ email });
      await operator.grantMembership({ userId, productType: 'community', communityId });
      return signIn(sandbox, { email, url: urls[index] ?? '' });
    }),
  );
  await sandbox.runBackgroundWork();
  return {
    sandbox,
    clock,
    app,
    strangers,
    deliver: () => sandbox.runBackgroundWork(),
    async close() {
      await app.stop();
      await front.close();
      await sandbox.close();
      await store.close();
    },
  };
}

async function openDirectoryServer(kind: StoreKind) {
  if (kind === 'Redis') return openRedis();
  const { url, drop } = await createDatabase();
  return { address: { kind, url, prefix: '' }, close: drop };
}

const signedHeaders = (headers: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith('x-svc-') || name === 'content-type' ? [[name, String(value)]] : [],
    ),
  );

/** Signs in by redirect at one process. */
async function signIn(
  { baseUrl }: RunningSandbox,
  { email, url }: { email: string; url: string },
): Promise<Browser> {
  const browser = new Browser();
  browser.hosts.set('shop.localhost', url);
  const headers = { origin: baseUrl, 'content-type': 'application/x-www-form-urlencoded' };
  const post = (path: string, fields: Record<string, string>) =>
    browser.open(`${baseUrl}${path}`, { method: 'POST', headers, body: `${new URLSearchParams(fields)}` });
  await browser.request(`${baseUrl}/sandbox/sign-in`, {
    ...{ method: 'POST', headers },
    body: `${new URLSearchParams({ email, continue: '/account' })}`,
  });
  const consent = await browser.open(`${APP_URL}/auth/login?returnTo=/`);
  const form = hiddenFields(formIn(consent.text, '/oauth/consent'));
  expect((await post('/oauth/consent', { ...form, decision: 'allow' })).text).toBe('Hello');
  return browser;
}

/** Opens a path at a process of the app. Resolves with the status. */
async function statusAt(browser: Browser, url: string | undefined, path: string): Promise<number> {
  return (await browser.request(`${url}${path}`, { headers: { accept: 'text/html' } })).status;
}

const timings = {
  before: async (world: World, welcome: () => Promise<number>) => {
    await world.deliver();
    await admitted(welcome);
  },
  during: async (world: World, welcome: () => Promise<number>) => {
    const returned = admitted(welcome);
    await pause(Math.random() * 300);
    await world.deliver();
    await returned;
  },
  // A delivery contains the events of all buyers, so every buyer waits before the first one.
  after: async (world: World, welcome: () => Promise<number>, allWait: () => Promise<void>) => {
    expect(await welcome()).toBe(202);
    await allWait();
    await world.deliver();
    await admitted(welcome);
  },
};

/** Returns a function that resolves when it was called `count` times. */
function barrier(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let calls = 0;
  return () => {
    calls += 1;
    if (calls === count) resolve();
    return promise;
  };
}

/** Opens the page of `awaitMembership`, which reloads itself while the payment is pending. */
async function admitted(welcome: () => Promise<number>): Promise<void> {
  let status = await welcome();
  for (let reloads = 0; status === 202 && reloads < 10; reloads += 1) status = await welcome();
  expect(status).toBe(200);
}

const STORES = storesOfRace<StoreKind>(['Redis', 'PostgreSQL']);

describe.each(STORES)('three processes with a directory in %s', (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld(kind);
  }, 60_000);
  afterAll(() => world.close());

  it.each(['before', 'during', 'after'] as const)(
    'admit everyone who paid and nobody else, with the webhook %s the return',
    { timeout: 60_000 },
    async (timing) => {
      const { sandbox, app, clock, strangers } = world;
      const service = new LatchkeyClient({ serviceUrl: sandbox.baseUrl, apiKey, clock });
      const anyProcess = () => app.urls[Math.floor(Math.random() * PROCESSES)];
      const strangersAt = async (path: string) =>
        Promise.all(strangers.map((stranger) => statusAt(stranger, anyProcess(), path)));

      const buyers = await Promise.all(
        Array.from({ length: ROUNDS }, async (_each, round) => {
          const email = `buyer-${timing}-${round}@example.com`;
          await sandbox.operator.createUser({ email });
          return { email, browser: await signIn(sandbox, { email, url: anyProcess() ?? '' }) };
        }),
      );
      // Every process caches that the buyers are no members yet.
      for (const { browser } of buyers) {
        const refused = await Promise.all(app.urls.map((url) => statusAt(browser, url, '/members')));
        expect(refused).toEqual([403, 403, 403]);
      }
      clock.advance(PAYING_MS);
      await app.setTime(clock.now());

      for (const { email } of buyers) {
        const { checkoutUrl } = await service.buyPlan({
          ...{ communityId: community.id, pricingPlanId: plans.monthly.id, externalId: `order of ${email}` },
          ...{ email, successUrl: `${APP_URL}/welcome`, cancelUrl: `${APP_URL}/` },
        });
        await pay(new Browser(), checkoutUrl, 'card-4242');
      }
      const allWait = barrier(buyers.length);
      await Promise.all(
        buyers.map(async ({ browser }) => {
          await timings[timing](world, () => statusAt(browser, anyProcess(), '/welcome'), allWait);
          const opened = await Promise.all(app.urls.map((url) => statusAt(browser, url, '/members')));
          expect(opened).toEqual([200, 200, 200]);
          expect(await strangersAt('/members')).toEqual([403, 403]);
        }),
      );
      expect(await strangersAt('/welcome')).not.toContain(200);
    },
  );
});

import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  CLIENT_SECRET,
  CONFIDENTIAL_CLIENT,
  type FakeUser,
  fakeMembership,
  fakeUser,
  type RunningFakeService,
  startFakeService,
} from '@latchkey/conformance/scripted-service';
import pg from 'pg';
import { createClient } from 'redis';
import { describe, expect, inject, it } from 'vitest';
import {
  type MembershipDirectory,
  postgresDirectory,
  redisDirectory,
  sqliteDirectory,
} from '../../src/index.js';
import { exampleEvent, signWebhook } from '../../src/testing/index.js';
import { Browser } from '../browser.js';
import { COMMUNITY } from '../community-directory.js';
import { COOKIE_SECRET } from '../cookie-secret.js';
import { SECRET } from '../webhooks/endpoint.js';
import { createDatabase, storesOfRace } from './store-servers.js';

const PROCESS = new URL('./directory-process.mjs', import.meta.url);
const PROCESSES = 3;
/** Rounds of each race. `LATCHKEY_ROUNDS` sets another multiple of {@link CONCURRENT} for a longer run. */
const ROUNDS = Number(process.env.LATCHKEY_ROUNDS ?? 20);
/** Rounds at the same time. */
const CONCURRENT = 20;

interface SharedDirectory {
  address: { kind: string; address: string; key?: string };
  directory: MembershipDirectory;
  close(): Promise<void>;
}

async function onSqlite(): Promise<SharedDirectory> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-race-'));
  const file = join(folder, 'memberships.sqlite');
  const directory = sqliteDirectory(file);
  return {
    address: { kind: 'SQLite', address: file },
    directory,
    async close() {
      await directory.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function onPostgres(): Promise<SharedDirectory> {
  const { url, drop } = await createDatabase();
  const pool = new pg.Pool({ connectionString: url });
  pool.on('error', () => {});
  return {
    address: { kind: 'PostgreSQL', address: url },
    directory: postgresDirectory(pool),
    close: () => pool.end().then(drop),
  };
}

async function onRedis(): Promise<SharedDirectory> {
  const [url, key] = [inject('redis'), `t${randomBytes(6).toString('hex')}`];
  const client = createClient({ url });
  await client.connect();
  return {
    address: { kind: 'Redis', address: url, key },
    directory: redisDirectory(client, { key }),
    close: async () => client.destroy(),
  };
}

function startProcess(address: SharedDirectory['address'], more: object): ChildProcess {
  const options = {
    directory: address,
    communityId: COMMUNITY,
    secret: SECRET,
    clientId: CONFIDENTIAL_CLIENT,
    clientSecret: CLIENT_SECRET,
    appUrl: 'http://shop.localhost',
    cookieSecret: COOKIE_SECRET,
    ...more,
  };
  return fork(PROCESS, [JSON.stringify(options)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

interface App {
  service: RunningFakeService;
  urls: readonly string[];
  close(): Promise<void>;
}

async function startApp(address: SharedDirectory['address']): Promise<App> {
  const service = await startFakeService({ clock: { now: () => Date.now() } });
  const children = Array.from({ length: PROCESSES }, () =>
    startProcess(address, { serviceUrl: service.url }),
  );
  const ports = await Promise.all(
    children.map(async (child) => ((await once(child, 'message')) as [{ port: number }])[0].port),
  );
  return {
    service,
    urls: ports.map((port) => `http://127.0.0.1:${port}`),
    async close() {
      await Promise.all(children.map(stop));
      await service.close();
    },
  };
}

const anyOf = (urls: readonly string[]) => urls[randomInt(urls.length)] ?? '';

async function signIn({ service, urls }: App, user: FakeUser): Promise<Browser> {
  const browser = new Browser();
  browser.hosts.set('shop.localhost', anyOf(urls));
  service.visitor = user;
  await browser.open('http://shop.localhost/auth/login?returnTo=/');
  return browser;
}

const ORDERS = ['before', 'during', 'after'] as const;

interface Buyer {
  buyer: FakeUser;
  browser: Browser;
}

/** Signs in one after the other, because the service has one visitor at a time. */
async function signInBuyers(app: App): Promise<Buyer[]> {
  const buyers: Buyer[] = [];
  for (let index = 0; index < CONCURRENT; index += 1) {
    const buyer = fakeUser(`buyer-${index}@example.com`);
    buyers.push({ buyer, browser: await signIn(app, buyer) });
  }
  return buyers;
}

/** A visitor pays and returns. Resolves with the statuses of `/welcome`, and of `/members` at each process. */
async function buy(
  { urls }: App,
  { buyer, browser }: Buyer,
  order: (typeof ORDERS)[number],
): Promise<number[]> {
  // Each process has seen the visitor without a membership.
  const refused = await Promise.all(urls.map((url) => browser.request(`${url}/members`)));
  expect(refused.map(({ status }) => status)).toEqual(urls.map(() => 403));
  const paid = fakeMembership({ validFrom: '2026-01-01T00:00:00.000Z' });
  const pay = () => buyer.memberships.push(paid);
  const deliver = async () => {
    const event = exampleEvent('membership.created', {
      communityId: COMMUNITY,
      membership: { id: paid.id },
      user: { sub: buyer.sub },
    });
    expect((await fetch(`${anyOf(urls)}/webhooks`, signWebhook(event, { secret: SECRET }))).status).toBe(200);
  };
  const comeBack = () => browser.request(`${anyOf(urls)}/welcome`);
  let welcome: Promise<{ status: number }>;
  if (order === 'before') {
    pay();
    await deliver();
    welcome = comeBack();
  } else if (order === 'during') {
    pay();
    welcome = comeBack();
    await pause(randomInt(100));
    await deliver();
  } else {
    welcome = comeBack();
    await pause(randomInt(400));
    if (randomInt(2) === 0) pay();
    await deliver();
    if (!buyer.memberships.includes(paid)) pay();
  }
  const { status } = await welcome;
  const opened = await Promise.all(urls.map((url) => browser.request(`${url}/members`)));
  return [status, ...opened.map((page) => page.status)];
}

const DIRECTORIES = [
  { store: 'PostgreSQL', open: onPostgres },
  { store: 'SQLite', open: onSqlite },
  { store: 'Redis', open: onRedis },
];

describe.each(storesOfRace(DIRECTORIES))('three processes with a directory in $store', ({ open }) => {
  it('admit each buyer after awaitMembership, and never a stranger', { timeout: 180_000 }, async () => {
    const shared = await open();
    const app = await startApp(shared.address);
    const stranger = await signIn(app, fakeUser('ben@example.com', [fakeMembership()]));
    const results: Record<string, number> = {};
    let isOver = false;
    const intruding = (async () => {
      const statuses = new Set<number>();
      while (!isOver) {
        statuses.add((await stranger.request(`${anyOf(app.urls)}/members`)).status);
        await pause(20);
      }
      return statuses;
    })();
    for (let round = 0; round < ROUNDS; round += CONCURRENT) {
      const buyers = await signInBuyers(app);
      const batch = buyers.map((each, index) =>
        buy(app, each, ORDERS[(round + index) % ORDERS.length] ?? 'before'),
      );
      for (const statuses of await Promise.all(batch)) {
        results[statuses.join()] = (results[statuses.join()] ?? 0) + 1;
      }
    }
    isOver = true;
    expect(results).toEqual({ '200,200,200,200': ROUNDS });
    expect([...(await intruding)]).toEqual([403]);
    await app.close();
    await shared.close();
  });
});

describe.each(DIRECTORIES)('a process with a directory in $store', ({ open }) => {
  it('stores the records of one call all or none when it is killed', {
    timeout: 120_000,
  }, async () => {
    const { address, directory, close } = await open();
    for (let kill = 0; kill < 3; kill += 1) {
      const child = startProcess(address, { serviceUrl: 'https://service.example', crash: true });
      let recorded = -1;
      child.on('message', (message: { recorded?: number }) => {
        recorded = message.recorded ?? recorded;
      });
      await expect.poll(() => recorded, { interval: 1, timeout: 30_000 }).toBeGreaterThan(5 + kill);
      await stop(child);
      const ids = Array.from({ length: recorded + 20 }, (_, pair) => [`a-${pair}`, `b-${pair}`]);
      const found = await directory.find(ids.flat());
      const halves = ids.map((pair) => pair.filter((id) => found.has(id)).length);
      expect(halves.filter((count) => count === 1)).toEqual([]);
      // What was acknowledged is stored.
      expect(halves.slice(0, recorded + 1).every((count) => count === 2)).toBe(true);
      await directory.remove(ids.flat());
    }
    await close();
  });
});

import { createHash, randomBytes } from 'node:crypto';
import {
  CONFIDENTIAL_CLIENT,
  type FakeUser,
  fakeMembership,
  fakeUser,
  type RunningFakeService,
  startFakeService,
} from '@latchkey/conformance/scripted-service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loseEveryTenthRefresh } from '../lost-responses.js';
import { HOUR, manualClock } from '../manual-clock.js';
import { startShop } from '../shop.js';
import { type AppProcesses, startAppProcesses } from './app-processes.js';
import { type OpenStore, openStore, type StoreKind, storesOfRace } from './store-servers.js';

/** Rounds of each race. `LATCHKEY_ROUNDS` sets another number for a longer run. */
const ROUNDS = Number(process.env.LATCHKEY_ROUNDS ?? 12);

const PROCESSES = 3;
const REQUESTS = 50;

interface World {
  clock: ReturnType<typeof manualClock>;
  service: RunningFakeService;
  ada: FakeUser;
  store: OpenStore;
  app: AppProcesses;
}

async function startWorld(kind: StoreKind, hasLock: boolean): Promise<World> {
  const clock = manualClock();
  const service = await startFakeService({ clock });
  const store = await openStore(kind);
  const app = await startAppProcesses({
    count: PROCESSES,
    store: store.address,
    service,
    now: clock.now(),
    hasLock,
  });
  return { clock, service, ada: fakeUser('ada@example.com', [fakeMembership()]), store, app };
}

async function stopWorld({ app, store, service }: World): Promise<void> {
  await app.stop();
  await store.close();
  await service.close();
}

/** Signs in at one of the processes as the widget does. Returns the cookie. */
async function signIn({ service, ada, app }: World): Promise<string> {
  const codeVerifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(codeVerifier).digest('base64url');
  const redirectUri = `${service.url}/widget/callback/${CONFIDENTIAL_CLIENT}`;
  const code = service.issueCode({ user: ada, clientId: CONFIDENTIAL_CLIENT, redirectUri, challenge });
  const answer = await fetch(`${app.urls[0]}/auth/exchange`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ code, codeVerifier, redirectUri }),
  });
  expect(answer.status, await answer.text()).toBe(200);
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** Returns the statuses of parallel requests, distributed over the processes. */
async function atOnce(urls: readonly string[], cookie: string): Promise<number[]> {
  return Promise.all(
    Array.from({ length: REQUESTS }, async (_, index) => {
      const path = index % 2 === 0 ? '/members' : '/account';
      const response = await fetch(`${urls[index % urls.length]}${path}`, { headers: { cookie } });
      await response.arrayBuffer();
      return response.status;
    }),
  );
}

const refreshes = (service: RunningFakeService) =>
  service.forms().filter((form) => form.get('grant_type') === 'refresh_token').length;
const all = (status: number) => Array(REQUESTS).fill(status);

describe.each(storesOfRace<StoreKind>(['PostgreSQL', 'Redis']))('three processes on %s', (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld(kind, true);
  }, 60_000);
  afterAll(() => stopWorld(world));

  it('renew a session once for 50 parallel requests, round after round, while the slow service loses every tenth response: no visitor is signed out while the refresh token is valid', {
    tags: ['credentials.refresh-rotates', 'credentials.refresh-replay-invalid-grant'],
    timeout: 120_000,
  }, async () => {
    const { service, clock, app } = world;
    const lost = loseEveryTenthRefresh(service);
    let cookie = await signIn(world);
    for (let round = 1; round <= ROUNDS; round += 1) {
      clock.advance(HOUR);
      await app.setTime(clock.now());
      const asked = refreshes(service);
      const statuses = await atOnce(app.urls, cookie);
      const fate = lost.shift();
      // A lost request and a lost response look the same, so both are sent once more.
      expect(refreshes(service) - asked, `refreshes of round ${round}`).toBe(fate === undefined ? 1 : 2);
      expect(statuses, `round ${round}, ${fate} lost`).toEqual(all(fate === 'response' ? 401 : 200));
      // The lost response contained the only valid pair.
      if (fate === 'response') cookie = await signIn(world);
    }
    expect(refreshes(service)).toBeGreaterThanOrEqual(Math.floor(ROUNDS * 1.1));
  });
});

describe('three processes without a lock', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld('Redis', false);
  }, 60_000);
  afterAll(() => stopWorld(world));

  it('may send a token several times, and a rejected process finds the successor in the store', {
    tags: ['credentials.refresh-replay-no-cascade'],
    timeout: 60_000,
  }, async () => {
    const { service, clock, app } = world;
    service.on('/oauth/token', () => ({ kind: 'slow', delayMs: 30 }));
    const cookie = await signIn(world);
    for (let round = 1; round <= ROUNDS; round += 1) {
      clock.advance(HOUR);
      await app.setTime(clock.now());
      expect(await atOnce(app.urls, cookie), `round ${round}`).toEqual(all(200));
    }
    expect(refreshes(service)).toBeGreaterThanOrEqual(ROUNDS);
    expect(refreshes(service)).toBeLessThanOrEqual(ROUNDS * PROCESSES);
  });
});

describe('one process with the sealed cookie', () => {
  it('renews a session once for 50 parallel requests, round after round, while the slow service loses every tenth response', {
    tags: ['credentials.refresh-rotates'],
    timeout: 120_000,
  }, async () => {
    const shop = await startShop();
    const { service, clock, browser } = shop;
    const ada = fakeUser('ada@example.com', [fakeMembership()]);
    const lost = loseEveryTenthRefresh(service);
    await shop.signIn(ada);
    for (let round = 1; round <= ROUNDS; round += 1) {
      clock.advance(HOUR);
      const asked = refreshes(service);
      const statuses = await atOnce([shop.url], browser.headerFor('/'));
      const fate = lost.shift();
      expect(refreshes(service) - asked, `refreshes of round ${round}`).toBe(fate === undefined ? 1 : 2);
      expect(statuses, `round ${round}, ${fate} lost`).toEqual(all(fate === 'response' ? 401 : 200));
      if (fate === 'response') await shop.signIn(ada);
      // The browser accepts the cookie of any response.
      else expect((await browser.request(`${shop.url}/account`)).status).toBe(200);
    }
    await shop.close();
  });
});

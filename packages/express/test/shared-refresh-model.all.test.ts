import { setTimeout as pause } from 'node:timers/promises';
import type { TokenSet } from '@latchkey/oauth';
import { describe, expect, it } from 'vitest';
import type { ExpressSessionStore, SessionLock, StoredSession } from '../src/index.js';
import { readOptions } from '../src/options.js';
import { createSessionStore } from '../src/session/create-session-store.js';
import type { SessionStore } from '../src/session/session.js';
import { REFRESH_SKEW_MS, type RotationResult, SessionRefresher } from '../src/session/session-refresher.js';
import { COOKIE_SECRET } from './cookie-secret.js';
import { HOUR, type ManualClock, manualClock } from './manual-clock.js';

/** Returns a seeded random number generator (mulberry32). */
function randomBy(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** State that the processes share. Each response takes a random time. */
class World {
  readonly clock: ManualClock = manualClock();
  readonly records = new Map<string, StoredSession>();
  readonly random: () => number;
  /** Probability from 0 to 1 that the store fails, before or after its work. */
  failing = 0;
  /** Awaited by the token endpoint after it has rotated a token. */
  #beforeAnswer: () => Promise<void> = async () => {};
  /** Work of the store's `touch`. Some stores write the content that they receive. */
  touchRecord: (id: string, session: StoredSession) => void = () => {};
  /** The valid refresh token. */
  live = 'first';
  /** Number of requests by token. */
  readonly sent = new Map<string, number>();
  readonly discarded: string[] = [];
  readonly #holders = new Map<string, symbol>();

  constructor(seed: number) {
    this.random = randomBy(seed);
  }

  async soon(): Promise<void> {
    const ms = Math.floor(this.random() * 6);
    await (ms === 0 ? undefined : pause(ms));
  }

  readonly store: ExpressSessionStore = {
    get: (id, done) => this.#answer(() => structuredClone(this.records.get(id)), done),
    set: (id, session, done) => this.#answer(() => void this.records.set(id, session), done),
    destroy: (id, done) => this.#answer(() => void this.records.delete(id), done),
    touch: (id, session, done) => this.#answer(() => this.touchRecord(id, session), done),
  };

  async #answer(work: () => unknown, done?: (error: unknown, value?: unknown) => void): Promise<void> {
    await this.soon();
    const fails = this.random() < this.failing;
    const comesFirst = this.random() < 0.5;
    const value = fails && comesFirst ? undefined : work();
    await this.soon();
    if (fails) done?.(new Error('connection lost'));
    else done?.(null, value);
  }

  readonly lock: SessionLock = {
    acquire: async (key) => {
      await this.soon();
      if (this.#holders.has(key)) return undefined;
      const hold = Symbol(key);
      this.#holders.set(key, hold);
      await this.soon();
      return async () => {
        await this.soon();
        if (this.#holders.get(key) === hold) this.#holders.delete(key);
      };
    },
  };

  /** The token endpoint. */
  async refresh(token: string): Promise<RotationResult> {
    this.sent.set(token, (this.sent.get(token) ?? 0) + 1);
    await this.soon();
    if (token !== this.live) return { kind: 'rejected' };
    this.live = `token ${this.sent.size}`;
    const tokens = this.tokens();
    await this.#beforeAnswer();
    await this.soon();
    return { kind: 'rotated', tokens };
  }

  /** Holds the answers of the token endpoint until `answer` is called. `asked` resolves with the first rotation. */
  holdAnswer(): { asked: Promise<void>; answer: () => void } {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    this.#beforeAnswer = () => {
      asked.resolve();
      return answer.promise;
    };
    return { asked: asked.promise, answer: answer.resolve };
  }

  tokens(): TokenSet {
    return {
      accessToken: `access of ${this.live}`,
      refreshToken: this.live,
      expiresAt: this.clock.now() + HOUR,
      scopes: [],
    };
  }
}

function refreshTokenOf({ refreshToken }: TokenSet): string {
  return refreshToken ?? expect.unreachable('The service of this model always issues one.');
}

class Process {
  readonly store: SessionStore;
  readonly #world: World;
  readonly #refresher: SessionRefresher;

  constructor(world: World) {
    this.#world = world;
    const settings = readOptions({
      serviceUrl: 'https://service.example',
      clientId: `oac_${'a'.repeat(24)}`,
      appUrl: 'https://shop.example',
      cookieSecret: COOKIE_SECRET,
      session: { store: world.store, lock: world.lock },
      clock: world.clock,
      logger: { warn() {}, error() {} },
    });
    this.store = createSessionStore({
      ...settings,
      instance: 'shop',
      cookieName: 'latchkey',
      refreshTimeoutMs: 10_000,
      discard: async (tokens) => void world.discarded.push(refreshTokenOf(tokens)),
    });
    this.#refresher = new SessionRefresher({
      clock: world.clock,
      maxWaitMs: 10_000,
      rotateTokens: (token) => world.refresh(token),
      storeRefresh: (session, send) => this.store.refresh(session, send),
      cookieHoldsTokens: this.store.cookieHoldsTokens,
    });
  }

  /** Result of a request: the refresh token it continues with, or the kind of failure. */
  async request(cookie: string): Promise<string> {
    await this.#world.soon();
    try {
      const session = await this.store.open(cookie);
      if (session === undefined || this.store.hasEnded(session)) return 'signed out';
      if (session.tokens.expiresAt - this.#world.clock.now() > REFRESH_SKEW_MS)
        return refreshTokenOf(session.tokens);
      const result = await this.#refresher.refresh(session);
      return result.kind === 'renewed' ? refreshTokenOf(result.session.tokens) : result.kind;
    } catch {
      return 'unavailable';
    }
  }
}

async function start(seed: number) {
  const world = new World(seed);
  const processes = [new Process(world), new Process(world), new Process(world)] as const;
  const [first] = processes;
  const id = first.store.newId();
  const now = world.clock.now();
  const cookie = await first.store.begin({
    id,
    user: { sub: 'ada', email: null },
    tokens: world.tokens(),
    createdAt: now,
    seenAt: now,
  });
  const visits = () =>
    Promise.all(Array.from({ length: 12 }, (_, index) => processes[index % 3]?.request(cookie)));
  return { world, processes, id, cookie, visits };
}

const seeds = Array.from({ length: 40 }, (_, index) => index + 1);

describe('processes that share a store and a lock, in any sequence of events', () => {
  it.concurrent.each(seeds)(
    'send each refresh token once and all continue with its successor (%i)',
    async (seed) => {
      const { world, visits } = await start(seed);
      for (let round = 1; round <= 5; round += 1) {
        world.clock.advance(HOUR);
        expect(await visits()).toEqual(Array(12).fill(world.live));
      }
      expect([...world.sent.values()]).toEqual([1, 1, 1, 1, 1]);
    },
  );

  it.concurrent.each(seeds)('never restore a session that was signed out meanwhile (%i)', async (seed) => {
    const { world, processes, id, cookie, visits } = await start(seed);
    world.clock.advance(HOUR);
    const going = visits();
    await pause(world.random() * 30);
    await processes[Math.floor(world.random() * 3)]?.store.end(id);
    await going;
    expect(await visits()).toEqual(Array(12).fill('signed out'));
    expect([...world.records.keys()]).toEqual([expect.stringMatching(/-ended$/)]);
    expect(await processes[0].store.open(cookie)).toBeUndefined();
    expect(Math.max(0, ...world.sent.values())).toBeLessThanOrEqual(1);
  });

  it('keep what another process renewed when they retire a session, even if touch writes its content', async () => {
    const { world, processes, cookie } = await start(1);
    const [first, second, third] = processes;
    world.touchRecord = (id, session) => void (world.records.has(id) && world.records.set(id, session));
    const replaced = await first.store.open(cookie);
    if (replaced === undefined) return expect.unreachable('The session has just begun.');
    world.clock.advance(HOUR);
    expect(await second.request(cookie)).toBe('token 1');
    await first.store.retire(replaced);
    expect(await third.request(cookie)).toBe('token 1');
    expect([...world.sent.values()]).toEqual([1]);
  });

  it.each(['with', 'without'])(
    'send a token once if touch undoes a renewal that was written after the record was read, %s a lock',
    async (kind) => {
      const { world, processes, cookie } = await start(1);
      const [first, second, third] = processes;
      if (kind === 'without') world.lock.acquire = async () => async () => {};
      world.touchRecord = (id, session) => void (world.records.has(id) && world.records.set(id, session));
      const replaced = await first.store.open(cookie);
      if (replaced === undefined) return expect.unreachable('The session has just begun.');
      const touched = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      const { touch = () => {} } = world.store;
      world.store.touch = (id, session, done) => {
        world.store.touch = touch;
        touched.resolve();
        void goOn.promise.then(() => touch(id, session, done));
      };
      const { asked, answer } = world.holdAnswer();

      world.clock.advance(HOUR);
      const renewing = second.request(cookie);
      await asked;
      const retiring = first.store.retire(replaced);
      await touched.promise;
      answer();
      expect(await renewing).toBe('token 1');
      goOn.resolve();
      await retiring;
      expect(await second.request(cookie), 'the process has the renewed session').toBe('token 1');
      expect(await third.request(cookie)).toBe('ended');
      expect(await first.request(cookie)).toBe('ended');
      expect([...world.sent]).toEqual([['first', 1]]);
    },
  );

  it('do not send a rotated token again for a session that another process is deleting', async () => {
    const { world, processes, id, cookie } = await start(1);
    const [first, second, third] = processes;
    const { asked, answer } = world.holdAnswer();
    const { destroy } = world.store;
    const deleting = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    world.store.destroy = (key, done) => {
      world.store.destroy = destroy;
      deleting.resolve();
      void goOn.promise.then(() => destroy(key, done));
    };

    world.clock.advance(HOUR);
    const renewing = first.request(cookie);
    await asked;
    const ending = second.store.end(id);
    await deleting.promise;
    answer();
    expect(await renewing).toBe('ended');
    expect(await third.request(cookie)).toBe('signed out');
    goOn.resolve();
    await ending;
    expect([...world.sent]).toEqual([['first', 1]]);
  });

  it.concurrent.each(seeds)(
    'lose no successor if the store fails every third time (%i)',
    { timeout: 60_000 },
    async (seed) => {
      const { world, visits } = await start(seed);
      for (let round = 1; round <= 3; round += 1) {
        world.clock.advance(HOUR);
        world.failing = 1 / 3;
        const met = await visits();
        expect(met.filter((each) => each === 'signed out' || each === 'ended')).toEqual([]);
        world.failing = 0;
        // After the pause that follows a failure. Pending writes complete within a moment.
        world.clock.advance(10_000);
        const allHaveIt = async () => (await visits()).every((each) => each === world.live);
        while (!(await allHaveIt())) await pause(20);
      }
      expect([...world.sent.values()]).toEqual([1, 1, 1]);
    },
  );
});

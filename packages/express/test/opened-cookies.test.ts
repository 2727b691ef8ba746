import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { OpenedCookies, SealedCookieStore } from '../src/session/create-session-store.js';
import { createSeal } from '../src/session/seal.js';
import type { Session } from '../src/session/session.js';
import { COOKIE_SECRET } from './cookie-secret.js';
import { HOUR, MINUTE, manualClock } from './manual-clock.js';

const clock = manualClock();
/** Length of a `Cookie` header. Servers accept no longer ones. */
const HEADER_BYTES = 16_000;
const sessionOf = (id: string): Session => ({
  id,
  user: { sub: id, email: null },
  tokens: { accessToken: `a ${id}`, refreshToken: `r ${id}`, expiresAt: clock.now() + HOUR, scopes: [] },
  createdAt: clock.now(),
  seenAt: clock.now(),
});
const createStore = () =>
  new SealedCookieStore(createSeal([COOKIE_SECRET], 'session shop'), { cookieName: 'latchkey', clock });

it('a cookie that was opened is found by its whole value only', async () => {
  const store = createStore();
  const cookie = await store.begin(sessionOf('ada'));
  expect(store.open(cookie)).toMatchObject({ id: 'ada' });
  const [header, key, iv, content = '', tag] = cookie.split('.');
  const flipped = `${content[0] === 'A' ? 'B' : 'A'}${content.slice(1)}`;
  for (const forged of [
    [header, key, iv, flipped, tag].join('.'),
    [header, key, `${'A'.repeat(16)}`, content, tag].join('.'),
    `${tag}`,
    `x${cookie}`,
    cookie.slice(1),
  ]) {
    expect(await store.open(forged), forged).toBeUndefined();
    expect(store.idOf(forged)).toBeUndefined();
  }
  expect(store.open(cookie), 'a forgery does not replace it').toMatchObject({ id: 'ada' });
});

it('a cookie that was opened is invalid after its sign-out, and a minute after it was replaced', async () => {
  const store = createStore();
  const opened = async (id: string) => {
    const session = await store.open(await store.begin(sessionOf(id)));
    return session ?? expect.unreachable('The session has just begun.');
  };
  const ended = await opened('ended');
  await store.end('ended');
  expect(store.hasEnded(ended)).toBe(true);
  const replaced = await opened('replaced');
  await store.retire(replaced);
  clock.advance(MINUTE - 1);
  expect(store.hasEnded(replaced)).toBe(false);
  clock.advance(1);
  expect(store.hasEnded(replaced)).toBe(true);
});

it('a flood of distinct cookies leaves 4000 of them in memory, without the headers around them', () => {
  const opened = new OpenedCookies();
  const values = Array.from({ length: 12_000 }, () => randomBytes(60).toString('base64url'));
  const before = heapUsed();
  for (const value of values) {
    const header = `latchkey=${value}; other=${'x'.repeat(HEADER_BYTES)}`;
    opened.set(header.slice(9, 9 + value.length), sessionOf('ada'));
  }
  const grown = heapUsed() - before;
  const kept = values.filter((value) => opened.get(value) !== undefined);
  expect(kept.length).toBeLessThanOrEqual(4000);
  expect(kept.length).toBeGreaterThanOrEqual(2000);
  expect(grown).toBeLessThan((kept.length * HEADER_BYTES) / 4);
});

/** Bytes on the heap that something still refers to. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

it('values that do not open are not kept', async () => {
  const store = createStore();
  const garbage = 'A'.repeat(4000);
  expect(await store.open(garbage)).toBeUndefined();
  expect(store.open(garbage)).toBeInstanceOf(Promise);
  expect(store.idOf(garbage)).toBeUndefined();
});

import { MemoryStore } from 'express-session';
import { describe, expect, it, vi } from 'vitest';
import {
  type LatchkeyOptions,
  LatchkeyOptionsError,
  latchkey,
  postgresDirectory,
  postgresEventStore,
  postgresLock,
  redisDirectory,
  redisEventStore,
  redisLock,
} from '../src/index.js';
import { COOKIE_SECRET } from './cookie-secret.js';

const good: LatchkeyOptions = {
  serviceUrl: 'https://service.example',
  clientId: `oac_${'a'.repeat(24)}`,
  appUrl: 'https://shop.example',
  cookieSecret: COOKIE_SECRET,
};

const aStore = { get: () => {}, set: () => {}, destroy: () => {} };

/** Returns the error for options of any type. */
function problemsWith(changed: object): LatchkeyOptionsError {
  const options: LatchkeyOptions = { ...good };
  Object.assign(options, changed);
  try {
    latchkey(options);
  } catch (error) {
    if (error instanceof LatchkeyOptionsError) return error;
    throw error;
  }
  throw new Error('The options were accepted.');
}

describe('options', () => {
  it('are valid with service, client, app URL and secret', () => {
    expect(() => latchkey(good)).not.toThrow();
  });

  it.each([
    ['clientId', { clientId: 'my-client' }, /oac_ followed by 24 hex/],
    ['clientId', { clientId: undefined }, /is required/],
    ['clientSecret', { clientSecret: undefined }, /given but undefined.*environment variable.*public/s],
    ['clientSecret', { clientSecret: '' }, /must be ocs_/],
    ['clientSecret', { clientSecret: ` ocs_${'5'.repeat(48)}` }, /without white space.*public/s],
    ['serviceUrl', { serviceUrl: undefined }, /is required/],
    ['serviceUrl', { serviceUrl: 'service.example' }, /absolute URL/],
    [
      'serviceUrl',
      { serviceUrl: 'http://service.example' },
      /must be an https URL; got http on service\.example/,
    ],
    ['serviceUrl', { serviceUrl: 'https://service.example?x=1' }, /query/],
    ['serviceUrl', { serviceUrl: 'https://me:secret@service.example' }, /user name or password/],
    ['appUrl', { appUrl: 'http://shop.example' }, /got http on shop\.example.*loopback/s],
    ['appUrl', { appUrl: 'ftp://shop.example' }, /https:\/\//],
    ['appUrl', { appUrl: 'localhost:3000' }, /https:\/\/, or http:\/\/ on a loopback address/],
    [
      'appUrl',
      { appUrl: 'https://*.shop.example' },
      /must name one host; got the wildcard \*\.shop\.example/,
    ],
    ['appUrl', { appUrl: 'http://127.0.0.1.evil.example' }, /must be an https URL/],
    ['cookieSecret', { cookieSecret: undefined }, /is required.*randomBytes/s],
    ['cookieSecret', { cookieSecret: 'short' }, /at least 32 characters, has 5.*randomBytes/s],
    ['cookieSecret.1', { cookieSecret: [COOKIE_SECRET, 'old'] }, /at least 32 characters, has 3/],
    ['cookieSecret', { cookieSecret: [] }, /empty list/],
    ['scopes', { scopes: [] }, /at least one/],
    ['scopes', { scopes: 'memberships.read' }, /must be a list/],
    ['clientSecret', { clientSecret: null }, /must be a string; got null/],
    ['session', { session: 'memory' }, /must be an object; got string/],
    ['serviceNames', { serviceNames: 'acme' }, /must be an object; got string/],
    ['scopes.0', { scopes: ['membership.read'] }, /memberships\.read/],
    ['membershipNames', { membershipNames: { monthly: 'Monthly' } }, /UUID of a plan, product or community/],
    ['membershipNames', { membershipNames: 'The club' }, /object of names/],
    [
      'membershipNames.5eed0000-0000-4000-8000-0000000000c0',
      { membershipNames: { '5eed0000-0000-4000-8000-0000000000c0': ' ' } },
      /1 to 200 characters/,
    ],
    ['mountPath', { mountPath: 'auth' }, /begin with a slash/],
    ['mountPath', { mountPath: '/' }, /at least one segment/],
    ['mountPath', { mountPath: '/auth/' }, /end without a slash/],
    ['mountPath', { mountPath: '/a/../b' }, /mountPath/],
    ['mountPath', { mountPath: '/a b' }, /mountPath/],
    ['session.rollingSeconds', { session: { rollingSeconds: 0 } }, /more than 0/],
    ['session.absoluteSeconds', { session: { absoluteSeconds: 1.5 } }, /whole number/],
    ['session.rollingSeconds', { session: { absoluteSeconds: 60, rollingSeconds: 120 } }, /120 > 60/],
    ['session.idleSeconds', { session: { idleSeconds: 5 } }, /not an option/],
    ['session.store', { session: { store: { get: () => {} } } }, /get, set and destroy.*connect-redis/s],
    ['session.lock', { session: { store: aStore, lock: () => {} } }, /redisLock.*postgresLock/s],
    ['session.lock', { session: { lock: { acquire: () => {} } } }, /has no effect without session\.store/],
    ['session.storeTimeoutMs', { session: { store: aStore, storeTimeoutMs: 0 } }, /more than 0/],
    ['pages.forbidden', { pages: { forbidden: '/forbidden' } }, /function/],
    ['fetch', { fetch: 'undici' }, /function/],
    ['clock', { clock: {} }, /now\(\)/],
    ['logger', { logger: { warn: () => {} } }, /warn and error/],
    ['timeoutMs', { timeoutMs: 0 }, /more than 0/],
    ['cookieSecrets', { cookieSecrets: [COOKIE_SECRET] }, /not an option.*spelling/s],
  ])('reports an invalid %s: %j', (option, changed, text) => {
    const error = problemsWith(changed);
    expect(error.problems.map((problem) => problem.option)).toContain(option);
    expect(error.message).toMatch(text);
  });

  it('accept a MemoryStore during development and reject it in production', () => {
    const store = new MemoryStore();
    expect(() => latchkey({ ...good, session: { store } })).not.toThrow();
    vi.stubEnv('NODE_ENV', 'production');
    expect(problemsWith({ session: { store } }).message).toMatch(
      /session\.store: is a MemoryStore.*connect-redis or connect-pg-simple/s,
    );
    expect(() => latchkey({ ...good, session: { store: aStore } })).not.toThrow();
    vi.unstubAllEnvs();
  });

  it.each([0.5, 2500.5, 2_147_483_648, 5e9, Number.NaN])(
    'rejects a timer of %d ms, which would fail at each request',
    (ms) => {
      expect(problemsWith({ timeoutMs: ms }).message).toMatch(/timeoutMs: must be .*milliseconds/);
      expect(problemsWith({ session: { storeTimeoutMs: ms } }).message).toMatch(
        /session\.storeTimeoutMs: must be .*milliseconds/,
      );
    },
  );

  it('must not be missing', () => {
    expect(() => latchkey(undefined as never)).toThrow(/options: must be an object; got undefined/);
  });

  it.each([
    ['postgresDirectory pool', postgresDirectory, /a pool of pg/],
    ['postgresEventStore pool', postgresEventStore, /a pool of pg/],
    ['postgresLock pool', postgresLock, /a pool of pg/],
    ['redisDirectory client', redisDirectory, /a client of redis/],
    ['redisEventStore client', redisEventStore, /a client of redis/],
    ['redisLock client', redisLock, /a client of redis/],
  ])('are checked for %s, which is often the URL of the database', (option, create, advice) => {
    for (const given of ['redis://localhost', undefined, null, {}]) {
      const creating = () => create(given as never);
      expect(creating).toThrow(LatchkeyOptionsError);
      expect(creating).toThrow(`${option}: must be `);
      expect(creating).toThrow(advice);
    }
  });

  it('are all checked at once', () => {
    const { problems } = problemsWith({ clientId: 'x', appUrl: 'y', cookieSecret: 'z' });
    expect(problems.map(({ option }) => option).sort()).toEqual(['appUrl', 'clientId', 'cookieSecret']);
  });

  it('are never repeated in an error if they are secrets', () => {
    const { message } = problemsWith({ clientSecret: 'ocs_not-quite-right', cookieSecret: 'hunter2' });
    expect(message).not.toContain('not-quite-right');
    expect(message).not.toContain('hunter2');
  });

  it.each([
    'http://localhost:3000',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
    'http://shop.localhost:3000',
  ])('accept http on the loopback address %s', (appUrl) => {
    expect(() => latchkey({ ...good, appUrl })).not.toThrow();
  });
});

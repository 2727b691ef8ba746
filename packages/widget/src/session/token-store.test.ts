import { afterEach, describe, expect, it, vi } from 'vitest';
import { stubStorage } from '../../test/support/stub-page.js';
import { createMemoryStore, createWebStore, parseTokens, type StoredTokens } from './token-store.js';

const tokens: StoredTokens = {
  accessToken: 'access',
  refreshToken: 'refresh',
  expiresAt: 3_600_000,
  renewAt: 0,
  scopes: ['memberships.read'],
};
const without = (name: keyof StoredTokens) => {
  const { [name]: _, ...rest } = tokens;
  return rest;
};

describe('stored tokens', () => {
  it('are read from an object', () => {
    expect(parseTokens(tokens)).toStrictEqual(tokens);
  });

  it('need no refresh token', () => {
    expect(parseTokens(without('refreshToken'))).toStrictEqual({ ...tokens, refreshToken: undefined });
  });

  it('lose fields that are not theirs', () => {
    expect(parseTokens({ ...tokens, user: 'ada' })).toStrictEqual(tokens);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', 7],
    ['a text', JSON.stringify(tokens)],
    ['an array', []],
    ['tokens without an access token', without('accessToken')],
    ['an access token that is a number', { ...tokens, accessToken: 7 }],
    ['a refresh token that is a number', { ...tokens, refreshToken: 7 }],
    ['tokens without an expiry', without('expiresAt')],
    ['an expiry that is a text', { ...tokens, expiresAt: '3600000' }],
    ['an infinite expiry', { ...tokens, expiresAt: Number.POSITIVE_INFINITY }],
    ['tokens without the time of their refresh', without('renewAt')],
    ['a time of the refresh that is no number', { ...tokens, renewAt: Number.NaN }],
    ['tokens without scopes', without('scopes')],
    ['scopes in one text', { ...tokens, scopes: 'memberships.read' }],
  ])('are malformed: %s', (_, stored) => {
    expect(parseTokens(stored)).toBeUndefined();
  });
});

describe('a store of tokens', () => {
  afterEach(() => void vi.unstubAllGlobals());

  it('in memory returns what was written last', () => {
    const store = createMemoryStore();
    expect(store.read()).toBeUndefined();
    store.write(tokens);
    expect(store.read()).toBe(tokens);
    store.write(undefined);
    expect(store.read()).toBeUndefined();
    expect(createMemoryStore(tokens).read()).toBe(tokens);
  });

  it.each([
    ['session', 'sessionStorage', 'localStorage'],
    ['local', 'localStorage', 'sessionStorage'],
  ] as const)('in %s storage uses that storage only', (area, own, other) => {
    const [used, unused] = [stubStorage(own), stubStorage(other)];
    const store = createWebStore(area, 'tokens');
    expect(store.read()).toBeUndefined();
    store.write(tokens);
    expect(used.has('tokens')).toBe(true);
    expect(store.read()).toStrictEqual(tokens);
    expect(createWebStore(area, 'other').read()).toBeUndefined();
    store.write(undefined);
    expect(store.read()).toBeUndefined();
    expect(used.size + unused.size).toBe(0);
  });

  it('in web storage returns what another tab wrote, not what this page wrote before', () => {
    const stored = stubStorage('localStorage');
    const store = createWebStore('local', 'tokens');
    store.write(tokens);
    stored.set('tokens', JSON.stringify({ ...tokens, accessToken: 'of another tab' }));
    expect(store.read()?.accessToken).toBe('of another tab');
    stored.delete('tokens');
    expect(store.read()).toBeUndefined();
  });

  it.each(['', '{', '7', 'null', '[]', '"text"'])('in web storage ignores the stored text %j', (text) => {
    stubStorage('sessionStorage').set('tokens', text);
    expect(createWebStore('session', 'tokens').read()).toBeUndefined();
  });

  it('works in memory if the browser denies storage', () => {
    stubStorage('localStorage', { deny: true });
    const store = createWebStore('local', 'tokens');
    expect(store.read()).toBeUndefined();
    store.write(tokens);
    expect(store.read()).toBe(tokens);
    store.write(undefined);
    expect(store.read()).toBeUndefined();
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stubStorage } from '../../test/support/stub-page.js';
import { forgetPurchase, storePurchase, takePurchase } from './pending-purchase.js';

const MINUTE = 60_000;
const START = Date.UTC(2025, 5, 1);
const purchase = { backend: '/auth', planId: 'gold', returnTo: '/club', startedAt: START };

/** Loads the next page of the tab. */
const loadPage = () => vi.stubGlobal('performance', { timeOrigin: Date.now() });

describe('a purchase that a sign-in by redirect interrupts', () => {
  let stored: Map<string, string>;
  beforeEach(() => {
    vi.useFakeTimers({ now: START, toFake: ['Date'] });
    stored = stubStorage('sessionStorage');
    vi.setSystemTime(START - MINUTE);
    loadPage();
    vi.setSystemTime(START);
    storePurchase(purchase);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it('continues once on the next page', () => {
    vi.setSystemTime(START + MINUTE);
    loadPage();
    expect(takePurchase('/auth', ['silver', 'gold'])).toStrictEqual(purchase);
    expect(takePurchase('/auth', ['silver', 'gold'])).toBeUndefined();
    expect(stored.size).toBe(0);
  });

  it('is left for its own page: the element that started it still follows it', () => {
    expect(takePurchase('/auth', ['gold'])).toBeUndefined();
    vi.setSystemTime(START + MINUTE);
    loadPage();
    expect(takePurchase('/auth', ['gold'])).toStrictEqual(purchase);
  });

  it('continues on a page that was loaded in the same millisecond', () => {
    loadPage();
    expect(takePurchase('/auth', ['gold'])).toStrictEqual(purchase);
  });

  it.each([
    ['another backend', '/other', ['gold']],
    ['other plans', '/auth', ['silver']],
    ['no plans', '/auth', []],
  ])('is left for its element by one of %s', (_, backend, planIds) => {
    vi.setSystemTime(START + MINUTE);
    loadPage();
    expect(takePurchase(backend, planIds)).toBeUndefined();
    expect(takePurchase('/auth', ['gold'])).toStrictEqual(purchase);
  });

  it.each([
    [15 * MINUTE - 1, purchase],
    [15 * MINUTE, undefined],
  ])('after %i milliseconds is %o', (milliseconds, expected) => {
    vi.setSystemTime(START + milliseconds);
    loadPage();
    expect(takePurchase('/auth', ['gold'])).toStrictEqual(expected);
    expect(stored.size).toBe(0);
  });

  it('does not continue after it was forgotten', () => {
    forgetPurchase();
    loadPage();
    expect(takePurchase('/auth', ['gold'])).toBeUndefined();
  });

  it.each(['', 'null', '7', '{}', '{"planId":""}', 'no JSON'])(
    'is none if the storage contains %j',
    (text) => {
      for (const name of stored.keys()) stored.set(name, text);
      loadPage();
      expect(takePurchase('/auth', ['gold', undefined as never])).toBeUndefined();
    },
  );
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../../scripts/fuzz-runs.mjs';
import {
  boughtMembership,
  type Purchase,
  renewedWindow,
} from '../../src/domain/checkout/bought-membership.js';
import { isActive } from '../../src/domain/memberships/membership-state.js';
import type { MembershipRow } from '../../src/domain/memberships/memberships.js';

const DAY = 24 * 3600_000;
const NOW = Date.parse('2026-06-12T14:05:00.000Z');

const ROW: MembershipRow = {
  ...{ id: 'old', user_id: 'ben', product_type: 'community', community_id: 'club', product_id: null },
  ...{ valid_from: NOW - DAY, valid_until: NOW + 10 * DAY, pricing_plan_id: 'old-plan' },
  ...{ external_order_id: 'order', subscription_id: null, subscription_cancelled_at: null },
  lapse_announced_at: null,
};

const PURCHASE: Purchase = {
  userId: 'ben',
  subject: { kind: 'plan', planId: 'new-plan', communityId: 'club' },
  periodDays: 30,
  subscriptionId: null,
};

const buy = (current: Partial<MembershipRow> | undefined, purchase: Partial<Purchase> = {}) =>
  boughtMembership(
    current && { ...ROW, ...current },
    { ...PURCHASE, ...purchase },
    { newId: 'new', now: NOW },
  );

const window = (valid_from: number, valid_until: number | null) => ({ valid_from, valid_until });

describe('purchase', () => {
  it.each([
    ['without a membership starts now', undefined, 30, window(NOW, NOW + 30 * DAY)],
    ['for life without a membership starts now', undefined, null, window(NOW, null)],
    ['after an expiry starts now', window(NOW - 9 * DAY, NOW - DAY), 30, window(NOW, NOW + 30 * DAY)],
    ['at the very end starts now', window(NOW - DAY, NOW), 30, window(NOW, NOW + 30 * DAY)],
    ['during a membership is added to its end', {}, 30, window(NOW - DAY, NOW + 40 * DAY)],
    [
      'for a future membership starts it now and is added to its end',
      window(NOW + DAY, NOW + 10 * DAY),
      30,
      window(NOW, NOW + 40 * DAY),
    ],
    ['for life removes the end', {}, null, window(NOW - DAY, null)],
    ['never shortens lifetime access', window(NOW - DAY, null), 30, window(NOW - DAY, null)],
  ] as const)('%s', (_name, current, periodDays, expected) => {
    expect(buy(current, { periodDays })).toMatchObject({ ...expected, lapse_announced_at: null });
  });

  it('stores its plan, except when the old plan continues', () => {
    expect(buy(undefined)).toMatchObject({ id: 'new', pricing_plan_id: 'new-plan', external_order_id: null });
    expect(buy({})).toMatchObject({ id: 'old', pricing_plan_id: 'new-plan', external_order_id: 'order' });
    expect(buy({ valid_until: null })).toMatchObject({ pricing_plan_id: 'old-plan', valid_until: null });
    expect(buy({ valid_until: null, pricing_plan_id: null })).toMatchObject({ pricing_plan_id: 'new-plan' });
    expect(buy({ valid_until: null }, { periodDays: null })).toMatchObject({ pricing_plan_id: 'new-plan' });
    const renewing = { subscription_id: 'running' };
    expect(buy(renewing)).toMatchObject({ subscription_id: 'running', pricing_plan_id: 'old-plan' });
  });

  it('replaces a subscription with its own, ends one that a lifetime purchase makes obsolete, and clears a cancelled one', () => {
    const running = { subscription_id: 'running' };
    const cancelled = { ...running, subscription_cancelled_at: NOW - 1 };
    const nothing = { subscription_id: null, subscription_cancelled_at: null };
    expect(buy(running, { subscriptionId: 'next' })).toMatchObject({ subscription_id: 'next' });
    expect(buy(running, { periodDays: null })).toMatchObject(nothing);
    expect(buy(cancelled)).toMatchObject(nothing);
    expect(buy({ ...running, ...window(NOW - 2, NOW - 1) })).toMatchObject(nothing);
    expect(buy(cancelled, { subscriptionId: 'next' })).toMatchObject({
      subscription_id: 'next',
      subscription_cancelled_at: null,
    });
  });

  it('of a product applies to the product only', () => {
    const subject = { kind: 'product', productId: 'book' } as const;
    expect(buy(undefined, { subject, periodDays: null })).toMatchObject({
      ...{ product_type: 'digital_product', product_id: 'book', community_id: null, pricing_plan_id: null },
      valid_until: null,
    });
  });

  it('never shortens access, grants some now, and adds the whole period to the existing one', () => {
    const instant = fc.integer({ min: -400, max: 400 }).map((days) => NOW + days * DAY);
    const current = fc.option(
      fc.record({
        valid_from: instant,
        valid_until: fc.option(instant, { nil: null }),
        subscription_id: fc.constantFrom(null, 'running'),
        subscription_cancelled_at: fc.constantFrom(null, NOW - 1),
      }),
      { nil: undefined },
    );
    const purchase = fc.record({
      periodDays: fc.option(fc.integer({ min: 1, max: 36_500 }), { nil: null }),
      subscriptionId: fc.constantFrom(null, 'next'),
    });
    fc.assert(
      fc.property(current, purchase, fc.integer({ min: -500, max: 500 }), (before, bought, day) => {
        const after = buy(before, bought);
        const at = NOW + Math.abs(day) * DAY;
        if (before !== undefined && isActive(before, at)) expect(isActive(after, at)).toBe(true);
        expect(isActive(after, NOW)).toBe(true);
        const base = Math.max(before?.valid_until ?? NOW, NOW);
        const isForLife = before?.valid_until === null || bought.periodDays === null;
        expect(after.valid_until).toBe(isForLife ? null : base + (bought.periodDays ?? 0) * DAY);
        if (isForLife && before?.valid_until !== null) expect(after.subscription_id).toBeNull();
      }),
      fuzzRuns(100),
    );
  });

  it('ends with the last year that can be represented', () => {
    const century = { periodDays: 36_500 };
    let row = buy(undefined, century);
    for (let bought = 0; bought < 100; bought += 1) row = buy(row, century);
    expect(new Date(row.valid_until ?? 0).toISOString()).toBe('9999-12-31T23:59:59.999Z');
  });
});

describe('renewal', () => {
  it.each([
    ['before the end is added to the end', NOW + 1, NOW + 1 + 30 * DAY, NOW - 9 * DAY],
    ['soon after the end continues from the end', NOW - 29 * DAY, NOW + DAY, NOW - 9 * DAY],
    ['after a whole missed period starts now', NOW - 30 * DAY, NOW + 30 * DAY, NOW],
  ])('%s', (_name, valid_until, end, start) => {
    const current = { valid_from: NOW - 9 * DAY, valid_until };
    expect(renewedWindow(current, 30, NOW)).toEqual({ valid_from: start, valid_until: end });
  });
});

import { describe, expect, it } from 'vitest';
import {
  decideEndNow as decideEndNowOf,
  decideEnd as decideEndOf,
  decideJoin as decideJoinOf,
  decideRegrant as decideRegrantOf,
  type MembershipChangeDecision,
  mergedMembership,
} from './membership-change.js';
import { isExpired } from './membership-state.js';
import type { MembershipRow } from './memberships.js';
import type { Timeline } from './timeline.js';

const NOW = 1_000_000;

const expired: MembershipRow = {
  id: 'm',
  user_id: 'u',
  product_type: 'community',
  community_id: 'c',
  product_id: null,
  valid_from: 100,
  valid_until: NOW,
  pricing_plan_id: 'p',
  external_order_id: 'order-1',
  subscription_id: null,
  subscription_cancelled_at: null,
  renews_at: null,
  plan_changes_at: null,
  lapse_announced_at: NOW,
};
const running = { ...expired, valid_until: NOW + 1, lapse_announced_at: null };
const forLife = { ...running, valid_until: null };
const renewing = { ...running, subscription_id: 's' };
const cancelled = { ...renewing, subscription_cancelled_at: 500 };
const unpaid = { ...expired, subscription_id: 's' };
const window = { validFrom: NOW, validUntil: NOW + 10 };

/** Applies a decision to a membership with one period, and returns the row without its periods. */
function onRow<Rest extends unknown[]>(
  decide: (membership: { row: MembershipRow; timeline: Timeline }, ...rest: Rest) => MembershipChangeDecision,
) {
  return (row: MembershipRow, ...rest: Rest) => {
    const { valid_from: startsAt, valid_until: endsAt, pricing_plan_id: planId, subscription_id } = row;
    const origin = {
      planId,
      source: 'payment',
      paymentId: 'payment',
      subscriptionId: subscription_id,
    } as const;
    const timeline = isExpired(row, NOW) ? [] : [{ ...origin, startsAt, endsAt }];
    const decision = decide({ row, timeline }, ...rest);
    if (decision.kind !== 'changed') return decision;
    return { kind: decision.kind, row: { ...decision.row, renews_at: null } };
  };
}
const decideEnd = onRow(decideEndOf);
const decideEndNow = onRow(decideEndNowOf);
const decideJoin = onRow(decideJoinOf);
const decideRegrant = onRow(decideRegrantOf);

describe('grant to a user with a membership', () => {
  it('is rejected while time is left on it', () => {
    for (const row of [running, forLife, renewing, cancelled]) {
      expect(decideRegrant(row, window, NOW)).toEqual({ kind: 'still-running' });
    }
  });

  it('gives an expired membership the new window, ends its subscription, and keeps its provisioning order', () => {
    const row = { ...expired, valid_from: NOW, valid_until: NOW + 10 };
    for (const before of [expired, unpaid, { ...unpaid, subscription_cancelled_at: 500 }]) {
      expect(decideRegrant(before, window, NOW)).toEqual({
        kind: 'changed',
        row: { ...row, pricing_plan_id: null, lapse_announced_at: null },
      });
    }
  });
});

describe('acceptance of an invitation by a member', () => {
  const offered = { validFrom: NOW, validUntil: NOW + 10 };

  it('gives an expired membership the new window', () => {
    expect(decideJoin(expired, offered, NOW)).toEqual(decideRegrant(expired, offered, NOW));
  });

  it('extends a running membership and never shortens it', () => {
    const extended = {
      kind: 'changed',
      // The plan ends with the time that was paid for it.
      row: { ...running, valid_until: NOW + 10, plan_changes_at: NOW + 1 },
    };
    expect(decideJoin(running, offered, NOW)).toEqual(extended);
    const life = { validFrom: NOW, validUntil: null };
    expect(decideJoin(running, life, NOW)).toEqual({
      kind: 'changed',
      row: { ...forLife, plan_changes_at: NOW + 1 },
    });
    // The time lies under the planned period, which can still be withdrawn.
    expect(decideJoin(forLife, offered, NOW)).toEqual({ kind: 'changed', row: forLife });
    expect(decideJoin({ ...forLife, pricing_plan_id: null }, offered, NOW)).toMatchObject({
      row: { valid_until: null },
    });
  });

  it('gives access from the earlier start, so that an upcoming membership does not swallow the offer', () => {
    const upcoming = { ...running, valid_from: NOW + 20, valid_until: NOW + 30 };
    expect(decideJoin(upcoming, offered, NOW)).toEqual({
      kind: 'changed',
      row: {
        ...upcoming,
        valid_from: NOW,
        valid_until: NOW + 10,
        pricing_plan_id: null,
        plan_changes_at: NOW + 10,
      },
    });
    const later = { validFrom: NOW + 25, validUntil: NOW + 40 };
    expect(decideJoin(upcoming, later, NOW)).toEqual({
      kind: 'changed',
      row: { ...upcoming, valid_until: NOW + 40, plan_changes_at: NOW + 30 },
    });
  });

  it('is rejected while a subscription renews the membership', () => {
    expect(decideJoin(renewing, offered, NOW)).toEqual({ kind: 'renewing' });
    expect(decideJoin(cancelled, offered, NOW)).toMatchObject({ kind: 'changed' });
  });
});

describe('new end', () => {
  it('is accepted after the start, also for life, and its own expiry is announced', () => {
    expect(decideEnd(running, null, NOW)).toEqual({ kind: 'changed', row: forLife });
    expect(decideEnd(forLife, NOW + 1, NOW)).toEqual({ kind: 'changed', row: running });
    expect(decideEnd(running, 101, NOW)).toEqual({
      kind: 'changed',
      row: { ...running, valid_until: 101, lapse_announced_at: NOW },
    });
  });

  it('is rejected when it leaves no time, or while a subscription sets the end', () => {
    expect(decideEnd(running, 100, NOW)).toEqual({ kind: 'no-time' });
    expect(decideEnd(renewing, NOW + 5, NOW)).toEqual({ kind: 'renewing' });
  });

  it('is rejected after the expiry, because the member may have left', () => {
    expect(decideEnd(expired, NOW + 1, NOW)).toEqual({ kind: 'expired' });
    expect(decideEnd(expired, null, NOW)).toEqual({ kind: 'expired' });
  });

  it('that equals the old one changes nothing', () => {
    expect(decideEnd(running, NOW + 1, NOW)).toEqual({ kind: 'unchanged' });
    expect(decideEnd(forLife, null, NOW)).toEqual({ kind: 'unchanged' });
  });
});

describe('immediate end', () => {
  it('ends access and the subscription', () => {
    expect(decideEndNow(renewing, NOW)).toEqual({
      kind: 'changed',
      row: { ...renewing, valid_until: NOW, subscription_cancelled_at: NOW, lapse_announced_at: NOW },
    });
    expect(decideEndNow(forLife, NOW)).toMatchObject({ kind: 'changed', row: { valid_until: NOW } });
  });

  it('of a future membership leaves no time in it', () => {
    expect(decideEndNow({ ...forLife, valid_from: NOW + 50 }, NOW)).toMatchObject({
      row: { valid_from: NOW, valid_until: NOW },
    });
  });

  it('cancels the subscription of a membership whose payment is overdue, and keeps its window', () => {
    expect(decideEndNow(unpaid, NOW)).toEqual({
      kind: 'changed',
      row: { ...unpaid, subscription_cancelled_at: NOW },
    });
  });

  it('changes nothing on an expired membership', () => {
    expect(decideEndNow(expired, NOW)).toEqual({ kind: 'unchanged' });
  });
});

it('a merged membership has the periods of both, and a subscription of either', () => {
  const origin = { source: 'payment', paymentId: 'payment' } as const;
  const own = {
    row: { ...running, external_order_id: null, valid_until: NOW + 10 },
    timeline: [{ ...origin, planId: 'p', startsAt: 100, endsAt: NOW + 10, subscriptionId: null }],
  };
  const other = {
    row: { ...renewing, id: 'n', pricing_plan_id: 'q', valid_until: NOW + 5, renews_at: NOW + 5 },
    timeline: [{ ...origin, planId: 'q', startsAt: NOW - 5, endsAt: NOW + 5, subscriptionId: 's' }],
  };
  expect(mergedMembership(own, other, NOW).row).toEqual({
    ...{ ...running, valid_until: NOW + 15, plan_changes_at: NOW + 10 },
    ...{ subscription_id: 's', renews_at: NOW + 15 },
  });
  expect(mergedMembership(other, own, NOW).row).toMatchObject({
    ...{ id: 'n', pricing_plan_id: 'q', valid_until: NOW + 15, plan_changes_at: NOW + 5 },
    ...{ subscription_id: 's', renews_at: NOW + 5 },
  });
  // A partner orders the next time.
  const provisioned = { ...own, row: { ...own.row, external_order_id: 'order-2' } };
  const kept = { external_order_id: 'order-2', subscription_id: null, renews_at: null };
  expect(mergedMembership(provisioned, other, NOW).row).toMatchObject(kept);
});

import { describe, expect, it } from 'vitest';
import type { Membership } from '../memberships/membership-periods.js';
import type { MembershipRow } from '../memberships/memberships.js';
import { boughtMembership, placeOffer, renewedMembership } from './bought-membership.js';
import type { OfferTerms } from './checkout.js';

const DAY = 24 * 3600_000;
const NOW = Date.parse('2026-06-12T14:05:00.000Z');

const ROW: MembershipRow = {
  ...{ id: 'old', user_id: 'ben', product_type: 'community', community_id: 'club', product_id: null },
  ...{ valid_from: NOW - DAY, valid_until: NOW + 10 * DAY, pricing_plan_id: 'old-plan' },
  ...{ external_order_id: 'order', subscription_id: null, subscription_cancelled_at: null },
  ...{ renews_at: null, plan_changes_at: null, lapse_announced_at: null },
};

const OFFER: OfferTerms = {
  subject: { kind: 'plan', planId: 'new-plan', communityId: 'club' },
  ...{ amountMinor: 900, currency: 'EUR', periodDays: 30, renews: false },
};

function membership(changes: Partial<MembershipRow> = {}): Membership {
  const row = { ...ROW, ...changes };
  const { valid_from: startsAt, valid_until: endsAt, pricing_plan_id: planId, subscription_id } = row;
  const origin = { source: 'payment', paymentId: 'first', subscriptionId: subscription_id } as const;
  return { row, timeline: [{ ...origin, planId, startsAt, endsAt }] };
}

function buy(current: Membership | undefined, terms: Partial<OfferTerms> = {}, isBuyer = true) {
  const offer = { ...OFFER, ...terms };
  const placed = placeOffer(current, offer, { isBuyer, startsNow: false, now: NOW });
  if (placed.kind === 'nothing') return 'nothing';
  return boughtMembership(current, offer, {
    ...{ userId: 'ben', placed, newId: 'new', now: NOW },
    ...{ paymentId: 'second', subscriptionId: placed.startsSubscription ? 'next' : null },
  }).row;
}

describe('purchase', () => {
  it('without a membership starts one now', () => {
    expect(buy(undefined)).toMatchObject({
      ...{ id: 'new', user_id: 'ben', community_id: 'club', pricing_plan_id: 'new-plan' },
      ...{ valid_from: NOW, valid_until: NOW + 30 * DAY, lapse_announced_at: null },
    });
    expect(buy(undefined, { periodDays: null })).toMatchObject({ valid_from: NOW, valid_until: null });
  });

  it('after an expiry starts again, and keeps the id and the order of a provisioning', () => {
    const row = { ...ROW, valid_until: NOW, lapse_announced_at: NOW };
    expect(buy({ row, timeline: [] })).toMatchObject({
      ...{ id: 'old', external_order_id: 'order', pricing_plan_id: 'new-plan' },
      ...{ valid_from: NOW, valid_until: NOW + 30 * DAY, lapse_announced_at: null },
    });
  });

  it('of another plan comes after the running one, which keeps its plan until its end', () => {
    expect(buy(membership())).toMatchObject({
      ...{ valid_from: NOW - DAY, valid_until: NOW + 40 * DAY },
      ...{ pricing_plan_id: 'old-plan', plan_changes_at: NOW + 10 * DAY },
    });
  });

  it('starts a subscription that renews at the end of its own period, instead of the one of the buyer', () => {
    const running = membership({ subscription_id: 'running', renews_at: NOW + 10 * DAY });
    const renewing = { subscription_id: 'next', subscription_cancelled_at: null, renews_at: NOW + 40 * DAY };
    expect(buy(running, { renews: true })).toMatchObject(renewing);
    const cancelled = membership({ subscription_id: 'running', subscription_cancelled_at: NOW - 1 });
    expect(buy(cancelled, { renews: true })).toMatchObject(renewing);
  });

  it('by somebody else leaves the subscription, and its next charge, as they are', () => {
    const running = membership({ subscription_id: 'running', renews_at: NOW + 10 * DAY });
    for (const terms of [{}, { renews: true }, { periodDays: null }])
      expect(buy(running, terms, false)).toMatchObject({
        ...{ subscription_id: 'running', subscription_cancelled_at: null },
        renews_at: NOW + 10 * DAY,
      });
  });

  it('of a plan for life by the buyer ends the subscription', () => {
    const running = membership({ subscription_id: 'running', renews_at: NOW + 10 * DAY });
    expect(buy(running, { periodDays: null })).toMatchObject({
      subscription_cancelled_at: NOW,
      valid_until: null,
    });
  });

  it('of a product applies to the product only', () => {
    const subject = { kind: 'product', productId: 'book' } as const;
    expect(buy(undefined, { subject, periodDays: null })).toMatchObject({
      ...{ product_type: 'digital_product', product_id: 'book', community_id: null, pricing_plan_id: null },
      valid_until: null,
    });
  });
});

it('a renewal adds its days to the subscription, and none to the past', () => {
  const renewal = { planId: 'old-plan', source: 'renewal', paymentId: 'third', periodDays: 30 } as const;
  const renew = (renews_at: number) =>
    renewedMembership(
      membership({ subscription_id: 'running', renews_at, valid_until: renews_at }),
      { ...renewal, subscriptionId: 'running' },
      NOW,
    ).row;
  expect(renew(NOW + DAY)).toMatchObject({ valid_from: NOW - DAY, renews_at: NOW + 31 * DAY });
  expect(renew(NOW - DAY)).toMatchObject({ valid_from: NOW, valid_until: NOW + 30 * DAY });
});

import { describe, expect, it } from 'vitest';
import { newMembership } from './membership-change.js';
import { isExpired } from './membership-state.js';
import type { MembershipRow } from './memberships.js';
import { decideProvisioning, type ProvisioningTerms, provisioned } from './provision-decision.js';

const DAY = 24 * 3600_000;
const NOW = Date.UTC(2026, 5, 12, 14, 5);
const PLAN = '5eed0000-0000-4000-8000-0000000000d1';
const OTHER_PLAN = '5eed0000-0000-4000-8000-0000000000d2';

/** Membership of 60 days from order 1, half of them over. */
const ROW: MembershipRow = {
  id: '5eed0000-0000-4000-8000-0000000000a9',
  user_id: '5eed0000-0000-4000-8000-00000000000b',
  product_type: 'community',
  community_id: '5eed0000-0000-4000-8000-0000000000c0',
  product_id: null,
  valid_from: NOW - 30 * DAY,
  valid_until: NOW + 30 * DAY,
  pricing_plan_id: PLAN,
  external_order_id: 'order-1',
  subscription_id: null,
  subscription_cancelled_at: null,
  renews_at: null,
  plan_changes_at: null,
  lapse_announced_at: null,
};
const EXPIRED = { ...ROW, valid_until: NOW, lapse_announced_at: NOW };
const FUTURE = { ...ROW, valid_from: NOW + DAY };
const FOR_LIFE = { ...ROW, valid_until: null };
const SUBSCRIBED = { ...ROW, subscription_id: 'subscription' };
const CANCELLED = { ...SUBSCRIBED, subscription_cancelled_at: NOW - DAY };

const OVERLAPS = ['extend', 'replace', 'error'] as const;

/** Decides, and applies what is granted. */
function decide(row: MembershipRow | undefined, terms: Partial<ProvisioningTerms> = {}) {
  const decision = decideProvisioning(
    row,
    { externalOrderId: 'order-2', onOverlap: 'extend', ...terms },
    NOW,
  );
  if (decision.kind !== 'grant') return decision;
  const before = row ?? newMembership({ userId: 'ben', now: NOW });
  const { valid_from: startsAt, valid_until: endsAt, pricing_plan_id: planId } = before;
  const period = {
    planId,
    startsAt,
    endsAt,
    source: 'provisioning',
    paymentId: null,
    subscriptionId: null,
  } as const;
  const timeline = isExpired(before, NOW) ? [] : [period];
  const { valid_from, valid_until, pricing_plan_id } = provisioned(
    { row: before, timeline },
    decision,
    NOW,
  ).row;
  const { kind, status } = decision;
  return { kind, status, changes: { valid_from, valid_until, pricing_plan_id } };
}

function granted(
  status: string,
  [valid_from, valid_until]: readonly [number, number | null],
  plan: string | null = null,
) {
  return { kind: 'grant', status, changes: { valid_from, valid_until, pricing_plan_id: plan } };
}

describe('no row', () => {
  it.each(OVERLAPS)(
    'creates access from now on, also with onOverlap %s',
    { tags: ['provision.created', 'provision.created-ignores-valid-from'] },
    (onOverlap) => {
      expect(decide(undefined, { onOverlap })).toEqual(granted('created', [NOW, null]));
      for (const validFrom of [NOW - DAY, NOW + DAY]) {
        const terms = { onOverlap, validFrom, validUntil: NOW + 2 * DAY };
        expect(decide(undefined, terms)).toEqual(granted('created', [NOW, NOW + 2 * DAY]));
      }
    },
  );

  it('grants no access when the end has passed, even if the ignored start is earlier', () => {
    expect(decide(undefined, { validFrom: NOW - DAY, validUntil: NOW })).toEqual({
      kind: 'ends-before-start',
    });
    expect(decide(undefined, { validUntil: NOW + 1 })).toEqual(granted('created', [NOW, NOW + 1]));
  });

  it('uses the plan of the request', { tags: ['provision.pricing-plan-id'] }, () => {
    expect(decide(undefined, { pricingPlanId: PLAN })).toEqual(granted('created', [NOW, null], PLAN));
  });
});

describe.each([
  ['active', ROW],
  ['for life', FOR_LIFE],
  ['in the future', FUTURE],
])('row that is %s, with another order', (_, row) => {
  const { valid_from, valid_until } = row;

  it('is extended to the later end, and keeps its start and its plan', {
    tags: [
      'provision.extend-keeps-later-end',
      'provision.extend-not-added',
      'provision.extend-open-ended',
      'provision.status-reports-state-before',
    ],
  }, () => {
    for (const validUntil of [NOW + DAY, NOW + 30 * DAY, NOW + 90 * DAY]) {
      const later = valid_until === null ? null : Math.max(valid_until, validUntil);
      const expected = granted('extended', [valid_from, later], PLAN);
      expect(decide(row, { validUntil, validFrom: NOW - 90 * DAY })).toEqual(expected);
    }
    expect(decide(row)).toEqual(granted('extended', [valid_from, null], PLAN));
    expect(decide(row, { pricingPlanId: OTHER_PLAN })).toEqual(
      granted('extended', [valid_from, null], OTHER_PLAN),
    );
  });

  it('gets the supplied window on replace, and the status is extended', {
    tags: ['provision.replace-active', 'provision.valid-from-default'],
  }, () => {
    const onOverlap = 'replace';
    expect(decide(row, { onOverlap, validUntil: NOW + DAY })).toEqual(granted('extended', [NOW, NOW + DAY]));
    expect(decide(row, { onOverlap, validFrom: NOW + DAY })).toEqual(granted('extended', [NOW + DAY, null]));
    expect(decide(row, { onOverlap, validFrom: NOW + DAY, validUntil: NOW + DAY })).toEqual({
      kind: 'ends-before-start',
    });
  });

  it('stays unchanged on error, whatever the window', { tags: ['provision.overlap-error'] }, () => {
    expect(decide(row, { onOverlap: 'error' })).toEqual({ kind: 'already-active' });
    expect(decide(row, { onOverlap: 'error', validUntil: 0 })).toEqual({ kind: 'already-active' });
  });
});

describe('expired row', () => {
  it.each(OVERLAPS)('is replaced with onOverlap %s', { tags: ['provision.lapsed-replaced'] }, (onOverlap) => {
    expect(decide(EXPIRED, { onOverlap })).toEqual(granted('replaced', [NOW, null]));
    const window = { validFrom: NOW - 90 * DAY, validUntil: NOW - DAY };
    expect(decide(EXPIRED, { onOverlap, ...window })).toEqual(
      granted('replaced', [window.validFrom, window.validUntil]),
    );
    expect(decide(EXPIRED, { onOverlap, validUntil: NOW })).toEqual({ kind: 'ends-before-start' });
  });

  it('expires at its last instant, not before', () => {
    expect(decide({ ...ROW, valid_until: NOW + 1 }, { validUntil: NOW + 1 })).toMatchObject({
      status: 'extended',
    });
    expect(decide({ ...ROW, valid_until: NOW })).toMatchObject({ status: 'replaced' });
  });
});

describe.each([
  ['active', ROW],
  ['expired', EXPIRED],
  ['in the future', FUTURE],
  ['for life', FOR_LIFE],
  ['of a cancelled subscription', CANCELLED],
])('row that is %s, with the same order', (_, row) => {
  it('is returned unchanged, whatever else is sent', { tags: ['provision.idempotent-return'] }, () => {
    for (const onOverlap of OVERLAPS) {
      for (const validUntil of [undefined, 0, NOW + 90 * DAY]) {
        expect(decide(row, { externalOrderId: 'order-1', onOverlap, validUntil })).toEqual({
          kind: 'repeat',
          row,
        });
      }
    }
  });
});

describe('row with a subscription', () => {
  it.each(OVERLAPS)(
    'that renews it cannot be provisioned with onOverlap %s, not even by its own order',
    { tags: ['provision.subscription-managed'] },
    (onOverlap) => {
      for (const externalOrderId of ['order-1', 'order-2']) {
        for (const row of [SUBSCRIBED, { ...SUBSCRIBED, valid_from: NOW + DAY }]) {
          expect(decide(row, { onOverlap, externalOrderId })).toEqual({ kind: 'subscription-managed' });
        }
      }
    },
  );

  it('that was cancelled, or did not renew it before it expired, is provisioned like any other', () => {
    expect(decide(CANCELLED)).toMatchObject({ status: 'extended' });
    expect(decide({ ...SUBSCRIBED, valid_until: NOW })).toMatchObject({ status: 'replaced' });
  });
});

import type { ProvisionExternalCommand } from '@latchkey/contract';
import { type Membership, withTimeline } from './membership-periods.js';
import { isExpired, isRenewing } from './membership-state.js';
import type { MembershipRow } from './memberships.js';
import { addWindow, cutAt, grantOrder, laterEnd, type Period } from './timeline.js';

export type ProvisioningTerms = Pick<
  ProvisionExternalCommand,
  'externalOrderId' | 'pricingPlanId' | 'validFrom' | 'validUntil' | 'onOverlap'
>;

export type ProvisionDecision =
  /** The window is applied: in place of the current one, or added to it. */
  | {
      kind: 'grant';
      status: 'created' | 'extended' | 'replaced';
      isAdded: boolean;
      window: ProvisionedWindow;
    }
  /** The order is the row's newest one. Nothing changes (`idempotent_return`). */
  | { kind: 'repeat'; row: MembershipRow }
  /** A subscription renews the row (409 `conflict`). */
  | { kind: 'subscription-managed' }
  /** The row is active, and `onOverlap` is `error` (409 `already_exists`). */
  | { kind: 'already-active' }
  /** The resulting window would end before it starts (400). */
  | { kind: 'ends-before-start' };

export interface ProvisionedWindow {
  readonly planId: string | null;
  readonly validFrom: number;
  readonly validUntil: number | null;
}

/**
 * Decides a provisioning by the state of the buyer's row before the call (spec, "Membership outcome of
 * `POST /membership/provision-external`"). The first matching row applies:
 *
 * | membership before the call | decision | window |
 * |---|---|---|
 * | none | `created` | from now on; the supplied start is ignored |
 * | renewed by a subscription, not expired | 409 `conflict` | |
 * | has this order id, in any state | `idempotent_return` | unchanged |
 * | expired | `replaced` | as supplied |
 * | active, `onOverlap` error | 409 `already_exists` | |
 * | active, `onOverlap` replace | `extended` | as supplied |
 * | active, `onOverlap` extend | `extended` | the current start; the later end, or none if either has none |
 *
 * In this table, upcoming memberships count as active. A supplied window starts now and never ends, unless the call sets
 * its start or end.
 */
export function decideProvisioning(
  row: MembershipRow | undefined,
  terms: ProvisioningTerms,
  now: number,
): ProvisionDecision {
  const { validFrom = now, validUntil = null, pricingPlanId: planId = null } = terms;
  const supplied = { planId, validFrom, validUntil };
  if (row === undefined) return grant('created', { ...supplied, validFrom: now });
  if (isRenewing(row) && !isExpired(row, now)) return { kind: 'subscription-managed' };
  if (row.external_order_id === terms.externalOrderId) return { kind: 'repeat', row };
  if (isExpired(row, now)) return grant('replaced', supplied);
  switch (terms.onOverlap) {
    case 'error':
      return { kind: 'already-active' };
    case 'replace':
      return grant('extended', supplied);
    case 'extend': {
      const { valid_from, valid_until } = row;
      const end = laterEnd(valid_until, validUntil);
      if (end !== null && end <= valid_from) return { kind: 'ends-before-start' };
      // The window follows without a break, and doesn't begin before the current start.
      const starts = Math.max(valid_from, Math.min(validFrom, valid_until ?? validFrom));
      return {
        kind: 'grant',
        status: 'extended',
        isAdded: true,
        window: { ...supplied, validFrom: starts },
      };
    }
  }
}

function grant(status: 'created' | 'extended' | 'replaced', window: ProvisionedWindow): ProvisionDecision {
  const { validFrom, validUntil } = window;
  if (validUntil !== null && validUntil <= validFrom) return { kind: 'ends-before-start' };
  return { kind: 'grant', status, isAdded: false, window };
}

/**
 * The plan of an added window replaces other granted and provisioned time, but never bought time. Bought time of cheaper
 * plans comes after it: anyone can buy one with a member's address.
 */
export function provisioned(
  { row, timeline }: Membership,
  { isAdded, window }: ProvisionDecision & { kind: 'grant' },
  now: number,
  isCheaper?: (period: Period) => boolean,
): Membership {
  const { planId, validFrom, validUntil } = window;
  const origin = { source: 'provisioning', paymentId: null, subscriptionId: null } as const;
  const time = { startsAt: Math.max(now, validFrom), endsAt: validUntil };
  const kept = isAdded ? timeline : cutAt(timeline, now);
  const isOver = validUntil !== null && validUntil <= time.startsAt;
  const after = isOver
    ? kept
    : planId === null
      ? addWindow(kept, origin, time)
      : grantOrder(kept, { ...origin, planId }, time, isCheaper);
  const bounded = isAdded
    ? row
    : { ...row, valid_from: validFrom, valid_until: validUntil, pricing_plan_id: planId };
  return { row: withTimeline(bounded, after, now), timeline: after };
}

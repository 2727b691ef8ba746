import type { ProvisionExternalCommand } from '@latchkey/contract';
import { hasEnded, type MembershipRow } from './save-membership.js';
import { isRenewing } from './subscription.js';

/** As much of a provisioning as the decision depends on. */
export type ProvisioningTerms = Pick<
  ProvisionExternalCommand,
  'externalOrderId' | 'pricingPlanId' | 'validFrom' | 'validUntil' | 'onOverlap'
>;

/** What becomes of the buyer's membership row in the community. */
export type ProvisionDecision =
  /** The row is written, whole: what is named here changes. */
  | { kind: 'grant'; status: 'created' | 'extended' | 'replaced'; changes: MembershipChanges }
  /** The order is the row's newest: nothing changes (`idempotent_return`). */
  | { kind: 'repeat'; row: MembershipRow }
  /** A subscription renews the row (409 `conflict`). */
  | { kind: 'subscription-managed' }
  /** The row is active, and `onOverlap` is `error` (409 `already_exists`). */
  | { kind: 'already-active' }
  /** The window to be stored would end before it starts (400). */
  | { kind: 'ends-before-start' };

/** The columns that a provisioning decides. */
export type MembershipChanges = Pick<MembershipRow, 'valid_from' | 'valid_until' | 'pricing_plan_id'>;

/**
 * Decides a provisioning by the state of the buyer's row before the call (spec, "Membership outcome of
 * `POST /membership/provision-external`"). The first line that fits decides:
 *
 * | row before the call | decision | window |
 * |---|---|---|
 * | none | `created` | from now; the supplied start is ignored |
 * | renewed by a subscription, and not lapsed | 409 `conflict` | |
 * | holds this order id, lapsed or not | `idempotent_return` | as it is |
 * | lapsed | `replaced` | as supplied |
 * | active, `onOverlap` error | 409 `already_exists` | |
 * | active, `onOverlap` replace | `extended` | as supplied |
 * | active, `onOverlap` extend | `extended` | the row's start; the later end, or none if either has none |
 *
 * Active is every row that has not lapsed, one that has not begun too. A supplied window starts now and lasts for life
 * where it does not say otherwise.
 */
export function decideProvisioning(
  row: MembershipRow | undefined,
  terms: ProvisioningTerms,
  now: number,
): ProvisionDecision {
  const supplied = {
    valid_from: terms.validFrom ?? now,
    valid_until: terms.validUntil ?? null,
    pricing_plan_id: terms.pricingPlanId ?? null,
  };
  if (row === undefined) return grant('created', { ...supplied, valid_from: now });
  if (isRenewing(row) && !hasEnded(row, now)) return { kind: 'subscription-managed' };
  if (row.external_order_id === terms.externalOrderId) return { kind: 'repeat', row };
  if (hasEnded(row, now)) return grant('replaced', supplied);
  switch (terms.onOverlap) {
    case 'error':
      return { kind: 'already-active' };
    case 'replace':
      return grant('extended', supplied);
    case 'extend':
      return grant('extended', {
        valid_from: row.valid_from,
        valid_until: laterEnd(row.valid_until, supplied.valid_until),
        pricing_plan_id: supplied.pricing_plan_id ?? row.pricing_plan_id,
      });
  }
}

function grant(status: 'created' | 'extended' | 'replaced', changes: MembershipChanges): ProvisionDecision {
  const { valid_from, valid_until } = changes;
  if (valid_until !== null && valid_until <= valid_from) return { kind: 'ends-before-start' };
  return { kind: 'grant', status, changes };
}

/** Null is no end: later than any. */
function laterEnd(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : Math.max(one, other);
}

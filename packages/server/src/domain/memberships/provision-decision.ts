import type { ProvisionExternalCommand } from '@latchkey/contract';
import { isExpired, isRenewing } from './membership-state.js';
import type { MembershipRow } from './memberships.js';

/** Fields of a provisioning that decide its result. */
export type ProvisioningTerms = Pick<
  ProvisionExternalCommand,
  'externalOrderId' | 'pricingPlanId' | 'validFrom' | 'validUntil' | 'onOverlap'
>;

/** Decision about the buyer's membership in the community. */
export type ProvisionDecision =
  /** The row is created, or updated with the changes. */
  | { kind: 'grant'; status: 'created' | 'extended' | 'replaced'; changes: MembershipChanges }
  /** The order is the newest one of the row. Nothing changes (`idempotent_return`). */
  | { kind: 'repeat'; row: MembershipRow }
  /** A subscription renews the row (409 `conflict`). */
  | { kind: 'subscription-managed' }
  /** The row is active, and `onOverlap` is `error` (409 `already_exists`). */
  | { kind: 'already-active' }
  /** The resulting window would end before it starts (400). */
  | { kind: 'ends-before-start' };

/** Columns that a provisioning changes. */
export type MembershipChanges = Pick<MembershipRow, 'valid_from' | 'valid_until' | 'pricing_plan_id'>;

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
  const supplied = {
    valid_from: terms.validFrom ?? now,
    valid_until: terms.validUntil ?? null,
    pricing_plan_id: terms.pricingPlanId ?? null,
  };
  if (row === undefined) return grant('created', { ...supplied, valid_from: now });
  if (isRenewing(row) && !isExpired(row, now)) return { kind: 'subscription-managed' };
  if (row.external_order_id === terms.externalOrderId) return { kind: 'repeat', row };
  if (isExpired(row, now)) return grant('replaced', supplied);
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

/** Null means no end, which is later than any end. */
function laterEnd(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : Math.max(one, other);
}

import type { MembershipProductType } from '@latchkey/contract/constants';
import { splitList } from '../element/shared.js';
import type { LoginSession } from '../session/login-session.js';
import type { SessionSnapshot } from '../state/login-state.js';
import { type MembershipRule, opensFor } from '../state/membership-rule.js';

/** The state of a gate. `open` shows the default slot; each other state shows the slot with its name. */
export type GateState = 'loading' | 'signed-out' | 'locked' | 'error' | 'open';

/** Returns a gate's state for a session. The gate stays closed unless a membership meets the rule. Pure. */
export function gateState(snapshot: SessionSnapshot, rule: MembershipRule): GateState {
  const { status, memberships, failure } = snapshot;
  switch (status) {
    case 'checking':
    case 'exchanging':
      return 'loading';
    case 'signed-in':
      if (!memberships) return 'error';
      return opensFor(memberships, rule) ? 'open' : 'locked';
    case 'failed':
      return failure?.during === 'check' ? 'error' : 'signed-out';
    default:
      return 'signed-out';
  }
}

/** A list of product types, separated by spaces. */
export type ProductTypes = MembershipProductType | `${MembershipProductType} ${string}`;

export interface GateConditions {
  productType: ProductTypes | null | undefined;
  membership: string | null | undefined;
  community: string | null | undefined;
  product: string | null | undefined;
  plan: string | null | undefined;
}

export function ruleOf(gate: GateConditions): MembershipRule {
  return {
    productTypes: splitList(gate.productType) as MembershipProductType[],
    membershipIds: splitList(gate.membership),
    communityIds: splitList(gate.community),
    productIds: splitList(gate.product),
    pricingPlanIds: splitList(gate.plan),
  };
}

/** Returns an attribute that can't be checked, as `plan="…"`, or `undefined`. A gate with one stays closed. */
export function uncheckedCondition(
  { community, product, plan }: GateConditions,
  { backend }: LoginSession,
): string | undefined {
  for (const [name, ids] of Object.entries({ community, product, plan })) {
    if (ids == null || (backend !== undefined && splitList(ids).length > 0)) continue;
    return `${name}="${ids}"`;
  }
  return undefined;
}

import { type MembershipRule, opensFor } from '../state/membership-rule.js';
import type { SessionSnapshot } from '../state/session-snapshot.js';

/** The state of a gate. `open` shows the default slot, each other state the slot of that name. */
export type GateState = 'loading' | 'signed-out' | 'locked' | 'error' | 'open';

/** Returns the state of a gate for a session. The gate stays closed unless a membership meets the rule. Pure. */
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

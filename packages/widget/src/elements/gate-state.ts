import { type MembershipRule, opensFor } from '../core/membership-rule.js';
import type { SessionSnapshot } from '../core/session-snapshot.js';

/** What a gate shows; `open` is the default slot, each other state the slot of its name. */
export type GateState = 'loading' | 'signed-out' | 'locked' | 'error' | 'open';

/** Pure: what a gate shows for a session. Anything that is not known to open it keeps it closed. */
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

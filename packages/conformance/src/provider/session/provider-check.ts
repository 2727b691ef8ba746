import type { Check, CheckOutcome } from '../../report/check.js';
import { Missing, Violation } from '../outcome/outcome-errors.js';
import type { Session } from './session.js';

/**
 * Effect of a check on the service. `read`: GET requests only. `write`: creates data. `clock`: also moves the service's
 * clock, so it runs after all others.
 */
export type CheckMode = 'read' | 'write' | 'clock';

/** A check of a service. */
export interface ProviderCheck extends Check<Session> {
  readonly mode: CheckMode;
}

type Observe = (session: Session) => Promise<void>;

/** Checks by requirement id. Each function throws `Violation` or `Missing`, or returns: then the rule is kept. */
export function checksOf(
  mode: CheckMode,
  checks: Readonly<Record<string, Observe>>,
): readonly ProviderCheck[] {
  return Object.entries(checks).map(([id, observe]) => ({
    id,
    mode,
    async run(session) {
      if (mode !== 'read' && !session.isDestructive)
        return { kind: 'not-run', reason: 'needs --destructive' };
      try {
        await observe(session);
        return { kind: 'passed' };
      } catch (error) {
        return outcomeOf(error, session);
      }
    },
  }));
}

function outcomeOf(error: unknown, session: Session): CheckOutcome {
  if (error instanceof Violation) return { kind: 'failed', message: session.mask(error.message) };
  if (error instanceof Missing) return { kind: 'not-run', reason: session.mask(error.message) };
  throw error;
}

import type { Check, CheckOutcome } from '../../report/report.js';
import { Missing, Violation } from './answer.js';
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

/** Throws `Violation` or `Missing`, or returns: then the rule is kept. */
export type Observe = (session: Session) => Promise<void>;

/** The check of one observation. */
export function check<Observed>(
  observe: (session: Session) => Promise<Observed>,
  expect: (observed: Observed) => void,
): Observe {
  return async (session) => expect(await observe(session));
}

/** Checks by requirement id. All rows of a list must hold. */
export function checksOf(
  mode: CheckMode,
  checks: Readonly<Record<string, Observe | readonly Observe[]>>,
): readonly ProviderCheck[] {
  return Object.entries(checks).map(([id, observe]) => ({
    id,
    mode,
    async run(session) {
      if (mode !== 'read' && !session.isDestructive)
        return { kind: 'not-run', reason: 'needs --destructive' };
      try {
        for (const row of [observe].flat()) await row(session);
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

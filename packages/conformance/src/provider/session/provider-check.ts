import type { Check, CheckOutcome } from '../../report/report.js';
import { type Answer, Missing, requireSuccess, shownFields, Violation, valueAt } from './answer.js';
import * as expected from './expect.js';
import type { Session } from './session.js';

/**
 * What checks do to the service, in the order in which they run. `probe` only reads, and needs no more than an app has,
 * for `latchkey doctor`. `read` only reads. `write` creates data. `clock` also moves the service's clock.
 */
export const CHECK_MODES = ['probe', 'read', 'write', 'clock'] as const;

export type CheckMode = (typeof CHECK_MODES)[number];

/** A check of a service. */
export interface ProviderCheck extends Check<Session> {
  readonly mode: CheckMode;
}

/** Returns if the rule is kept, else throws `Violation` or `Missing`. */
export type Observe = (session: Session) => Promise<void>;

/** Creates the check of one observation. */
export function check<Observed>(
  observe: (session: Session) => Promise<Observed>,
  expect: (observed: Observed) => void,
): Observe {
  return async (session) => expect(await observe(session));
}

/** Creates the check of a value in a successful response. */
export function field(
  observe: (session: Session) => Promise<Answer>,
  path: readonly string[],
  rule: (found: unknown, name: string) => void,
): Observe {
  return check(observe, (answer) => rule(valueAt(requireSuccess(answer), ...path), path.at(-1) ?? ''));
}

/** Creates the checks that each of these changes to a request gets a 400. */
export function invalid(
  send: (session: Session, changes: Readonly<Record<string, unknown>>) => Promise<Answer>,
  ...bodies: readonly Readonly<Record<string, unknown>>[]
): readonly Observe[] {
  return bodies.map((changes) =>
    check(
      (session) => send(session, changes),
      ({ status }) => expected.that(status === 400, `400 for ${shownFields(changes)}`, status),
    ),
  );
}

/** Creates checks by requirement id. All rows of a list must hold. */
export function checksOf(
  mode: CheckMode,
  checks: Readonly<Record<string, Observe | readonly Observe[]>>,
): readonly ProviderCheck[] {
  return Object.entries(checks).map(([id, observe]) => ({
    id,
    mode,
    async run(session) {
      if ((mode === 'write' || mode === 'clock') && !session.isDestructive)
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

/** Longest message of an outcome, in characters. A service can write longer ones. */
const TEXT_MAX = 400;

function outcomeOf(error: unknown, session: Session): CheckOutcome {
  if (!(error instanceof Violation || error instanceof Missing)) throw error;
  // Mask first: otherwise part of a secret could remain.
  const text = session.mask(error.message).slice(0, TEXT_MAX);
  return error instanceof Violation ? { kind: 'failed', message: text } : { kind: 'not-run', reason: text };
}

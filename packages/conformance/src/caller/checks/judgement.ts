import type { CheckOutcome } from '../../report/check.js';
import type { Exchange } from '../../report/exchange.js';
import type { Recording } from '../record/recording.js';

/** Outcome of a check with the messages on which it rests. */
export interface Judgement {
  readonly outcome: CheckOutcome;
  readonly exchanges: readonly Exchange[];
}

/** A check of one rule that callers must keep. It judges what was observed. */
export interface CallerCheck {
  /** Requirement id, such as `retry.not-client-errors`. */
  readonly id: string;
  judge(recording: Recording): Judgement;
}

/** The client keeps the rule in everything that was observed. */
export function passed(exchanges: readonly Exchange[]): Judgement {
  return { outcome: { kind: 'passed' }, exchanges };
}

/** The client breaks the rule. */
export function failed(message: string, exchanges: readonly Exchange[]): Judgement {
  return { outcome: { kind: 'failed', message }, exchanges };
}

/** The rule was not exercised, so nothing is proven. */
export function notObserved(reason: string): Judgement {
  return { outcome: { kind: 'not-run', reason: `not observed: ${reason}` }, exchanges: [] };
}

/** Joins the judgements of the parts of a rule. One failure fails the rule, and one pass is enough otherwise. */
export function joined(...parts: readonly Judgement[]): Judgement {
  const failures = parts.filter(({ outcome }) => outcome.kind === 'failed');
  if (failures.length > 0) {
    const messages = failures.map(({ outcome }) => (outcome.kind === 'failed' ? outcome.message : ''));
    return failed(
      messages.join(' '),
      failures.flatMap(({ exchanges }) => exchanges),
    );
  }
  const passes = parts.filter(({ outcome }) => outcome.kind === 'passed');
  if (passes.length > 0) return passed(passes.flatMap(({ exchanges }) => exchanges));
  return parts[0] ?? notObserved('nothing was judged');
}

import type { Exchange } from './exchange.js';

/** Result of one check. */
export type CheckOutcome =
  | { readonly kind: 'passed' }
  /** The subject breaks the rule. `message`: what was expected and what was found. */
  | { readonly kind: 'failed'; readonly message: string }
  /** The check did not run, so it proves nothing. `reason`: what is missing, such as `needs fixtures.clock`. */
  | { readonly kind: 'not-run'; readonly reason: string }
  /** No check can observe the rule from outside. */
  | { readonly kind: 'unobservable'; readonly reason: string };

/** A check of one rule of the specification. */
export interface Check<Subject> {
  /** Requirement id, such as `token.success-created`. */
  readonly id: string;
  /** Runs the check. It returns the outcome, and throws only for an error of the check itself. */
  run(subject: Subject): Promise<CheckOutcome>;
}

/** Outcome of a check with the messages on which it rests. */
export interface CheckResult {
  /** Requirement id. */
  readonly id: string;
  readonly outcome: CheckOutcome;
  /** Requests and responses that the check observed, in their order. Secrets are masked. */
  readonly exchanges: readonly Exchange[];
  readonly durationMs: number;
}

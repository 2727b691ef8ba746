import { REQUIREMENTS, type Requirement } from '@latchkey/contract/requirements';

/** Headers by lower-case name. */
export type Headers = Readonly<Record<string, string>>;

/** A request as the report shows it. */
export interface SentRequest {
  readonly method: string;
  /** Absolute URL. */
  readonly url: string;
  readonly headers: Headers;
  readonly body?: string;
}

/** A response as the report shows it. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** A request with its response. Without `response`, `failure` is the reason, such as a refused connection. */
export interface RoundTrip {
  readonly request: SentRequest;
  readonly response?: ReceivedResponse;
  readonly failure?: string;
}

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

/** Rule as a report shows it. */
export type CheckedRule = Pick<Requirement, 'text' | 'section'>;

/** Outcome of a check with the messages on which it rests. */
export interface CheckResult {
  /** Requirement id. */
  readonly id: string;
  /** Rule of an id that is no requirement of the specification. */
  readonly rule?: CheckedRule;
  readonly outcome: CheckOutcome;
  /** Requests and responses that the check observed, in their order. Secrets are masked. */
  readonly roundTrips: readonly RoundTrip[];
  readonly durationMs: number;
}

/** Results of a run, ready for the writers. */
export interface Report {
  /** What was tested: a service, a client of it, or a payment provider. */
  readonly side: 'provider' | 'caller' | 'payments';
  /** Base URL of the service, or name of the client or the payment provider. */
  readonly subject: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds since the epoch. */
  readonly finishedAt: number;
  /** Seed of the generated requests, if there were any. It repeats the run. */
  readonly seed?: number;
  readonly results: readonly CheckResult[];
}

/** Number of results by the kind of their outcome. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly notRun: number;
  readonly unobservable: number;
}

/** Counts the results of a report. */
export function tally({ results }: Pick<Report, 'results'>): Tally {
  const count = (kind: string) => results.filter(({ outcome }) => outcome.kind === kind).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    notRun: count('not-run'),
    unobservable: count('unobservable'),
  };
}

/** Exit code of a run: 1 if a check failed, else 0. A run in which no check ran proves nothing: 2. */
export function exitCode(report: Pick<Report, 'results'>): 0 | 1 | 2 {
  const { failed, passed } = tally(report);
  if (failed > 0) return 1;
  return passed > 0 ? 0 : 2;
}

const BY_ID: ReadonlyMap<string, Requirement> = new Map(REQUIREMENTS.map((rule) => [rule.id, rule]));

/** Returns the rule of a result. */
export function ruleOfResult({ id, rule }: Pick<CheckResult, 'id' | 'rule'>): CheckedRule {
  return rule ?? ruleOf(id);
}

/**
 * Returns the rule of a requirement id.
 *
 * @throws RangeError when the id does not exist.
 */
export function ruleOf(id: string): Requirement {
  const rule = BY_ID.get(id);
  if (rule === undefined) throw new RangeError(`ruleOf: there is no requirement ${JSON.stringify(id)}.`);
  return rule;
}

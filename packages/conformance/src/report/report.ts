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

/** A request with its response. If there is no `response`, `failure` says why, such as a refused connection. */
export interface RoundTrip {
  readonly request: SentRequest;
  readonly response?: ReceivedResponse;
  readonly failure?: string;
}

/** Returns messages without secrets. `mask` gets each text, and a header's name with its value. */
export function maskedRoundTrip(
  { request, response, failure }: RoundTrip,
  mask: (text: string, header?: string) => string,
): RoundTrip {
  const masked = (headers: Headers) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, mask(value, name)]));
  const { method, url, headers, body } = request;
  return {
    request: {
      method,
      url: mask(url),
      headers: masked(headers),
      ...(body !== undefined && { body: mask(body) }),
    },
    ...(response !== undefined && {
      response: {
        status: response.status,
        headers: masked(response.headers),
        body: mask(response.body),
      },
    }),
    ...(failure !== undefined && { failure }),
  };
}

/** The result of one check. */
export type CheckOutcome =
  | { readonly kind: 'passed' }
  /** The subject breaks the rule. `message` says what was expected and what was found. */
  | { readonly kind: 'failed'; readonly message: string }
  /** The check didn't run, so it proves nothing. `reason` says what is missing, such as `needs fixtures.clock`. */
  | { readonly kind: 'not-run'; readonly reason: string }
  /** No check can observe the rule from outside. */
  | { readonly kind: 'unobservable'; readonly reason: string };

/** A check of one rule of the specification. */
export interface Check<Subject> {
  /** Requirement id, such as `token.success-created`. */
  readonly id: string;
  /** Runs the check and returns the outcome. Throws only for an error in the check itself. */
  run(subject: Subject): Promise<CheckOutcome>;
}

/** A rule, as a report shows it. */
export type CheckedRule = Pick<Requirement, 'text' | 'section'>;

/** The outcome of a check, with the messages that prove it. */
export interface CheckResult {
  /** Requirement id. */
  readonly id: string;
  /** The rule, if the id isn't a requirement of the specification. */
  readonly rule?: CheckedRule;
  readonly outcome: CheckOutcome;
  /** Requests and responses that the check observed, in order. Secrets are masked. */
  readonly roundTrips: readonly RoundTrip[];
  readonly durationMs: number;
}

/** The results of a run, ready for the writers. */
export interface Report {
  /** What was tested: a service, a client of it, or a payment provider. */
  readonly side: 'provider' | 'caller' | 'payments';
  /** Base URL of the service, or name of the client or the payment provider. */
  readonly subject: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds since the epoch. */
  readonly finishedAt: number;
  /** Seed of the generated requests, if there were any. Use it to repeat the run. */
  readonly seed?: number;
  readonly results: readonly CheckResult[];
}

/** Number of results by kind of outcome. */
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

/**
 * Returns the exit code of a run: 1 if a check failed, else 0, or 2 if no check ran or one got no response. A service
 * that can't be reached proves nothing, though checks of the fixtures alone pass.
 */
export function exitCode(report: Pick<Report, 'results'>): 0 | 1 | 2 {
  const { failed, passed } = tally(report);
  if (failed > 0) return 1;
  const isUnanswered = report.results.some(
    ({ outcome, roundTrips }) =>
      outcome.kind === 'not-run' && roundTrips.some(({ response }) => response === undefined),
  );
  return passed > 0 && !isUnanswered ? 0 : 2;
}

const BY_ID: ReadonlyMap<string, Requirement> = new Map(REQUIREMENTS.map((rule) => [rule.id, rule]));

export function ruleOfResult({ id, rule }: Pick<CheckResult, 'id' | 'rule'>): CheckedRule {
  return rule ?? ruleOf(id);
}

/**
 * Returns the rule of a requirement id.
 *
 * @throws RangeError when the id doesn't exist.
 */
export function ruleOf(id: string): Requirement {
  const rule = BY_ID.get(id);
  if (rule === undefined) throw new RangeError(`ruleOf: there is no requirement ${JSON.stringify(id)}.`);
  return rule;
}

/** Headers that curl sets itself. */
const SET_BY_CURL = new Set([
  'content-length',
  'host',
  'connection',
  'accept-encoding',
  'user-agent',
  'accept',
]);

/** Returns a command line for a POSIX shell that sends the request again. */
export function curlLine({ method, url, headers, body }: SentRequest): string {
  const parts = ['curl', '-i'];
  if (method !== 'GET') parts.push('-X', method);
  for (const [name, value] of Object.entries(headers)) {
    if (!SET_BY_CURL.has(name)) parts.push('-H', quoted(`${name}: ${value}`));
  }
  if (body !== undefined) parts.push('--data-raw', quoted(body));
  return [...parts, quoted(url)].join(' ');
}

/** Quotes for a POSIX shell: everything between single quotes is literal. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

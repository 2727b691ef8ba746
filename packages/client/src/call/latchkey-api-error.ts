/**
 * Error codes, by origin:
 *
 * - before a request: `invalid_request` (an invalid argument, or one that is probably a mistake);
 * - from the service (spec, "Errors / Shapes"): `rejected` before the endpoint ran (key, fields, permission, role),
 *   `failed` in the endpoint (with `errorCode`, and every 5xx), `failed_in_success` (a failure in a 2xx);
 * - during transport: `network`, `timeout`, `aborted` (by the caller's signal);
 * - in the response: `unreadable_answer` (a redirect, a proxy's page, a response that is too large or not as documented).
 */
export type LatchkeyApiErrorCode =
  | 'invalid_request'
  | 'rejected'
  | 'failed'
  | 'failed_in_success'
  | 'network'
  | 'timeout'
  | 'aborted'
  | 'unreadable_answer';

/** Codes of errors that always have a status. */
type ResponseCode = 'rejected' | 'failed' | 'failed_in_success' | 'unreadable_answer';

/** A {@link LatchkeyApiError} with one of these codes. */
export type LatchkeyApiErrorOf<Code extends LatchkeyApiErrorCode> = LatchkeyApiError & {
  readonly code: Code;
} & ([Code] extends [ResponseCode] ? { readonly status: number } : unknown);

const BRAND = Symbol.for('@latchkey/client.LatchkeyApiError');

/**
 * The only error of the client's calls. Branch on `code` and `status`; new values of `errorCode` can follow. Its texts
 * address developers, not end users. It never contains the API key.
 */
export class LatchkeyApiError extends Error {
  override readonly name = 'LatchkeyApiError';
  readonly code: LatchkeyApiErrorCode;
  /** Entry of the code in the documentation. Node.js prints it with an uncaught error. */
  readonly docs: string;
  /** Method and path template of the endpoint, for example `POST /api/checkout/buy-plan`. */
  readonly endpoint: string;
  /** Time of the failure by the client's clock: ISO-8601 in UTC. */
  readonly time: string;
  /** Number of requests that were sent. */
  readonly attempts: number;
  /**
   * True if the service could have processed the request although the call failed: the endpoint changes data, and an
   * attempt ended without a conclusive response. The description of each call states if it can be repeated.
   */
  readonly outcomeUnknown: boolean;
  /** HTTP status of the last response, if there was one. */
  declare readonly status?: number;
  /** `errorCode` of the envelope. A rejection has none. */
  declare readonly errorCode?: string;
  /** `message` of the response. It addresses developers. */
  declare readonly serviceMessage?: string;
  /** `correlationKey` of the envelope. Include it in a failure report. */
  declare readonly correlationKey?: string;
  /** `logUrl` of the envelope, a link to the service's log of the request. */
  declare readonly logUrl?: string;
  /** Trace id of every attempt of the call (W3C Trace Context). */
  declare readonly traceId?: string;
  /** Delay that the service requests before the next request (`Retry-After`), in milliseconds. */
  declare readonly retryAfterMs?: number;
  readonly #facts: FailureFacts;

  constructor(code: LatchkeyApiErrorCode, message: string, { cause, ...facts }: LatchkeyApiErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.docs = `docs/troubleshooting.md#${code}`;
    this.endpoint = facts.endpoint;
    this.time = facts.time;
    this.attempts = facts.attempts;
    this.outcomeUnknown = facts.outcomeUnknown;
    this.#facts = facts;
    // The request URL can contain an identifier of a buyer, so only the report includes it. Undefined values are dropped.
    const { request: _request, ...shown } = facts;
    Object.assign(this, Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined)));
  }

  /**
   * Failure report for the service's support: status, `errorCode`, message, `correlationKey`, endpoint and UTC time (spec,
   * "Retry rules"). Unlike the other properties, it contains the path parameters, which can identify a buyer.
   */
  get report(): string {
    return failureReport(this.message, this.#facts);
  }

  get [BRAND](): true {
    return true;
  }

  /** Returns all fields except stack, cause and report, for loggers that write JSON. */
  toJSON(): Record<string, unknown> {
    return { message: this.message, ...(this as object) };
  }
}

/** Properties of a {@link LatchkeyApiError} besides its code and message. */
export interface LatchkeyApiErrorDetails extends FailureFacts {
  readonly outcomeUnknown: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/**
 * True if the value is a {@link LatchkeyApiError}, also if another copy of this package threw it.
 *
 * @param codes accepted codes. Without any, all codes are accepted.
 */
export function isLatchkeyApiError<Code extends LatchkeyApiErrorCode = LatchkeyApiErrorCode>(
  value: unknown,
  ...codes: readonly Code[]
): value is LatchkeyApiErrorOf<Code> {
  // instanceof fails for another copy of the package and for another realm.
  if (typeof value !== 'object' || value === null || !(BRAND in value)) return false;
  return codes.length === 0 || codes.some((code) => code === (value as LatchkeyApiError).code);
}

/** Facts of a failed call. */
interface FailureFacts {
  readonly endpoint: string;
  /** Method and URL of the request. */
  readonly request?: string | undefined;
  readonly time: string;
  readonly attempts: number;
  readonly status?: number | undefined;
  readonly errorCode?: string | undefined;
  readonly serviceMessage?: string | undefined;
  readonly correlationKey?: string | undefined;
  readonly logUrl?: string | undefined;
  readonly traceId?: string | undefined;
}

/** Formats a report of a failed call, one fact per line (spec, "Retry rules", rule 3). */
function failureReport(message: string, facts: FailureFacts): string {
  const lines: [string, string | number | undefined][] = [
    ['endpoint', facts.request ?? facts.endpoint],
    ['UTC time', facts.time],
    ['status', facts.status],
    ['errorCode', facts.errorCode],
    ['message', facts.serviceMessage],
    ['correlationKey', facts.correlationKey],
    ['logUrl', facts.logUrl],
    ['trace id sent', facts.traceId],
    ['attempts', facts.attempts],
  ];
  return [message, ...lines.map(([name, value]) => `${name}: ${value ?? 'none'}`)].join('\n');
}

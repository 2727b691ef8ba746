import { type FailureFacts, failureReport } from './failure-report.js';

/**
 * Where a call failed:
 *
 * - here, before anything was sent: `invalid_request` (something that cannot be sent, or would do harm if it were);
 * - at the service (spec, "Errors / Shapes"): `rejected` before the endpoint ran (key, fields, permission, role),
 *   `failed` in the endpoint (with `errorCode`, and every 5xx), `failed_in_success` (a failure told inside a 2xx);
 * - on the way: `network`, `timeout` (the last attempt took longer than `timeoutMs`), `aborted` (by the caller's signal),
 *   `unreadable_answer` (a redirect, a proxy's page, an answer that is too large or not what the spec describes).
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

/** The codes of answers, which always have a status. */
type AnsweredCode = 'rejected' | 'failed' | 'failed_in_success' | 'unreadable_answer';

/** A {@link LatchkeyApiError} with one of these codes. */
export type LatchkeyApiErrorOf<Code extends LatchkeyApiErrorCode> = LatchkeyApiError & {
  readonly code: Code;
} & ([Code] extends [AnsweredCode] ? { readonly status: number } : unknown);

const BRAND = Symbol.for('@latchkey/client.LatchkeyApiError');

/**
 * The one error of the client's calls. Branch on `code` and `status`; `errorCode` says more, and its values grow. Nothing
 * in it is for end users, and the API key is nowhere in it.
 */
export class LatchkeyApiError extends Error {
  override readonly name = 'LatchkeyApiError';
  readonly code: LatchkeyApiErrorCode;
  /** Method and path of the endpoint, for example `POST /api/checkout/buy-plan`; parameters as `{name}`. */
  readonly endpoint: string;
  /** When the call failed, by the client's clock: ISO-8601 in UTC. */
  readonly time: string;
  /** How many requests were sent; 0 when it failed before the first. */
  readonly attempts: number;
  /**
   * Whether the service may have done what was asked, although the call failed: a request that changes something was
   * sent, and an attempt ended without an answer that denies it. Asking again is safe where the call's description
   * says so.
   */
  readonly outcomeUnknown: boolean;
  /** HTTP status of the last answer, when there was one. */
  declare readonly status?: number;
  /** `errorCode` of the envelope. A rejected key or request has none. */
  declare readonly errorCode?: string;
  /** `message` of the answer: text for developers. */
  declare readonly serviceMessage?: string;
  /** `correlationKey` of the envelope: quote it when reporting. */
  declare readonly correlationKey?: string;
  /** `logUrl` of the envelope: the service's own log of the request. */
  declare readonly logUrl?: string;
  /** Trace id that every attempt of the call carried (W3C Trace Context). */
  declare readonly traceId?: string;
  /** How long the service asks to be left alone (`Retry-After`), in milliseconds. */
  declare readonly retryAfterMs?: number;
  readonly #facts: FailureFacts;

  constructor(code: LatchkeyApiErrorCode, message: string, { cause, ...facts }: LatchkeyApiErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.endpoint = facts.endpoint;
    this.time = facts.time;
    this.attempts = facts.attempts;
    this.outcomeUnknown = facts.outcomeUnknown;
    this.#facts = facts;
    // The request is for the report alone. What is not known is not there, so that it does not fill the logs.
    const { request: _request, ...shown } = facts;
    Object.assign(this, Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined)));
  }

  /**
   * What the service's support needs, as text to paste: status, `errorCode`, message, `correlationKey`, endpoint and UTC
   * time (spec, "Retry rules"). Unlike the error's other texts it has the path with its parameters, an identifier of a
   * buyer maybe.
   */
  get report(): string {
    return failureReport(this.message, this.#facts);
  }

  get [BRAND](): true {
    return true;
  }

  /** For loggers that write JSON: every field, without stack, cause and report. */
  toJSON(): Record<string, unknown> {
    return { message: this.message, ...(this as object) };
  }
}

/** What a {@link LatchkeyApiError} is made of besides its code and message. */
export interface LatchkeyApiErrorDetails extends FailureFacts {
  readonly outcomeUnknown: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/**
 * Tells a {@link LatchkeyApiError} from other errors, also when another copy of this package threw it.
 *
 * @param codes when given, only an error with one of these codes counts.
 */
export function isLatchkeyApiError<Code extends LatchkeyApiErrorCode = LatchkeyApiErrorCode>(
  value: unknown,
  ...codes: readonly Code[]
): value is LatchkeyApiErrorOf<Code> {
  // By a mark, not by instanceof: there can be two copies of a package, and two realms.
  if (typeof value !== 'object' || value === null || !(BRAND in value)) return false;
  return codes.length === 0 || codes.some((code) => code === (value as LatchkeyApiError).code);
}

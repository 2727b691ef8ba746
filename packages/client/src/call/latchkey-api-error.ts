import { docsUrl } from '@latchkey/contract/constants';

/**
 * Error codes, by origin:
 *
 * - before a request: `invalid_request` (an invalid argument, or one that is probably a mistake);
 * - from the service (spec, "Errors / Shapes"): `rejected` before the endpoint ran (key, fields, permission, role),
 *   `failed` in the endpoint (with `errorCode`, and every 5xx), `failed_in_success` (a failure in a 2xx);
 * - during transport: `network`, `timeout`, `aborted` (by the caller's signal);
 * - in the response: `unreadable_answer` (a redirect, a proxy's page, or a response that is too large or not as
 *   documented).
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
 * The only error that the client's calls reject with. Branch on `code` and `status`; `errorCode` can have new values in
 * the future. Its messages are for developers, not for end users. It never contains the API key.
 */
export class LatchkeyApiError extends Error {
  override readonly name = 'LatchkeyApiError';
  readonly code: LatchkeyApiErrorCode;
  /** URL of the code's entry in the documentation. Node.js prints it with an uncaught error. */
  readonly docs: string;
  /** Method and path template of the endpoint, for example `POST /api/checkout/buy-plan`. */
  readonly endpoint: string;
  /** Time of the failure by the client's clock: ISO-8601, UTC. */
  readonly time: string;
  /** Number of requests sent. */
  readonly attempts: number;
  /**
   * True if the service may have processed the request although the call failed: the endpoint changes data, and an
   * attempt ended without a conclusive response. Each method's description says whether you can repeat it.
   */
  readonly outcomeUnknown: boolean;
  /** HTTP status of the last response, if there was one. */
  declare readonly status?: number;
  /** `errorCode` of the envelope. A rejection has none. */
  declare readonly errorCode?: string;
  /** `message` of the response, for developers. */
  declare readonly serviceMessage?: string;
  /** `correlationKey` of the envelope. Include it when you report a failure. */
  declare readonly correlationKey?: string;
  /** `logUrl` of the envelope: a link to the service's log of the request. */
  declare readonly logUrl?: string;
  /** Trace id that all attempts of the call share (W3C Trace Context). */
  declare readonly traceId?: string;
  /** How long the service asks you to wait before the next request (`Retry-After`), in milliseconds. */
  declare readonly retryAfterMs?: number;
  readonly #request: string | undefined;

  constructor(code: LatchkeyApiErrorCode, message: string, details: LatchkeyApiErrorDetails) {
    // The request URL can identify a buyer, so only the report includes it. Undefined values are dropped.
    const { cause, request, ...shown } = details;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.docs = docsUrl('troubleshooting', code);
    this.endpoint = shown.endpoint;
    this.time = shown.time;
    this.attempts = shown.attempts;
    this.outcomeUnknown = shown.outcomeUnknown;
    this.#request = request;
    Object.assign(this, Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined)));
  }

  /**
   * Failure report to send to the service's support, one fact per line: status, `errorCode`, message, `correlationKey`,
   * endpoint and UTC time (spec, "Retry rules", rule 3). Unlike the other properties, it contains the path parameters,
   * which can identify a buyer.
   */
  get report(): string {
    const lines: [string, string | number | undefined][] = [
      ['endpoint', this.#request ?? this.endpoint],
      ['UTC time', this.time],
      ['status', this.status],
      ['errorCode', this.errorCode],
      ['message', this.serviceMessage],
      ['correlationKey', this.correlationKey],
      ['logUrl', this.logUrl],
      ['trace id sent', this.traceId],
      ['attempts', this.attempts],
    ];
    return [this.message, ...lines.map(([name, value]) => `${name}: ${value ?? 'none'}`)].join('\n');
  }

  get [BRAND](): true {
    return true;
  }

  /** Returns all fields except stack, cause and report, for loggers that write JSON. */
  toJSON(): Record<string, unknown> {
    return { message: this.message, ...(this as object) };
  }
}

type RequiredDetail = 'endpoint' | 'time' | 'attempts' | 'outcomeUnknown';
type OptionalDetail =
  | 'status'
  | 'errorCode'
  | 'serviceMessage'
  | 'correlationKey'
  | 'logUrl'
  | 'traceId'
  | 'retryAfterMs';

/** Properties of a {@link LatchkeyApiError} besides its code and message. `request`: its method and URL. */
export type LatchkeyApiErrorDetails = Pick<LatchkeyApiError, RequiredDetail> & {
  readonly [Name in OptionalDetail]?: LatchkeyApiError[Name] | undefined;
} & { readonly request?: string | undefined; readonly cause?: unknown };

/**
 * True for a {@link LatchkeyApiError}, even one that another copy of this package threw.
 *
 * @param codes accepted codes. Omit them to accept every code.
 */
export function isLatchkeyApiError<Code extends LatchkeyApiErrorCode = LatchkeyApiErrorCode>(
  value: unknown,
  ...codes: readonly Code[]
): value is LatchkeyApiErrorOf<Code> {
  // `instanceof` fails for errors from another copy of the package or another realm.
  if (typeof value !== 'object' || value === null || !(BRAND in value)) return false;
  return codes.length === 0 || codes.some((code) => code === (value as LatchkeyApiError).code);
}

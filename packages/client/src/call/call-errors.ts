import type { Endpoints } from '@latchkey/contract';
import { isError, networkFailureOf } from '@latchkey/contract/constants';
import type { Settings } from '../options/options.js';
import type { AttemptResult, PreparedRequest, ResponseResult, ServiceResponse } from './attempt.js';
import type { ApiKeyEndpointName } from './endpoint-call.js';
import {
  LatchkeyApiError,
  type LatchkeyApiErrorCode,
  type LatchkeyApiErrorDetails,
} from './latchkey-api-error.js';
import { readRetryAfter } from './retry-policy.js';

/** `isUncertain`: the attempt may have changed something at the service. */
type ErrorDetails = Partial<LatchkeyApiErrorDetails> & { readonly isUncertain?: boolean };

/** Creates the errors of one call. Counts the attempts, and removes the API key from every string. */
export class CallErrors {
  readonly endpoint: string;
  readonly #settings: Settings;
  readonly #name: ApiKeyEndpointName;
  readonly #redaction: Redaction;
  /** The request, once it's built. */
  facts?: { request: PreparedRequest; traceId: string; likelyCause: string | undefined };
  attempts = 0;

  constructor(settings: Settings, name: ApiKeyEndpointName) {
    const { method, path } = settings.endpoints[name];
    this.endpoint = `${method} ${path}`;
    this.#settings = settings;
    this.#name = name;
    this.#redaction = redactionOf(settings.apiKey);
  }

  invalidRequest(problem: string): LatchkeyApiError {
    return this.#error('invalid_request', `${this.endpoint} was not called: ${problem}`);
  }

  aborted(reason: unknown): LatchkeyApiError {
    const hasSent = this.attempts > 0;
    const when = hasSent ? ' before the service responded' : '';
    return this.#error('aborted', `The caller aborted ${this.endpoint}${when}.`, {
      cause: this.#redaction.cause(reason),
      isUncertain: hasSent,
    });
  }

  noResponse(result: Exclude<AttemptResult, { kind: 'response' }>, timeoutMs: number): LatchkeyApiError {
    const tried = this.attempts > 1 ? ` The client tried ${this.attempts} times.` : '';
    switch (result.kind) {
      case 'unreadable':
        return this.#unreadable(result.status, result.problem);
      case 'aborted':
        return this.aborted(result.cause);
      case 'timeout': {
        const message = `${this.endpoint} did not respond within ${timeoutMs} ms.${tried}`;
        return this.#error('timeout', message, { isUncertain: true });
      }
      case 'network': {
        const cause = this.#redaction.cause(result.cause);
        const { reason, advice } = networkFailureOf(cause);
        const message = `The request to ${this.endpoint} failed: ${reason}.${tried} ${advice}`;
        return this.#error('network', message, { cause, isUncertain: true });
      }
    }
  }

  failedResponse(
    kind: Exclude<ResponseResult['kind'], 'success'>,
    response: ServiceResponse,
  ): LatchkeyApiError {
    const { status } = response;
    const facts = this.#factsOf(response);
    const text = sentence(facts.serviceMessage);
    switch (kind) {
      case 'unreadable_answer':
        return this.#unreadable(
          status,
          `it is ${response.form}, not a JSON object. A proxy sent it, or serviceUrl is not the address of the service`,
        );
      case 'rejected': {
        const message = `${this.endpoint} was rejected before the endpoint ran (${status})${text}`;
        return this.#error(
          'rejected',
          message + rejectionHint(this.#settings.endpoints[this.#name], status),
          facts,
        );
      }
      case 'failed_in_success': {
        const hint = this.facts?.likelyCause === undefined ? '' : ` ${this.facts.likelyCause}`;
        const message = `${this.endpoint} responded with ${status} but failed${text}${hint}`;
        return this.#error('failed_in_success', message, facts);
      }
      case 'failed': {
        const message = `${this.endpoint} failed (${status}, ${facts.errorCode ?? 'no errorCode'})${text}`;
        const isUncertain = status >= 500;
        const proxyHint =
          response.body === undefined ? ` The body is ${response.form}, so a proxy may have sent it.` : '';
        const hint = unknownPathHint(facts) + proxyHint + this.#retryHint(isUncertain);
        return this.#error('failed', message + hint, { ...facts, isUncertain });
      }
    }
  }

  failedInSuccess(response: ServiceResponse, problem: string): LatchkeyApiError {
    const message = `${this.endpoint} responded with ${response.status} but failed: ${problem}`;
    return this.#error('failed_in_success', message, this.#factsOf(response));
  }

  malformedData(response: ServiceResponse, problem: string): LatchkeyApiError {
    return this.#unreadable(response.status, problem, this.#factsOf(response));
  }

  #unreadable(status: number, problem: string, facts: ErrorDetails = {}): LatchkeyApiError {
    const message = `The response of ${this.endpoint} (${status}) is not as documented: ${problem}.`;
    // A 4xx means that nothing changed, even if a proxy sent it.
    return this.#error('unreadable_answer', message, { ...facts, status, isUncertain: status < 400 });
  }

  #retryHint(isUncertain: boolean): string {
    if (isUncertain || !this.#changesData || this.attempts === 1) return '';
    return ' An earlier attempt of this call got no response and could be the cause.';
  }

  get #changesData(): boolean {
    return this.#settings.endpoints[this.#name].method === 'POST';
  }

  #factsOf({ status, body, retryAfter }: ServiceResponse) {
    const { text } = this.#redaction;
    return {
      status,
      errorCode: text(body?.errorCode),
      serviceMessage: text(body?.message),
      correlationKey: text(body?.correlationKey),
      logUrl: text(body?.logUrl),
      retryAfterMs: readRetryAfter(retryAfter, this.#settings.clock.now()),
    };
  }

  #error(
    code: LatchkeyApiErrorCode,
    message: string,
    { isUncertain = false, ...details }: ErrorDetails = {},
  ): LatchkeyApiError {
    const request = this.facts?.request;
    return new LatchkeyApiError(code, message, {
      endpoint: this.endpoint,
      request: request && `${request.method} ${request.url}`,
      time: new Date(this.#settings.clock.now()).toISOString(),
      attempts: this.attempts,
      // Every retried attempt ended without a response or with a 5xx.
      outcomeUnknown: this.#changesData && (isUncertain || this.attempts > 1),
      traceId: this.facts?.traceId,
      ...details,
    });
  }
}

/** Returns the likely cause of a rejection, if the status implies one (spec, "Status codes"). */
function rejectionHint({ auth }: Endpoints[ApiKeyEndpointName], status: number): string {
  const { permissions, communityRole } = auth;
  if (status === 401) {
    return ' The API key is missing, malformed, unknown or revoked. Check the option apiKey.';
  }
  if (status === 404 || status === 405) return ' Check that serviceUrl is the address of the service.';
  if (status !== 403) return '';
  const role = communityRole ? ', whose owner is OWNER or ADMIN of the community' : '';
  return ` It requires a key with ${permissions.join(' and ')}${role}.`;
}

/** A service that doesn't have the path responds with 404 too. */
function unknownPathHint({ status, errorCode }: { status: number; errorCode: string | undefined }): string {
  if (status !== 404 || errorCode !== undefined) return '';
  return ' If the service has no such path, check that serviceUrl is its address.';
}

function sentence(text: string | undefined): string {
  return text === undefined ? '.' : `: ${/[.!?…]$/.test(text) ? text : `${text}.`}`;
}

const SHOWN_LENGTH = 500;
const CAUSES_DEEP = 4;

type Redaction = ReturnType<typeof redactionOf>;

/**
 * Removes a secret from strings and errors that come from elsewhere, before they become part of an error or a log. The
 * errors of an injected `fetch` can contain the request, and a proxy's response can contain its headers.
 */
function redactionOf(secret: string) {
  const clean = (text: string) => text.replaceAll(secret, '[API key]');
  /** Returns one line of at most 500 characters, without control characters and without the secret. */
  const text = (foreign: unknown) => {
    if (typeof foreign !== 'string') return undefined;
    // Line breaks could forge log entries, and format characters could reverse the text.
    const line = clean(foreign)
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
      .trim();
    if (line === '') return undefined;
    return line.length > SHOWN_LENGTH ? `${line.slice(0, SHOWN_LENGTH)}…` : line;
  };
  /** Copies the name, message, code and cause of an error, without its other properties. */
  const copy = (foreign: unknown, depth: number): Error | undefined => {
    if (!isError(foreign) || depth > CAUSES_DEEP) return undefined;
    const { name, message, stack, cause } = foreign;
    const causeCopy = copy(cause, depth + 1);
    const error = new Error(clean(message), causeCopy && { cause: causeCopy });
    error.name = clean(name);
    if (typeof stack === 'string') error.stack = clean(stack);
    const code: unknown = Reflect.get(foreign, 'code');
    return typeof code === 'string' ? Object.assign(error, { code: clean(code) }) : error;
  };
  return { text, cause: (foreign: unknown) => copy(foreign, 1) };
}

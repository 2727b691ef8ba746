import { ENDPOINTS } from '@latchkey/contract';
import type { Settings } from '../options/options.js';
import type { Answer } from './answer.js';
import type { AttemptOutcome, PreparedRequest } from './attempt.js';
import type { ApiKeyEndpointName } from './endpoint-call.js';
import {
  LatchkeyApiError,
  type LatchkeyApiErrorCode,
  type LatchkeyApiErrorDetails,
} from './latchkey-api-error.js';
import { readRetryAfter } from './retry-policy.js';
import { redactionOf } from './secret-redaction.js';

/** Keeps what is known of a call while it runs, and makes the error that it ends with. */
export interface CallFailures {
  /** Method and path template. */
  readonly endpoint: string;
  /** How many requests were sent. */
  readonly attempts: number;
  begin(known: Known): void;
  sent(): void;
  invalid(problem: string): LatchkeyApiError;
  aborted(reason: unknown): LatchkeyApiError;
  unanswered(outcome: Exclude<AttemptOutcome, { kind: 'answer' }>, timeoutMs: number): LatchkeyApiError;
  answered(
    code: 'rejected' | 'failed' | 'failed_in_success' | 'unreadable_answer',
    answer: Answer,
  ): LatchkeyApiError;
  failedInSuccess(answer: Answer, failure: string): LatchkeyApiError;
  unreadable(answer: Answer, problem: string): LatchkeyApiError;
}

/** What is known of a call once its request is ready. */
interface Known {
  readonly request: PreparedRequest;
  readonly traceId: string;
  readonly likelyCause: string | undefined;
}

export function callFailures(settings: Settings, name: ApiKeyEndpointName): CallFailures {
  const row = ENDPOINTS[name];
  const endpoint = `${row.method} ${row.path}`;
  const redact = redactionOf(settings.apiKey);
  let known: Known | undefined;
  let attempts = 0;

  type Extra = Partial<LatchkeyApiErrorDetails>;
  const fail = (
    code: LatchkeyApiErrorCode,
    message: string,
    { isUncertain = false, ...extra }: Extra & { isUncertain?: boolean } = {},
  ) =>
    new LatchkeyApiError(code, message, {
      endpoint,
      request: known && `${known.request.method} ${known.request.url}`,
      time: new Date(settings.clock.now()).toISOString(),
      attempts,
      // Whatever was repeated had ended without an answer, or with a 5xx.
      outcomeUnknown: row.method === 'POST' && (isUncertain || attempts > 1),
      traceId: known?.traceId,
      ...extra,
    });

  const factsOf = ({ status, body, retryAfter }: Answer) => ({
    status,
    errorCode: redact.text(body?.errorCode),
    serviceMessage: redact.text(body?.message),
    correlationKey: redact.text(body?.correlationKey),
    logUrl: redact.text(body?.logUrl),
    retryAfterMs: readRetryAfter(retryAfter, settings.clock.now()),
  });

  const unreadable = (status: number, problem: string, facts: Extra = {}) =>
    fail('unreadable_answer', `The answer of ${endpoint} (${status}) cannot be read: ${problem}.`, {
      ...facts,
      status,
      // A 4xx has done nothing, whoever wrote it.
      isUncertain: status < 400,
    });

  return {
    endpoint,
    get attempts() {
      return attempts;
    },
    begin(what) {
      known = what;
    },
    sent() {
      attempts += 1;
    },
    invalid: (problem) => fail('invalid_request', `${endpoint} was not called: ${problem}`),
    aborted: (reason) =>
      fail(
        'aborted',
        `${endpoint} was aborted by its caller${attempts > 0 ? ' before it was answered' : ''}.`,
        {
          cause: redact.cause(reason),
          isUncertain: attempts > 0,
        },
      ),
    unanswered(outcome, timeoutMs) {
      if (outcome.kind === 'unreadable') return unreadable(outcome.status, outcome.problem);
      if (outcome.kind === 'aborted') return this.aborted(outcome.cause);
      const tried = attempts > 1 ? `, tried ${attempts} times` : '';
      if (outcome.kind === 'timeout') {
        const message = `${endpoint} did not answer within ${timeoutMs} ms${tried}.`;
        return fail('timeout', message, { isUncertain: true });
      }
      const cause = redact.cause(outcome.cause);
      const code = networkCode(cause);
      const message = `${endpoint} could not be reached, or the connection broke${code && ` (${code})`}${tried}.`;
      return fail('network', message, { cause, isUncertain: true });
    },
    answered(code, answer) {
      const { status } = answer;
      const facts = factsOf(answer);
      if (code === 'unreadable_answer') {
        return unreadable(
          status,
          'it is no JSON object, so a proxy wrote it, or serviceUrl is another address',
        );
      }
      const told = sentence(facts.serviceMessage);
      if (code === 'rejected') {
        const message = `${endpoint} was rejected before the endpoint ran (${status})${told}${rejectionHint(name, status)}`;
        return fail('rejected', message, facts);
      }
      if (code === 'failed_in_success') {
        const hint = known?.likelyCause === undefined ? '' : ` ${known.likelyCause}`;
        return fail(
          'failed_in_success',
          `${endpoint} answered ${status}, but did not do it${told}${hint}`,
          facts,
        );
      }
      const isUncertain = status >= 500;
      const repeated =
        !isUncertain && row.method === 'POST' && attempts > 1
          ? ' An earlier attempt of this call was not answered, and may be what did it.'
          : '';
      const errorCode = facts.errorCode ?? 'without errorCode';
      const message = `${endpoint} failed (${status}, ${errorCode})${told}${repeated}`;
      return fail('failed', message, { ...facts, isUncertain });
    },
    failedInSuccess: (answer, failure) =>
      fail('failed_in_success', `${endpoint} answered ${answer.status}, but ${failure}`, factsOf(answer)),
    unreadable: (answer, problem) => unreadable(answer.status, problem, factsOf(answer)),
  };
}

/** What to look at, where the status says it (spec, "Status codes"). */
function rejectionHint(name: ApiKeyEndpointName, status: number): string {
  const { permissions, communityRole } = ENDPOINTS[name].auth;
  if (status === 401)
    return ' The API key is missing, malformed, unknown or revoked: check the option apiKey.';
  if (status === 404 || status === 405) return ' Is serviceUrl the address of the service?';
  if (status !== 403) return '';
  const role = communityRole ? ', whose owner is OWNER or ADMIN of the community' : '';
  return ` It takes a key with ${permissions.join(' and ')}${role}.`;
}

function sentence(text: string | undefined): string {
  return text === undefined ? '.' : `: ${/[.!?…]$/.test(text) ? text : `${text}.`}`;
}

/** The system's name for what broke, such as ECONNREFUSED: of the innermost cause that has one. */
function networkCode(cause: unknown): string {
  if (!(cause instanceof Error)) return '';
  const inner = networkCode(cause.cause);
  if (inner !== '') return inner;
  const code: unknown = Reflect.get(cause, 'code');
  return typeof code === 'string' ? code : '';
}

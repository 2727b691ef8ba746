import { ENDPOINTS } from '@latchkey/contract';
import type { Settings } from '../options/options.js';
import { unlessAborted } from '../options/sleep.js';
import type { Answer } from './answer.js';
import { judgeAnswer } from './answer-verdict.js';
import { type AttemptOutcome, attempt, type PreparedRequest } from './attempt.js';
import { type CallFailures, callFailures } from './call-failures.js';
import { type CallOptions, type CallPlan, planCall } from './call-options.js';
import type { EndpointCall } from './endpoint-call.js';
import { InvalidRequest } from './invalid-request.js';
import { fillPath } from './request-url.js';
import { type AttemptEnd, readRetryAfter, retryDelay } from './retry-policy.js';

interface Preparation<Result> {
  readonly endpoint: EndpointCall<Result>['endpoint'];
  /** What the caller gave. */
  readonly request: unknown;
  readonly call: () => EndpointCall<Result>;
}

/**
 * Makes a call: checks it, sends its one request, again where the retry policy says so, and reads what came of it.
 *
 * @param prepare says what to send; what it throws as {@link InvalidRequest} is the call's `invalid_request`.
 * @throws LatchkeyApiError always and only.
 */
export async function callEndpoint<Result>(
  settings: Settings,
  prepare: Preparation<Result>,
  options: CallOptions = {},
): Promise<Result> {
  const failures = callFailures(settings, prepare.endpoint);
  let plan: CallPlan;
  let call: EndpointCall<Result>;
  let request: PreparedRequest;
  try {
    plan = planCall(settings, options);
    requireRequest(prepare.request);
    call = prepare.call();
    request = prepareRequest(settings, call, plan);
  } catch (error) {
    if (error instanceof InvalidRequest) throw failures.invalid(error.message);
    throw error;
  }
  failures.begin({ request, traceId: plan.trace.traceId, likelyCause: call.likelyCause });
  if (plan.isTraceReplaced) {
    tell(settings, 'warn', 'The traceparent of a call is not well-formed; a new trace was begun instead.', {
      endpoint: failures.endpoint,
    });
  }
  const answer = await exchange(settings, { request, plan, failures });
  return readResult(call, { answer, failures });
}

interface Exchange {
  readonly request: PreparedRequest;
  readonly plan: CallPlan;
  readonly failures: CallFailures;
}

/** Sends the request until it is answered or the retry policy says that it is enough. */
async function exchange(settings: Settings, { request, plan, failures }: Exchange): Promise<Answer> {
  // Looked up at the call, so that what is put in place of the global fetch later counts too.
  const { clock, random, fetch: send = fetch } = settings;
  const { signal, timeoutMs, maxRetries } = plan;
  for (;;) {
    if (signal?.aborted) throw failures.aborted(signal.reason);
    const sentAt = clock.now();
    failures.sent();
    const outcome = await attempt(send, request, { timeoutMs, signal });
    const end = endOf(outcome, clock.now());
    const { endpoint, attempts } = failures;
    const facts = {
      endpoint,
      attempt: attempts,
      outcome: end.kind,
      ...('status' in end && { status: end.status }),
    };
    tell(settings, 'debug', 'A request to the service has ended.', { ...facts, ms: clock.now() - sentAt });
    const delay = retryDelay({ ...settings, maxRetries }, { end, attempt: attempts, random: random() });
    if (delay === undefined) {
      if (outcome.kind === 'answer') return outcome.answer;
      throw failures.unanswered(outcome, timeoutMs);
    }
    tell(settings, 'warn', 'A request to the service failed and will be sent again.', {
      ...facts,
      delayMs: delay,
    });
    try {
      await unlessAborted(signal, (ended) => settings.sleep(delay, ended));
    } catch (error) {
      if (signal?.aborted) throw failures.aborted(signal.reason);
      throw error;
    }
  }
}

function endOf(outcome: AttemptOutcome, now: number): AttemptEnd {
  if (outcome.kind !== 'answer') return { kind: outcome.kind };
  const { status, retryAfter } = outcome.answer;
  return { kind: 'answer', status, retryAfterMs: readRetryAfter(retryAfter, now) };
}

function readResult<Result>(
  call: EndpointCall<Result>,
  { answer, failures }: { answer: Answer; failures: CallFailures },
): Result {
  const verdict = judgeAnswer(answer);
  if (verdict.kind !== 'done') throw failures.answered(verdict.kind, answer);
  const reading = call.read(verdict.data);
  if ('result' in reading) return reading.result;
  if ('failure' in reading) throw failures.failedInSuccess(answer, reading.failure);
  throw failures.unreadable(answer, reading.problem);
}

/** Plain JavaScript may call with anything. */
function requireRequest(request: unknown): void {
  if (typeof request !== 'object' || request === null) {
    throw new InvalidRequest('its first argument must be an object with what is asked for.');
  }
}

/** The request as every attempt sends it: the same bytes, and so the same order id. */
function prepareRequest(settings: Settings, call: EndpointCall<unknown>, plan: CallPlan): PreparedRequest {
  const { method, path } = ENDPOINTS[call.endpoint];
  const body = call.body && writeJson(call.body);
  return {
    method,
    url: settings.serviceUrl + fillPath(path, call.path ?? {}),
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${settings.apiKey}`,
      traceparent: plan.trace.header,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body,
  };
}

function writeJson(body: Readonly<Record<string, unknown>>): string {
  try {
    return JSON.stringify(body);
  } catch {
    throw new InvalidRequest('it has a value that JSON cannot hold, such as a bigint.');
  }
}

/** Tells the logger; one that throws must not turn what was done into a failure. */
function tell({ logger }: Settings, level: 'warn' | 'debug', ...[message, details]: Told): void {
  try {
    logger[level]?.(message, details);
  } catch {
    // There is nobody left to tell.
  }
}

type Told = [message: string, details: Readonly<Record<string, unknown>>];

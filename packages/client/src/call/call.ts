import { type Settings, unlessAborted } from '../options/options.js';
import {
  type AttemptResult,
  attempt,
  classifyResponse,
  type PreparedRequest,
  type ServiceResponse,
} from './attempt.js';
import { CallErrors } from './call-errors.js';
import { type CallOptions, type CallPlan, planCall } from './call-options.js';
import { type EndpointCall, InvalidRequest } from './endpoint-call.js';
import { type RetryFacts, readRetryAfter, retryDelay } from './retry-policy.js';

/**
 * Runs a call: validates its arguments, sends the request, retries by the retry policy, and parses the response.
 *
 * @throws LatchkeyApiError for every failure.
 */
export async function callEndpoint<Argument, Result>(
  settings: Settings,
  call: EndpointCall<Argument, Result>,
  argument: Argument,
  options: CallOptions = {},
): Promise<Result> {
  const errors = new CallErrors(settings, call.endpoint);
  let plan: CallPlan;
  let request: PreparedRequest;
  try {
    plan = planCall(settings, options);
    // Callers in plain JavaScript can pass anything.
    if (typeof argument !== 'object' || argument === null)
      throw new InvalidRequest('its first argument must be an object with the fields of the request.');
    request = prepareRequest(settings, call, { argument, traceparent: plan.trace.header });
  } catch (error) {
    if (error instanceof InvalidRequest) throw errors.invalidRequest(error.message);
    throw error;
  }
  errors.facts = { request, traceId: plan.trace.traceId, likelyCause: call.likelyCause };
  if (plan.isTraceReplaced) {
    log(settings, 'warn', 'The traceparent of a call is malformed. The client started a new trace.', {
      endpoint: errors.endpoint,
    });
  }
  const response = await sendWithRetries(settings, { request, plan, errors });
  const classified = classifyResponse(response);
  if (classified.kind !== 'success') throw errors.failedResponse(classified.kind, response);
  const parsed = call.parse(classified.data);
  switch (parsed.kind) {
    case 'success':
      return parsed.result;
    case 'failure':
      throw errors.failedInSuccess(response, parsed.problem);
    case 'malformed':
      throw errors.malformedData(response, parsed.problem);
  }
}

/** Sends the request until a response is final or the retry policy ends the call. */
async function sendWithRetries(
  settings: Settings,
  { request, plan, errors }: { request: PreparedRequest; plan: CallPlan; errors: CallErrors },
): Promise<ServiceResponse> {
  // Read at each call, so a global fetch that is replaced later takes effect.
  const { clock, random, fetch: send = fetch } = settings;
  const { signal, timeoutMs, maxRetries } = plan;
  for (;;) {
    if (signal?.aborted) throw errors.aborted(signal.reason);
    const sentAt = clock.now();
    errors.attempts += 1;
    const result = await attempt(send, request, { timeoutMs, signal });
    const facts = retryFacts(result, clock.now());
    const { endpoint, attempts } = errors;
    const details = {
      endpoint,
      attempt: attempts,
      result: facts.kind,
      ...('status' in facts && { status: facts.status }),
    };
    log(settings, 'debug', 'A request to the service ended.', { ...details, ms: clock.now() - sentAt });
    const delayMs = retryDelay(
      { ...settings, maxRetries },
      { result: facts, attempt: attempts, random: random() },
    );
    if (delayMs === undefined) {
      if (result.kind === 'response') return result.response;
      throw errors.noResponse(result, timeoutMs);
    }
    log(settings, 'warn', 'A request to the service failed. The client retries it.', { ...details, delayMs });
    try {
      await unlessAborted(signal, (waitSignal) => settings.sleep(delayMs, waitSignal));
    } catch (error) {
      if (signal?.aborted) throw errors.aborted(signal.reason);
      throw error;
    }
  }
}

function retryFacts(result: AttemptResult, now: number): RetryFacts {
  if (result.kind !== 'response') return { kind: result.kind };
  const { status, retryAfter } = result.response;
  return { kind: 'response', status, retryAfterMs: readRetryAfter(retryAfter, now) };
}

/** Builds the request once: every attempt sends the same bytes, and with them the same order id. */
function prepareRequest<Argument>(
  settings: Settings,
  call: EndpointCall<Argument, unknown>,
  { argument, traceparent }: { argument: Argument; traceparent: string },
): PreparedRequest {
  const { method, path } = settings.endpoints[call.endpoint];
  const parts = call.prepare(argument, settings);
  const body = parts.body && writeJson(parts.body);
  return {
    method,
    url: settings.serviceUrl + fillPath(path, parts.path ?? {}),
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${settings.apiKey}`,
      traceparent,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body,
  };
}

function writeJson(body: Readonly<Record<string, unknown>>): string {
  try {
    return JSON.stringify(body);
  } catch {
    throw new InvalidRequest('a value cannot be converted to JSON, for example a bigint.');
  }
}

/** Writes a log entry. Errors of the logger are ignored: they must not make a successful call fail. */
function log(
  { logger }: Settings,
  level: 'warn' | 'debug',
  ...[message, details]: Parameters<Settings['logger']['warn']>
): void {
  try {
    logger[level]?.(message, details);
  } catch {}
}

/**
 * Replaces the `{name}` parameters of a path with percent-encoded values, each of which becomes one segment.
 *
 * @throws InvalidRequest for a value that can't be a segment: an empty string, `.` or `..` (URL parsers resolve these
 * even when they're encoded), or a string with a lone surrogate, which UTF-8 can't encode.
 */
export function fillPath(template: string, parameters: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value: unknown = parameters[name];
    if (typeof value !== 'string' || value === '')
      throw new InvalidRequest(`${name} must be a non-empty string.`);
    if (value === '.' || value === '..') {
      throw new InvalidRequest(`${name} must not be "${value}", which cannot be part of a path.`);
    }
    if (/\p{Surrogate}/u.test(value))
      throw new InvalidRequest(`${name} must be a well-formed string, without lone surrogates.`);
    return encodeURIComponent(value);
  });
}

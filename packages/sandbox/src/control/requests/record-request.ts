import { type EndpointName, type EndpointPaths, formatTimestamp, jsonOf } from '@latchkey/contract/constants';
import type { Request, RequestHandler, Response } from 'express';
import type { Services } from '../../services/services.js';
import { type Caller, callerOf } from './caller-of.js';
import {
  type ArrivingBody,
  type BodyCopy,
  copyAnswer,
  copyRequestBody,
  rawRequestOf,
} from './capture-body.js';
import { rulesOf } from './deciding-rules.js';
import { createRoundTripRedactor, redactHeaders } from './redact-round-trip.js';
import type { RequestLog } from './request-log.js';

/**
 * Paths that are never logged: the control API, and the receivers of the service's and the provider's webhooks, which
 * have separate lists.
 */
const UNLOGGED = /^\/(?:sandbox\/(?:api(?:\/|$)|webhooks\/receiver$)|payments\/\w+\/webhook$)/;

export type FindEndpoint = (path: string) => EndpointName | undefined;

/** Returns a function that finds the endpoint of a path; `undefined` for any other path. */
export function endpointFinder(paths: EndpointPaths): FindEndpoint {
  const patterns = (Object.entries(paths) as [EndpointName, string][]).map(
    ([name, path]) => [name, new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)] as const,
  );
  return (path) => patterns.find(([, pattern]) => pattern.test(path))?.[0];
}

/** True for calls of the twelve endpoints, and for forms of the service's pages. */
function isLogged(method: string, path: string, endpoint: EndpointName | undefined): boolean {
  if (UNLOGGED.test(path)) return false;
  return endpoint !== undefined || (method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS');
}

export interface RoundTrip {
  readonly request: Request;
  readonly response: Response;
  readonly body: ArrivingBody;
  fault: string | null;
}

export interface CallSteps {
  /** Lets the service handle the call, or responds with an error. */
  next(error?: unknown): void;
  /** Records the call without handling it. */
  record(): void;
}

/** Decides how a call continues, by calling one of the steps, once. */
export type ChangeCall = (roundTrip: RoundTrip, steps: CallSteps) => void;

/**
 * Returns the handler that runs first for each request. It records the response of the service's handler, while
 * `change` decides what the caller receives.
 */
export function recordRequests(
  services: Services,
  { log, findEndpoint, change }: { log: RequestLog; findEndpoint: FindEndpoint; change: ChangeCall },
): RequestHandler {
  const redactor = createRoundTripRedactor(services.serviceNames.apiKeyPrefix);
  return (request, response, next) => {
    if (!isLogged(request.method, request.path, findEndpoint(request.path))) return next();
    const started = {
      service: services.clock.now(),
      real: services.realClock.now(),
      timer: performance.now(),
    };
    const roundTrip: RoundTrip = { request, response, body: copyRequestBody(request), fault: null };
    const done = log.begin(request);
    // Wraps the response after a fault did, to see the handler's response instead of the fault's.
    const record = () => {
      const answer = copyAnswer(response);
      response.once('close', () => {
        const facts = {
          serviceTime: formatTimestamp(started.service),
          realTime: formatTimestamp(started.real),
          method: request.method,
          durationMs: Math.round((performance.now() - started.timer) * 10) / 10,
          answered: response.writableFinished,
          fault: roundTrip.fault,
          status: answer.isEnded() ? response.statusCode : null,
        };
        void describe(roundTrip, answer.copy).then((described) =>
          done({ ...facts, ...described }, rawRequestOf(request, roundTrip.body.copy.read())),
        );
      });
    };
    change(roundTrip, {
      record,
      next(error) {
        record();
        next(error);
      },
    });
  };

  async function describe(roundTrip: RoundTrip, answer: BodyCopy) {
    const { request, response, body } = roundTrip;
    const endpoint = findEndpoint(request.path);
    const location = response.getHeader('Location');
    const type = String(response.getHeader('content-type') ?? '');
    return {
      path: redactor.url(request.originalUrl),
      endpoint: endpoint ?? null,
      ...(await findFacts(services, roundTrip, { endpoint, answer })),
      authorization: schemeOf(request),
      requestHeaders: redactHeaders(request.headers, redactor),
      responseHeaders: redactHeaders(response.getHeaders(), redactor),
      requestBody:
        body.copy.bytes === 0 ? null : redactor.body(body.copy.read(), request.get('Content-Type') ?? ''),
      // Pages are left out: they show codes and secrets in running text.
      responseBody: answer.bytes > 0 && JSON_TYPE.test(type) ? redactor.body(answer.read(), type) : null,
      location: location === undefined ? null : redactor.url(String(location)),
    };
  }
}

const JSON_TYPE = /^application\/json\b/i;

/** Reads from the database who called and which rule decided. Leaves out both if the sandbox is closing. */
async function findFacts(
  services: Services,
  { request, response, body, fault }: RoundTrip,
  { endpoint, answer }: { endpoint: EndpointName | undefined; answer: BodyCopy },
): Promise<{ caller: Caller | null; requirements: readonly string[] }> {
  const hints = {
    headers: request.headers,
    url: request.originalUrl,
    body: body.copy.read().kept.toString('utf8'),
  };
  try {
    const caller = (await callerOf(services.db, hints)) ?? null;
    if (endpoint === undefined || fault !== null) return { caller, requirements: [] };
    const call = {
      ...hints,
      endpoint,
      status: response.statusCode,
      answer: jsonOf(answer.read().kept.toString('utf8')),
    };
    return { caller, requirements: await rulesOf(services, call) };
  } catch {
    return { caller: null, requirements: [] };
  }
}

function schemeOf(request: Request): string | null {
  const scheme = /^(bearer|basic)(?= |$)/i.exec(request.get('Authorization') ?? '')?.[1]?.toLowerCase();
  if (scheme === undefined) return request.get('Authorization') === undefined ? null : 'other';
  return scheme === 'bearer' ? 'Bearer' : 'Basic';
}

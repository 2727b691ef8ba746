import { formatTimestamp } from '@latchkey/contract/constants';
import type { Clock } from '@latchkey/server';
import type { Database } from '@latchkey/server/extension';
import type { Request, Response } from 'express';
import { type Caller, callerOf } from './caller-of.js';
import { type ArrivingBody, type BodyCopy, copyResponseBody, headerText } from './capture-body.js';
import type { FindEndpoint } from './endpoint-of.js';
import { type LoggedBody, redactBody, redactUrl } from './redact-exchange.js';
import type { LoggedRequest } from './request-log.js';
import { rulesOf } from './rules-of.js';

/** Parts of the sandbox that recording needs. */
export interface RecordNeeds {
  readonly db: Database;
  /** Clock of the service. */
  readonly clock: Clock;
  /** Clock that the service's clock runs ahead of. */
  readonly realClock: Clock;
  readonly findEndpoint: FindEndpoint;
}

/** Request under way. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly body: ArrivingBody;
  /** Id of the fault that changes this call. */
  fault: string | null;
}

/** Calls `done` with the entry of a request, once its response has ended. */
export function recordRequest(
  needs: RecordNeeds,
  exchange: Exchange,
  done: (entry: Omit<LoggedRequest, 'id'>) => void,
): void {
  const { request, response } = exchange;
  const answer = copyResponseBody(response);
  const started = { service: needs.clock.now(), real: needs.realClock.now(), at: performance.now() };
  response.once('close', () => {
    const facts = {
      serviceTime: formatTimestamp(started.service),
      realTime: formatTimestamp(started.real),
      method: request.method,
      durationMs: Math.round((performance.now() - started.at) * 10) / 10,
      answered: response.writableFinished,
      fault: exchange.fault,
      status: response.statusCode,
    };
    void describe(needs, exchange, answer).then((described) => done({ ...facts, ...described }));
  });
}

/** Reads what the database tells about the call. If it can't be read, for example because the sandbox closes, it is left out. */
async function describe({ db, clock, findEndpoint }: RecordNeeds, exchange: Exchange, answer: BodyCopy) {
  const { request, response, body } = exchange;
  const endpoint = findEndpoint(request.path);
  const hints = {
    headers: request.headers,
    url: request.originalUrl,
    body: body.copy.read().toString('utf8'),
  };
  let caller: Caller | undefined;
  let requirements: readonly string[] = [];
  try {
    caller = await callerOf(db, hints);
    const call = { ...hints, endpoint, status: response.statusCode, answer: jsonOf(answer) };
    if (endpoint !== undefined && exchange.fault === null) {
      requirements = await rulesOf({ db, now: clock.now() }, { ...call, endpoint });
    }
  } catch {
    // The entry is complete without them.
  }
  const location = response.getHeader('Location');
  return {
    path: redactUrl(request.originalUrl),
    endpoint: endpoint ?? null,
    caller: caller ?? null,
    requirements,
    authorization: schemeOf(request),
    requestBody: loggedBody(body.copy, request.get('Content-Type') ?? ''),
    responseBody: bodyOfAnswer(answer, headerText(response.getHeaders(), 'content-type')),
    location: location === undefined ? null : redactUrl(String(location)),
  };
}

function loggedBody(copy: BodyCopy, contentType: string): LoggedBody | null {
  return copy.bytes === 0 ? null : redactBody(copy.read(), copy.bytes, contentType);
}

/** Pages are left out: they show codes and secrets in text that has no fields. */
function bodyOfAnswer(copy: BodyCopy, contentType: string): LoggedBody | null {
  return /^application\/json\b/i.test(contentType) ? loggedBody(copy, contentType) : null;
}

function jsonOf(copy: BodyCopy): unknown {
  try {
    return JSON.parse(copy.read().toString('utf8'));
  } catch {
    return undefined;
  }
}

function schemeOf(request: Request): string | null {
  const scheme = /^(bearer|basic)(?= |$)/i.exec(request.get('Authorization') ?? '')?.[1]?.toLowerCase();
  if (scheme === undefined) return request.get('Authorization') === undefined ? null : 'other';
  return scheme === 'bearer' ? 'Bearer' : 'Basic';
}

import { type EndpointName, formatTimestamp, type ServiceNames } from '@latchkey/contract/constants';
import type { Clock } from '@latchkey/server';
import type { Database } from '@latchkey/server/extension';
import type { Request, Response } from 'express';
import { type Caller, callerOf } from './caller-of.js';
import { type ArrivingBody, type BodyCopy, copyAnswer, headerText } from './capture-body.js';
import type { FindEndpoint } from './endpoint-of.js';
import { type RawRequest, rawRequestOf } from './raw-request.js';
import type { ExchangeRedactor } from './redact-exchange.js';
import { redactHeaders } from './redact-headers.js';
import type { LoggedRequest } from './request-log.js';
import { rulesOf } from './rules-of.js';

export interface RecordNeeds {
  readonly db: Database;
  /** Clock of the service. */
  readonly clock: Clock;
  /** Clock that the service's clock runs ahead of. */
  readonly realClock: Clock;
  readonly findEndpoint: FindEndpoint;
  readonly redactor: ExchangeRedactor;
  readonly names: ServiceNames;
}

/** Request under way. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly body: ArrivingBody;
  /** Times of both clocks in milliseconds since the epoch, and of the timer of durations. */
  readonly started: { readonly service: number; readonly real: number; readonly timer: number };
  /** Id of the fault that changes this call. */
  fault: string | null;
}

/** Receives the entry of a request, and the request as it arrived. */
export type RecordDone = (entry: Omit<LoggedRequest, 'id' | 'replayOf'>, raw: RawRequest) => void;

/** Calls `done` with the entry of a request, once its response has ended. */
export function recordRequest(needs: RecordNeeds, exchange: Exchange, done: RecordDone): void {
  const { request, response, started } = exchange;
  const answer = copyAnswer(response);
  response.once('close', () => {
    const facts = {
      serviceTime: formatTimestamp(started.service),
      realTime: formatTimestamp(started.real),
      method: request.method,
      durationMs: Math.round((performance.now() - started.timer) * 10) / 10,
      answered: response.writableFinished,
      fault: exchange.fault,
      status: answer.isEnded() ? response.statusCode : null,
    };
    void describe(needs, exchange, answer.copy).then((described) =>
      done({ ...facts, ...described }, rawRequestOf(request, exchange.body.copy.read())),
    );
  });
}

async function describe(needs: RecordNeeds, exchange: Exchange, answer: BodyCopy) {
  const { findEndpoint, redactor } = needs;
  const { request, response, body } = exchange;
  const endpoint = findEndpoint(request.path);
  const location = response.getHeader('Location');
  const type = headerText(response.getHeaders(), 'content-type');
  return {
    path: redactor.url(request.originalUrl),
    endpoint: endpoint ?? null,
    ...(await findFacts(needs, exchange, { endpoint, answer })),
    authorization: schemeOf(request),
    requestHeaders: redactHeaders(request.headers, redactor),
    responseHeaders: redactHeaders(response.getHeaders(), redactor),
    requestBody:
      body.copy.bytes === 0 ? null : redactor.body(body.copy.read(), request.get('Content-Type') ?? ''),
    // Pages are left out: they show codes and secrets in text that has no fields.
    responseBody: answer.bytes > 0 && JSON_TYPE.test(type) ? redactor.body(answer.read(), type) : null,
    location: location === undefined ? null : redactor.url(String(location)),
  };
}

const JSON_TYPE = /^application\/json\b/i;

/** Reads from the database who called, and which rule decided. Both are left out if the sandbox is closing. */
async function findFacts(
  { db, clock, names }: RecordNeeds,
  { request, response, body, fault }: Exchange,
  { endpoint, answer }: { endpoint: EndpointName | undefined; answer: BodyCopy },
): Promise<{ caller: Caller | null; requirements: readonly string[] }> {
  const hints = {
    headers: request.headers,
    url: request.originalUrl,
    body: body.copy.read().kept.toString('utf8'),
  };
  try {
    const caller = (await callerOf(db, hints)) ?? null;
    if (endpoint === undefined || fault !== null) return { caller, requirements: [] };
    const call = { ...hints, endpoint, status: response.statusCode, answer: jsonOf(answer) };
    return { caller, requirements: await rulesOf({ db, now: clock.now(), names }, call) };
  } catch {
    return { caller: null, requirements: [] };
  }
}

function jsonOf(copy: BodyCopy): unknown {
  try {
    return JSON.parse(copy.read().kept.toString('utf8'));
  } catch {
    return undefined;
  }
}

function schemeOf(request: Request): string | null {
  const scheme = /^(bearer|basic)(?= |$)/i.exec(request.get('Authorization') ?? '')?.[1]?.toLowerCase();
  if (scheme === undefined) return request.get('Authorization') === undefined ? null : 'other';
  return scheme === 'bearer' ? 'Bearer' : 'Basic';
}

import type { EnvelopeErrorCode } from '@latchkey/contract/constants';
import type { Request, Response } from 'express';
import { failureEnvelope, traceFieldsOf } from '../../platform/http/failure.js';
import { HttpFailure } from '../../platform/http/http-failure.js';

interface EndpointResultNeeds {
  readonly logUrl: string | undefined;
}

/** How a request with an API key ends (spec, "Errors / Shapes"). */
export type Outcome<Data> =
  /** What was asked is done: the endpoint's success status, the envelope with `data`. */
  | { kind: 'done'; data: Data }
  /** A failure that the endpoint tells with its success status: `success` false, `message`, no `errorCode`. */
  | { kind: 'told'; message: string; data?: null }
  /** A failure of the endpoint: the envelope with `errorCode` and `message`. */
  | { kind: 'failed'; status: 401 | 404 | 409 | 503; errorCode: EnvelopeErrorCode; message: string }
  /** Turned away before the endpoint did anything: the rejection body. */
  | { kind: 'rejected'; status: 400 | 401 | 403; message: string };

export function done<Data>(data: Data): Outcome<Data> {
  return { kind: 'done', data };
}

export function rejected(status: 400 | 401 | 403, message: string): Outcome<never> {
  return { kind: 'rejected', status, message };
}

/** 409: the membership or signup is there already (`already_exists`), or something else stands against it. */
export function conflict(errorCode: 'already_exists' | 'conflict', message: string): Outcome<never> {
  return { kind: 'failed', status: 409, errorCode, message };
}

/** 404 with errorCode `not_found`: what the request addresses is not there. */
export function notFound(message: string): Outcome<never> {
  return { kind: 'failed', status: 404, errorCode: 'not_found', message };
}

/** Sends an outcome; nothing behind an API key is ever stored on its way. */
export function sendOutcome(
  needs: EndpointResultNeeds,
  { request, response }: { request: Request; response: Response },
  { outcome, successStatus }: { outcome: Outcome<unknown>; successStatus: number },
): void {
  response.set('Cache-Control', 'no-store');
  if (outcome.kind === 'rejected') {
    throw new HttpFailure(outcome.status, outcome.message);
  } else if (outcome.kind === 'failed') {
    response.status(outcome.status).json(failureEnvelope(needs, request, outcome));
  } else if (outcome.kind === 'told') {
    const { kind: _, ...told } = outcome;
    response.status(successStatus).json({ success: false, ...told, ...traceFieldsOf(needs, request) });
  } else {
    response.status(successStatus).json({ success: true, data: outcome.data });
  }
}

import type { EnvelopeErrorCode } from '@latchkey/contract/constants';
import type { Request, Response } from 'express';
import type { Needs } from '../../app/services.js';
import { HttpFailure } from '../../platform/http/http-failure.js';
import { failureEnvelope, traceFieldsOf } from '../frame/failures.js';

export interface EndpointFailure {
  readonly kind: 'failed';
  readonly status: 401 | 404 | 409 | 503;
  readonly errorCode: EnvelopeErrorCode;
  readonly message: string;
}

/** A rejection before the endpoint runs. Its body has no `errorCode` and no `data`. */
export interface Rejection {
  readonly kind: 'rejected';
  readonly status: 400 | 401 | 403;
  readonly message: string;
}

export type EndpointResult<Data> =
  | { readonly kind: 'done'; readonly data: Data }
  /** A failure inside the endpoint's success status: `success` false and `message`, without `errorCode`. */
  | { readonly kind: 'unsuccessful'; readonly message: string; readonly data?: null }
  | EndpointFailure
  | Rejection;

export function done<Data>(data: Data): EndpointResult<Data> {
  return { kind: 'done', data };
}

export function rejected(status: Rejection['status'], message: string): Rejection {
  return { kind: 'rejected', status, message };
}

/** 409: the membership or signup already exists (`already_exists`), or something else prevents the change. */
export function conflict(errorCode: 'already_exists' | 'conflict', message: string): EndpointFailure {
  return { kind: 'failed', status: 409, errorCode, message };
}

export function notFound(message: string): EndpointFailure {
  return { kind: 'failed', status: 404, errorCode: 'not_found', message };
}

/** Sends a result. No response to a request with an API key may be cached. */
export function sendResult(
  needs: Needs<'logUrl'>,
  { request, response }: { request: Request; response: Response },
  { result, successStatus }: { result: EndpointResult<unknown>; successStatus: number },
): void {
  response.set('Cache-Control', 'no-store');
  switch (result.kind) {
    case 'done':
      response.status(successStatus).json({ success: true, data: result.data });
      return;
    case 'unsuccessful': {
      const { kind: _, ...body } = result;
      response.status(successStatus).json({ success: false, ...body, ...traceFieldsOf(needs, request) });
      return;
    }
    case 'failed':
      response.status(result.status).json(failureEnvelope(needs, request, result));
      return;
    case 'rejected':
      throw new HttpFailure(result.status, result.message);
  }
}

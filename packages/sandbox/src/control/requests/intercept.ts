import type { RequestHandler } from 'express';
import { copyRequestBody } from './capture-body.js';
import { isLogged } from './endpoint-of.js';
import { type Exchange, type RecordNeeds, recordRequest } from './record-request.js';
import type { LoggedRequest } from './request-log.js';

/** Changes what happens to a call. It calls `next` at most once. */
export type ChangeCall = (exchange: Exchange, next: () => void) => void;

/**
 * Returns the handler that each request passes first. It records the answer that the service's handler gives, and lets
 * `change` decide what the caller receives.
 */
export function interceptRequests(
  needs: RecordNeeds,
  { change, done }: { change: ChangeCall; done: (entry: Omit<LoggedRequest, 'id'>) => void },
): RequestHandler {
  return (request, response, next) => {
    if (!isLogged(request.method, request.path, needs.findEndpoint(request.path))) return next();
    const exchange: Exchange = { request, response, body: copyRequestBody(request), fault: null };
    change(exchange, (error?: unknown) => {
      // Wraps the response after the fault did, so that it sees the answer of the handler and not that of the fault.
      recordRequest(needs, exchange, done);
      next(error);
    });
  };
}

import type { Request, RequestHandler } from 'express';
import { copyRequestBody } from './capture-body.js';
import { isLogged } from './endpoint-of.js';
import { type Exchange, type RecordDone, type RecordNeeds, recordRequest } from './record-request.js';

export interface CallSteps {
  /** Lets the service handle the call, or answers it with an error. */
  next(error?: unknown): void;
  /** Records the call without handling it. */
  record(): void;
}

/** Decides how a call continues. Calls one of the steps, once. */
export type ChangeCall = (exchange: Exchange, steps: CallSteps) => void;

/**
 * Returns the handler that each request passes first. It records the answer of the service's handler, and `change` decides what the
 * caller receives. `begin` is called at the beginning of each request, and returns the function that receives its entry.
 */
export function interceptRequests(
  needs: RecordNeeds,
  { change, begin }: { change: ChangeCall; begin: (request: Request) => RecordDone },
): RequestHandler {
  const { clock, realClock, findEndpoint } = needs;
  return (request, response, next) => {
    if (!isLogged(request.method, request.path, findEndpoint(request.path))) return next();
    const started = { service: clock.now(), real: realClock.now(), timer: performance.now() };
    const exchange: Exchange = { request, response, body: copyRequestBody(request), started, fault: null };
    const done = begin(request);
    // Wraps the response after a fault did, so that it sees the answer of the handler and not that of the fault.
    const record = () => recordRequest(needs, exchange, done);
    change(exchange, {
      record,
      next(error) {
        record();
        next(error);
      },
    });
  };
}

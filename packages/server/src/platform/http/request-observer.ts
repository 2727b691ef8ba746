import type { Request, RequestHandler } from 'express';
import { answeredStatus } from './answered-status.js';
import { namedRoute } from './named-route.js';

/** Request to count in the metrics. No field contains text from the caller. */
export interface ObservedRequest {
  method: string;
  /** Path template of the route, such as `/oauth/client/:clientId`; `none` if no route matched. */
  route: string;
  /** Status of the response; 499 if the caller left before it began. */
  status: number;
  seconds: number;
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Calls `observe` when a request has been answered, or its caller has closed the connection. */
export function requestObserver(observe: (observed: ObservedRequest) => void): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    response.once('close', () => {
      observe({
        method: METHODS.has(request.method) ? request.method : 'other',
        route: namedRoute(response) ?? routeOf(request),
        status: answeredStatus(response),
        seconds: (performance.now() - started) / 1000,
      });
    });
    next();
  };
}

/** Does not use `request.baseUrl`, which contains text from the caller if a router is mounted at a pattern. */
function routeOf(request: Request): string {
  const path: unknown = request.route?.path;
  return typeof path === 'string' ? path : 'none';
}

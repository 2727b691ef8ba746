import type { Request, RequestHandler } from 'express';

/** An answered request, as it is counted: nothing in it is of the caller's making. */
export interface ObservedRequest {
  method: string;
  /** The template of its route, `/oauth/client/:clientId`; `none` when no route took it. */
  route: string;
  status: number;
  seconds: number;
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Tells each request that was answered, or whose caller went away. */
export function requestObserver(observe: (observed: ObservedRequest) => void): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    response.once('close', () => {
      observe({
        method: METHODS.has(request.method) ? request.method : 'other',
        route: routeOf(request),
        status: response.statusCode,
        seconds: (performance.now() - started) / 1000,
      });
    });
    next();
  };
}

/** Never `request.baseUrl`: below a router that is mounted at a pattern it holds what the caller wrote. */
function routeOf(request: Request): string {
  const path: unknown = request.route?.path;
  return typeof path === 'string' ? path : 'none';
}

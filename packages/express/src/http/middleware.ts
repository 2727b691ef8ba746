import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NextFunction, Request, Response } from 'express';

/** Express middleware. The type fits both Express 4 and Express 5, and doesn't constrain the parameters and bodies of a route. */
export type Middleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => unknown;

/** Handler with the types of Express 5. The kit uses only what both versions have. */
type Handler = (request: Request, response: Response, next: NextFunction) => unknown;

/** Creates middleware from a handler, and passes on its asynchronous errors, as {@link forwardError} describes. */
export function middleware(handler: Handler): Middleware {
  const forward: Handler = (request, response, next) => forwardError(handler(request, response, next), next);
  // Express always calls middleware with its own request and response, which extend Node.js's.
  return forward as unknown as Middleware;
}

/**
 * Passes the error of a promise to the app's error handler, as Express 5 does. Express 4 ignores the promises of handlers, so
 * the request would hang. `next` always receives an error: without one, it would open a gate.
 */
export function forwardError(result: unknown, next: NextFunction): unknown {
  if (!(result instanceof Promise)) return result;
  return result.catch((error: unknown) => {
    // Express skips handlers for the strings 'route' and 'router', and continues for undefined.
    const isObject = typeof error === 'object' && error !== null;
    next(isObject ? error : new Error(`A handler rejected with ${String(error)}.`));
  });
}

import type { Request, RequestHandler, Response } from 'express';

/**
 * Error that route handlers throw for an unknown path, a wrong method or a missing resource. {@link sendFailure} sends it.
 */
export class HttpFailure extends Error {
  /** HTTP status, 400 to 599. */
  readonly status: number;
  /** Response headers to set, by name. */
  readonly headers: Readonly<Record<string, string>>;

  /** @param message Text for the caller; must not contain secrets. */
  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'HttpFailure';
    this.status = status;
    this.headers = headers;
  }
}

/** Failure with status 404, also for resources of other users: their existence must not be revealed. */
export function notFound(message = 'There is no such path.'): HttpFailure {
  return new HttpFailure(404, message);
}

/** Status and text of a failed request. */
export interface Failure {
  readonly status: number;
  /** Text for developers; safe to send to any caller. */
  readonly message: string;
  /** Link to the next step on a page. The caller has validated its address. */
  readonly link?: { readonly href: string; readonly label: string };
}

/** Sends a failure in the format of the routes that declare it. */
export type FailureFormat = (failure: Failure, request: Request, response: Response) => void | Promise<void>;

/** Declares the format in which the requests of a route or a router fail. A later declaration replaces it. */
export function failAs(format: FailureFormat): RequestHandler {
  return (_request, response, next) => {
    response.locals.failureFormat = format;
    next();
  };
}

/**
 * Sends a failure in the format that is declared for the request. `response.locals.failures` holds the declarations of all
 * routers. They run only now, so that requests that succeed don't pay for them.
 */
export function sendFailure(request: Request, response: Response, failure: Failure): void {
  const declare = response.locals.failures as RequestHandler;
  declare(request, response, () => {
    const format = response.locals.failureFormat as FailureFormat;
    void format(failure, request, response);
  });
}

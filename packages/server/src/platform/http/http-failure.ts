import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import {
  isDatabaseUnavailable,
  isReadOnly,
  isStorageFull,
  type WriteProblem,
} from '../database/database-unavailable.js';
import type { Logger } from '../logging/logger.js';
import { requestFacts } from './request-log.js';

/** What route handlers throw for an unknown path, a wrong method or a missing resource. */
export class HttpFailure extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  /** @param message tells the caller what is wrong; must not contain secrets. */
  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'HttpFailure';
    this.status = status;
    this.headers = headers;
  }
}

/** A failure with status 404. Also for other users' resources, so as not to reveal that they exist. */
export function notFound(message = 'There is no such path.'): HttpFailure {
  return new HttpFailure(404, message);
}

export interface Failure {
  readonly status: number;
  /** For developers; safe to send to any caller. */
  readonly message: string;
  /** Link to the next step, on a page. The caller has validated its URL. */
  readonly link?: { readonly href: string; readonly label: string };
}

/** Sends a failure in the format of the routes that declare it. */
export type FailureFormat = (failure: Failure, request: Request, response: Response) => void | Promise<void>;

/** Declares how requests of a route or a router fail. A later declaration replaces it. */
export function failAs(format: FailureFormat): RequestHandler {
  return (_request, response, next) => {
    response.locals.failureFormat = format;
    next();
  };
}

/** `response.locals.failures` has all declarations. They run only now, so successful requests don't pay for them. */
export function sendFailure(request: Request, response: Response, failure: Failure): void {
  const declare = response.locals.failures as RequestHandler;
  // The router calls back in a later turn, where Express catches nothing.
  declare(request, response, async () => {
    try {
      const format = response.locals.failureFormat as FailureFormat;
      await format(failure, request, response);
    } catch (error) {
      response.destroy(error as Error);
    }
  });
}

/** Messages for the body parser's errors, by type. Its own messages can quote the body. */
const PARSER_MESSAGES: Readonly<Record<string, string>> = {
  'entity.too.large': 'The body is larger than 100 kB.',
  'parameters.too.many': 'The body has too many parameters.',
  'entity.parse.failed': 'The body cannot be parsed.',
  'charset.unsupported': 'The body must be UTF-8.',
  'encoding.unsupported': 'The content encoding of the body is not supported.',
};

/** Value of `Retry-After` in a 503 response. An unavailable database usually recovers within seconds. */
const RETRY_AFTER_SECONDS = 1;
const RETRY_AFTER_FULL_DISK_SECONDS = 60;

/** Sends the response for every error. A 5xx is logged in full, and the caller gets no details. */
export function errorHandler({
  logger,
  readiness,
}: {
  readonly logger: Logger;
  readonly readiness: { noteWriteProblem(problem: WriteProblem): void };
}): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error);
    const { status, message } = readHttpError(error);
    const isFull = isStorageFull(error);
    if (isFull) readiness.noteWriteProblem('database is full');
    if (isReadOnly(error)) readiness.noteWriteProblem('database is read-only');
    if (status >= 500) {
      const facts = { ...requestFacts(request, response), method: request.method };
      logger.error({ ...facts, error }, 'Request failed');
    }
    if (status === 503) {
      response.setHeader('Retry-After', isFull ? RETRY_AFTER_FULL_DISK_SECONDS : RETRY_AFTER_SECONDS);
    }
    if (error instanceof HttpFailure) response.set(error.headers);
    sendFailure(request, response, { status, message });
  };
}

export const notFoundHandler: RequestHandler = () => {
  throw notFound();
};

/** Rejects every request with 405. `allowed` is for the `Allow` header. */
export function methodNotAllowed(allowed: string): RequestHandler {
  return ({ method }) => {
    throw new HttpFailure(405, `${method} is not allowed here, only ${allowed}.`, { Allow: allowed });
  };
}

function readHttpError(error: unknown): { status: number; message: string } {
  if (error instanceof HttpFailure) return error;
  // Errors of body parsers and the router have these properties.
  const { status, type }: { status?: unknown; type?: unknown } = Object(error);
  // Comes before the check of the database: the error of an aborted request body has a broken socket's code,
  // ECONNABORTED.
  if (typeof status === 'number' && status >= 400 && status <= 499) {
    const parserMessage = typeof type === 'string' ? PARSER_MESSAGES[type] : undefined;
    return { status, message: parserMessage ?? 'The request cannot be read.' };
  }
  return isDatabaseUnavailable(error) || isStorageFull(error) || isReadOnly(error)
    ? { status: 503, message: 'The service cannot answer right now. Try again in a moment.' }
    : { status: 500, message: 'The service failed to answer. Try again later.' };
}

import type { ErrorRequestHandler, RequestHandler } from 'express';
import {
  isDatabaseUnavailable,
  isReadOnly,
  isStorageFull,
  type WriteProblem,
} from '../database/database-unavailable.js';
import type { Logger } from '../logging/logger.js';
import { HttpFailure, notFound, sendFailure } from './http-failure.js';
import { requestFacts } from './request-log.js';

/** Messages for errors of the body parser, by its names for them. Its own messages can quote the body. */
const PARSER_MESSAGES: Readonly<Record<string, string>> = {
  'entity.too.large': 'The body is larger than 100 kB.',
  'parameters.too.many': 'The body has too many parameters.',
  'entity.parse.failed': 'The body cannot be parsed.',
  'charset.unsupported': 'The body must be UTF-8.',
  'encoding.unsupported': 'The content encoding of the body is not supported.',
};

/** Value of `Retry-After` in a 503 response. An unavailable database usually recovers within seconds. */
const RETRY_AFTER_SECONDS = 1;
/** Value of `Retry-After` in a 503 response of a service whose disk is full. */
const RETRY_AFTER_FULL_DISK_SECONDS = 60;

/** Sends the response for every error. For a 5xx, the log gets the whole error and the caller gets no detail. */
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

/**
 * Rejects every request with 405.
 * @param allowed Methods that the path accepts, as the `Allow` header lists them.
 */
export function methodNotAllowed(allowed: string): RequestHandler {
  return ({ method }) => {
    throw new HttpFailure(405, `${method} is not allowed here, only ${allowed}.`, { Allow: allowed });
  };
}

function readHttpError(error: unknown): { status: number; message: string } {
  if (error instanceof HttpFailure) return error;
  // Errors of body parsers and the router have these properties.
  const { status, type }: { status?: unknown; type?: unknown } = Object(error);
  // Comes before the check of the database: an aborted request body has the code of a broken socket, ECONNABORTED.
  if (typeof status === 'number' && status >= 400 && status <= 499) {
    const parserMessage = typeof type === 'string' ? PARSER_MESSAGES[type] : undefined;
    return { status, message: parserMessage ?? 'The request cannot be read.' };
  }
  return isDatabaseUnavailable(error) || isStorageFull(error) || isReadOnly(error)
    ? { status: 503, message: 'The service cannot answer right now. Try again in a moment.' }
    : { status: 500, message: 'The service failed to answer. Try again later.' };
}

import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { type Logger, writesInfo } from '../logging/logger.js';
import { traceIdOf } from './trace-id.js';

interface RequestLogNeeds {
  readonly logger: Logger;
}

/** Longer paths are cut: they are of the caller's making. */
const SHOWN_PATH_LENGTH = 256;

/**
 * Gives each request an id (header `X-Request-Id` of the answer; a caller's own is not taken over) and logs its answer: method,
 * path, status, duration. Never the query, the headers or the body: codes and tokens travel there. Secrets in paths
 * are taken out by the logger.
 */
export function requestLog({ logger }: RequestLogNeeds): RequestHandler {
  const isLogged = writesInfo(logger);
  return (request, response, next) => {
    const requestId = randomUUID();
    response.locals.requestId = requestId;
    response.setHeader('X-Request-Id', requestId);
    if (!isLogged) return next();
    const started = performance.now();
    response.on('close', () => {
      const { method, ip } = request;
      logger.info(
        {
          ...requestFacts(request, response),
          method,
          status: response.statusCode,
          durationMs: Math.round((performance.now() - started) * 10) / 10,
          ip,
          // The caller went away before the whole answer was sent.
          ...(!response.writableFinished && { aborted: true }),
        },
        'request answered',
      );
    });
    next();
  };
}

/** Fields that all log lines of a request share. */
export function requestFacts(request: Request, response: Response) {
  const traceId = traceIdOf(request);
  return {
    requestId: response.locals.requestId as string | undefined,
    ...(traceId !== undefined && { traceId }),
    path: request.path.slice(0, SHOWN_PATH_LENGTH),
  };
}

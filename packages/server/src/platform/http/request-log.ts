import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { type Logger, writesInfo } from '../logging/logger.js';
import { answeredStatus } from './answered-status.js';
import { namedRoute } from './named-route.js';
import { traceIdOf } from './trace-id.js';

/** Maximum length of a logged path, in characters. Callers choose the path, so an unlimited one could fill the log. */
const SHOWN_PATH_LENGTH = 256;

/**
 * Assigns an id to each request and logs method, path, status and duration when the request ends. The response contains the
 * id as `X-Request-Id`. An id from the caller is ignored.
 *
 * Query, headers and body are not logged, because they contain codes and tokens. The logger redacts secrets in paths. Paths of
 * the endpoints for API keys name buyers, so their templates are logged.
 */
export function requestLog({ logger }: { readonly logger: Logger }): RequestHandler {
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
          status: answeredStatus(response),
          durationMs: Math.round((performance.now() - started) * 10) / 10,
          ip,
          // The caller closed the connection before it received the whole response.
          ...(!response.writableFinished && { aborted: true }),
        },
        'Request completed',
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
    path: namedRoute(response) ?? request.path.slice(0, SHOWN_PATH_LENGTH),
  };
}

import { randomUUID } from 'node:crypto';
import { isLoopback } from '@latchkey/contract/constants';
import type { Request, RequestHandler, Response } from 'express';
import { type Logger, writesInfo } from '../logging/logger.js';

/** Maximum length of a logged path, in characters. Callers choose the path, and could fill the log without a limit. */
const SHOWN_PATH_LENGTH = 256;

/**
 * Assigns an id to each request and logs method, path, status and duration when the request ends. The response contains the
 * id as `X-Request-Id`. An id from the caller is ignored.
 *
 * Doesn't log query, headers and body: they contain codes and tokens. The logger redacts secrets in paths. API-key
 * endpoints have buyer ids in their paths, so their route templates are logged instead.
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

export function requestFacts(request: Request, response: Response) {
  const traceId = traceIdOf(request);
  return {
    requestId: response.locals.requestId as string | undefined,
    ...(traceId !== undefined && { traceId }),
    path: namedRoute(response) ?? request.path.slice(0, SHOWN_PATH_LENGTH),
  };
}

/** For routes that aren't strings or have people's ids in their paths. */
export function nameRoute(response: Response, template: string): void {
  response.locals.route = template;
}

export function namedRoute(response: Response): string | undefined {
  return response.locals.route as string | undefined;
}

/** Status for requests that the caller left before the response began, as in nginx. */
const NO_ANSWER = 499;

/** Returns the status of a closed response. Express starts with 200, so a response that never began would look successful. */
export function answeredStatus(response: Response): number {
  return response.headersSent ? response.statusCode : NO_ANSWER;
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:$|-)/;

/** Returns the trace id of a request (W3C Trace Context, `traceparent`), or `undefined` if the header is missing or invalid. */
export function traceIdOf(request: Request): string | undefined {
  return TRACEPARENT.exec(request.get('traceparent') ?? '')?.[1];
}

const PLACEHOLDER = '{traceId}';

/** @throws Error if `{traceId}` is missing or in the host, the URL is insecure, or has a password: callers receive it. */
export function checkLogUrl(template: string): string {
  const url = URL.canParse(logUrlOf(template, '')) ? new URL(logUrlOf(template, '')) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url));
  if (url === undefined || !isSafe) {
    throw new Error('Option "logUrl" must be an https URL; http is for loopback addresses.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new Error('Option "logUrl" must not contain a user or password, because every caller receives it.');
  }
  if (!template.includes(PLACEHOLDER) || new URL(logUrlOf(template, '0')).host !== url.host) {
    throw new Error(`Option "logUrl" needs ${PLACEHOLDER} in its path, query or fragment.`);
  }
  return template;
}

export function logUrlOf(template: string, traceId: string): string {
  return template.replaceAll(PLACEHOLDER, traceId);
}

import type { Request } from 'express';

/** Returns the query of a request, including repeated parameters. Express's own parser merges them. */
export function requestQuery(request: Pick<Request, 'originalUrl'>): URLSearchParams {
  const start = request.originalUrl.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : request.originalUrl.slice(start + 1));
}

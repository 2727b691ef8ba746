import type { Request } from 'express';

/** The query of a request, every repetition kept. Express's own reading would merge them. */
export function requestQuery(request: Pick<Request, 'originalUrl'>): URLSearchParams {
  const start = request.originalUrl.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : request.originalUrl.slice(start + 1));
}

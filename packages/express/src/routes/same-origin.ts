import type { Request } from 'express';

/**
 * True for a request that a page of the app itself sent. Browsers say so in `Sec-Fetch-Site`, which no page can
 * forge; older ones send `Origin` with every POST. Whoever sends neither is refused: cookies alone prove nothing.
 */
export function isSameOrigin(request: Request, appOrigin: string): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return request.headers.origin === appOrigin;
}

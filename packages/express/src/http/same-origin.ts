import type { Request } from 'express';

/**
 * True if a page of the app itself sent the request. Browsers report this in `Sec-Fetch-Site`, which pages cannot
 * forge. Older browsers send `Origin` with every POST. A request with neither header is rejected.
 */
export function isSameOrigin(request: Request, appOrigin: string): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return request.headers.origin === appOrigin;
}

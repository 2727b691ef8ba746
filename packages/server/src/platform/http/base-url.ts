import { isLoopback } from './web-origin.js';

/**
 * Checks the base URL of the service.
 *
 * @returns the origin, without a trailing slash.
 * @throws Error if the URL has a path, or uses plain http with an address that is not loopback.
 */
export function checkBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new Error(`Option "baseUrl" must be an http or https URL; got "${baseUrl}".`);
  }
  if (url.protocol === 'http:' && !isLoopback(url)) {
    throw new Error(
      `Option "baseUrl" must be an https URL; got "${baseUrl}". Use https, or a loopback address while developing.`,
    );
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new Error(`Option "baseUrl" must be an origin without path, query or user; got "${baseUrl}".`);
  }
  return url.origin;
}

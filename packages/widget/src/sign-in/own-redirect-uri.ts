import { OAuthClientError } from '@latchkey/oauth';

/**
 * Returns the redirect URI for a `return-url` or `callback-url`. It must be a page of this site: sessionStorage belongs to the
 * site, and the callback page posts to its own site only.
 * @throws OAuthClientError `invalid_configuration` if it is missing, has a fragment, or belongs to another site.
 */
export function ownRedirectUri(attribute: 'return-url' | 'callback-url', address = ''): string {
  const url = new URL(address, document.baseURI);
  if (address && url.origin === location.origin && !url.hash) return url.href;
  throw new OAuthClientError(
    'invalid_configuration',
    `${attribute}: must be a page of ${location.origin} without a fragment; got "${address}".`,
  );
}

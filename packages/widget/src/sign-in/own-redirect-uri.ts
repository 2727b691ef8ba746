import { OAuthClientError } from '@latchkey/oauth';
import { baseHint } from '../state/base-hint.js';
import { ownHref } from './own-href.js';

/**
 * Returns the redirect URI for a `return-url` or `callback-url`. It must be a page of this site: sessionStorage belongs to the
 * site, and the callback page posts to its own site only.
 * @throws OAuthClientError `invalid_configuration` if it is missing or malformed, has a fragment, or belongs to another site.
 */
export function ownRedirectUri(attribute: 'return-url' | 'callback-url', address = ''): string {
  const href = address && ownHref(address);
  // An empty fragment counts too. `URL.hash` does not show it.
  if (href && !href.includes('#')) return href;
  throw new OAuthClientError(
    'invalid_configuration',
    `${attribute}: must be a page of ${location.origin} without a fragment; got "${address}".${baseHint(address)}`,
  );
}

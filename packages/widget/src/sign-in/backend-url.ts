import { OAuthClientError } from '@latchkey/oauth';
import { baseHint } from '../state/base-hint.js';
import { withoutSlash } from './address-ends.js';
import { ownHref } from './own-href.js';

/**
 * Returns an address of the kit.
 * @throws OAuthClientError `invalid_configuration` if it is malformed, or belongs to another origin, which must not receive a code.
 */
export function backendUrl(backend: string, path: string): string {
  const url = `${withoutSlash(backend)}/${path}`;
  if (ownHref(url)) return url;
  throw new OAuthClientError(
    'invalid_configuration',
    `backend: must be a path of ${location.origin}; got "${backend}".${baseHint(backend)}`,
  );
}

/** Returns the address of the kit that signs in and returns to this page. */
export function loginUrl(backend: string): string {
  const { pathname, search, hash } = location;
  return `${backendUrl(backend, 'login')}?returnTo=${encodeURIComponent(pathname + search + hash)}`;
}

import { baseHint, ownHref, withoutSlash } from '../browser/addresses.js';
import { LoginError } from './login-failure.js';

/**
 * Returns the address of one of the Express kit's endpoints, such as `/auth/session`.
 * @throws LoginError `misconfigured` if it's malformed, or belongs to another origin, which must not receive a code.
 */
export function backendUrl(backend: string, path: string): string {
  const url = `${withoutSlash(backend)}/${path}`;
  if (ownHref(url)) return url;
  throw new LoginError(
    'misconfigured',
    `backend: must be a path of ${location.origin}; got "${backend}".${baseHint(backend)}`,
  );
}

/** Returns the address of the kit's sign-in, which leads back to this page. `switches` asks for another account. */
export function loginUrl(backend: string, switches = false): string {
  const { pathname, search, hash } = location;
  return `${backendUrl(backend, 'login')}?returnTo=${encodeURIComponent(pathname + search + hash)}${switches ? '&switch' : ''}`;
}

import { PATHS } from '@latchkey/contract/constants';

const DEFAULT_CONTINUE_PATH = '/account';

/** Enough for the longest authorization request. Proxies reject responses with longer `Location` headers. */
const MAX_LENGTH = 16_384;

/** Base for parsing. A path of the service stays on this origin. */
const BASE = 'http://base.invalid';

/**
 * Parses the `continue` parameter of a sign-in and returns a normalised root-relative path of the service. Returns the
 * account page for everything else: absolute URLs, `//host`, `/\host`, a path that becomes `//host` once its dots are
 * resolved, control characters, which browsers drop, and very long strings.
 */
export function readContinuePath(text: string | null): string {
  if (text === null || text.length > MAX_LENGTH) return DEFAULT_CONTINUE_PATH;
  if (!/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text) || !URL.canParse(text, BASE)) {
    return DEFAULT_CONTINUE_PATH;
  }
  const { origin, pathname, search } = new URL(text, BASE);
  if (origin !== BASE || pathname.startsWith('//')) return DEFAULT_CONTINUE_PATH;
  return `${pathname}${search}`;
}

/** True if a browser of the service that goes to `location` leaves the service. */
export function leavesService(location: string): boolean {
  return new URL(location, BASE).origin !== BASE;
}

/** Returns the query of the authorization request that a sign-in continues to, if any. */
export function authorizationQueryOf(continuePath: string): URLSearchParams | undefined {
  const { pathname, searchParams } = new URL(continuePath, BASE);
  return pathname === PATHS.authorize ? searchParams : undefined;
}

export const SIGN_IN_PATH = '/sign-in';

export function signInPath(continuePath: string): string {
  return `${SIGN_IN_PATH}?${new URLSearchParams({ continue: continuePath })}`;
}

/** Asks for an account even if the browser is signed in. */
const CHOOSE = 'choose';

export function chooserPath(continuePath: string): string {
  return `${signInPath(continuePath)}&${CHOOSE}=1`;
}

export function asksToChoose(query: URLSearchParams): boolean {
  return query.has(CHOOSE);
}

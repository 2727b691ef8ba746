import { PATHS } from '@latchkey/contract/constants';

/** Where a sign-in leads that nobody asked for. */
const DEFAULT_CONTINUE_PATH = '/account';

/** Any base does: only whether the path stays on it counts. */
const BASE = 'http://base.invalid';

/**
 * Reads where a sign-in may lead: a root-relative path of the service itself, normalised. Anything else, such as an
 * absolute address, `//host`, `/\host`, a path that becomes `//host` once its dots are resolved, or control
 * characters, which browsers drop, gives the account page.
 */
export function readContinuePath(text: string | null): string {
  if (text === null || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text) || !URL.canParse(text, BASE)) {
    return DEFAULT_CONTINUE_PATH;
  }
  const { origin, pathname, search } = new URL(text, BASE);
  if (origin !== BASE || pathname.startsWith('//')) return DEFAULT_CONTINUE_PATH;
  return `${pathname}${search}`;
}

/** The query of the authorization request that a sign-in leads to, when it leads to one. */
export function authorizationQueryOf(continuePath: string): URLSearchParams | undefined {
  const { pathname, searchParams } = new URL(continuePath, BASE);
  return pathname === PATHS.authorize ? searchParams : undefined;
}

/** Address of the sign-in page that leads to a path. */
export function signInPath(continuePath: string): string {
  return `/sign-in?${new URLSearchParams({ continue: continuePath })}`;
}

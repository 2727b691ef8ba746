import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { isSecure } from './web-origin.js';

/** Origin of the service, which decides if cookies are `Secure`. */
interface CookieHost {
  readonly baseUrl: string;
}

/** Cookie of the service's own pages. Scripts can't read it, and forms and frames of other sites don't send it. */
export interface PageCookie {
  name: string;
  lifetimeSeconds: number;
}

/** The values need no encoding. Decoding would give each of them several spellings. */
const AS_SENT = { decode: (value: string) => value };

/** Returns the value of a cookie; `undefined` if the request does not contain it. */
export function readCookie(host: CookieHost, request: Request, cookie: PageCookie): string | undefined {
  const value = parseCookie(request.headers.cookie ?? '', AS_SENT)[fullName(host, cookie)];
  return value === '' ? undefined : value;
}

/** Creates the writer of a cookie. A value sets the cookie, `undefined` removes it. */
export function cookieWriter(host: CookieHost, cookie: PageCookie) {
  const attributes = {
    name: fullName(host, cookie),
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: isSecure(host.baseUrl),
  } as const;
  return (response: Response, value: string | undefined) => {
    const maxAge = value === undefined ? 0 : cookie.lifetimeSeconds;
    response.append('Set-Cookie', stringifySetCookie({ ...attributes, value: value ?? '', maxAge }));
  };
}

/**
 * The prefix `__Host-` binds a cookie to this host over TLS. Browsers reject the prefix on plain http. The ports of a host share its
 * cookies, so a service on a port of its own has names of its own.
 */
function fullName({ baseUrl }: CookieHost, { name }: PageCookie): string {
  const { port } = new URL(baseUrl);
  const ownName = port === '' ? name : `${name}_${port}`;
  return isSecure(baseUrl) ? `__Host-${ownName}` : ownName;
}

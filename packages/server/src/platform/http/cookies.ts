import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { isSecure } from './web-origin.js';

/** Origin of the service. It decides whether cookies are `Secure`. */
interface CookieHost {
  readonly baseUrl: string;
}

/** A cookie of the service's own pages. Scripts can't read it, and other sites' forms and frames don't send it. */
export interface PageCookie {
  name: string;
  lifetimeSeconds: number;
}

/** The values need no encoding, and decoding would give each of them several spellings. */
const AS_SENT = { decode: (value: string) => value };

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

/** `__Host-` binds a cookie to this host over TLS; browsers reject it on plain http. Ports of a host share cookies. */
function fullName({ baseUrl }: CookieHost, { name }: PageCookie): string {
  const { port } = new URL(baseUrl);
  const ownName = port === '' ? name : `${name}_${port}`;
  return isSecure(baseUrl) ? `__Host-${ownName}` : ownName;
}

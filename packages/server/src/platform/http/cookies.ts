import type { Request, Response } from 'express';
import { isSecure } from './web-origin.js';

interface CookiesNeeds {
  readonly baseUrl: string;
}

/** A cookie of the service's own pages. No script can read it, and no other site's form or frame sends it. */
export interface PageCookie {
  name: string;
  lifetimeSeconds: number;
}

/** The cookie's value, when the request carries it. */
export function readCookie(needs: CookiesNeeds, request: Request, cookie: PageCookie): string | undefined {
  const prefix = `${fullName(needs, cookie)}=`;
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length);
  return value === '' ? undefined : value;
}

/** Makes the writer of one cookie: a value sets it, `undefined` clears it. */
export function cookieWriter(needs: CookiesNeeds, cookie: PageCookie) {
  const attributes = {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: isSecure(needs.baseUrl),
  } as const;
  const name = fullName(needs, cookie);
  return (response: Response, value: string | undefined) => {
    if (value === undefined) response.clearCookie(name, attributes);
    else response.cookie(name, value, { ...attributes, maxAge: cookie.lifetimeSeconds * 1000 });
  };
}

/** `__Host-` binds a cookie to this very host over TLS; a browser refuses the prefix on plain http. */
function fullName(needs: CookiesNeeds, { name }: PageCookie): string {
  return isSecure(needs.baseUrl) ? `__Host-${name}` : name;
}

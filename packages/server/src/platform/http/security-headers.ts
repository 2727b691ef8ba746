import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import { isSecure } from './web-origin.js';

/**
 * Sets the security headers of every response. They differ from helmet's defaults in two headers, for the popup sign-in:
 * COOP `same-origin` would separate the popup from the page that opened it. Forms are blocked by default, and a page with a
 * form sets its own `form-action`.
 */
export function securityHeaders({ baseUrl }: { readonly baseUrl: string }): RequestHandler {
  const headers = headersOf({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'none'"],
        'frame-ancestors': ["'none'"],
      },
    },
    crossOriginOpenerPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: isSecure(baseUrl) ? { maxAge: 365 * 24 * 3600 } : false,
    xFrameOptions: { action: 'deny' },
  });
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

/** Returns helmet's headers, computed once. They are the same for every response, and helmet's middleware is slower. */
function headersOf(options: HelmetOptions): [string, string][] {
  const headers: [string, string][] = [];
  const response = {
    setHeader: (name: string, value: string) => void headers.push([name, value]),
    removeHeader: () => undefined,
  };
  helmet(options)({} as IncomingMessage, response as unknown as ServerResponse, () => undefined);
  return headers;
}

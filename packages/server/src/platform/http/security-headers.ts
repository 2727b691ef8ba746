import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import { isSecure } from './web-origin.js';

interface SecurityHeadersNeeds {
  readonly baseUrl: string;
}

/**
 * Headers of every answer. Two of helmet's defaults would break the popup sign-in and are left out: COOP `same-origin`
 * cuts the popup off from the page that opened it, and a page that holds a form says itself where it may lead.
 */
export function securityHeaders(needs: SecurityHeadersNeeds): RequestHandler {
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
    strictTransportSecurity: isSecure(needs.baseUrl) ? { maxAge: 365 * 24 * 3600 } : false,
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

import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { type Dependencies, isSecure } from '../dependencies.js';

/**
 * Headers of every answer. Two of helmet's defaults would break the popup sign-in and are left out: COOP `same-origin`
 * cuts the popup off from the page that opened it, and a page that holds a form says itself where it may lead.
 */
export function securityHeaders(dependencies: Dependencies): RequestHandler {
  return helmet({
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
    strictTransportSecurity: isSecure(dependencies) ? { maxAge: 365 * 24 * 3600 } : false,
    xFrameOptions: { action: 'deny' },
  });
}

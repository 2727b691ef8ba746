import type { RequestHandler } from 'express';

/**
 * The strictest policy a shop with the widget can send: no inline script, no inline style, nothing from anywhere but the
 * shop and the service. `formAction` is `'self'` where the shop has forms of its own (sign-out).
 *
 * There is deliberately no `Cross-Origin-Opener-Policy: same-origin`: it cuts the popup off from the page that opened it.
 */
export function shopHeaders(serviceUrl: string, { hasBackend }: { hasBackend: boolean }): RequestHandler {
  const service = new URL(serviceUrl).origin;
  const own = hasBackend ? "'self'" : "'none'";
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${service}`,
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src ${hasBackend ? `'self' ${service}` : service}`,
    "base-uri 'none'",
    `form-action ${own}`,
    "frame-ancestors 'none'",
  ].join('; ');
  return (_request, response, next) => {
    response.set({
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'strict-origin-when-cross-origin',
    });
    next();
  };
}

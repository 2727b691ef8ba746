import { fileURLToPath } from 'node:url';
import type { RequestHandler } from 'express';

/**
 * Returns the strictest policy for a shop with the widget: no inline script, no inline style, and only the
 * shop and the service as sources. A shop with a backend has forms of its own: sign-out, and the purchase, which continues at
 * the service. Browsers apply `form-action` to the redirects of a form too.
 * `Cross-Origin-Opener-Policy: same-origin` is left out on purpose: it severs the popup from its opener.
 */
export function shopHeaders(serviceUrl: string, { hasBackend }: { hasBackend: boolean }): RequestHandler {
  const service = new URL(serviceUrl).origin;
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${service}`,
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    "media-src 'self'",
    `connect-src 'self' ${service}`,
    "base-uri 'none'",
    `form-action ${hasBackend ? `'self' ${service}` : "'none'"}`,
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

/**
 * Admits forms of this shop's own pages only. Browsers report the sender in `Sec-Fetch-Site`, which pages cannot forge. Older
 * ones send `Origin` with every POST.
 */
export function requireOwnPage(shopUrl: string): RequestHandler {
  return (request, response, next) => {
    const site = request.get('Sec-Fetch-Site');
    const isOwn = site === undefined ? request.get('Origin') === shopUrl : site === 'same-origin';
    if (isOwn) next();
    else
      response
        .status(403)
        .type('text')
        .send('This form belongs to another page. Open the shop, and send it there.');
  };
}

/** Returns the path of a file or folder in demo/public, which is served without a build. */
export function publicFolder(name: string): string {
  return fileURLToPath(new URL(`../public/${name}`, import.meta.url));
}

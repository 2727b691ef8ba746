import type { Response } from 'express';
import { type Page, siteOf } from './site.js';

/** How a page is sent. */
export interface PageOptions {
  /** Default 200. */
  status?: number;
  /** Other origins that a form of the page may end up at: Chromium checks the redirects after a post as well. */
  formTargets?: readonly string[];
}

/**
 * Sends a page that shows personal data or holds a form: never stored, never framed, no script, styles from here only.
 * The referrer stays within the service; without any, a form post would carry `Origin: null`.
 */
export function sendPage(response: Response, page: Page, options: PageOptions = {}): void {
  const { status = 200, formTargets = [] } = options;
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    // A client's logo lies wherever its owner put it.
    'img-src data: https: http:',
    ["form-action 'self'", ...formTargets].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  response
    .status(status)
    .set('Content-Security-Policy', policy.join('; '))
    .set('Referrer-Policy', 'same-origin')
    .set('Cache-Control', 'no-store')
    .type('html')
    .send(page(siteOf(response)));
}

/** The CSP source for a form that ends in a redirect to this address. */
export function formTargetOf(redirectUri: string): string {
  const { origin, protocol, hostname } = new URL(redirectUri);
  // CSP has no notation for an IPv6 host.
  return hostname.startsWith('[') ? protocol : origin;
}

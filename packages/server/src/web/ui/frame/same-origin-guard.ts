import type { Request, RequestHandler } from 'express';
import type { Needs } from '../../../app/services.js';
import { sendMessage } from './message-page.js';

/**
 * Accepts a form only from the service's own pages (protection against cross-site request forgery). Browsers send
 * `Sec-Fetch-Site`, or `Origin` in older versions. A request with neither is rejected with 403.
 */
export function sameOriginGuard({ baseUrl }: Needs<'baseUrl'>): RequestHandler {
  return (request, response, next) => {
    if (isFromOwnPages(request, baseUrl)) return next();
    sendMessage(response, 403, {
      title: 'This form came from another site',
      text: 'To protect your account, we accept forms only from our own pages. Open the page again and resend the form.',
      action: { href: '/account', label: 'Go to your account' },
    });
  };
}

function isFromOwnPages(request: Request, baseUrl: string): boolean {
  const site = request.get('Sec-Fetch-Site');
  return site === undefined ? request.get('Origin') === baseUrl : site === 'same-origin';
}

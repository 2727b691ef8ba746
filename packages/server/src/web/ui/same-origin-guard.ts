import type { Request, RequestHandler } from 'express';
import { messagePage } from './message-page.js';
import { sendPage } from './send-page.js';

interface SameOriginGuardNeeds {
  readonly baseUrl: string;
}

/**
 * Lets a page's form through only when it was sent from the service's own pages. Browsers say so themselves:
 * `Sec-Fetch-Site` decides when it is there, else `Origin`; a request with neither is refused.
 */
export function sameOriginGuard({ baseUrl }: SameOriginGuardNeeds): RequestHandler {
  return (request, response, next) => {
    if (isFromOwnPages(request, baseUrl)) return next();
    const html = messagePage({
      title: 'This form was not sent from here',
      text: 'To keep others from acting in your name, the service takes forms from its own pages only. Open the page here and try again.',
      action: { href: '/account', label: 'Go to your account' },
    });
    sendPage(response, html, { status: 403 });
  };
}

function isFromOwnPages(request: Request, baseUrl: string): boolean {
  const site = request.get('Sec-Fetch-Site');
  return site === undefined ? request.get('Origin') === baseUrl : site === 'same-origin';
}

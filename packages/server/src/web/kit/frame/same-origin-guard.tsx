import type { Request, RequestHandler, Response } from 'express';
import type { Needs } from '../../../app/services.js';
import { t } from '../../../platform/language/language.js';
import { renderPart } from './document.js';
import { sendMessage } from './message-page.js';
import { sendPage } from './send-page.js';

/**
 * Accepts a form only from the service's own pages (protection against cross-site request forgery). Browsers send
 * `Sec-Fetch-Site`, or `Origin` in older versions. A request with neither is rejected with 403.
 */
export function sameOriginGuard({ baseUrl }: Needs<'baseUrl'>): RequestHandler {
  return (request, response, next) => {
    if (isFromOwnPages(request, baseUrl)) return next();
    sendMessage(response, 403, {
      title: t('This form came from another site'),
      text: t(
        'To protect your account, we accept forms only from our own pages. Open the page again and resend the form.',
      ),
      action: { href: '/account', label: t('Go to your account') },
    });
  };
}

function isFromOwnPages(request: Request, baseUrl: string): boolean {
  const site = request.get('Sec-Fetch-Site');
  return site === undefined ? request.get('Origin') === baseUrl : site === 'same-origin';
}

/**
 * True if the browser was sent here by a page of another origin that isn't in the list. Such a page can tell redirects,
 * downloads and pages apart, for example with a `form-action` policy that reports its form's redirects. What it gets
 * must not depend on the visitor, so send {@link sendOnwards} before reading the session.
 *
 * Browsers from before 2023 don't say where a request came from. Neither do programs.
 *
 * @param origins origins that learn the answer anyway: the origins of the client that asks.
 */
export function isFromStranger(request: Request, origins: readonly string[] = []): boolean {
  const site = request.get('Sec-Fetch-Site');
  if (site === undefined || site === 'same-origin' || site === 'none') return false;
  const referrer = request.get('Referer') ?? '';
  return !URL.canParse(referrer) || !origins.includes(new URL(referrer).origin);
}

/**
 * Sends every visitor the same page, which at once loads a page of the service. That request comes from the service
 * itself, so no other site can tell what it leads to. It has no stylesheet: browsers would wait for it.
 */
export function sendOnwards(response: Response, path: string): void {
  const page = () =>
    `<!doctype html>${renderPart(
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="robots" content="noindex" />
          <meta http-equiv="refresh" content={`0;url=${path}`} />
          <title>One moment</title>
        </head>
        <body>
          <a href={path}>Continue</a>
        </body>
      </html>,
    )}`;
  sendPage(response, Object.assign(page, { loadsPageScript: false }));
}

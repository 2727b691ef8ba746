import type { Request, Response } from 'express';
import type { Failure } from '../../../platform/http/http-failure.js';
import { type MessagePageProps, messagePage } from './message-page.js';
import { sendPage, siteOf } from './send-page.js';

/** Sends a failure as a page with a way out. */
export function sendFailurePage(response: Response, { status, message, link }: Failure): void {
  const home = { href: siteOf(response).homePath, label: 'Go to the home page' };
  const html = messagePage({
    ...wordingOf(status, message),
    action: link ?? home,
    otherAction: status === 421 ? undefined : backLink(response.req),
    isHarmless: status === 404,
  });
  // The foreign host serves no files either.
  const filesOrigin = status === 421 && link ? new URL(link.href).origin : undefined;
  sendPage(response, html, { status, filesOrigin });
}

/** Returns a link to the page of this service that led here. Pages send their address within the service only. */
function backLink(request: Request): MessagePageProps['otherAction'] {
  const referrer = request.get('Referer') ?? '';
  if (!URL.canParse(referrer)) return undefined;
  const { host, pathname, search } = new URL(referrer);
  const isOwn = host === request.host && !pathname.startsWith('//');
  const path = pathname + search;
  return isOwn && path !== request.originalUrl ? { href: path, label: 'Go back' } : undefined;
}

function wordingOf(status: number, message: string) {
  if (status === 404) return { title: 'Page not found', text: 'The address may be mistyped or out of date.' };
  if (status >= 500)
    return { title: 'Something went wrong on our side', text: 'Please try again in a moment.' };
  if (status === 421) return { title: 'Wrong address', text: message };
  return { title: 'Request failed', text: message };
}

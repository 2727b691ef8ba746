import type { Response } from 'express';
import type { Failure } from '../../../platform/http/failure.js';
import { messagePage } from './message-page.js';
import { sendPage } from './send-page.js';

/** Sends a failure as a page. */
export function sendFailurePage(response: Response, { status, message, link }: Failure): void {
  const html = messagePage({ ...wordingOf(status, message), action: link });
  // The foreign host serves no files either.
  const filesOrigin = status === 421 && link ? new URL(link.href).origin : undefined;
  sendPage(response, html, { status, filesOrigin });
}

function wordingOf(status: number, message: string) {
  if (status === 404) return { title: 'Page not found', text: 'The address may be mistyped or out of date.' };
  if (status >= 500)
    return { title: 'Something went wrong on our side', text: 'Please try again in a moment.' };
  if (status === 421) return { title: 'Wrong address', text: message };
  return { title: 'Request failed', text: message };
}

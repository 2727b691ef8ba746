import type { UserIdentity } from '@latchkey/oauth';
import { type AppUrl, startPath } from '../http/app-url.js';
import { sendError } from '../http/json-error.js';
import { sendPlainPage } from '../http/plain-page.js';
import type { VisitorExchange } from '../sign-in/endpoint.js';
import { isNavigation } from '../sign-in/login-path.js';
import { safeAddress } from '../sign-in/return-to.js';
import type { LatchkeyPages } from './latchkey-pages.js';
import { PAYMENT_PENDING, PAYMENT_UNCONFIRMED, START_PAGE_LABEL } from './rejection-texts.js';

/** Seconds between two loads of a page that reloads itself. */
const RELOAD_SECONDS = 2;

interface PaymentRejection {
  kind: 'payment_pending' | 'payment_unconfirmed';
  user: UserIdentity;
}

/**
 * Sends the page of `awaitMembership`, which offers no plan because the visitor has probably paid. Scripts receive 503
 * with `Retry-After` while the payment is pending, and 403 afterwards.
 */
export async function sendPaymentPage(
  { app, pages }: { app: AppUrl; pages: LatchkeyPages },
  exchange: VisitorExchange,
  { rejection: { kind, user }, wantsHtml }: { rejection: PaymentRejection; wantsHtml: boolean },
): Promise<void> {
  const { visitor, request, response } = exchange;
  const isPending = kind === 'payment_pending';
  const { title, message, hint, label } = isPending ? PAYMENT_PENDING : PAYMENT_UNCONFIRMED;
  if (isPending) response.setHeader('Retry-After', `${RELOAD_SECONDS}`);
  if (!wantsHtml) {
    return isPending
      ? sendError(response, 503, { error: 'membership_pending', message: 'Not confirmed yet.' })
      : sendError(response, 403, { error: 'membership_required', message });
  }
  if (isPending && isNavigation(exchange)) response.setHeader('Refresh', `${RELOAD_SECONDS}`);
  const start = startPath(app);
  const { publicPath } = visitor;
  const retryUrl = safeAddress(publicPath, app) === undefined ? start : publicPath;
  response.status(202);
  if (pages.awaiting !== undefined) {
    const state = isPending ? 'waiting' : 'unconfirmed';
    await pages.awaiting(request, response, { state, message, user, retryUrl });
    return;
  }
  sendPlainPage(response, {
    title,
    paragraphs: [message, hint],
    link: { href: retryUrl, label },
    ...(isPending ? {} : { otherLink: { href: start, label: START_PAGE_LABEL } }),
  });
}

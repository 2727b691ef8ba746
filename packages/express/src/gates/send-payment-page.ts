import { type AppUrl, startPath } from '../http/app-url.js';
import { sendError } from '../http/json-error.js';
import { sendPlainPage } from '../http/plain-page.js';
import type { VisitorExchange } from '../sign-in/endpoint.js';
import { isNavigation } from '../sign-in/login-path.js';
import { safeAddress } from '../sign-in/return-to.js';
import type { Rejection } from './gate-result.js';
import type { LatchkeyPages } from './latchkey-pages.js';
import {
  PAYMENT_PENDING,
  PAYMENT_UNCONFIRMED,
  START_PAGE_LABEL,
  unconfirmedMembershipTexts,
} from './rejection-texts.js';

/** Seconds between two loads of a page that reloads itself. */
const RELOAD_SECONDS = 2;

type PaymentRejection = Extract<Rejection, { kind: 'payment_pending' | 'payment_unconfirmed' }>;

/**
 * Sends the page of `awaitMembership`, which offers no plan because the visitor has probably paid. Scripts receive 503
 * with `Retry-After` while the payment is pending, and 403 afterwards.
 */
export async function sendPaymentPage(
  { app, pages }: { app: AppUrl; pages: LatchkeyPages },
  exchange: VisitorExchange,
  { rejection, wantsHtml }: { rejection: PaymentRejection; wantsHtml: boolean },
): Promise<void> {
  const { visitor, request, response } = exchange;
  const isPending = rejection.kind === 'payment_pending';
  const { user } = rejection;
  const membershipIds = rejection.kind === 'payment_unconfirmed' ? rejection.ids : [];
  const { title, message, hint, label } = isPending ? PAYMENT_PENDING : PAYMENT_UNCONFIRMED;
  const unknown = unconfirmedMembershipTexts(membershipIds);
  if (isPending) response.setHeader('Retry-After', `${RELOAD_SECONDS}`);
  if (!wantsHtml) {
    if (isPending) {
      return sendError(response, 503, { error: 'membership_pending', message: 'Not confirmed yet.' });
    }
    return membershipIds.length === 0
      ? sendError(response, 403, { error: 'membership_required', message })
      : sendError(response, 403, { error: 'membership_unknown', message: unknown.message, membershipIds });
  }
  if (isPending && isNavigation(exchange)) response.setHeader('Refresh', `${RELOAD_SECONDS}`);
  const start = startPath(app);
  const { publicPath } = visitor;
  const retryUrl = safeAddress(publicPath, app) === undefined ? start : publicPath;
  response.status(202);
  if (pages.awaiting !== undefined) {
    const state = isPending ? 'waiting' : 'unconfirmed';
    await pages.awaiting(request, response, {
      state,
      message,
      user,
      retryUrl,
      ...(membershipIds.length === 0 ? {} : { membershipIds }),
    });
    return;
  }
  sendPlainPage(response, {
    title,
    paragraphs:
      membershipIds.length === 0
        ? [message, hint]
        : [unknown.lead, ...membershipIds.map((code) => ({ code })), unknown.hint],
    link: { href: retryUrl, label },
    ...(isPending ? {} : { otherLink: { href: start, label: START_PAGE_LABEL } }),
  });
}

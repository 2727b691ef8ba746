import express, { type Request, type Response, Router } from 'express';
import type { Needs, Services } from '../../app/services.js';
import { HttpFailure, methodNotAllowed } from '../../platform/http/http-failure.js';
import { redirect } from '../../platform/http/redirect.js';
import { phrase, t } from '../../platform/language/language.js';
import { throttledWarning } from '../../platform/logging/logger.js';
import { type Visit, visitRoutes } from '../../web/kit/areas/area-routes.js';
import { findSignedInUser } from '../../web/kit/areas/user-session.js';
import { isFromStranger, sendOnwards } from '../../web/kit/frame/same-origin-guard.js';
import { sendPage } from '../../web/kit/frame/send-page.js';
import { identifyActor } from '../audit/audit.js';
import {
  choiceOf,
  findReceipt,
  maskEmail,
  placeCheckout,
  purchaseOutlook,
} from '../checkout/buyer-access.js';
import { type Checkout, shownTermsOf } from '../checkout/checkout.js';
import { checkoutPath, findCheckout } from '../checkout/checkouts.js';
import { awaitPayment } from '../checkout/look-up-charges.js';
import type { DeclineReason } from '../checkout/payment-provider.js';
import { receiveEvents } from '../checkout/provider-events.js';
import { checkoutPage } from './checkout.pages.js';
import { checkoutVisits, isBuyerOf } from './checkout-visits.pages.js';
import { awaitingPage, checkoutPaidPage } from './paid.pages.js';
import { NOTHING, payForm } from './pay.routes.js';

const DECLINE_WORDING: Readonly<Record<DeclineReason, string>> = {
  card_declined: phrase(
    'Your card was declined and nothing was charged. Use another payment method, or try again.',
  ),
  insufficient_funds: phrase(
    'Your card has insufficient funds and nothing was charged. Use another payment method, or try again.',
  ),
  transfer_expired: phrase('The transfer did not arrive in time and nothing was charged. Try again.'),
};

/** Notices on the checkout page, by their query parameter. */
const NOTICES = [
  [
    'changed',
    phrase(
      'The order changed after you opened this page. Nothing was charged. Check the order before you pay.',
    ),
  ],
  ['cancelled', phrase('You came back without paying. You can pay now, or go back to the shop.')],
  [
    'returned',
    phrase(
      'We have no payment for this order. If you did pay, wait a few minutes and look again before you pay once more.',
    ),
  ],
] as const;

/** Knowing the secret in the URL is the permission to pay. Only a free order requires sign-in. */
export function checkoutRoutes(needs: Services): Router {
  const { baseUrl, clock, db, payments } = needs;
  const visits = checkoutVisits(needs);
  const { requirePayable, mayConfirm, takePayment, fail, accentOf, brandOf, paidProps, isOwnPage } = visits;
  return visitRoutes(needs, {
    '/checkout/:kind/:secret': { get: show },
    '/checkout/:kind/:secret/pay': { post: payForm(needs, visits) },
  });

  async function show(visit: Visit) {
    const { request, response, query } = visit;
    const { kind = '', secret = '' } = request.params;
    let found = await findCheckout(db, secret);
    if (found?.paidAt === null && query.has('returned') && payments !== undefined) {
      const awaited = await awaitPayment({ ...needs, payments }, found.reservationId);
      if (awaited === 'waiting') return await sendAwaiting(response, found, { kind, secret, query });
      found = await findCheckout(db, secret);
    }
    const user = await findSignedInUser(needs, request);
    const isFromForm = query.has('paid') || query.has('returned');
    if (found?.paidAt != null && (isFromForm || !isOwnPage(found))) {
      const payment = takePayment(visit, secret);
      if (payment !== undefined) {
        const goesOn = isFromForm && payment === 'just-paid' && !isOwnPage(found);
        const receipt = await findReceipt(db, found.reservationId);
        // The end of the access depends on what the buyer had before.
        const shown = receipt && (isBuyerOf(found, user) ? receipt : { ...receipt, access: undefined });
        return checkoutPaidPage({ ...(await paidProps(found)), goesOn, receipt: shown });
      }
    }
    const payable = await requirePayable(response, { checkout: found, user });
    if (payable === undefined) return;
    const { checkout } = payable;
    const { offer, buyer } = checkout;
    const path = checkoutPath(offer.paidBy, secret);
    // The checkout was opened again with a plan that is paid another way.
    if (kind !== offer.paidBy) return redirect(response, 302, path);
    // Only a free order depends on who is signed in. A redirect or a rejection would tell the page that links here.
    if (offer.amountMinor === 0 && isFromStranger(request)) return sendOnwards(response, path);
    if (!mayConfirm(response, { checkout, user, path })) return;

    const now = clock.now();
    const isBuyer = isBuyerOf(checkout, user);
    const placement = await placeCheckout(db, checkout, { isBuyer, now });
    // Everyone else sees the same page as before: what the buyer has is private.
    if (isBuyer && placement.placed.kind === 'nothing')
      return await fail(response, checkout, { status: 409, ...NOTHING });
    const outlook = isBuyer ? await purchaseOutlook(db, checkout, { ...placement, now }) : undefined;
    const brand = await brandOf(offer);
    const order = {
      ...offer,
      // For the buyer only. A visitor of a shop can enter another person's address, and must not learn what that person
      // has.
      outlook,
      seller: brand ?? (offer.seller === null ? null : { name: offer.seller, logoUrl: null }),
      buyer: buyer.email === null ? t('Your account') : maskEmail(buyer.email),
    };
    const declined = query.get('declined');
    const { amountMinor, currency } = offer;
    return checkoutPage({
      order,
      action: `${path}/pay`,
      terms: `${shownTermsOf(offer, buyer.id)}${choiceOf(placement, now)}`,
      methods: payable.payments.methods(offer.paidBy),
      transfer:
        offer.paidBy === 'card'
          ? undefined
          : payable.payments.transferDetails?.({ orderId: checkout.reservationId, amountMinor, currency }),
      cancelUrl: new URL(checkout.cancelUrl).href,
      error: isDeclineReason(declined) ? t(DECLINE_WORDING[declined]) : undefined,
      chosen: query.get('method') ?? undefined,
      notice: noticeOf(query),
      disclaimer: payable.payments.disclaimer,
      accent: brand?.accent ?? null,
    });
  }

  async function sendAwaiting(
    response: Response,
    { offer }: Checkout,
    { kind, secret, query }: { kind: string; secret: string; query: URLSearchParams },
  ) {
    const accent = await accentOf(offer);
    const look = Math.min(100, Math.max(0, Math.trunc(Number(query.get('returned'))) || 0));
    const url = `${baseUrl}/checkout/${encodeURIComponent(kind)}/${encodeURIComponent(secret)}`;
    sendPage(response, awaitingPage({ url, look, accent }));
  }
}

function noticeOf(query: URLSearchParams): string | undefined {
  const [, text] = NOTICES.find(([parameter]) => query.has(parameter)) ?? [];
  return text && t(text);
}

function isDeclineReason(text: string | null): text is DeclineReason {
  return text !== null && Object.hasOwn(DECLINE_WORDING, text);
}

const BODY_MAX_BYTES = 1_000_000;

/** The signature covers the bytes as sent, so they're neither decoded nor parsed. */
const readBytes = express.raw({ type: () => true, limit: BODY_MAX_BYTES, inflate: false });

/**
 * Webhook of the payment provider: `POST /payments/<name>/webhook`.
 *
 * | response | when |
 * |---|---|
 * | 200 | each event is stored with its effect, or was stored before |
 * | 400 | the provider did not sign the request |
 * | 413, 415 | the body is larger than 1 MB, or encoded |
 * | 5xx | an event could not be stored; the provider sends it again |
 */
export function providerWebhookRoutes(needs: Needs<'db' | 'clock' | 'logger' | 'payments'>): Router {
  const { payments } = needs;
  const router = Router({ caseSensitive: true, strict: true });
  if (payments === undefined) return router;
  const warn = throttledWarning(needs);
  router
    .route(`/payments/${payments.name}/webhook`)
    .post(readBytes, async (request, response) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const webhook = { headers: headersOf(request), body: new Uint8Array(body) };
      const events = await payments.readEvents(webhook).catch((error: unknown) => {
        // Checks the name instead of the class: a provider can have a separate copy of the class.
        if (!(error instanceof Error) || error.name !== 'InvalidProviderWebhookError') throw error;
        warn(
          { provider: payments.name, reason: error.message },
          'Rejected a webhook of the payment provider',
        );
        throw new HttpFailure(400, 'The signature of this webhook is not valid.');
      });
      identifyActor('system', null);
      await receiveEvents({ ...needs, payments }, events);
      response.set('Cache-Control', 'no-store').json({ received: events.length });
    })
    .all(methodNotAllowed('POST'));
  return router;
}

function headersOf({ headers }: Request): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

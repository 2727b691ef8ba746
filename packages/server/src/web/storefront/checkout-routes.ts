import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Services } from '../../app/services.js';
import type { Brand } from '../../domain/brand/brand.js';
import { communityBrand } from '../../domain/brand/brands.js';
import { formatPrice } from '../../domain/catalogue/price.js';
import { boughtElsewhere } from '../../domain/checkout/bought-before.js';
import { findHeldPlan, findReceipt, isCovered, purchaseOutlook } from '../../domain/checkout/buyer-access.js';
import type { Checkout, OpenCheckout } from '../../domain/checkout/checkout.js';
import { checkoutPath, findCheckout } from '../../domain/checkout/checkouts.js';
import { type Offer, termsOf } from '../../domain/checkout/offer.js';
import { payCheckout } from '../../domain/checkout/pay-checkout.js';
import type { PaymentProvider } from '../../domain/checkout/payment-provider.js';
import type { Database } from '../../platform/database/open-database.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { redirect } from '../../platform/http/redirect.js';
import { formOf, readForm } from '../../platform/http/request-body.js';
import { requestQuery } from '../../platform/http/request-query.js';
import { findSignedInUser } from '../sign-in/user-session.js';
import { messagePage } from '../ui/frame/message-page.js';
import { sameOriginGuard } from '../ui/frame/same-origin-guard.js';
import { sendPage } from '../ui/frame/send-page.js';
import type { Page } from '../ui/frame/site.js';
import { boughtElsewherePage, paidBeforePage } from './already-paid-page.js';
import { checkoutPaidPage } from './checkout-paid-page.js';
import { DECLINE_WORDING, isDeclineReason, sendCheckoutPage } from './checkout-response.js';
import { mayConfirm } from './free-order.js';
import { productAccess } from './product-access.js';
import { rememberPayment, takePayment } from './receipt-cookie.js';

type CheckoutParams = { kind: string; secret: string };

/** Routes of the hosted checkout pages. The secret in the URL is the permission to pay. Only a free order requires sign-in. */
export function checkoutRoutes(needs: Services): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route('/checkout/:kind/:secret').get(showCheckout(needs)).all(methodNotAllowed('GET'));
  router
    .route('/checkout/:kind/:secret/pay')
    .post(sameOriginGuard(needs), readForm, postPayment(needs))
    .all(methodNotAllowed('POST'));
  return router;
}

function showCheckout(needs: Services): RequestHandler<CheckoutParams> {
  return async (request, response) => {
    const query = requestQuery(request);
    const { kind, secret } = request.params;
    const checkout = await findCheckout(needs.db, secret);
    const isFromForm = query.has('paid');
    if (checkout?.paidAt != null && (isFromForm || !isOwnPage(needs, checkout))) {
      const payment = takePayment(needs, { request, response }, secret);
      const goesOn = isFromForm && payment === 'just-paid';
      if (payment !== undefined) return await sendReceipt(needs, response, { checkout, goesOn });
    }
    const payable = await requirePayable(needs, response, checkout);
    if (payable === undefined) return;
    const path = checkoutPath(payable.checkout.offer.paidBy, secret);
    // The checkout was opened again with a plan that is paid another way.
    if (kind !== payable.checkout.offer.paidBy) return redirect(response, 302, path);
    if (!(await mayConfirm(needs, { request, response }, { ...payable, path }))) return;
    const declined = query.get('declined');
    sendCheckoutPage(response, {
      ...payable,
      ...(await surroundings(needs, request, payable.checkout)),
      path,
      error: isDeclineReason(declined) ? DECLINE_WORDING[declined] : undefined,
      chosen: query.get('method') ?? undefined,
      hasChanged: query.has('changed'),
    });
  };
}

function postPayment(needs: Services): RequestHandler<CheckoutParams> {
  const { db, clock, logger } = needs;
  return async (request, response) => {
    const { secret } = request.params;
    const form = formOf(request);
    const found = await findCheckout(db, secret);
    // The checkout was paid in another tab or by a second click.
    if (found?.paidAt != null) {
      redirectToPaid(needs, { request, response }, found);
      return;
    }
    const payable = await requirePayable(needs, response, found, async () => {
      // The second click was paid since the checkout was read.
      const current = await findCheckout(db, secret);
      if (current?.paidAt != null) redirectToPaid(needs, { request, response }, current);
      return current?.paidAt != null;
    });
    if (payable === undefined) return;
    const { checkout, payments } = payable;
    const path = checkoutPath(checkout.offer.paidBy, secret);
    if (!(await mayConfirm(needs, { request, response }, { checkout, path }))) return;
    // The buyer pays only for the terms that the page showed.
    const terms = termsOf(checkout.offer, checkout.buyer.id);
    if (form.get('terms') !== terms) return redirect(response, 303, `${path}?changed`);

    const method = form.get('method') ?? '';
    const isFree = checkout.offer.amountMinor === 0;
    const isOffered = payments.methods(checkout.offer.paidBy).some(({ id }) => id === method);
    if (!isFree && !isOffered) return redirect(response, 303, path);

    const paid = await payCheckout(db, { checkout, method, payments, logger }, () => clock.now());
    if (paid.kind === 'declined') {
      const attempt = new URLSearchParams({ declined: paid.reason, method });
      return redirect(response, 303, `${path}?${attempt}`);
    }
    if (paid.kind === 'already-owned') return redirect(response, 303, path);
    if (paid.kind === 'changed') return redirect(response, 303, `${path}?changed`);
    if (paid.kind === 'no-access' || paid.kind === 'paid-before') {
      const accent = await accentOf(db, checkout.offer);
      const isOwn = isOwnPage(needs, checkout);
      const page =
        paid.kind === 'no-access'
          ? noAccessPage(checkout, accent)
          : paidBeforePage({ checkout, isOwnPage: isOwn, accent });
      sendPage(response, page, { status: 409 });
      return;
    }
    rememberPayment(needs, response, secret);
    redirect(response, 303, `${path}?paid`);
  };
}

/** Redirects a form of a paid checkout to the receipt, if the form showed the terms that were paid. */
function redirectToPaid(
  needs: Services,
  { request, response }: { request: Request<CheckoutParams>; response: Response },
  { offer, buyer }: Checkout,
): void {
  const path = request.path.replace(/\/pay$/, '');
  const hasSeenTerms = offer !== undefined && formOf(request).get('terms') === termsOf(offer, buyer.id);
  if (hasSeenTerms) rememberPayment(needs, response, request.params.secret);
  redirect(response, 303, hasSeenTerms ? `${path}?paid` : path);
}

/**
 * Returns what a checkout page shows besides the checkout: the access after a payment, and the brand of the community. The
 * access is for the buyer only. A visitor of a shop can enter another person's address, and must not learn what that
 * person has.
 */
async function surroundings(needs: Services, request: Request, checkout: OpenCheckout) {
  const { db, clock } = needs;
  const user = await findSignedInUser(needs, request);
  return {
    outlook: user?.id === checkout.buyer.id ? await purchaseOutlook(db, checkout, clock.now()) : undefined,
    brand: await brandOf(db, checkout.offer),
  };
}

/** Returns the brand of the community that sells a plan; `undefined` for a product. */
async function brandOf(db: Database, { subject }: Offer): Promise<Brand | undefined> {
  return subject.kind === 'plan' ? await communityBrand(db, subject.communityId) : undefined;
}

async function accentOf(db: Database, offer: Offer | undefined): Promise<string | null> {
  return (offer && (await brandOf(db, offer)))?.accent ?? null;
}

/**
 * Returns the checkout if it can be paid now. Otherwise it sends a page with a link for a paid checkout, or a failure page.
 * `respondIfPaid` runs first if the buyer has bought; it returns true if it sent the response.
 */
async function requirePayable(
  needs: Services,
  response: Response,
  checkout: Checkout | undefined,
  respondIfPaid: () => Promise<boolean> = async () => false,
): Promise<{ checkout: OpenCheckout; payments: PaymentProvider } | undefined> {
  const { payments, clock } = needs;
  if (checkout !== undefined && (await hasBought(needs, checkout))) {
    if (await respondIfPaid()) return undefined;
    // Only a page of the service itself is safe for visitors who follow a link to a finished checkout.
    if (isOwnPage(needs, checkout)) redirect(response, 303, new URL(checkout.successUrl).href);
    else await sendPaidPage(needs, response, checkout);
    return undefined;
  }
  const fail = async (status: number, words: { title: string; text: string }) => {
    const cancelUrl = checkout && new URL(checkout.cancelUrl);
    const action =
      cancelUrl === undefined
        ? { href: '/account', label: 'Go to your account' }
        : { href: cancelUrl.href, label: `Go back to ${cancelUrl.host}` };
    const accent = await accentOf(needs.db, checkout?.offer);
    sendPage(response, messagePage({ ...words, action, accent }), { status });
    return undefined;
  };
  if (checkout === undefined || checkout.expiresAt <= clock.now()) return await fail(404, GONE);
  const { offer } = checkout;
  if (offer === undefined) return await fail(410, NOT_FOR_SALE);
  if (payments === undefined) return await fail(503, NO_PAYMENTS);
  const open = { ...checkout, offer };
  if ((await boughtElsewhere(needs.db, open)) !== 'none') {
    const accent = await accentOf(needs.db, offer);
    const page = boughtElsewherePage({ checkout: open, isOwnPage: isOwnPage(needs, open), accent });
    sendPage(response, page, { status: 409 });
    return undefined;
  }
  return { checkout: open, payments };
}

/** The buyer has paid for nothing. Only the seller can refund the payment. */
function noAccessPage({ offer, cancelUrl }: OpenCheckout, accent: string | null): Page {
  const shop = new URL(cancelUrl);
  const price = formatPrice(offer.amountMinor, offer.currency);
  return messagePage({
    title: 'This payment gave no access',
    text: `Your payment of ${price} for “${offer.name}” succeeded, but gave no access: this checkout was paid with another order at the same time. The seller can see the payment. Ask the seller for a refund.`,
    action: { href: shop.href, label: `Go back to ${shop.host}` },
    accent,
  });
}

/**
 * True if nothing is left to pay: this checkout is paid, or the buyer owns the product by now. A plan that a subscription
 * already renews is sold again only if an app requests it with an `externalId`.
 */
async function hasBought(needs: Services, checkout: Checkout): Promise<boolean> {
  const { paidAt, offer, buyer, externalId } = checkout;
  if (paidAt !== null) return true;
  if (offer === undefined) return false;
  const { subject } = offer;
  if (subject.kind === 'product')
    return (await productAccess(needs, buyer.id, subject.productId)) === 'for-life';
  if (externalId !== null) return false;
  const { communityId, planId } = subject;
  const held = await findHeldPlan(needs.db, { userId: buyer.id, communityId }, needs.clock.now());
  return held !== undefined && isCovered(held, planId);
}

const GONE = {
  title: 'This checkout has expired',
  text: 'A checkout is open for one day. Go back to the shop and start again.',
};
const NOT_FOR_SALE = {
  title: 'This is no longer for sale',
  text: 'The seller stopped selling it after you opened the checkout. Nothing was charged.',
};
const NO_PAYMENTS = {
  title: 'Payments are unavailable',
  text: 'This service cannot take payments at the moment. Nothing was charged.',
};

/** True if the buyer returns to a page of the service. */
function isOwnPage({ baseUrl }: Services, { successUrl }: Checkout): boolean {
  return new URL(successUrl).origin === baseUrl;
}

/** Sends the receipt to the browser that paid. With `goesOn`, it loads the shop's page at once. */
async function sendReceipt(
  needs: Services,
  response: Response,
  { checkout, goesOn }: { checkout: Checkout; goesOn: boolean },
): Promise<void> {
  const receipt = await findReceipt(needs.db, checkout.reservationId);
  const isOwn = isOwnPage(needs, checkout);
  const page = { goesOn: goesOn && !isOwn, receipt, isOwnPage: isOwn };
  sendPage(response, checkoutPaidPage({ ...(await paidPropsOf(needs, checkout)), ...page }));
}

async function sendPaidPage(needs: Services, response: Response, checkout: Checkout): Promise<void> {
  const page = { goesOn: false, isOwnPage: false, receipt: undefined };
  sendPage(response, checkoutPaidPage({ ...(await paidPropsOf(needs, checkout)), ...page }));
}

async function paidPropsOf({ db }: Services, { offer, successUrl }: Checkout) {
  return {
    accent: await accentOf(db, offer),
    name: offer?.name ?? 'your purchase',
    seller: offer?.seller ?? null,
    isPlan: offer?.subject.kind === 'plan',
    successUrl,
  };
}

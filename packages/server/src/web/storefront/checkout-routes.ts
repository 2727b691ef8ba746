import { type Request, type Response, Router } from 'express';
import type { Services } from '../../app/services.js';
import { communityBrand } from '../../domain/brand/brands.js';
import { boughtElsewhere } from '../../domain/checkout/bought-before.js';
import {
  findHeldPlan,
  findReceipt,
  isCovered,
  maskEmail,
  purchaseOutlook,
} from '../../domain/checkout/buyer-access.js';
import type { Checkout, OpenCheckout } from '../../domain/checkout/checkout.js';
import { checkoutPath, findCheckout } from '../../domain/checkout/checkouts.js';
import { type Offer, termsOf } from '../../domain/checkout/offer.js';
import { payCheckout } from '../../domain/checkout/pay-checkout.js';
import type { DeclineReason } from '../../domain/checkout/payment-provider.js';
import { cookieWriter, type PageCookie, readCookie } from '../../platform/http/cookies.js';
import { methodNotAllowed } from '../../platform/http/http-failure.js';
import { redirect } from '../../platform/http/redirect.js';
import { formOf, readForm, requestQuery } from '../../platform/http/request-input.js';
import { hashSecret } from '../../platform/secrets.js';
import { signInPath } from '../sign-in/continue-path.js';
import { findSignedInUser } from '../sign-in/user-session.js';
import { sendMessage } from '../ui/frame/message-page.js';
import { sameOriginGuard } from '../ui/frame/same-origin-guard.js';
import { sendPage } from '../ui/frame/send-page.js';
import { checkoutPage } from './checkout-page.js';
import { alreadyPaidPage, checkoutPaidPage, noAccessPage } from './paid-pages.js';
import { productAccess } from './shop-routes.js';

/** Messages to the buyer about a failed payment. */
const DECLINE_WORDING: Readonly<Record<DeclineReason, string>> = {
  card_declined: 'Your card was declined and nothing was charged. Use another payment method, or try again.',
  insufficient_funds:
    'Your card has insufficient funds and nothing was charged. Use another payment method, or try again.',
  transfer_expired: 'The transfer did not arrive in time and nothing was charged. Try again.',
};

/** Contains the hash of the secret of the checkout that this browser paid last, and whether it has shown the receipt. */
const RECEIPT_COOKIE: PageCookie = { name: 'latchkey_service_receipt', lifetimeSeconds: 3600 };
const SEEN = 'seen.';

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

/** A request with its response. */
interface Visit {
  request: Request;
  response: Response;
}

/** Routes of the hosted checkout pages. The secret in the URL is the permission to pay. Only a free order requires sign-in. */
export function checkoutRoutes(needs: Services): Router {
  const { baseUrl, clock, db, logger, payments } = needs;
  const writeReceiptCookie = cookieWriter(needs, RECEIPT_COOKIE);
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route('/checkout/:kind/:secret')
    .get(async (request, response) => {
      const query = requestQuery(request);
      const { kind, secret } = request.params;
      const found = await findCheckout(db, secret);
      const isFromForm = query.has('paid');
      if (found?.paidAt != null && (isFromForm || !isOwnPage(found))) {
        const payment = takePayment({ request, response }, secret);
        if (payment !== undefined) {
          const goesOn = isFromForm && payment === 'just-paid' && !isOwnPage(found);
          const receipt = await findReceipt(db, found.reservationId);
          return sendPage(response, checkoutPaidPage({ ...(await paidProps(found)), goesOn, receipt }));
        }
      }
      const payable = await requirePayable(response, found);
      if (payable === undefined) return;
      const { checkout } = payable;
      const { offer, buyer } = checkout;
      const path = checkoutPath(offer.paidBy, secret);
      // The checkout was opened again with a plan that is paid another way.
      if (kind !== offer.paidBy) return redirect(response, 302, path);
      if (!(await mayConfirm({ request, response }, { checkout, path }))) return;

      const user = await findSignedInUser(needs, request);
      const outlook = user?.id === buyer.id ? await purchaseOutlook(db, checkout, clock.now()) : undefined;
      const brand = await brandOf(offer);
      const order = {
        ...offer,
        // For the buyer only. A visitor of a shop can enter another person's address, and must not learn what that person has.
        outlook,
        seller: brand ?? (offer.seller === null ? null : { name: offer.seller, logoUrl: null }),
        buyer: buyer.email === null ? 'Your account' : maskEmail(buyer.email),
      };
      const declined = query.get('declined');
      const { amountMinor, currency } = offer;
      const html = checkoutPage({
        order,
        action: `${path}/pay`,
        terms: termsOf(offer, buyer.id),
        methods: payable.payments.methods(offer.paidBy),
        transfer:
          offer.paidBy === 'card'
            ? undefined
            : payable.payments.transferDetails({ orderId: checkout.reservationId, amountMinor, currency }),
        cancelUrl: new URL(checkout.cancelUrl).href,
        error: isDeclineReason(declined) ? DECLINE_WORDING[declined] : undefined,
        chosen: query.get('method') ?? undefined,
        notice: query.has('changed')
          ? 'The order changed after you opened this page. Nothing was charged. Check the order before you pay.'
          : undefined,
        disclaimer: payable.payments.disclaimer,
        accent: brand?.accent ?? null,
      });
      sendPage(response, html);
    })
    .all(methodNotAllowed('GET'));

  router
    .route('/checkout/:kind/:secret/pay')
    .post(sameOriginGuard(needs), readForm, async (request, response) => {
      const { secret } = request.params;
      const form = formOf(request);
      /** If the checkout is paid, redirects to the receipt, if the form showed the terms that were paid. */
      const redirectIfPaid = (checkout: Checkout | undefined): boolean => {
        if (checkout?.paidAt == null) return false;
        const { offer, buyer } = checkout;
        const hasSeenTerms = offer !== undefined && form.get('terms') === termsOf(offer, buyer.id);
        if (hasSeenTerms) writeReceiptCookie(response, hashSecret(secret));
        const path = request.path.replace(/\/pay$/, '');
        redirect(response, 303, hasSeenTerms ? `${path}?paid` : path);
        return true;
      };
      const found = await findCheckout(db, secret);
      // The checkout was paid in another tab or by a second click.
      if (redirectIfPaid(found)) return;
      const payable = await requirePayable(response, found, async () =>
        // The second click was paid since the checkout was read.
        redirectIfPaid(await findCheckout(db, secret)),
      );
      if (payable === undefined) return;
      const { checkout } = payable;
      const { offer, buyer } = checkout;
      const path = checkoutPath(offer.paidBy, secret);
      if (!(await mayConfirm({ request, response }, { checkout, path }))) return;
      // The buyer pays only for the terms that the page showed.
      if (form.get('terms') !== termsOf(offer, buyer.id)) return redirect(response, 303, `${path}?changed`);

      const method = form.get('method') ?? '';
      const isOffered = payable.payments.methods(offer.paidBy).some(({ id }) => id === method);
      if (offer.amountMinor > 0 && !isOffered) return redirect(response, 303, path);

      const order = { checkout, method, payments: payable.payments, logger };
      const paid = await payCheckout(db, order, () => clock.now());
      switch (paid.kind) {
        case 'declined': {
          const attempt = new URLSearchParams({ declined: paid.reason, method });
          return redirect(response, 303, `${path}?${attempt}`);
        }
        case 'already-owned':
          return redirect(response, 303, path);
        case 'changed':
          return redirect(response, 303, `${path}?changed`);
        case 'no-access': {
          const accent = (await brandOf(offer))?.accent ?? null;
          return sendPage(response, noAccessPage(checkout, accent), { status: 409 });
        }
        case 'paid-before': {
          const page = alreadyPaidPage(await paidProps(checkout), 'earlier');
          return sendPage(response, page, { status: 409 });
        }
        default:
          writeReceiptCookie(response, hashSecret(secret));
          redirect(response, 303, `${path}?paid`);
      }
    })
    .all(methodNotAllowed('POST'));
  return router;

  /**
   * Returns the checkout if it can be paid now. Otherwise it sends a page with a link for a paid checkout, or a failure page.
   * `respondIfPaid` runs first if the buyer has bought; it returns true if it sent the response.
   */
  async function requirePayable(
    response: Response,
    checkout: Checkout | undefined,
    respondIfPaid: () => Promise<boolean> = async () => false,
  ) {
    if (checkout !== undefined && (await hasBought(checkout))) {
      if (await respondIfPaid()) return undefined;
      // Only a page of the service itself is safe for visitors who follow a link to a finished checkout.
      if (isOwnPage(checkout)) redirect(response, 303, new URL(checkout.successUrl).href);
      else {
        const props = { ...(await paidProps(checkout)), goesOn: false, receipt: undefined };
        sendPage(response, checkoutPaidPage(props));
      }
      return undefined;
    }
    const fail = async (status: number, words: { title: string; text: string }) => {
      const cancelUrl = checkout && new URL(checkout.cancelUrl);
      const action =
        cancelUrl === undefined
          ? { href: '/account', label: 'Go to your account' }
          : { href: cancelUrl.href, label: `Go back to ${cancelUrl.host}` };
      const accent = (await brandOf(checkout?.offer))?.accent;
      sendMessage(response, status, { ...words, action, accent });
      return undefined;
    };
    if (checkout === undefined || checkout.expiresAt <= clock.now()) return await fail(404, GONE);
    const { offer } = checkout;
    if (offer === undefined) return await fail(410, NOT_FOR_SALE);
    if (payments === undefined) return await fail(503, NO_PAYMENTS);
    const open: OpenCheckout = { ...checkout, offer };
    if ((await boughtElsewhere(db, open)) !== 'none') {
      sendPage(response, alreadyPaidPage(await paidProps(open), 'later'), { status: 409 });
      return undefined;
    }
    return { checkout: open, payments };
  }

  /**
   * True if nothing is left to pay: this checkout is paid, or the buyer owns the product by now. A plan that a subscription
   * already renews is sold again only if an app requests it with an `externalId`.
   */
  async function hasBought({ paidAt, offer, buyer, externalId }: Checkout): Promise<boolean> {
    if (paidAt !== null) return true;
    if (offer === undefined) return false;
    const { subject } = offer;
    if (subject.kind === 'product')
      return (await productAccess(needs, buyer.id, subject.productId)) === 'for-life';
    if (externalId !== null) return false;
    const { communityId, planId } = subject;
    const held = await findHeldPlan(db, { userId: buyer.id, communityId }, clock.now());
    return held !== undefined && isCovered(held, planId);
  }

  /**
   * True if the order costs money, or the buyer is signed in. Otherwise it sends the sign-in page or a failure. A free order
   * needs the buyer's consent: sellers could otherwise give memberships to strangers, past the invitations.
   *
   * @param path Root-relative path of the checkout, where the sign-in continues.
   */
  async function mayConfirm(
    { request, response }: Visit,
    { checkout: { offer, buyer }, path }: { checkout: OpenCheckout; path: string },
  ): Promise<boolean> {
    if (offer.amountMinor > 0) return true;
    const user = await findSignedInUser(needs, request);
    if (user === undefined) {
      redirect(response, 303, signInPath(path));
      return false;
    }
    if (user.id === buyer.id || (user.email !== null && user.email === buyer.email)) return true;
    sendMessage(response, 403, {
      title: 'Sign in as the buyer',
      text: 'This free order is for another account. Sign out, then open it again and sign in with the e-mail address of the order.',
      action: { href: '/account', label: 'Your account' },
    });
    return false;
  }

  /**
   * Returns `just-paid` the first time after this browser paid the checkout, `paid` later, and `undefined` if this browser did
   * not pay it.
   */
  function takePayment({ request, response }: Visit, secret: string): 'just-paid' | 'paid' | undefined {
    const value = readCookie(needs, request, RECEIPT_COOKIE);
    const hash = hashSecret(secret);
    if (value === `${SEEN}${hash}`) return 'paid';
    if (value !== hash) return undefined;
    writeReceiptCookie(response, `${SEEN}${hash}`);
    return 'just-paid';
  }

  /** Returns the brand of the community that sells a plan; `undefined` for a product. */
  async function brandOf(offer: Offer | undefined) {
    return offer?.subject.kind === 'plan' ? await communityBrand(db, offer.subject.communityId) : undefined;
  }

  async function paidProps<C extends Checkout>(checkout: C) {
    const accent = (await brandOf(checkout.offer))?.accent ?? null;
    return { checkout, isOwnPage: isOwnPage(checkout), accent };
  }

  /** True if the buyer returns to a page of the service. */
  function isOwnPage({ successUrl }: Checkout): boolean {
    return new URL(successUrl).origin === baseUrl;
  }
}

function isDeclineReason(text: string | null): text is DeclineReason {
  return text !== null && Object.hasOwn(DECLINE_WORDING, text);
}

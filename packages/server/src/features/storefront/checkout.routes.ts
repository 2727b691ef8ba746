import { type Request, type Response, Router } from 'express';
import type { Services } from '../../app/services.js';
import { clientNetwork, clientSite } from '../../platform/http/client-network.js';
import { cookieWriter, type PageCookie, readCookie } from '../../platform/http/cookies.js';
import { methodNotAllowed } from '../../platform/http/http-failure.js';
import { redirect } from '../../platform/http/redirect.js';
import { formOf, readForm, requestQuery } from '../../platform/http/request-input.js';
import { currentLanguage, phrase, t } from '../../platform/language/language.js';
import { hashSecret } from '../../platform/secrets.js';
import { signInPath } from '../../web/kit/areas/continue-path.js';
import { findSignedInUser } from '../../web/kit/areas/user-session.js';
import { sendMessage } from '../../web/kit/frame/message-page.js';
import { sameOriginGuard } from '../../web/kit/frame/same-origin-guard.js';
import { sendPage } from '../../web/kit/frame/send-page.js';
import { communityBrand } from '../brand/brands.js';
import {
  choiceOf,
  findHeldPlan,
  findReceipt,
  isCovered,
  maskEmail,
  placeCheckout,
  purchaseOutlook,
} from '../checkout/buyer-access.js';
import type { Checkout, OpenCheckout } from '../checkout/checkout.js';
import { PaymentProviderError } from '../checkout/checkout.js';
import { checkoutPath, findCheckout } from '../checkout/checkouts.js';
import { awaitPayment } from '../checkout/found-payment.js';
import { type Offer, termsOf } from '../checkout/offer.js';
import { payCheckout } from '../checkout/pay-checkout.js';
import { usePaymentAttempt } from '../checkout/payment-budgets.js';
import type { DeclineReason } from '../checkout/payment-provider.js';
import { confirmPerson } from '../memberships/claims.js';
import { sendWait } from '../sign-in/too-many-codes.pages.js';
import { rememberLanguage } from '../users/users.js';
import { checkoutPage } from './checkout.pages.js';
import {
  alreadyPaidPage,
  awaitingPage,
  checkoutPaidPage,
  noAccessPage,
  toProviderPage,
} from './paid.pages.js';
import { productAccess } from './shop.routes.js';

/** Messages to the buyer about a failed payment. */
const DECLINE_WORDING: Readonly<Record<DeclineReason, string>> = {
  card_declined: phrase(
    'Your card was declined and nothing was charged. Use another payment method, or try again.',
  ),
  insufficient_funds: phrase(
    'Your card has insufficient funds and nothing was charged. Use another payment method, or try again.',
  ),
  transfer_expired: phrase('The transfer did not arrive in time and nothing was charged. Try again.'),
};

/** Contains the hash of the secret of the checkout that this browser paid last, and whether it has shown the receipt. */
const RECEIPT_COOKIE: PageCookie = { name: 'latchkey_service_receipt', lifetimeSeconds: 3600 };
const SEEN = 'seen.';

const GONE = {
  title: phrase('This checkout has expired'),
  text: phrase('A checkout is open for one day. Go back to the shop and start again.'),
};
const NOT_FOR_SALE = {
  title: phrase('This is no longer for sale'),
  text: phrase('The seller stopped selling it after you opened the checkout. Nothing was charged.'),
};
const NO_ANSWER = {
  title: phrase('The payment provider does not answer'),
  text: phrase(
    'Your payment could not be made, or has no result yet. Go back and try again in a few minutes: an order is never charged twice. If you were charged after all, you get the access and a receipt.',
  ),
};
/** Notices on the checkout page, by the parameter of the query. */
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
const NOTHING = {
  title: phrase('You already have this'),
  text: phrase(
    'Paying would add nothing to your membership, so nothing was charged. A free plan can be ordered once.',
  ),
};
/** For everyone but the buyer. It must not tell why. */
const NOT_PAID = {
  title: phrase('This could not be paid'),
  text: phrase('Nothing was charged. If this is your e-mail address, sign in and open the checkout again.'),
};
const NO_PAYMENTS = {
  title: phrase('Payments are unavailable'),
  text: phrase('This service cannot take payments at the moment. Nothing was charged.'),
};

/** A request with its response. */
interface Visit {
  request: Request;
  response: Response;
}

/** Routes of the hosted checkout pages. The secret in the URL is the permission to pay. Only a free order requires sign-in. */
export function checkoutRoutes(needs: Services): Router {
  const { baseUrl, clock, db, logger, payments, paymentLimits: limits } = needs;
  const writeReceiptCookie = cookieWriter(needs, RECEIPT_COOKIE);
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route('/checkout/:kind/:secret')
    .get(async (request, response) => {
      const query = requestQuery(request);
      const { kind, secret } = request.params;
      let found = await findCheckout(db, secret);
      if (found?.paidAt === null && query.has('returned') && payments !== undefined) {
        const awaited = await awaitPayment({ ...needs, payments }, found.reservationId);
        if (awaited === 'waiting') return await sendAwaiting(response, found, { kind, secret, query });
        found = await findCheckout(db, secret);
      }
      const isFromForm = query.has('paid') || query.has('returned');
      if (found?.paidAt != null && (isFromForm || !isOwnPage(found))) {
        const payment = takePayment({ request, response }, secret);
        if (payment !== undefined) {
          const goesOn = isFromForm && payment === 'just-paid' && !isOwnPage(found);
          const receipt = await findReceipt(db, found.reservationId);
          // The end of the access depends on what the buyer had before.
          const shown =
            receipt &&
            ((await isSignedInBuyer(request, found)) ? receipt : { ...receipt, access: undefined });
          return sendPage(
            response,
            checkoutPaidPage({ ...(await paidProps(found)), goesOn, receipt: shown }),
          );
        }
      }
      const payable = await requirePayable({ request, response }, found);
      if (payable === undefined) return;
      const { checkout } = payable;
      const { offer, buyer } = checkout;
      const path = checkoutPath(offer.paidBy, secret);
      // The checkout was opened again with a plan that is paid another way.
      if (kind !== offer.paidBy) return redirect(response, 302, path);
      if (!(await mayConfirm({ request, response }, { checkout, path }))) return;

      const now = clock.now();
      const placement = await placementOf(request, checkout, now);
      const { isBuyer } = placement.payer;
      // Everyone else sees the same page as ever: what the buyer has is not theirs to know.
      if (isBuyer && placement.placed.kind === 'nothing')
        return await fail(response, checkout, { status: 409, ...NOTHING });
      const outlook = isBuyer ? await purchaseOutlook(db, checkout, { ...placement, now }) : undefined;
      const brand = await brandOf(offer);
      const order = {
        ...offer,
        // For the buyer only. A visitor of a shop can enter another person's address, and must not learn what that person has.
        outlook,
        seller: brand ?? (offer.seller === null ? null : { name: offer.seller, logoUrl: null }),
        buyer: buyer.email === null ? t('Your account') : maskEmail(buyer.email),
      };
      const declined = query.get('declined');
      const { amountMinor, currency } = offer;
      const html = checkoutPage({
        order,
        action: `${path}/pay`,
        terms: `${termsOf(offer, buyer.id)}${choiceOf(placement, now)}`,
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
        const hasSeenTerms =
          offer !== undefined && form.get('terms')?.split('.')[0] === termsOf(offer, buyer.id);
        if (hasSeenTerms) writeReceiptCookie(response, hashSecret(secret));
        const path = request.path.replace(/\/pay$/, '');
        redirect(response, 303, hasSeenTerms ? `${path}?paid` : path);
        return true;
      };
      const found = await findCheckout(db, secret);
      // The checkout was paid in another tab or by a second click.
      if (redirectIfPaid(found)) return;
      const payable = await requirePayable({ request, response }, found, async () =>
        // The second click was paid since the checkout was read.
        redirectIfPaid(await findCheckout(db, secret)),
      );
      if (payable === undefined) return;
      const { checkout } = payable;
      const { offer, buyer } = checkout;
      const path = checkoutPath(offer.paidBy, secret);
      if (!(await mayConfirm({ request, response }, { checkout, path }))) return;
      // The buyer pays only for the terms that the page showed.
      const now = clock.now();
      const placement = await placementOf(request, checkout, now);
      const terms = `${termsOf(offer, buyer.id)}${choiceOf(placement, now)}`;
      const isRefused = placement.placed.kind === 'nothing' && form.get('terms')?.split('.')[0] === terms;
      if (form.get('terms') !== terms && !isRefused) {
        // What a second click has just paid for changes where another payment would go.
        if (redirectIfPaid(await findCheckout(db, secret))) return;
        return redirect(response, 303, `${path}?changed`);
      }

      const methods = payable.payments.methods(offer.paidBy);
      const method = methods.find(({ id }) => id === form.get('method'))?.id ?? null;
      if (offer.amountMinor > 0 && methods.length > 0 && method === null)
        return redirect(response, 303, path);

      const user = await findSignedInUser(needs, request);
      const { isBuyer } = placement.payer;
      const payer = { isBuyer, client: clientNetwork(request.ip), site: clientSite(request.ip) };
      const attempt = await usePaymentAttempt(db, { checkout, payer, limits }, clock.now());
      if (attempt.kind === 'exhausted') {
        return await sendTooManyFailures(response, checkout, {
          ...attempt,
          path,
          isBuyer,
          isSignedIn: user !== undefined,
        });
      }
      if (isBuyer && user !== undefined && offer.subject.kind === 'plan') {
        const { communityId } = offer.subject;
        await confirmPerson(db, { communityId, userId: user.id }, now);
      }
      // The provider can confirm the payment later, without a page.
      const { language } = currentLanguage();
      await rememberLanguage(db, { userId: buyer.id, language, isGuest: !isBuyer });
      const order = {
        checkout,
        placement,
        url: `${baseUrl}${path}`,
        method,
        payments: payable.payments,
        logger,
      };
      const paid = await payCheckout(db, order, () => clock.now()).catch((error: unknown) => {
        if (!(error instanceof PaymentProviderError)) throw error;
        const { reservationId } = checkout;
        logger.error(
          { reservation: reservationId, error: error.cause },
          'The payment provider failed to start a payment',
        );
        return { kind: 'unavailable' } as const;
      });
      await attempt.settle(paid.kind);
      switch (paid.kind) {
        case 'declined': {
          const failure = new URLSearchParams({ declined: paid.reason, ...(method !== null && { method }) });
          return redirect(response, 303, `${path}?${failure}`);
        }
        case 'already-owned':
          if (isBuyer) return redirect(response, 303, path);
          return await fail(response, checkout, { status: 409, ...NOT_PAID });
        case 'adds-nothing':
          return await fail(response, checkout, { status: 409, ...(isBuyer ? NOTHING : NOT_PAID) });
        case 'redirect': {
          writeReceiptCookie(response, hashSecret(secret));
          if (new URL(paid.url).origin === baseUrl) return redirect(response, 303, paid.url);
          const accent = (await brandOf(offer))?.accent ?? null;
          return sendPage(response, toProviderPage({ url: paid.url, accent }));
        }
        case 'unavailable':
          return await fail(response, checkout, { status: 503, ...NO_ANSWER });
        case 'changed':
          return redirect(response, 303, `${path}?changed`);
        case 'no-access': {
          const accent = (await brandOf(offer))?.accent ?? null;
          return sendPage(response, noAccessPage(checkout, accent), { status: 409 });
        }
        case 'paid-before': {
          if (!isBuyer) return await fail(response, checkout, { status: 409, ...NOT_PAID });
          const page = alreadyPaidPage(await paidProps(checkout));
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
   *
   * Only the signed-in buyer learns what the buyer has. Anyone can have typed the address, so the page of any other visitor depends on
   * this checkout alone.
   */
  async function requirePayable(
    { request, response }: Visit,
    checkout: Checkout | undefined,
    respondIfPaid: () => Promise<boolean> = async () => false,
  ) {
    const mayKnow = checkout !== undefined && (await isSignedInBuyer(request, checkout));
    if (checkout !== undefined && (checkout.paidAt !== null || (mayKnow && (await hasBought(checkout))))) {
      if (await respondIfPaid()) return undefined;
      // Only a page of the service itself is safe for visitors who follow a link to a finished checkout.
      if (isOwnPage(checkout)) redirect(response, 303, new URL(checkout.successUrl).href);
      else {
        const props = { ...(await paidProps(checkout)), goesOn: false, receipt: undefined };
        sendPage(response, checkoutPaidPage(props));
      }
      return undefined;
    }
    if (checkout === undefined || checkout.expiresAt <= clock.now())
      return await fail(response, checkout, { status: 404, ...GONE });
    const { offer } = checkout;
    if (offer === undefined) return await fail(response, checkout, { status: 410, ...NOT_FOR_SALE });
    if (payments === undefined) return await fail(response, checkout, { status: 503, ...NO_PAYMENTS });
    const open: OpenCheckout = { ...checkout, offer };
    return { checkout: open, payments };
  }

  /** Sends a page that leads back to the shop. */
  async function fail(
    response: Response,
    checkout: Checkout | undefined,
    { status, title, text }: { status: number; title: string; text: string },
  ): Promise<undefined> {
    const cancelUrl = checkout && new URL(checkout.cancelUrl);
    const action =
      cancelUrl === undefined
        ? { href: '/account', label: t('Go to your account') }
        : { href: cancelUrl.href, label: t('Go back to {host}', { host: cancelUrl.host }) };
    const accent = (await brandOf(checkout?.offer))?.accent;
    sendMessage(response, status, { title: t(title), text: t(text), action, accent });
  }

  /** Sends the page of a buyer whose payment has no result yet. */
  async function sendAwaiting(
    response: Response,
    { offer }: Checkout,
    { kind, secret, query }: { kind: string; secret: string; query: URLSearchParams },
  ) {
    const accent = (await brandOf(offer))?.accent ?? null;
    const look = Math.min(100, Math.max(0, Math.trunc(Number(query.get('returned'))) || 0));
    const url = `${baseUrl}/checkout/${encodeURIComponent(kind)}/${encodeURIComponent(secret)}`;
    sendPage(response, awaitingPage({ url, look, accent }));
  }

  async function placementOf(request: Request, checkout: OpenCheckout, now: number) {
    return await placeCheckout(db, checkout, { isBuyer: await isSignedInBuyer(request, checkout), now });
  }

  /** True if the buyer is signed in. */
  async function isSignedInBuyer(request: Request, checkout: Checkout): Promise<boolean> {
    const user = await findSignedInUser(needs, request);
    return user !== undefined && isBuyerOf(checkout, user);
  }

  /**
   * True if the buyer owns the product by now. A plan that a subscription already renews is sold again only if an app requests it with an
   * `externalId`.
   */
  async function hasBought({ offer, buyer, externalId }: Checkout): Promise<boolean> {
    if (offer === undefined) return false;
    const { subject } = offer;
    if (subject.kind === 'product')
      return (await productAccess(needs, buyer.id, subject.productId)) === 'for-life';
    if (externalId !== null) return false;
    const { communityId } = subject;
    const held = await findHeldPlan(db, { userId: buyer.id, communityId }, clock.now());
    return held !== undefined && isCovered(held, offer, clock.now());
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
    if (isBuyerOf({ buyer }, user)) return true;
    sendMessage(response, 403, {
      title: t('Sign in as the buyer'),
      text: t(
        'This free order is for another account. Sign out, then open it again and sign in with the e-mail address of the order.',
      ),
      action: { href: '/account', label: t('Your account') },
    });
    return false;
  }

  /** Sends the page about too many failed payments. A buyer who signs in has an allowance that nobody else can use up. */
  async function sendTooManyFailures(
    response: Response,
    { buyer, offer }: OpenCheckout,
    attempt: { availableAt: number; path: string; isBuyer: boolean; isSignedIn: boolean },
  ): Promise<void> {
    const { availableAt, path, isBuyer, isSignedIn } = attempt;
    const accent = (await brandOf(offer))?.accent;
    const account = buyer.email === null ? t('the buyer') : maskEmail(buyer.email);
    sendWait(response, { availableAt, now: clock.now() }, (time) => ({
      title: t('Too many failed payments'),
      accent,
      ...(isBuyer
        ? {
            text: t('Nothing was charged. Try again in {time}.', { time }),
            action: { href: path, label: t('Back to the order') },
          }
        : isSignedIn
          ? {
              text: t(
                'Nothing was charged. Try again in {time}. To pay now, sign out, then open the order again and sign in as {account}.',
                { time, account },
              ),
              action: { href: '/account', label: t('Your account') },
            }
          : {
              text: t('Nothing was charged. Sign in as {account} to pay now, or try again in {time}.', {
                time,
                account,
              }),
              action: { href: signInPath(path), label: t('Sign in to pay') },
            }),
    }));
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

function isBuyerOf(
  { buyer }: Pick<Checkout, 'buyer'>,
  user: { readonly id: string; readonly email: string | null },
): boolean {
  return user.id === buyer.id || (user.email !== null && user.email === buyer.email);
}

function noticeOf(query: URLSearchParams): string | undefined {
  const [, text] = NOTICES.find(([parameter]) => query.has(parameter)) ?? [];
  return text && t(text);
}

function isDeclineReason(text: string | null): text is DeclineReason {
  return text !== null && Object.hasOwn(DECLINE_WORDING, text);
}

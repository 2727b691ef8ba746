import type { Response } from 'express';
import type { Services } from '../../app/services.js';
import { cookieWriter, type PageCookie, readCookie } from '../../platform/http/cookies.js';
import { redirect } from '../../platform/http/redirect.js';
import { phrase, t } from '../../platform/language/language.js';
import { hashSecret } from '../../platform/secrets.js';
import type { Visit } from '../../web/kit/areas/area-routes.js';
import { signInPath } from '../../web/kit/areas/continue-path.js';
import { sendMessage } from '../../web/kit/frame/message-page.js';
import { sendPage } from '../../web/kit/frame/send-page.js';
import { communityBrand } from '../brand/brand.js';
import { findHeldPlan, isCovered } from '../checkout/buyer-access.js';
import type { Checkout, Offer, OpenCheckout } from '../checkout/checkout.js';
import { checkoutPaidPage } from './paid.pages.js';
import { productAccess } from './shop.routes.js';

/** The hash of the secret of the checkout that this browser paid last, and whether it has shown the receipt. */
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
const NO_PAYMENTS = {
  title: phrase('Payments are unavailable'),
  text: phrase('This service cannot take payments at the moment. Nothing was charged.'),
};

type User = { readonly id: string; readonly email: string | null } | undefined;

export function checkoutVisits(needs: Services) {
  const { baseUrl, clock, db, payments } = needs;
  const writeReceiptCookie = cookieWriter(needs, RECEIPT_COOKIE);
  return {
    ...{ requirePayable, mayConfirm, rememberPaid, takePayment },
    ...{ fail, accentOf, brandOf, paidProps, isOwnPage },
  };

  /**
   * Returns the checkout if it can be paid now. Otherwise it sends a page: a link if the checkout is paid, else a
   * failure. `respondIfPaid` runs first if the buyer has bought; it returns true if it sent the response.
   *
   * Only the signed-in buyer learns what the buyer has. Anyone can have typed the address, so any other visitor's page
   * depends on this checkout alone.
   */
  async function requirePayable(
    response: Response,
    { checkout, user }: { checkout: Checkout | undefined; user: User },
    respondIfPaid?: () => Promise<boolean>,
  ) {
    const isBought =
      checkout !== undefined &&
      (checkout.paidAt !== null || (isBuyerOf(checkout, user) && (await hasBought(checkout))));
    if (isBought) {
      if (await respondIfPaid?.()) return undefined;
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
    const accent = await accentOf(checkout?.offer);
    sendMessage(response, status, { title: t(title), text: t(text), action, accent });
  }

  /** A plan that a subscription renews is only sold again if an app requests it with an `externalId`. */
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

  /** A free order needs the buyer's consent: sellers could otherwise give strangers memberships, past invitations. */
  function mayConfirm(
    response: Response,
    { checkout, user, path }: { checkout: OpenCheckout; user: User; path: string },
  ): boolean {
    if (checkout.offer.amountMinor > 0 || isBuyerOf(checkout, user)) return true;
    if (user === undefined) {
      redirect(response, 303, signInPath(path));
      return false;
    }
    sendMessage(response, 403, {
      title: t('Sign in as the buyer'),
      text: t(
        'This free order is for another account. Sign out, then open it again and sign in with the e-mail address of the order.',
      ),
      action: { href: '/account', label: t('Your account') },
    });
    return false;
  }

  function rememberPaid(response: Response, secret: string): void {
    writeReceiptCookie(response, hashSecret(secret));
  }

  /** `just-paid` the first time after this browser paid, `paid` later, `undefined` if it didn't. */
  function takePayment({ request, response }: Visit, secret: string): 'just-paid' | 'paid' | undefined {
    const value = readCookie(needs, request, RECEIPT_COOKIE);
    const hash = hashSecret(secret);
    if (value === `${SEEN}${hash}`) return 'paid';
    if (value !== hash) return undefined;
    writeReceiptCookie(response, `${SEEN}${hash}`);
    return 'just-paid';
  }

  async function brandOf(offer: Offer | undefined) {
    return offer?.subject.kind === 'plan' ? await communityBrand(db, offer.subject.communityId) : undefined;
  }

  async function accentOf(offer: Offer | undefined) {
    return (await brandOf(offer))?.accent ?? null;
  }

  async function paidProps<C extends Checkout>(checkout: C) {
    return { checkout, isOwnPage: isOwnPage(checkout), accent: await accentOf(checkout.offer) };
  }

  function isOwnPage({ successUrl }: Checkout): boolean {
    return new URL(successUrl).origin === baseUrl;
  }
}

export function isBuyerOf({ buyer }: Checkout, user: User): boolean {
  return user !== undefined && (user.id === buyer.id || (user.email !== null && user.email === buyer.email));
}

import type { Response } from 'express';
import type { Services } from '../../app/services.js';
import { clientNetwork, clientSite } from '../../platform/http/client-network.js';
import { redirect } from '../../platform/http/redirect.js';
import { currentLanguage, phrase, t } from '../../platform/language/language.js';
import type { AreaAnswer, VisitForm } from '../../web/kit/areas/area-routes.js';
import { signInPath } from '../../web/kit/areas/continue-path.js';
import { findSignedInUser } from '../../web/kit/areas/user-session.js';
import { sendPage } from '../../web/kit/frame/send-page.js';
import { choiceOf, maskEmail, placeCheckout } from '../checkout/buyer-access.js';
import {
  type Checkout,
  type OpenCheckout,
  PaymentProviderError,
  shownTermsOf,
  termsOf,
} from '../checkout/checkout.js';
import { checkoutPath, findCheckout } from '../checkout/checkouts.js';
import { payCheckout } from '../checkout/pay-checkout.js';
import { usePaymentAttempt } from '../checkout/payment-budgets.js';
import { confirmPerson } from '../memberships/claims.js';
import { sendWait } from '../sign-in/too-many-codes.pages.js';
import { rememberLanguage } from '../users/users.js';
import { type checkoutVisits, isBuyerOf } from './checkout-visits.pages.js';
import { alreadyPaidPage, noAccessPage, toProviderPage } from './paid.pages.js';

const NO_ANSWER = {
  title: phrase('The payment provider does not answer'),
  text: phrase(
    'Your payment could not be made, or has no result yet. Go back and try again in a few minutes: an order is never charged twice. If you were charged after all, you get the access and a receipt.',
  ),
};
export const NOTHING = {
  title: phrase('You already have this'),
  text: phrase(
    'Paying would add nothing to your membership, so nothing was charged. A free plan can be ordered once.',
  ),
};
/** For everyone but the buyer. It must not say why. */
const NOT_PAID = {
  title: phrase('This could not be paid'),
  text: phrase('Nothing was charged. If this is your e-mail address, sign in and open the checkout again.'),
};

export function payForm(needs: Services, visits: ReturnType<typeof checkoutVisits>) {
  const { baseUrl, clock, db, logger, paymentLimits: limits } = needs;
  const { requirePayable, mayConfirm, rememberPaid, fail, accentOf, paidProps } = visits;
  return pay;

  async function pay({ request, response, form }: VisitForm): Promise<AreaAnswer> {
    const { secret = '' } = request.params;
    const redirectIfPaid = (checkout: Checkout | undefined): boolean => {
      if (checkout?.paidAt == null) return false;
      const { offer, buyer } = checkout;
      const hasSeenTerms =
        offer !== undefined && form.get('terms')?.split('.')[0] === termsOf(offer, buyer.id);
      if (hasSeenTerms) rememberPaid(response, secret);
      const path = request.path.replace(/\/pay$/, '');
      redirect(response, 303, hasSeenTerms ? `${path}?paid` : path);
      return true;
    };
    const found = await findCheckout(db, secret);
    // The checkout was paid in another tab or by a second click.
    if (redirectIfPaid(found)) return;
    const user = await findSignedInUser(needs, request);
    const payable = await requirePayable(response, { checkout: found, user }, async () =>
      // The second click was paid after the checkout was read.
      redirectIfPaid(await findCheckout(db, secret)),
    );
    if (payable === undefined) return;
    const { checkout } = payable;
    const { offer, buyer } = checkout;
    const path = checkoutPath(offer.paidBy, secret);
    if (!mayConfirm(response, { checkout, user, path })) return;
    // The buyer pays only for the terms that the page showed.
    const now = clock.now();
    const isBuyer = isBuyerOf(checkout, user);
    const placement = await placeCheckout(db, checkout, { isBuyer, now });
    const terms = `${shownTermsOf(offer, buyer.id)}${choiceOf(placement, now)}`;
    const isRefused = placement.placed.kind === 'nothing' && form.get('terms')?.startsWith(terms);
    if (form.get('terms') !== terms && !isRefused) {
      // A second click that has just been paid changes where another payment would go.
      if (redirectIfPaid(await findCheckout(db, secret))) return;
      return `${path}?changed`;
    }

    const methods = payable.payments.methods(offer.paidBy);
    const method = methods.find(({ id }) => id === form.get('method'))?.id ?? null;
    if (offer.amountMinor > 0 && methods.length > 0 && method === null) return path;

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
    const order = { checkout, placement, url: `${baseUrl}${path}`, method };
    const services = { db, clock, logger, payments: payable.payments };
    const paid = await payCheckout(services, order).catch((error: unknown) => {
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
        return `${path}?${failure}`;
      }
      case 'already-owned':
        if (isBuyer) return path;
        return await fail(response, checkout, { status: 409, ...NOT_PAID });
      case 'adds-nothing':
        return await fail(response, checkout, { status: 409, ...(isBuyer ? NOTHING : NOT_PAID) });
      case 'redirect': {
        rememberPaid(response, secret);
        if (new URL(paid.url).origin === baseUrl) return redirect(response, 303, paid.url);
        return sendPage(response, toProviderPage({ url: paid.url, accent: await accentOf(offer) }));
      }
      case 'unavailable':
        return await fail(response, checkout, { status: 503, ...NO_ANSWER });
      case 'changed':
        return `${path}?changed`;
      case 'no-access':
        return sendPage(response, noAccessPage(checkout, await accentOf(offer)), { status: 409 });
      case 'paid-before':
        if (!isBuyer) return await fail(response, checkout, { status: 409, ...NOT_PAID });
        return sendPage(response, alreadyPaidPage(await paidProps(checkout)), { status: 409 });
      default:
        rememberPaid(response, secret);
        return `${path}?paid`;
    }
  }

  /** A buyer who signs in has an allowance that nobody else can use up. */
  async function sendTooManyFailures(
    response: Response,
    { buyer, offer }: OpenCheckout,
    attempt: { availableAt: number; path: string; isBuyer: boolean; isSignedIn: boolean },
  ): Promise<void> {
    const { availableAt, path, isBuyer, isSignedIn } = attempt;
    const accent = await accentOf(offer);
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
}

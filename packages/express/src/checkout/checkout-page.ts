import type { Response } from 'express';
import type { Text, Translate } from '../http/language.js';
import { type PlainForm, sendPlainPage } from '../http/plain-page.js';
import type { Endpoint, Visit } from '../session/visitor.js';
import type {
  CheckoutPageDetails,
  CheckoutPlan,
  CheckoutSettings,
  CheckoutState,
} from './checkout-options.js';
import { checkoutPath, isScript, readOrder } from './checkout-request.js';
import type { Checkout } from './service-calls.js';

/** `GET /auth/plans`: the plans for sale. It doesn't depend on the session, so caches may store it if they revalidate it. */
export function plansEndpoint({ plans }: Pick<CheckoutSettings, 'plans'>): Endpoint {
  return async ({ response }) => {
    response.removeHeader('Vary');
    response.setHeader('Cache-Control', 'no-cache');
    response.status(200).json({ plans });
  };
}

/** `GET /auth/checkout/cancelled`: the page for a buyer who left the payment page without paying. */
export function cancelledEndpoint({ kit: { app }, settings }: Checkout): Endpoint {
  return async (visit) => {
    const { request, response } = visit;
    const { plan, returnTo, offeredAt } = readOrder(request.url, { app, plans: settings.plans });
    if (isScript(request)) {
      const { message } = CHECKOUT_TEXTS.cancelled;
      return void response.status(200).json({ state: 'cancelled', message, continueUrl: offeredAt });
    }
    await sendCheckoutPage(settings, visit, {
      state: 'cancelled',
      plan,
      continueUrl: offeredAt,
      retry: plan && { action: checkoutPath(app), returnTo },
    });
  };
}

/** The state of a page, and the actions that it offers. */
interface CheckoutPage {
  state: CheckoutState;
  plan: CheckoutPlan | undefined;
  continueUrl: string;
  /** Set if the page offers to open the checkout again: its path, and the page to return to after the payment. */
  retry?: { action: string; returnTo: string } | undefined;
  signOutPath?: string;
}

/** Sends the custom page, or the built-in one. The status is set on the response. */
export async function sendCheckoutPage(
  { page: customPage }: Pick<CheckoutSettings, 'page'>,
  { visitor, request, response }: Visit,
  page: CheckoutPage,
): Promise<void> {
  const { state, plan, continueUrl, retry } = page;
  const { title, message } = CHECKOUT_TEXTS[state];
  // On a page with the policy `no-referrer`, a form sends no Origin header, and in older browsers there is nothing else
  // to check.
  response.setHeader('Referrer-Policy', 'same-origin');
  const form = retry && plan && { action: retry.action, fields: { plan: plan.id, returnTo: retry.returnTo } };
  const t = visitor.textsFor(customPage);
  if (customPage !== undefined) {
    const own = { title: t(title), message: t(message) };
    await customPage(request, response, { state, ...own, plan, continueUrl, form });
    return;
  }
  sendBuiltInPage({ response, t }, page, form);
}

function sendBuiltInPage(
  { response, t }: { response: Response; t: Translate },
  page: CheckoutPage,
  retry: CheckoutPageDetails['form'],
): void {
  const { state, plan, continueUrl } = page;
  const { title, message, hint, continueLabel = 'Go back' } = CHECKOUT_TEXTS[state];
  const link = { href: continueUrl, label: t(continueLabel) };
  const form = formOf(t, page, retry);
  const offer = plan === undefined ? [] : [{ own: `${plan.name}: ${plan.price} ${plan.term}` }];
  sendPlainPage(response, t, {
    title: t(title),
    paragraphs: [...offer, t(message), ...(hint === undefined ? [] : [t(hint)])],
    ...(form === undefined ? { link } : { otherLink: link }),
    form,
  });
}

function formOf(
  t: Translate,
  { state, signOutPath }: CheckoutPage,
  retry: CheckoutPageDetails['form'],
): PlainForm | undefined {
  if (retry !== undefined) {
    const email = asksEmail(state) ? { email: { name: 'email', label: t('Email address') } } : {};
    return {
      ...retry,
      ...email,
      label: t(CHECKOUT_TEXTS[state].retryLabel ?? 'Try again'),
      leavesSite: true,
    };
  }
  return signOutPath === undefined ? undefined : { action: signOutPath, label: t('Sign out') };
}

function asksEmail(state: CheckoutState): boolean {
  return state === 'email_required' || state === 'email_invalid';
}

interface CheckoutTexts {
  title: Text;
  message: Text;
  hint?: Text;
  /** Link to the page that the visitor wanted. @default 'Go back' */
  continueLabel?: Text;
  /** Button that opens the checkout again. @default 'Try again' */
  retryLabel?: Text;
}

const BOUND_TO_ADDRESS =
  'The membership is bound to the address that you enter. Sign in with that address afterwards to use it.';

export const CHECKOUT_TEXTS: Readonly<Record<CheckoutState, CheckoutTexts>> = {
  cancelled: {
    title: 'Payment cancelled',
    message: 'Nothing was charged.',
    hint: 'If your payment was declined, try again with another payment method.',
  },
  email_required: {
    title: 'Enter your email address',
    message: 'Your account has no email address, and a purchase needs one.',
    hint: BOUND_TO_ADDRESS,
    retryLabel: 'Continue to payment',
  },
  email_invalid: {
    title: 'Enter your email address',
    message: 'This is not an email address. Check it, for example name@example.com.',
    hint: BOUND_TO_ADDRESS,
    retryLabel: 'Continue to payment',
  },
  already_member: {
    title: 'You are already a member',
    message: 'Your account already has this membership. Nothing was charged.',
    continueLabel: 'Continue',
  },
  plan_unknown: {
    title: 'This plan is not for sale',
    message: 'This site does not sell this plan, or no longer does. Nothing was charged.',
  },
  refused: {
    title: 'This plan cannot be bought right now',
    message: 'The membership service rejected the order of this site. Nothing was charged.',
    hint: 'Please try again later. The site owner can find the reason in the log.',
  },
  unavailable: {
    title: 'One moment, please',
    message: 'The membership service could not be reached. Nothing was charged.',
    hint: 'Please try again in a moment.',
  },
  other_account: {
    title: 'Sign in with the address of your order',
    message: 'Your membership is bound to the email address that you entered for this order.',
    hint: 'Sign out here, then sign in with that address. If you have paid, you need not pay again.',
    continueLabel: 'Continue',
  },
  cross_site: {
    title: 'Nothing was ordered',
    message: 'The order did not come from a page of this site. Go to the site and try again.',
    continueLabel: 'Go to the site',
  },
  invalid: {
    title: 'Nothing was ordered',
    message: 'The order could not be read. Go back and try again.',
  },
};

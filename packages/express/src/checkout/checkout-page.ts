import type { Response } from 'express';
import { type PlainForm, sendPlainPage } from '../http/plain-page.js';
import type { VisitorExchange } from '../sign-in/endpoint.js';
import type { CheckoutSettings } from './checkout-options.js';
import type { CheckoutPageDetails } from './checkout-page-details.js';
import type { CheckoutPlan } from './checkout-plan.js';
import { CHECKOUT_TEXTS, type CheckoutState } from './checkout-texts.js';

/** State of a page, and the actions that it offers. */
export interface CheckoutPage {
  state: CheckoutState;
  plan: CheckoutPlan | undefined;
  /** Path for the link. */
  continueUrl: string;
  /** Set if the page offers to open the checkout again: its path, and the page to return to after the payment. */
  retry?: { action: string; returnTo: string } | undefined;
  /** Path of a form that signs out. */
  signOutPath?: string;
}

/** Sends the custom page, or the built-in one. The status is set on the response. */
export async function sendCheckoutPage(
  { page: customPage }: Pick<CheckoutSettings, 'page'>,
  { request, response }: Pick<VisitorExchange, 'request' | 'response'>,
  page: CheckoutPage,
): Promise<void> {
  const { state, plan, continueUrl, retry } = page;
  const { title, message } = CHECKOUT_TEXTS[state];
  // A form on a page with the policy no-referrer sends no Origin header, which older browsers need.
  response.setHeader('Referrer-Policy', 'same-origin');
  const form = retry && plan && { action: retry.action, fields: { plan: plan.id, returnTo: retry.returnTo } };
  if (customPage !== undefined) {
    await customPage(request, response, { state, title, message, plan, continueUrl, form });
    return;
  }
  sendBuiltInPage(response, page, form);
}

function sendBuiltInPage(response: Response, page: CheckoutPage, retry: CheckoutPageDetails['form']): void {
  const { state, plan, continueUrl } = page;
  const { title, message, hint, continueLabel } = CHECKOUT_TEXTS[state];
  const link = { href: continueUrl, label: continueLabel };
  const form = formOf(page, retry);
  const offer = plan === undefined ? [] : [`${plan.name}: ${plan.price} ${plan.term}`];
  sendPlainPage(response, {
    title,
    paragraphs: [...offer, message, ...(hint === undefined ? [] : [hint])],
    ...(form === undefined ? { link } : { otherLink: link }),
    form,
  });
}

function formOf(
  { state, signOutPath }: CheckoutPage,
  retry: CheckoutPageDetails['form'],
): PlainForm | undefined {
  if (retry !== undefined) {
    const email = asksEmail(state) ? { email: { name: 'email', label: 'Email address' } } : {};
    return { ...retry, ...email, label: CHECKOUT_TEXTS[state].retryLabel, leavesSite: true };
  }
  return signOutPath === undefined ? undefined : { action: signOutPath, label: 'Sign out' };
}

function asksEmail(state: CheckoutState): boolean {
  return state === 'email_required' || state === 'email_invalid';
}

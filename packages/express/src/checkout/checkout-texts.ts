/**
 * States of the checkout's pages:
 * - `cancelled`: the visitor came back without a payment.
 * - `email_required`, `email_invalid`: the account has no email address, so the visitor types one.
 * - `already_member`: the visitor has what the plan sells.
 * - `plan_unknown`: the site does not sell this plan.
 * - `refused`: the service rejected the API key or the plan. The log contains the reason.
 * - `unavailable`: the service does not respond.
 * - `other_account`: the checkout was bound to an address that the visitor typed.
 * - `cross_site`, `invalid`: the request is not an order of a page of this site.
 */
export type CheckoutState =
  | 'cancelled'
  | 'email_required'
  | 'email_invalid'
  | 'already_member'
  | 'plan_unknown'
  | 'refused'
  | 'unavailable'
  | 'other_account'
  | 'cross_site'
  | 'invalid';

/** Texts of a page. */
interface CheckoutTexts {
  title: string;
  message: string;
  hint?: string;
  /** Link to the page that the visitor wanted. */
  continueLabel: string;
  /** Button that opens the checkout again. */
  retryLabel: string;
}

const BOUND_TO_ADDRESS =
  'The membership is bound to the address that you enter. Sign in with that address afterwards to use it.';

export const CHECKOUT_TEXTS: Readonly<Record<CheckoutState, CheckoutTexts>> = {
  cancelled: {
    title: 'Payment cancelled',
    message: 'Nothing was charged.',
    hint: 'If your payment was declined, try again with another payment method.',
    continueLabel: 'Go back',
    retryLabel: 'Try again',
  },
  email_required: {
    title: 'Enter your email address',
    message: 'Your account has no email address, and a purchase needs one.',
    hint: BOUND_TO_ADDRESS,
    continueLabel: 'Go back',
    retryLabel: 'Continue to payment',
  },
  email_invalid: {
    title: 'Enter your email address',
    message: 'This is not an email address. Check it, for example name@example.com.',
    hint: BOUND_TO_ADDRESS,
    continueLabel: 'Go back',
    retryLabel: 'Continue to payment',
  },
  already_member: {
    title: 'You are already a member',
    message: 'Your account already has this membership. Nothing was charged.',
    continueLabel: 'Continue',
    retryLabel: 'Try again',
  },
  plan_unknown: {
    title: 'This plan is not for sale',
    message: 'This site does not sell this plan, or no longer does. Nothing was charged.',
    continueLabel: 'Go back',
    retryLabel: 'Try again',
  },
  refused: {
    title: 'This plan cannot be bought right now',
    message: 'The membership service rejected the order of this site. Nothing was charged.',
    hint: 'Please try again later. The site owner can find the reason in the log.',
    continueLabel: 'Go back',
    retryLabel: 'Try again',
  },
  unavailable: {
    title: 'One moment, please',
    message: 'The membership service could not be reached. Nothing was charged.',
    hint: 'Please try again in a moment.',
    continueLabel: 'Go back',
    retryLabel: 'Try again',
  },
  other_account: {
    title: 'Sign in with the address of your order',
    message: 'Your membership is bound to the email address that you entered for this order.',
    hint: 'Sign out here, then sign in with that address. If you have paid, you need not pay again.',
    continueLabel: 'Continue',
    retryLabel: 'Try again',
  },
  cross_site: {
    title: 'Nothing was ordered',
    message: 'The order did not come from a page of this site. Go to the site and try again.',
    continueLabel: 'Go to the site',
    retryLabel: 'Try again',
  },
  invalid: {
    title: 'Nothing was ordered',
    message: 'The order could not be read. Go back and try again.',
    continueLabel: 'Go back',
    retryLabel: 'Try again',
  },
};

import type { CheckoutErrorCode } from '../state/checkout-state.js';

/** English messages for `<latchkey-plans>` and `<latchkey-join>`. */
export const plansEn = {
  join: 'Join',
  buy: 'Buy',
  continue: 'Continue',
  open: 'Open',
  yourPlan: 'Your plan',
  loading: 'Loading plans…',
  empty: 'No plans are available right now.',
  opening: 'Opening the checkout…',

  failures: {
    plan_unknown: 'This plan is no longer available. You were not charged.',
    already_member: 'You already have this membership. You were not charged again.',
    already_paid:
      'Your payment has arrived, and your membership follows shortly. You don’t need to pay again.',
    checkout_refused:
      'This plan can’t be bought at the moment. You were not charged. Please tell the owner of this site.',
    service_unavailable:
      'The payment service doesn’t respond. You were not charged. Please try again in a moment.',
    sign_in_required: 'You are no longer signed in. Sign in again to continue.',
    plans_unavailable: 'The plans could not be loaded. Please try again in a moment.',
    network: 'No connection. You were not charged. Check that you are online, then try again.',
    misconfigured: 'Buying is not set up correctly here. Please tell the owner of this site.',
  } satisfies Record<CheckoutErrorCode, string>,
};

/** The messages for plans, in one language. */
export type PlansMessages = typeof plansEn;

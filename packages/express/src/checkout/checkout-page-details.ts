import type { CheckoutPlan } from './checkout-plan.js';
import type { CheckoutState } from './checkout-texts.js';

/** Details for the option `page` of `auth.checkout`. */
export interface CheckoutPageDetails {
  state: CheckoutState;
  /** Heading. */
  title: string;
  /** The state as sentences for the visitor. */
  message: string;
  /** Undefined for a plan that the site does not sell. */
  plan: CheckoutPlan | undefined;
  /** Path for a link: to the wanted page for a member, else back to the page that offered the plan. */
  continueUrl: string;
  /**
   * Form that opens the checkout again: a POST to `action` with these fields. With `email_required` it also needs a field
   * `email`. Undefined if another attempt would fail too.
   */
  form: { action: string; fields: Readonly<Record<string, string>> } | undefined;
}

import type { LoginFailureCode } from './login-failure.js';

/** A plan that the site offers. All fields are plain text. */
export interface Plan {
  readonly id: string;
  /** The community whose membership the plan sells. */
  readonly communityId?: string | undefined;
  readonly name: string;
  /** Price with its currency, such as `€9`. */
  readonly price: string;
  /** Term of the price, such as `per month`. */
  readonly term: string;
  readonly description?: string | undefined;
}

/**
 * The reason why a purchase or the list of plans failed. The first five come from the site's backend:
 *
 * - `plan_unknown`: the site no longer offers the plan;
 * - `already_member`: the user has this membership;
 * - `already_paid`: the payment arrived, the membership not yet;
 * - `checkout_refused`: the service refuses to sell the plan. The server's log names the setting to change;
 * - `service_unavailable`: the service or the backend does not respond properly;
 * - `sign_in_required`: the backend has no session of the visitor;
 * - `plans_unavailable`: the list of plans could not be loaded;
 * - `network`: the backend sent no response;
 * - `misconfigured`: a setting of the site is wrong. The message names it.
 */
export type CheckoutErrorCode =
  | 'plan_unknown'
  | 'already_member'
  | 'already_paid'
  | 'checkout_refused'
  | 'service_unavailable'
  | 'sign_in_required'
  | 'plans_unavailable'
  | 'network'
  | 'misconfigured';

/** A failed purchase, a failed sign-in before it, or a failed request for the plans. */
export type CheckoutFailure = {
  /** An explanation for developers. Texts for visitors are in `messages/`. */
  message: string;
  /** Page of this site where the visitor continues. Present after `already_member` and `already_paid`. */
  continueUrl?: string | undefined;
} & (
  | { during: 'load' | 'checkout'; code: CheckoutErrorCode }
  /** The visitor was signed out, and the sign-in failed. */
  | { during: 'sign-in'; code: LoginFailureCode }
);

/**
 * The status of a checkout:
 *
 * - `loading`: the plans are being requested;
 * - `ready`: the visitor can choose a plan;
 * - `signing-in`: the visitor signs in before the purchase;
 * - `opening`: the checkout is being created, or the browser is on its way to it;
 * - `failed`: see {@link CheckoutFailure}.
 */
export type CheckoutStatus = 'loading' | 'ready' | 'signing-in' | 'opening' | 'failed';

/** The state of a checkout. Immutable: each change creates a new object. */
export interface CheckoutSnapshot {
  readonly status: CheckoutStatus;
  /** Present after the plans were loaded. */
  readonly plans?: readonly Plan[] | undefined;
  /** The plan that the visitor chose last. `undefined` if it concerns no plan. */
  readonly planId?: string | undefined;
  /** Present if `status` is `failed`. */
  readonly failure?: CheckoutFailure | undefined;
}

/** True while a purchase runs. A second click must not start another. */
export function isBuying({ status }: CheckoutSnapshot): boolean {
  return status === 'signing-in' || status === 'opening';
}

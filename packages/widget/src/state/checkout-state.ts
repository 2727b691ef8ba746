import type { LoginFailureCode } from './login-failure.js';

/** A plan that the site offers. All strings are plain text, never HTML. */
export interface Plan {
  readonly id: string;
  /** Id of the community that the plan gives access to. */
  readonly communityId?: string | undefined;
  readonly name: string;
  /** Price with currency, such as `€9`. */
  readonly price: string;
  /** Term of the price, such as `per month`. */
  readonly term: string;
  readonly description?: string | undefined;
}

/**
 * Why a purchase or the list of plans failed. The first five come from the site's backend:
 *
 * - `plan_unknown`: the site no longer offers the plan;
 * - `already_member`: the user has this membership;
 * - `already_paid`: the payment has arrived, but the membership hasn't yet;
 * - `checkout_refused`: the service refuses to sell the plan. The server's log says which setting to change;
 * - `service_unavailable`: the service or the backend doesn't respond properly;
 * - `sign_in_required`: the backend has no session of the visitor;
 * - `plans_unavailable`: the list of plans could not be loaded;
 * - `network`: the backend sent no response;
 * - `misconfigured`: a setting of the site is wrong. The message says which.
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
  /** An explanation for developers. Visitors see a message from `messages/` instead. */
  message: string;
  /** Page of this site to continue on. Present after `already_member` and `already_paid`. */
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

/** True while a purchase is running. A second click must not start another. */
export function isBuying({ status }: CheckoutSnapshot): boolean {
  return status === 'signing-in' || status === 'opening';
}

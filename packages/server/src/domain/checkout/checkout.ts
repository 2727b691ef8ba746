import type { Offer } from './offer.js';

/** Lifetime of a checkout's address, in seconds. */
export const CHECKOUT_LIFETIME_SECONDS = 24 * 3600;

/** Reservation as its checkout page shows it. */
export interface Checkout {
  readonly reservationId: string;
  /** `undefined` if the plan or product is no longer for sale. */
  readonly offer: Offer | undefined;
  readonly buyer: { readonly id: string; readonly email: string | null };
  /** The caller's identifier for the buyer; null if the buyer opened the checkout on a page of the service. */
  readonly externalId: string | null;
  readonly utmSource: string | null;
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** First instant at which the address no longer accepts payments. */
  readonly expiresAt: number;
  /** Time at which the checkout was opened. Opening an unpaid external id again changes it. */
  readonly openedAt: number;
  /**
   * Number of times that the buyer paid for the product before, read before the ownership is checked. All open checkouts of a
   * product are one order until one of them is paid. For a plan for life: the payments before the checkout was opened. 0 for
   * other plans.
   */
  readonly purchases: number;
  /** Time of the payment; null if it is not paid. */
  readonly paidAt: number | null;
}

/** Checkout that can be paid. */
export type OpenCheckout = Checkout & { readonly offer: Offer };

import type { Offer } from './offer.js';

/** How long a checkout can be paid at the address that its opening gave. */
export const CHECKOUT_LIFETIME_SECONDS = 24 * 3600;

/** A reservation as its checkout page knows it. */
export interface Checkout {
  readonly reservationId: string;
  /** `undefined` when it is sold no more. */
  readonly offer: Offer | undefined;
  readonly buyer: { readonly id: string; readonly email: string | null };
  /** The caller's identifier for the buyer; null when the buyer opened the checkout at the service. */
  readonly externalId: string | null;
  readonly utmSource: string | null;
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** From then on nothing can be paid at this address. */
  readonly expiresAt: number;
  /** When the reservation turned into a membership; null before. */
  readonly paidAt: number | null;
}

/** A checkout that can be paid. */
export type OpenCheckout = Checkout & { readonly offer: Offer };

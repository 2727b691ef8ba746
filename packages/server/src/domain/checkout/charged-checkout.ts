import * as z from 'zod';
import type { OpenCheckout } from './checkout.js';
import type { OfferTerms } from './offer.js';

/** Checkout whose order is charged, as of the charge. Changes of the reservation or the plan do not affect it. */
export interface ChargedCheckout
  extends Pick<
    OpenCheckout,
    'reservationId' | 'buyer' | 'externalId' | 'utmSource' | 'openedAt' | 'purchases'
  > {
  readonly offer: OfferTerms;
}

const checkoutFacts = z.object({
  buyerId: z.string(),
  offer: z.object({
    subject: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('plan'), planId: z.string(), communityId: z.string() }),
      z.object({ kind: z.literal('product'), productId: z.string() }),
    ]),
    amountMinor: z.number(),
    currency: z.string(),
    periodDays: z.number().nullable(),
    renews: z.boolean(),
  }),
  externalId: z.string().nullable(),
  utmSource: z.string().nullable(),
  openedAt: z.number(),
  purchases: z.number(),
});

/** Facts of a charged checkout. They contain no email address. */
export type CheckoutFacts = z.output<typeof checkoutFacts>;

/** Returns what a started charge stores about its checkout. */
export function formatFacts(checkout: ChargedCheckout): string {
  const { buyer, offer, externalId, utmSource, openedAt, purchases } = checkout;
  const { subject, amountMinor, currency, periodDays, renews } = offer;
  const facts: CheckoutFacts = {
    buyerId: buyer.id,
    offer: { subject, amountMinor, currency, periodDays, renews },
    ...{ externalId, utmSource, openedAt, purchases },
  };
  return JSON.stringify(facts);
}

/** Parses what {@link formatFacts} returned. */
export function parseFacts(json: string): CheckoutFacts {
  return checkoutFacts.parse(JSON.parse(json));
}

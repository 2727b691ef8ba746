import * as z from 'zod';
import type { Database } from '../../platform/database/open-database.js';
import type { StartedCharge } from '../charges/started-charges.js';
import type { OpenCheckout } from './checkout.js';
import type { OfferTerms } from './offer.js';
import type { PaymentOrder } from './payment-provider.js';

/** Checkout whose order is charged, as of the charge. Changes of the reservation or the plan do not affect it. */
export interface ChargedCheckout
  extends Pick<
    OpenCheckout,
    'reservationId' | 'buyer' | 'externalId' | 'utmSource' | 'openedAt' | 'purchases'
  > {
  readonly offer: OfferTerms;
}

const checkoutFacts = z.object({
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

/** Facts of a charged checkout. */
type CheckoutFacts = z.output<typeof checkoutFacts>;

/** Returns what a started charge stores about its checkout. */
export function formatFacts(checkout: ChargedCheckout): string {
  const { offer, externalId, utmSource, openedAt, purchases } = checkout;
  const { subject, amountMinor, currency, periodDays, renews } = offer;
  const facts: CheckoutFacts = {
    offer: { subject, amountMinor, currency, periodDays, renews },
    ...{ externalId, utmSource, openedAt, purchases },
  };
  return JSON.stringify(facts);
}

/** Returns the checkout of a started charge. */
export async function chargedCheckout(
  db: Database,
  { reservationId, buyerId, facts }: StartedCharge,
): Promise<ChargedCheckout> {
  const buyer = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('id', '=', buyerId)
    .executeTakeFirstOrThrow();
  return { reservationId, buyer, ...checkoutFacts.parse(JSON.parse(facts)) };
}

/** Returns the order that a started charge has at the payment provider. */
export function orderOf({ id: orderId, method }: StartedCharge, { offer }: ChargedCheckout): PaymentOrder {
  const { amountMinor, currency } = offer;
  return { orderId, amountMinor, currency, method, isRenewal: false };
}

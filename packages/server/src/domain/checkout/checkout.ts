import * as z from 'zod';
import type { Database } from '../../platform/database/open-database.js';
import type { StartedCharge } from '../charges/charges.js';
import type { Offer, OfferTerms } from './offer.js';
import type { ChargeResult, FoundCharge, PaymentOrder, PaymentProvider } from './payment-provider.js';

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

/** Returns what a started charge stores about its checkout. */
export function formatFacts(checkout: ChargedCheckout): string {
  return JSON.stringify(checkoutFacts.parse(checkout));
}

/** Returns the checkout of a started charge. */
export async function chargedCheckout(db: Database, { reservationId, buyerId, facts }: StartedCharge) {
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

/** Payment provider that can look orders up. */
export type FindingProvider = PaymentProvider & Required<Pick<PaymentProvider, 'findCharge'>>;

export function canFindCharges(payments: PaymentProvider): payments is FindingProvider {
  return payments.findCharge !== undefined;
}

/**
 * Charges an order.
 *
 * @throws the error of the provider, or an Error if its result is neither `paid` nor `declined`. The result is unknown then.
 */
export async function chargeOrder(payments: PaymentProvider, order: PaymentOrder): Promise<ChargeResult> {
  const result = await payments.charge(order);
  return checkKind(result, { call: 'charge', kinds: ['paid', 'declined'] });
}

/**
 * Looks an order up.
 *
 * @throws the error of the provider, or an Error if its result has an unknown kind.
 */
export async function findOrder(payments: FindingProvider, order: PaymentOrder): Promise<FoundCharge> {
  const result = await payments.findCharge(order);
  return checkKind(result, { call: 'findCharge', kinds: ['paid', 'declined', 'none', 'pending'] });
}

/** A provider in JavaScript can return anything. Access must only follow a payment. */
function checkKind<Result extends { readonly kind: string }>(
  result: Result | undefined,
  { call, kinds }: { call: string; kinds: readonly Result['kind'][] },
): Result {
  if (result !== undefined && kinds.includes(result.kind)) return result;
  throw new Error(
    `"${call}" of the payment provider returned ${JSON.stringify(result)}. Return an object with "kind" ${kinds.join(' or ')}.`,
  );
}

import { isLoopback } from '@latchkey/contract/constants';
import * as z from 'zod';
import type { Needs } from '../../app/services.js';
import { withinLimit } from '../../platform/background/background-work.js';
import type { Database } from '../../platform/database/open-database.js';
import type { StartedCharge } from '../charges/charges.js';
import type { Payer } from '../memberships/timeline.js';
import { findPerson, shownPerson } from '../users/shown-person.js';
import { type Offer, type OfferTerms, subjectColumns } from './offer.js';
import type {
  ChargeResult,
  FoundPayment,
  PaymentOrder,
  PaymentProvider,
  PaymentStart,
  StartResult,
} from './payment-provider.js';

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

export type OpenCheckout = Checkout & { readonly offer: Offer };

/** Checkout whose order is charged, as of the charge. Changes of the reservation or the plan do not affect it. */
export interface ChargedCheckout
  extends Pick<
    OpenCheckout,
    'reservationId' | 'buyer' | 'externalId' | 'utmSource' | 'openedAt' | 'purchases'
  > {
  /** Renews only if the payment starts a subscription. */
  readonly offer: OfferTerms;
  readonly payer: Payer;
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
  payer: z.object({ isBuyer: z.boolean(), startsNow: z.boolean() }),
});

export function formatFacts(checkout: ChargedCheckout): string {
  return JSON.stringify(checkoutFacts.parse(checkout));
}

export async function chargedCheckout(db: Database, { reservationId, buyerId, facts }: StartedCharge) {
  const checkout = checkoutFacts.parse(JSON.parse(facts));
  const { community_id: communityId } = subjectColumns(checkout.offer.subject);
  const person = await findPerson.first(db, { userId: buyerId, communityId });
  if (person === undefined)
    throw new Error(`The reservation ${reservationId} has an unknown buyer: ${buyerId}.`);
  return { reservationId, buyer: { id: buyerId, email: shownPerson(person).email }, ...checkout };
}

export function orderOf(
  { id: orderId, method, reference }: StartedCharge,
  { offer }: ChargedCheckout,
): PaymentOrder {
  const { amountMinor, currency } = offer;
  return { orderId, amountMinor, currency, method, reference, subscription: null, isRenewal: false };
}

/** Services of whatever calls the payment provider. */
export type Charging = Needs<'db' | 'clock' | 'logger'> & { payments: PaymentProvider };

/** Thrown if the payment provider fails to start a payment. The `cause` is its error. */
export class PaymentProviderError extends Error {
  override readonly name = 'PaymentProviderError';
}

/** Time limit of starting a payment, in milliseconds. The buyer waits. */
const START_LIMIT_MS = 20_000;

/**
 * Starts the payment of an order.
 *
 * @throws PaymentProviderError if the provider fails or does not answer in time, or if its result has an unknown kind. The result is
 *   unknown then.
 */
export async function startOrder(payments: PaymentProvider, payment: PaymentStart): Promise<StartResult> {
  try {
    const starting = payments.start(payment);
    const result = await withinLimit(starting, { name: 'The start of a payment', limitMs: START_LIMIT_MS });
    checkKind(result, { call: 'start', kinds: ['paid', 'declined', 'redirect'] });
    if (result.kind === 'redirect') requirePage(result.url);
    return result;
  } catch (cause) {
    throw new PaymentProviderError('The payment provider failed to start a payment.', { cause });
  }
}

/** Buyers are sent there, so it must not be the address of a script or of a file. */
function requirePage(url: string): void {
  const page = new URL(url);
  if (page.protocol === 'https:' || (page.protocol === 'http:' && isLoopback(page))) return;
  throw new Error(`"start" of the payment provider returned the page ${url}. Return one with https.`);
}

/**
 * Charges the next period of a subscription.
 *
 * @throws as {@link startOrder}, and an Error if the provider cannot renew.
 */
export async function renewOrder(payments: PaymentProvider, order: PaymentOrder): Promise<ChargeResult> {
  const result = await payments.renew?.(order);
  return checkKind(result, { call: 'renew', kinds: ['paid', 'declined'] });
}

/**
 * Looks an order up.
 *
 * @throws the error of the provider, or an Error if its result has an unknown kind.
 */
export async function findOrder(payments: PaymentProvider, order: PaymentOrder): Promise<FoundPayment> {
  const result = await payments.find(order);
  return checkKind(result, { call: 'find', kinds: ['paid', 'declined', 'none', 'pending'] });
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

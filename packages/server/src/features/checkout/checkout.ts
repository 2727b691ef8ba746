import { isLoopback } from '@latchkey/contract/constants';
import * as z from 'zod';
import type { Needs } from '../../app/services.js';
import { withinLimit } from '../../platform/background/background-work.js';
import type { Database } from '../../platform/database/open-database.js';
import { hashSecret } from '../../platform/secrets.js';
import type { StartedCharge } from '../charges/charges.js';
import type { Payer } from '../memberships/timeline.js';
import type { PricingPlan } from '../plans/plan.queries.js';
import { type NewPricingPlan, planResource } from '../plans/plan.resource.js';
import type { ProductOnSale } from '../products/product.queries.js';
import { findPerson, shownPerson } from '../users/shown-person.js';
import type {
  ChargeResult,
  FoundPayment,
  PaymentKind,
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
  /** The caller's id for the buyer; null if the buyer opened the checkout on a page of the service. */
  readonly externalId: string | null;
  readonly utmSource: string | null;
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** First instant at which the checkout's URL no longer accepts payments. */
  readonly expiresAt: number;
  /** When the checkout was opened. Opening an unpaid external id again updates it. */
  readonly openedAt: number;
  /**
   * How often the buyer has already paid for the product, read before the ownership is checked. Until one is paid, all
   * open checkouts of a product are one order. For a plan for life: the payments before the checkout was opened. For
   * other plans: 0.
   */
  readonly purchases: number;
  readonly paidAt: number | null;
}

export type OpenCheckout = Checkout & { readonly offer: Offer };

/** A checkout as it was when its order was charged. Later changes to the reservation or the plan don't affect it. */
export interface ChargedCheckout
  extends Pick<OpenCheckout, 'reservationId' | 'buyer' | 'externalId' | 'utmSource'>,
    Pick<PaymentOrder, 'orderId' | 'method' | 'reference'> {
  /** Renews only if the payment starts a subscription. */
  readonly offer: OfferTerms;
  readonly payer: Payer;
}

const offerSubject = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('plan'), planId: z.string(), communityId: z.string() }),
  z.object({ kind: z.literal('product'), productId: z.string() }),
]);

export type OfferSubject = z.output<typeof offerSubject>;

const offerTerms = z.object({
  subject: offerSubject,
  amountMinor: z.number(),
  currency: z.string(),
  /** Days of access per payment; null for lifetime access. */
  periodDays: z.number().nullable(),
  renews: z.boolean(),
});

export type OfferTerms = Readonly<z.output<typeof offerTerms>>;

const checkoutFacts = z.object({
  offer: offerTerms,
  externalId: z.string().nullable(),
  utmSource: z.string().nullable(),
  payer: z.object({ isBuyer: z.boolean(), startsNow: z.boolean() }),
});

export function formatFacts(checkout: ChargedCheckout): string {
  return JSON.stringify(checkoutFacts.parse(checkout));
}

export async function chargedCheckout(db: Database, charge: StartedCharge): Promise<ChargedCheckout> {
  const { order_id: orderId, reservation_id: reservationId, user_id: buyerId, reference } = charge;
  const checkout = checkoutFacts.parse(JSON.parse(charge.facts));
  const { community_id: communityId } = subjectColumns(checkout.offer.subject);
  const person = await findPerson.first(db, { userId: buyerId, communityId });
  if (person === undefined)
    throw new Error(`The reservation ${reservationId} has an unknown buyer: ${buyerId}.`);
  const buyer = { id: buyerId, email: shownPerson(person).email };
  return { orderId, method: charge.payment_method, reference, reservationId, buyer, ...checkout };
}

export type Charging = Needs<'db' | 'clock' | 'logger'> & { payments: PaymentProvider };

export class PaymentProviderError extends Error {
  override readonly name = 'PaymentProviderError';
}

const START_LIMIT_MS = 20_000;

/** @throws PaymentProviderError if it's unknown whether the payment was made. */
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

/** Buyers are sent to this URL, so it must not be a script or a file. */
function requirePage(url: string): void {
  const page = new URL(url);
  if (page.protocol === 'https:' || (page.protocol === 'http:' && isLoopback(page))) return;
  throw new Error(`"start" of the payment provider returned the page ${url}. Return one with https.`);
}

/** @throws the provider's error, or an Error if its result has an unknown kind or it can't renew. */
export async function renewOrder(payments: PaymentProvider, order: PaymentOrder): Promise<ChargeResult> {
  const result = await payments.renew?.(order);
  return checkKind(result, { call: 'renew', kinds: ['paid', 'declined'] });
}

/** @throws the provider's error, or an Error if its result has an unknown kind. */
export async function findOrder(payments: PaymentProvider, order: PaymentOrder): Promise<FoundPayment> {
  const result = await payments.find(order);
  return checkKind(result, { call: 'find', kinds: ['paid', 'declined', 'none', 'pending'] });
}

const WAIT_MS = 5_000;

export function findCharged(
  payments: PaymentProvider,
  { orderId, method, reference, offer: { amountMinor, currency } }: ChargedCheckout,
  limitMs = WAIT_MS,
): Promise<FoundPayment> {
  const order = { orderId, amountMinor, currency, method, reference, subscription: null, isRenewal: false };
  return withinLimit(findOrder(payments, order), { name: 'The look-up of an order', limitMs });
}

/** A provider written in JavaScript can return anything, and access must only follow a payment. */
function checkKind<Result extends { readonly kind: string }>(
  result: Result | undefined,
  { call, kinds }: { call: string; kinds: readonly Result['kind'][] },
): Result {
  if (result !== undefined && kinds.includes(result.kind)) return result;
  throw new Error(
    `"${call}" of the payment provider returned ${JSON.stringify(result)}. Return an object with "kind" ${kinds.join(' or ')}.`,
  );
}

export interface Offer
  extends OfferTerms,
    Omit<NewPricingPlan, 'priceMinor' | 'provider' | keyof OfferTerms> {
  readonly seller: string | null;
  readonly paidBy: PaymentKind;
}

export function planOffer(plan: PricingPlan, communityName: string): Offer | undefined {
  const { id, communityId, archivedAt, priceMinor, provider, ...shown } = plan;
  if (archivedAt !== null) return undefined;
  return {
    ...shown,
    subject: { kind: 'plan', planId: id, communityId },
    seller: communityName,
    amountMinor: priceMinor,
    paidBy: provider,
  };
}

export function productOffer(product: ProductOnSale): Offer | undefined {
  const { id, name, description, sellerName, priceMinor, currency } = product;
  if (priceMinor === null || currency === null) return undefined;
  const { provider, ...initial } = planResource.initial;
  return {
    ...initial,
    subject: { kind: 'product', productId: id },
    name,
    description,
    seller: sellerName,
    amountMinor: priceMinor,
    currency,
    paidBy: provider,
  };
}

/** Returns a hash of what the buyer agrees to. The form sends it back, which reveals terms that changed meanwhile. */
export function termsOf({ subject, ...offer }: OfferTerms, buyerId: string): string {
  const id = subject.kind === 'plan' ? subject.planId : subject.productId;
  const terms = [
    buyerId,
    subject.kind,
    id,
    offer.amountMinor,
    offer.currency,
    offer.periodDays,
    offer.renews,
  ];
  return hashSecret(JSON.stringify(terms));
}

/** Returns the terms with a hash of the words that the page shows, which the seller can change too. */
export function shownTermsOf(offer: Offer, buyerId: string): string {
  const { name, seller, description, benefits } = offer;
  return `${termsOf(offer, buyerId)}.${hashSecret(JSON.stringify([name, seller, description, benefits]))}`;
}

/** Returns the id of the community or the product: whatever counts as one shop for the limits. */
export function shopOf(subject: OfferSubject): string {
  return subject.kind === 'plan' ? subject.communityId : subject.productId;
}

/** Reads the subject from the columns of a reservation or payment; `undefined` if they have none. */
export function subjectOf(row: ReturnType<typeof subjectColumns>): OfferSubject | undefined {
  const { community_id: communityId, pricing_plan_id: planId, product_id: productId } = row;
  if (productId !== null) return { kind: 'product', productId };
  return communityId === null || planId === null ? undefined : { kind: 'plan', communityId, planId };
}

export function subjectColumns(
  subject: OfferSubject,
): Record<'community_id' | 'pricing_plan_id' | 'product_id', string | null> {
  return subject.kind === 'plan'
    ? { community_id: subject.communityId, pricing_plan_id: subject.planId, product_id: null }
    : { community_id: null, pricing_plan_id: null, product_id: subject.productId };
}

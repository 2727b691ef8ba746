import { hashSecret } from '../../platform/secrets.js';
import type { PricingPlan } from '../plans/plan.queries.js';
import { type NewPricingPlan, planResource } from '../plans/plan.resource.js';
import type { ProductOnSale } from '../products/product.queries.js';
import type { PaymentKind } from './payment-provider.js';

export type OfferSubject =
  | { readonly kind: 'plan'; readonly planId: string; readonly communityId: string }
  | { readonly kind: 'product'; readonly productId: string };

export interface OfferTerms {
  readonly subject: OfferSubject;
  readonly amountMinor: number;
  /** ISO 4217. */
  readonly currency: string;
  /** Days of access per payment; null for lifetime access. */
  readonly periodDays: number | null;
  readonly renews: boolean;
}

export interface Offer
  extends OfferTerms,
    Omit<NewPricingPlan, 'priceMinor' | 'provider' | keyof OfferTerms> {
  /** Name of the community or of the product's seller; null if the seller has no name. */
  readonly seller: string | null;
  readonly paidBy: PaymentKind;
}

/** Returns the offer of a plan; `undefined` if the plan is archived. */
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

/**
 * Returns the offer of a product. It's like a plan with default settings: lifetime access, paid by card. `undefined` if
 * the product has no price.
 */
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

/**
 * Returns a hash of the terms that a buyer agrees to: buyer, subject, price and period. The checkout's form sends it
 * back, which reveals terms that changed after the page was shown.
 */
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

import { hashSecret } from '../../platform/secrets.js';
import type { PricingPlan } from '../catalogue/pricing-plans.js';
import type { ProductOnSale } from '../catalogue/products.js';
import type { PaymentKind } from './payment-provider.js';

/** Subject of a checkout: a plan of a community, or a product. */
export type OfferSubject =
  | { readonly kind: 'plan'; readonly planId: string; readonly communityId: string }
  | { readonly kind: 'product'; readonly productId: string };

/** Terms that a buyer agrees to. */
export interface OfferTerms {
  readonly subject: OfferSubject;
  readonly amountMinor: number;
  /** ISO 4217. */
  readonly currency: string;
  /** Days of access per payment; null for lifetime access. */
  readonly periodDays: number | null;
  /** True if every period is charged until the subscription is cancelled. */
  readonly renews: boolean;
}

/** Subject of a checkout with its price and terms. */
export interface Offer extends OfferTerms {
  /** Name of the plan, or of the product. */
  readonly name: string;
  readonly description: string | null;
  /** Benefits of a plan, one line each. Empty for a product. */
  readonly benefits: readonly string[];
  /** Name of the community or of the product's seller; null for a seller without a name. */
  readonly seller: string | null;
  readonly paidBy: PaymentKind;
}

/** Returns the offer of a plan; `undefined` if the plan is archived. */
export function planOffer(plan: PricingPlan, communityName: string): Offer | undefined {
  if (plan.archivedAt !== null) return undefined;
  return {
    subject: { kind: 'plan', planId: plan.id, communityId: plan.communityId },
    name: plan.name,
    description: plan.description,
    benefits: plan.benefits,
    seller: communityName,
    amountMinor: plan.priceMinor,
    currency: plan.currency,
    periodDays: plan.periodDays,
    renews: plan.renews,
    paidBy: plan.provider,
  };
}

/** Returns the offer of a product: lifetime access, paid by card. `undefined` if the product has no price. */
export function productOffer(product: ProductOnSale): Offer | undefined {
  const { id, name, description, sellerName, priceMinor, currency } = product;
  if (priceMinor === null || currency === null) return undefined;
  return {
    subject: { kind: 'product', productId: id },
    name,
    description,
    benefits: [],
    seller: sellerName,
    amountMinor: priceMinor,
    currency,
    periodDays: null,
    renews: false,
    paidBy: 'card',
  };
}

/**
 * Returns a hash of the terms that a buyer agrees to: buyer, subject, price and period. The checkout's form sends it back,
 * which detects terms that changed after the page was shown.
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

/** Returns the subject as columns of reservations and payments. */
export function subjectColumns(subject: OfferSubject) {
  return subject.kind === 'plan'
    ? { community_id: subject.communityId, pricing_plan_id: subject.planId, product_id: null }
    : { community_id: null, pricing_plan_id: null, product_id: subject.productId };
}

import { hashSecret } from '../../platform/secrets.js';
import type { ProductOnSale } from '../catalogue/catalogue.js';
import type { PricingPlan } from '../catalogue/pricing-plans.js';
import type { PaymentKind } from './payment-provider.js';

/** What a checkout sells: a plan of a community, or a product. */
export type OfferSubject =
  | { readonly kind: 'plan'; readonly planId: string; readonly communityId: string }
  | { readonly kind: 'product'; readonly productId: string };

/** What is sold, and on which terms. */
export interface Offer {
  readonly subject: OfferSubject;
  /** Name of the plan, or of the product. */
  readonly name: string;
  /** Name of the community, or of the product's seller; null for a seller without a name. */
  readonly seller: string | null;
  readonly amountMinor: number;
  /** ISO 4217. */
  readonly currency: string;
  /** Days of access for one payment; null for life. */
  readonly periodDays: number | null;
  /** Whether it is paid again at the end of every period until it is cancelled. */
  readonly renews: boolean;
  readonly paidBy: PaymentKind;
}

/** What a community's plan offers; `undefined` once it is archived. */
export function planOffer(plan: PricingPlan, communityName: string): Offer | undefined {
  if (plan.archivedAt !== null) return undefined;
  return {
    subject: { kind: 'plan', planId: plan.id, communityId: plan.communityId },
    name: plan.name,
    seller: communityName,
    amountMinor: plan.priceMinor,
    currency: plan.currency,
    periodDays: plan.periodDays,
    renews: plan.renews,
    paidBy: plan.provider,
  };
}

/** What a product offers: the product for life, paid by card; `undefined` while it has no price. */
export function productOffer(product: ProductOnSale): Offer | undefined {
  const { id, name, sellerName, priceMinor, currency } = product;
  if (priceMinor === null || currency === null) return undefined;
  return {
    subject: { kind: 'product', productId: id },
    name,
    seller: sellerName,
    amountMinor: priceMinor,
    currency,
    periodDays: null,
    renews: false,
    paidBy: 'card',
  };
}

/**
 * Names the terms that a buyer agrees to: for whom, what, for how much, how long. The checkout's form carries it back,
 * so that nobody pays for anything but what they saw, whatever has changed behind the page since.
 */
export function termsOf({ subject, ...offer }: Offer, buyerId: string): string {
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

/** The subject as reservations and payments store it. */
export function subjectColumns(subject: OfferSubject) {
  return subject.kind === 'plan'
    ? { community_id: subject.communityId, pricing_plan_id: subject.planId, product_id: null }
    : { community_id: null, pricing_plan_id: null, product_id: subject.productId };
}

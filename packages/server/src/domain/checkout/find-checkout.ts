import type { Database } from '../../platform/database/open-database.js';
import { hashSecret } from '../../platform/secrets.js';
import { findPricingPlan } from '../catalogue/pricing-plans.js';
import { findProductOnSale } from '../catalogue/products.js';
import { findCommunity } from '../communities/communities.js';
import type { Checkout } from './checkout.js';
import { type Offer, planOffer, productOffer } from './offer.js';
import { countPurchases } from './owned-product.js';
import { lifetimePlanOf, paymentsOfPlan } from './plan-for-life.js';

/** Returns the checkout of an address, even if it has expired or is paid. */
export async function findCheckout(db: Database, secret: string): Promise<Checkout | undefined> {
  const row = await db
    .selectFrom('checkout_links')
    .innerJoin('checkout_reservations as reservation', 'reservation.id', 'checkout_links.reservation_id')
    .innerJoin('users as buyer', 'buyer.id', 'reservation.user_id')
    .selectAll('reservation')
    .select(['checkout_links.expires_at', 'buyer.email'])
    .where('checkout_links.secret_hash', '=', hashSecret(secret))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { product_id: productId } = row;
  const offer = await findOfferOf(db, { planId: row.pricing_plan_id, productId });
  return {
    reservationId: row.id,
    offer,
    openedAt: row.created_at,
    purchases: await purchasesBefore(db, offer, row),
    buyer: { id: row.user_id, email: row.email },
    externalId: row.external_id,
    utmSource: row.utm_source,
    successUrl: row.success_url,
    cancelUrl: row.cancel_url,
    expiresAt: row.expires_at,
    paidAt: row.paid_at,
  };
}

/** Returns the offer of a plan or a product; `undefined` if it does not exist or is not for sale. */
export async function findOfferOf(
  db: Database,
  { planId, productId }: { planId: string | null; productId: string | null },
): Promise<Offer | undefined> {
  if (productId !== null) {
    const product = await findProductOnSale(db, productId);
    return product && productOffer(product);
  }
  const plan = await findPricingPlan(db, planId ?? '');
  const community = plan && (await findCommunity(db, plan.communityId));
  return community && planOffer(plan, community.name);
}

/** The payment of this checkout is no earlier one, even if it was made by a clock that is behind. */
async function purchasesBefore(
  db: Database,
  offer: Offer | undefined,
  { id, user_id: userId, created_at: openedAt }: { id: string; user_id: string; created_at: number },
): Promise<number> {
  if (offer?.subject.kind === 'product') {
    return await countPurchases(db, { userId, productId: offer.subject.productId });
  }
  const plan = offer && lifetimePlanOf(offer);
  if (plan === undefined) return 0;
  const earlier = await paymentsOfPlan(db, { userId, plan, except: id })
    .where('created_at', '<=', openedAt)
    .execute();
  return earlier.length;
}

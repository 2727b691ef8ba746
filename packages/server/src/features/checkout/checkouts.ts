import { randomUUID } from 'node:crypto';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { createOpaqueSecret, hashSecret } from '../../platform/secrets.js';
import { recordAudit } from '../audit/audit.js';
import { findCommunity } from '../communities/communities.js';
import { defineRecords } from '../fields/define-records.js';
import { idOf } from '../fields/fields.js';
import { findOrClaim } from '../memberships/claims.js';
import { findPricingPlan } from '../plans/plan.queries.js';
import { findProductOnSale } from '../products/product.queries.js';
import { samePerson, shownEmail } from '../users/shown-person.js';
import { purchasesOf } from './bought-membership.js';
import {
  type Checkout,
  type Offer,
  type OfferSubject,
  planOffer,
  productOffer,
  subjectColumns,
} from './checkout.js';
import type { PaymentKind } from './payment-provider.js';

export interface NewCheckout {
  subject: OfferSubject;
  buyer: { email: string; communityId: string } | { id: string };
  /** Owner of the API key, and their id for the buyer; null if the buyer opens it on a page of the service. */
  caller: { id: string; externalId: string } | null;
  successUrl: string;
  cancelUrl: string;
  utmSource: string | null;
}

/** Returns the secret for the checkout's URL. Opening an unpaid external id again updates what earlier URLs lead to. */
export function openCheckout(db: Database, checkout: NewCheckout, now: number): Promise<string> {
  const secret = createOpaqueSecret();
  return inTransaction(db, async (transaction) => {
    const reservationId = await reserve(transaction, checkout, now);
    await transaction
      .insertInto('checkout_links')
      .values({
        secret_hash: secret.hash,
        reservation_id: reservationId,
        expires_at: now + CHECKOUT_LIFETIME_SECONDS * 1000,
      })
      .execute();
    const { community_id: communityId } = subjectColumns(checkout.subject);
    await recordAudit(transaction, { action: 'checkout.open', subjectId: reservationId, communityId });
    return secret.text;
  });
}

async function reserve(
  transaction: Database,
  { subject, buyer, caller, successUrl, cancelUrl, utmSource }: NewCheckout,
  now: number,
): Promise<string> {
  const buyerId = 'id' in buyer ? buyer.id : await findOrClaim(transaction, buyer, now);
  const reserved = {
    ...subjectColumns(subject),
    user_id: buyerId,
    success_url: successUrl,
    cancel_url: cancelUrl,
    utm_source: utmSource,
  };
  const { id } = await transaction
    .insertInto('checkout_reservations')
    .values({
      id: randomUUID(),
      caller_id: caller?.id ?? null,
      external_id: caller?.externalId ?? null,
      ...reserved,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['caller_id', 'external_id'])
        .where('paid_at', 'is', null)
        .doUpdateSet({ ...reserved, created_at: now }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Returns the path of a checkout's page. Anyone with the secret in it can view and pay the order. */
export function checkoutPath(paidBy: PaymentKind, secret: string): string {
  return `/checkout/${paidBy}/${secret}`;
}

const CHECKOUT_LIFETIME_SECONDS = 24 * 3600;

export async function findCheckout(db: Database, secret: string): Promise<Checkout | undefined> {
  const row = await db
    .selectFrom('checkout_links')
    .innerJoin('checkout_reservations as reservation', 'reservation.id', 'checkout_links.reservation_id')
    .innerJoin('users', 'users.id', 'reservation.user_id')
    .leftJoin('community_emails as link', samePerson('link', 'reservation'))
    .select(['reservation.id as reservationId', 'external_id as externalId', 'utm_source as utmSource'])
    .select(['success_url as successUrl', 'cancel_url as cancelUrl', 'expires_at as expiresAt'])
    .select(['reservation.created_at as openedAt', 'paid_at as paidAt'])
    .select(['pricing_plan_id as planId', 'product_id as productId', 'reservation.user_id as userId'])
    .select(shownEmail)
    .where('checkout_links.secret_hash', '=', hashSecret(secret))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { planId, productId, userId: id, email, ...checkout } = row;
  const offer = await findOfferOf(db, { planId, productId });
  return { ...checkout, offer, purchases: await purchasesBefore(db, offer, row), buyer: { id, email } };
}

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

/** A plan for life leaves out the checkout's own payment, even if a clock that ran behind dated it too early. */
async function purchasesBefore(
  db: Database,
  offer: Offer | undefined,
  { reservationId, userId, openedAt }: { reservationId: string; userId: string; openedAt: number },
): Promise<number> {
  if (offer === undefined) return 0;
  const purchases = purchasesOf(db, userId, offer.subject);
  if (offer.subject.kind === 'product') return (await purchases.execute()).length;
  if (offer.periodDays !== null) return 0;
  const earlier = await purchases
    .where((eb) => eb.or([eb('reservation_id', 'is', null), eb('reservation_id', '!=', reservationId)]))
    .where('created_at', '<=', openedAt)
    .execute();
  return earlier.length;
}

/** Checkouts before their payment. An unpaid one expires by itself, so there is nothing to change or to end. */
export const reservationRecords = defineRecords({
  one: 'reservation',
  table: 'checkout_reservations',
  columns: [
    ...['id', 'user_id', 'community_id', 'pricing_plan_id', 'product_id', 'caller_id', 'external_id'],
    ...['utm_source', 'created_at', 'paid_at', 'membership_id'],
  ],
  searched: ['id', 'user_id', 'external_id', 'utm_source'],
  owners: ['userId', 'communityId', 'productId', 'pricingPlanId'],
  fields: {
    userId: idOf('Buyer'),
    pricingPlanId: { ...idOf('Plan'), isOptional: true },
    productId: { ...idOf('Product'), isOptional: true },
  },
  rule: {
    holds: ({ pricingPlanId, productId }) => (pricingPlanId === undefined) !== (productId === undefined),
    path: 'pricingPlanId',
    error: 'Enter either a plan or a product.',
  },
  create: 'Reserves a plan or a product for a user, and returns the address of its checkout.',
});

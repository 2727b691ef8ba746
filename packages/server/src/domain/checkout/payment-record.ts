import { randomUUID } from 'node:crypto';
import type { Database } from '../../platform/database/open-database.js';
import { recordAudit } from '../audit/audit.js';
import { NO_ACCESS } from '../charges/charges.js';
import { eventMembership, type MembershipRow } from '../memberships/memberships.js';
import { recordEvent } from '../webhooks/event-outbox.js';
import type { ChargedCheckout } from './checkout.js';
import { type OfferSubject, type OfferTerms, subjectColumns } from './offer.js';
import type { DeclineReason } from './payment-provider.js';
import { queueReceipt } from './receipt-mail.js';

/** Attempted payment. */
export interface PaymentAttempt
  extends Pick<OfferTerms, 'subject' | 'amountMinor' | 'currency'>,
    Pick<ChargedCheckout, 'buyer' | 'externalId' | 'utmSource'> {
  /** Order id at the payment provider; null for a free order. */
  orderId: string | null;
  /** Null for a renewal. */
  reservationId: string | null;
}

/**
 * Stores a successful payment with its receipt and its event: `payment.success` for a plan, `digital.product.purchase` for a
 * product.
 */
export async function recordPaid(
  transaction: Database,
  payment: PaymentAttempt,
  { membership, now }: { membership: MembershipRow; now: number },
): Promise<void> {
  const { subject } = payment;
  const paymentId = await insertPayment(transaction, payment, { status: 'succeeded', reason: null, now });
  await queueReceipt(transaction, { ...payment, paymentId, membership }, now);
  if (subject.kind === 'plan') {
    const data = { ...paymentData(payment, subject, paymentId), membershipId: membership.id };
    const { communityId } = subject;
    await recordEvent(transaction, { type: 'payment.success', data, communityId }, now);
    return;
  }
  const product = await transaction
    .selectFrom('products')
    .select(['id', 'name', 'slug', 'type'])
    .where('id', '=', subject.productId)
    .executeTakeFirstOrThrow();
  await recordEvent(
    transaction,
    {
      type: 'digital.product.purchase',
      data: {
        product,
        membership: eventMembership(membership, now),
        user: { sub: payment.buyer.id, email: payment.buyer.email },
        amount: payment.amountMinor,
        currency: payment.currency,
      },
      productId: subject.productId,
    },
    now,
  );
}

/**
 * Stores a successful payment that gives no access, so that the seller can refund it, and returns its id. There is no event:
 * receivers of `payment.success` give access.
 */
export async function recordWithoutAccess(transaction: Database, payment: PaymentAttempt, now: number) {
  // The payment that paid for the reservation gave access.
  const detached = { ...payment, reservationId: null };
  return await insertPayment(transaction, detached, { status: 'succeeded', reason: NO_ACCESS, now });
}

/** Stores a failed payment with its event, and returns the id of the payment. `payment.failed` exists for plans only. */
export async function recordDeclined(
  transaction: Database,
  payment: PaymentAttempt,
  { reason, now }: { reason: DeclineReason; now: number },
): Promise<string> {
  const { subject } = payment;
  const paymentId = await insertPayment(transaction, payment, { status: 'failed', reason, now });
  if (subject.kind !== 'plan') return paymentId;
  const data = { ...paymentData(payment, subject, paymentId), reason };
  await recordEvent(transaction, { type: 'payment.failed', data, communityId: subject.communityId }, now);
  return paymentId;
}

async function insertPayment(
  transaction: Database,
  { orderId, reservationId, subject, buyer, amountMinor, currency, utmSource }: PaymentAttempt,
  { now, ...result }: { status: 'succeeded' | 'failed'; reason: string | null; now: number },
): Promise<string> {
  const id = randomUUID();
  await transaction
    .insertInto('payments')
    .values({
      id,
      reservation_id: reservationId,
      user_id: buyer.id,
      ...subjectColumns(subject),
      ...result,
      amount_minor: amountMinor,
      currency,
      utm_source: utmSource,
      created_at: now,
      order_id: orderId,
    })
    .execute();
  const { community_id: communityId } = subjectColumns(subject);
  const { status, reason } = result;
  const details = { status, reason };
  await recordAudit(transaction, { action: 'payment.create', subjectId: id, communityId, details });
  return id;
}

function paymentData(
  { buyer, amountMinor, currency, externalId, utmSource }: PaymentAttempt,
  { communityId, planId }: OfferSubject & { kind: 'plan' },
  paymentId: string,
) {
  const user = { sub: buyer.id, email: buyer.email };
  const plan = { communityId, pricingPlanId: planId };
  return { paymentId, user, ...plan, amount: amountMinor, currency, externalId, utmSource };
}

import { randomUUID } from 'node:crypto';
import { DAY_MS } from '@latchkey/contract/constants';
import type { Database } from '../../platform/database/open-database.js';
import { recordAudit } from '../audit/audit.js';
import { NO_ACCESS } from '../charges/charges.js';
import { eventMembership, type MembershipRow } from '../memberships/memberships.js';
import { findPerson, shownPerson } from '../users/shown-person.js';
import { recordEvent } from '../webhooks/event-outbox.js';
import { type ChargedCheckout, type OfferSubject, type OfferTerms, subjectColumns } from './checkout.js';
import { queueReceipt } from './payment-mails.js';
import type { DeclineReason } from './payment-provider.js';

export interface ChargedPayment {
  readonly provider: string;
  readonly reference: string;
}

export interface PaymentAttempt
  extends Pick<OfferTerms, 'subject' | 'amountMinor' | 'currency'>,
    Pick<ChargedCheckout, 'buyer' | 'externalId' | 'utmSource'> {
  orderId: string | null;
  charged: ChargedPayment | null;
  paymentId?: string;
  reservationId: string | null;
}

export async function recordPaid(
  transaction: Database,
  payment: PaymentAttempt,
  { membership, now }: { membership: MembershipRow; now: number },
): Promise<void> {
  const { subject } = payment;
  const paymentId = await insertPayment(transaction, payment, { status: 'succeeded', reason: null, now });
  await queueReceipt(transaction, { ...payment, paymentId, membership }, now);
  if (subject.kind === 'plan') {
    const data = {
      ...(await paymentData(transaction, payment, { subject, paymentId })),
      membershipId: membership.id,
    };
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

/** Stores a payment with its refund for the worker to request. No event: receivers of `payment.success` give access. */
export async function recordWithoutAccess(transaction: Database, payment: PaymentAttempt, now: number) {
  // The reservation belongs to the payment that gave access.
  const detached = { ...payment, reservationId: null };
  const id = await insertPayment(transaction, detached, { status: 'succeeded', reason: NO_ACCESS, now });
  const { amountMinor: amount_minor, subject } = payment;
  await transaction
    .insertInto('refunds')
    // The refund has the payment's id, which sets it apart from the seller's refunds.
    .values({
      ...{ id, payment_id: id, amount_minor, refunded_before: 0, status: 'pending', reason: null },
      ...{ created_at: now, try_at: now },
    })
    .execute();
  const { community_id: communityId } = subjectColumns(subject);
  const details = { refund: id, amountMinor: `${amount_minor}` };
  await recordAudit(transaction, { action: 'payment.request-refund', subjectId: id, communityId, details });
  return id;
}

/** Stores a failed payment with its event, and returns the payment's id. Only plans have the event `payment.failed`. */
export async function recordDeclined(
  transaction: Database,
  payment: PaymentAttempt,
  { reason, now }: { reason: DeclineReason; now: number },
): Promise<string> {
  const { subject } = payment;
  const paymentId = await insertPayment(transaction, payment, { status: 'failed', reason, now });
  if (subject.kind !== 'plan') return paymentId;
  const data = { ...(await paymentData(transaction, payment, { subject, paymentId })), reason };
  await recordEvent(transaction, { type: 'payment.failed', data, communityId: subject.communityId }, now);
  return paymentId;
}

async function insertPayment(
  transaction: Database,
  { charged, ...payment }: PaymentAttempt,
  { now, ...result }: { status: 'succeeded' | 'failed'; reason: string | null; now: number },
): Promise<string> {
  const id = payment.paymentId ?? randomUUID();
  const subject = subjectColumns(payment.subject);
  await transaction
    .insertInto('payments')
    .values({
      id,
      reservation_id: payment.reservationId,
      user_id: payment.buyer.id,
      ...subject,
      ...result,
      amount_minor: payment.amountMinor,
      currency: payment.currency,
      utm_source: payment.utmSource,
      created_at: now,
      order_id: payment.orderId,
      provider: charged?.provider ?? null,
      reference: charged?.reference ?? null,
      look_up_at: charged === null ? null : now + DAY_MS,
    })
    .execute();
  const { community_id: communityId } = subject;
  await recordAudit(transaction, { action: 'payment.create', subjectId: id, communityId, details: result });
  return id;
}

async function paymentData(
  transaction: Database,
  { buyer, amountMinor, currency, externalId, utmSource }: PaymentAttempt,
  { subject, paymentId }: { subject: OfferSubject & { kind: 'plan' }; paymentId: string },
) {
  const { communityId, planId } = subject;
  const person = await findPerson.first(transaction, { userId: buyer.id, communityId });
  if (person === undefined) throw new Error(`The payment ${paymentId} has an unknown buyer: ${buyer.id}.`);
  const { sub, email } = shownPerson(person);
  const plan = { communityId, pricingPlanId: planId };
  return { paymentId, user: { sub, email }, ...plan, amount: amountMinor, currency, externalId, utmSource };
}

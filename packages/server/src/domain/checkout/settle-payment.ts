import { randomUUID } from 'node:crypto';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { findMembership } from '../memberships/find-membership.js';
import { isActiveAt, saveMembership } from '../memberships/save-membership.js';
import { boughtMembership } from './bought-membership.js';
import type { OpenCheckout } from './checkout.js';
import { subjectColumns } from './offer.js';
import type { DeclineReason } from './payment-provider.js';
import { recordDeclined, recordPaid, type TriedPayment } from './payment-record.js';

/** A checkout whose payment was taken. */
export interface PaidCheckout {
  /** As it was when it was paid: what was paid for is what is given, whatever the reservation says by now. */
  checkout: OpenCheckout;
  /** What the payment provider took it from; renewals charge it again. */
  method: string;
}

/** A checkout whose payment failed. */
export interface DeclinedCheckout {
  checkout: OpenCheckout;
  reason: DeclineReason;
}

/** `owned before`: the buyer has the product for life already, and nothing is kept of the payment. */
export type Settlement = 'settled' | 'paid before' | 'owned before';

/**
 * Turns a reservation into a membership, with the payment and the events that tell of both, in one transaction. The
 * database decides who is first: everybody else finds it paid.
 */
export function settlePayment(
  db: Database,
  { checkout, method }: PaidCheckout,
  now: number,
): Promise<Settlement> {
  const { reservationId, offer, buyer } = checkout;
  return inTransaction(db, async (transaction) => {
    const current = await findMembership(transaction, buyer.id, offer.subject);
    const isForLife = current !== undefined && current.valid_until === null;
    const isOwned = isForLife && isActiveAt(current, now);
    if (offer.subject.kind === 'product' && isOwned) return 'owned before';

    const paid = await transaction
      .updateTable('checkout_reservations')
      .set({ ...subjectColumns(offer.subject), user_id: buyer.id, paid_at: now })
      .where('id', '=', reservationId)
      .where('paid_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (paid === undefined) return 'paid before';

    const subscriptionId =
      offer.renews && !isForLife ? await subscribe(transaction, { checkout, method }, now) : null;
    const purchase = {
      userId: buyer.id,
      subject: offer.subject,
      periodDays: offer.periodDays,
      subscriptionId,
    };
    const membership = boughtMembership(current, purchase, { newId: randomUUID(), now });
    await saveMembership(transaction, membership, { isNew: current === undefined, now });
    await transaction
      .updateTable('checkout_reservations')
      .set({ membership_id: membership.id })
      .where('id', '=', reservationId)
      .execute();
    await recordPaid(transaction, triedPayment(checkout), { membership, now });
    return 'settled';
  });
}

/** Keeps that a payment failed, with its event, unless another one has succeeded meanwhile. */
export function settleDeclined(
  db: Database,
  { checkout, reason }: DeclinedCheckout,
  now: number,
): Promise<void> {
  return inTransaction(db, async (transaction) => {
    const unpaid = await transaction
      .selectFrom('checkout_reservations')
      .select('id')
      .where('id', '=', checkout.reservationId)
      .where('paid_at', 'is', null)
      .executeTakeFirst();
    if (unpaid !== undefined) await recordDeclined(transaction, triedPayment(checkout), { reason, now });
  });
}

/** Keeps what the buyer agreed to pay for every period. */
async function subscribe(
  transaction: Database,
  { checkout: { reservationId, offer }, method }: PaidCheckout,
  now: number,
): Promise<string | null> {
  if (offer.periodDays === null) return null;
  const id = randomUUID();
  await transaction
    .insertInto('subscriptions')
    .values({
      id,
      reservation_id: reservationId,
      payment_method: method,
      amount_minor: offer.amountMinor,
      currency: offer.currency,
      period_days: offer.periodDays,
      created_at: now,
    })
    .execute();
  return id;
}

function triedPayment({ offer, ...checkout }: OpenCheckout): TriedPayment {
  return { ...checkout, ...offer };
}

import type { Database } from '../../platform/database/open-database.js';
import { type AccessTerms, accessTermsOf } from './access-terms.js';

/** Payment of a checkout, and the access that its buyer has. */
export interface Receipt {
  readonly amountMinor: number;
  /** ISO 4217. */
  readonly currency: string;
  /** Address that the receipt is mailed to; null if no receipt is mailed. */
  readonly mailedTo: string | null;
  /** Null if the membership was deleted meanwhile. */
  readonly access: AccessTerms | null;
}

/** Returns the receipt of a paid reservation. */
export async function findReceipt(db: Database, reservationId: string): Promise<Receipt | undefined> {
  const payment = await db
    .selectFrom('payments')
    .leftJoin('mail_outbox', (join) =>
      join.onRef('mail_outbox.subject_id', '=', 'payments.id').on('mail_outbox.kind', '=', 'receipt'),
    )
    .innerJoin('users', 'users.id', 'payments.user_id')
    .select(['payments.amount_minor', 'payments.currency', 'mail_outbox.status', 'users.email'])
    .where('payments.reservation_id', '=', reservationId)
    .where('payments.status', '=', 'succeeded')
    .executeTakeFirst();
  if (payment === undefined) return undefined;
  const membership = await db
    .selectFrom('checkout_reservations as reservation')
    .innerJoin('memberships', 'memberships.id', 'reservation.membership_id')
    .leftJoin('subscriptions', 'subscriptions.id', 'memberships.subscription_id')
    .select(['memberships.valid_until', 'memberships.subscription_id'])
    .select(['memberships.subscription_cancelled_at', 'subscriptions.amount_minor', 'subscriptions.currency'])
    .where('reservation.id', '=', reservationId)
    .executeTakeFirst();
  return {
    amountMinor: payment.amount_minor,
    currency: payment.currency,
    // A sent mail no longer contains its recipient.
    mailedTo: payment.status === 'pending' || payment.status === 'sent' ? payment.email : null,
    access: membership === undefined ? null : accessTermsOf(membership),
  };
}

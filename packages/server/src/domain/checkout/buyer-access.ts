import type { Database } from '../../platform/database/open-database.js';
import { isActive, isRenewing } from '../memberships/membership-state.js';
import { findMembership } from '../memberships/memberships.js';
import { boughtMembership, startsSubscription } from './bought-membership.js';
import type { OpenCheckout } from './checkout.js';

/** Payment that a subscription makes next. */
export interface NextPayment {
  /** End of the paid time, in milliseconds since the epoch. The payment is made shortly before. */
  readonly at: number;
  readonly amountMinor: number;
  /** ISO 4217. */
  readonly currency: string;
}

/** Access that a membership gives. */
export interface AccessTerms {
  /** End of the paid time in milliseconds since the epoch; null for lifetime access. */
  readonly endsAt: number | null;
  /** Null if nothing renews the membership. */
  readonly nextPayment: NextPayment | null;
}

/** Membership with the price of its subscription. */
interface MembershipWithPrice {
  readonly valid_until: number | null;
  readonly subscription_id: string | null;
  readonly subscription_cancelled_at: number | null;
  /** Null without a subscription. */
  readonly amount_minor: number | null;
  readonly currency: string | null;
}

/** Returns the access of a membership and its next payment. */
function accessTermsOf(row: MembershipWithPrice): AccessTerms {
  const { valid_until: endsAt, amount_minor: amountMinor, currency } = row;
  const hasNext = isRenewing(row) && endsAt !== null && amountMinor !== null && currency !== null;
  return {
    endsAt,
    nextPayment: hasNext ? { at: endsAt, amountMinor, currency } : null,
  };
}

/** Active membership of a community, with its plan. */
export interface HeldPlan extends AccessTerms {
  /** Null for a membership that was granted without a plan. */
  readonly planId: string | null;
  readonly planName: string | null;
}

/** Returns the plan that a user has in a community; `undefined` without an active membership. */
export async function findHeldPlan(
  db: Database,
  { userId, communityId }: { userId: string; communityId: string },
  now: number,
): Promise<HeldPlan | undefined> {
  const row = await db
    .selectFrom('memberships')
    .leftJoin('subscriptions', 'subscriptions.id', 'memberships.subscription_id')
    .leftJoin('pricing_plans', 'pricing_plans.id', 'memberships.pricing_plan_id')
    .select(['memberships.valid_from', 'memberships.valid_until', 'memberships.pricing_plan_id'])
    .select(['memberships.subscription_id', 'memberships.subscription_cancelled_at'])
    .select(['subscriptions.amount_minor', 'subscriptions.currency', 'pricing_plans.name as plan_name'])
    .where('memberships.user_id', '=', userId)
    .where('memberships.community_id', '=', communityId)
    .executeTakeFirst();
  if (row === undefined || !isActive(row, now)) return undefined;
  return { ...accessTermsOf(row), planId: row.pricing_plan_id, planName: row.plan_name };
}

/** True if a plan has nothing to add for its member: access is for life, or a subscription already renews the plan. */
export function isCovered(held: HeldPlan, planId: string): boolean {
  return held.endsAt === null || (held.planId === planId && held.nextPayment !== null);
}

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

/** Masks an email address: `d•••@example.com`. A local part of one or two characters is hidden completely. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${at > 2 ? email.slice(0, 1) : ''}•••${email.slice(at)}`;
}

/** Access after a payment that is made now. Times are milliseconds since the epoch. */
export interface PurchaseOutlook {
  /** Null for lifetime access. */
  readonly endsAt: number | null;
  /** Time of the next payment for the offer; null if the payment starts no subscription. */
  readonly nextPaymentAt: number | null;
}

/** Returns the access that paying a checkout now would lead to. A running membership is extended. */
export async function purchaseOutlook(
  db: Database,
  { offer, buyer }: OpenCheckout,
  now: number,
): Promise<PurchaseOutlook> {
  const current = await findMembership(db, buyer.id, offer.subject);
  const renews = startsSubscription(current, offer);
  const { valid_until: endsAt } = boughtMembership(
    current,
    {
      userId: buyer.id,
      subject: offer.subject,
      periodDays: offer.periodDays,
      subscriptionId: renews ? 'new' : null,
    },
    { newId: 'new', now },
  );
  return { endsAt, nextPaymentAt: renews ? endsAt : null };
}

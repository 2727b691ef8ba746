import type { Database } from '../../platform/database/open-database.js';
import { isActive, isRenewing } from '../memberships/membership-state.js';
import { findMembership, type MembershipRow } from '../memberships/memberships.js';
import { boughtMembership, startsSubscription } from './bought-membership.js';
import type { OpenCheckout } from './checkout.js';

/** Membership with the price of its subscription; without one the price is null. */
type MembershipWithPrice = Pick<
  MembershipRow,
  'valid_until' | 'subscription_id' | 'subscription_cancelled_at'
> & { amount_minor: number | null; currency: string | null };

/**
 * Returns the end of a membership, which is null for lifetime access, and the payment that its subscription makes shortly before; null
 * if nothing renews it.
 */
function accessTermsOf(row: MembershipWithPrice) {
  const { valid_until: endsAt, amount_minor: amountMinor, currency } = row;
  const hasNext = isRenewing(row) && endsAt !== null && amountMinor !== null && currency !== null;
  return { endsAt, nextPayment: hasNext ? { at: endsAt, amountMinor, currency } : null };
}

/**
 * Returns the plan that a user has in a community; `undefined` without an active membership. The plan is null for a membership that
 * was granted without one.
 */
export async function findHeldPlan(
  db: Database,
  { userId, communityId }: { userId: string; communityId: string },
  now: number,
) {
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

/** Active membership of a community, with its plan. */
export type HeldPlan = NonNullable<Awaited<ReturnType<typeof findHeldPlan>>>;

/** True if a plan has nothing to add for its member: access is for life, or a subscription already renews the plan. */
export function isCovered(held: HeldPlan, planId: string): boolean {
  return held.endsAt === null || (held.planId === planId && held.nextPayment !== null);
}

/**
 * Returns the payment of a paid reservation, and the access that its buyer has: null if the membership was deleted meanwhile.
 * `mailedTo` is null if no receipt is mailed.
 */
export async function findReceipt(db: Database, reservationId: string) {
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

/** Payment of a checkout, and the access that its buyer has. */
export type Receipt = NonNullable<Awaited<ReturnType<typeof findReceipt>>>;

/** Masks an email address: `d•••@example.com`. A local part of one or two characters is hidden completely. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${at > 2 ? email.slice(0, 1) : ''}•••${email.slice(at)}`;
}

/**
 * Returns the access that paying a checkout now would lead to. A running membership is extended. The end is null for lifetime access,
 * and the next payment is null if this one starts no subscription.
 */
export async function purchaseOutlook(db: Database, { offer, buyer }: OpenCheckout, now: number) {
  const { subject, periodDays } = offer;
  const current = await findMembership(db, buyer.id, subject);
  const renews = startsSubscription(current, offer);
  const purchase = { userId: buyer.id, subject, periodDays, subscriptionId: renews ? 'new' : null };
  const { valid_until: endsAt } = boughtMembership(current, purchase, { newId: 'new', now });
  return { endsAt, nextPaymentAt: renews ? endsAt : null };
}

/** Access after a payment that is made now. Times are milliseconds since the epoch. */
export type PurchaseOutlook = Awaited<ReturnType<typeof purchaseOutlook>>;

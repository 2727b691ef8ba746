import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../../platform/database/open-database.js';
import { type Membership, namesOfPlans, readMembership } from '../memberships/membership-periods.js';
import { isActive, isRenewing } from '../memberships/membership-state.js';
import { findMembership, type MembershipRow } from '../memberships/memberships.js';
import { type Payer, type Placement, plannedOf } from '../memberships/timeline.js';
import { samePerson, shownEmail } from '../users/shown-person.js';
import { boughtMembership, hasHadFree, placeOffer, startsAtOnce } from './bought-membership.js';
import type { OfferTerms, OpenCheckout } from './checkout.js';

async function accessTermsOf(db: Database, membership: MembershipRow) {
  return { endsAt: membership.valid_until, nextPayment: await nextPaymentOf(db, membership) };
}

export async function nextPaymentOf(db: Database, membership: MembershipRow) {
  const { subscription_id, renews_at: at } = membership;
  if (!isRenewing(membership) || subscription_id === null || at === null) return null;
  const price = await db
    .selectFrom('subscriptions')
    .select(['amount_minor as amountMinor', 'currency'])
    .where('id', '=', subscription_id)
    .executeTakeFirst();
  return price === undefined ? null : { at, ...price };
}

/** `undefined` if the user has no active membership. The plan is null if the membership was granted without one. */
export async function findHeldPlan(
  db: Database,
  { userId, communityId }: { userId: string; communityId: string },
  now: number,
) {
  const found = await findMembership(db, userId, { communityId });
  const membership = found && (await readMembership(db, found, now));
  if (membership === undefined || !isActive(membership.row, now)) return undefined;
  const { row } = membership;
  const planId = row.pricing_plan_id;
  const names = await namesOfPlans(db, [{ planId }]);
  const terms = await accessTermsOf(db, row);
  return { ...terms, planId, planName: names.get(planId ?? '') ?? null, membership };
}

export type HeldPlan = NonNullable<Awaited<ReturnType<typeof findHeldPlan>>>;

/** True if a plan would add nothing for its member: they have it for life, or a subscription already renews it. */
export function isCovered(held: HeldPlan, offer: OfferTerms, now: number): boolean {
  const payer = { isBuyer: true, startsNow: false, now };
  const isRenewed =
    offer.subject.kind === 'plan' && held.planId === offer.subject.planId && held.nextPayment !== null;
  return isRenewed || placeOffer(held.membership, offer, payer).kind === 'nothing';
}

/** Where the payment of a checkout would go. Decided before the charge, and depends on who pays. */
export interface CheckoutPlacement {
  readonly current: Membership | undefined;
  readonly payer: Payer;
  readonly placed: Placement;
  /** True if the payment would go elsewhere if someone else made it. */
  readonly isChoice: boolean;
}

export async function placeCheckout(
  db: Database,
  { offer, buyer }: Pick<OpenCheckout, 'offer' | 'buyer'>,
  { isBuyer, now }: { isBuyer: boolean; now: number },
): Promise<CheckoutPlacement> {
  const row = await findMembership(db, buyer.id, offer.subject);
  const current = row && (await readMembership(db, row, now));
  const payer = { isBuyer, startsNow: isBuyer && (await startsAtOnce(db, current, offer, now)) };
  const placed: Placement = (await hasHadFree(db, buyer.id, offer))
    ? { kind: 'nothing' }
    : placeOffer(current, offer, { ...payer, now });
  const anybody = placeOffer(current, offer, { isBuyer: false, startsNow: false, now });
  return { current, payer, placed, isChoice: isBuyer && !isDeepStrictEqual(placed, anybody) };
}

/** Encodes what the page says about the rest of the membership. Empty if someone else's payment would do the same. */
export function choiceOf({ placed, isChoice }: CheckoutPlacement, now: number): string {
  if (!isChoice || placed.kind === 'nothing') return '';
  const { startsAt, pausesRest, stopsSubscription } = placed;
  return [
    startsAt > now ? '.later' : '.now',
    pausesRest ? '.pauses' : '',
    stopsSubscription ? '.stops' : '',
  ].join('');
}

/** `access` is null if the membership has since been deleted, `mailedTo` if no receipt is mailed. */
export async function findReceipt(db: Database, reservationId: string) {
  const payment = await db
    .selectFrom('payments')
    .leftJoin('mail_outbox', (join) =>
      join.onRef('mail_outbox.subject_id', '=', 'payments.id').on('mail_outbox.kind', '=', 'receipt'),
    )
    .innerJoin('users', 'users.id', 'payments.user_id')
    .leftJoin('community_emails as link', samePerson('link', 'payments'))
    .select(['payments.amount_minor', 'payments.refunded_minor', 'payments.currency', 'mail_outbox.status'])
    .select(shownEmail)
    .where('payments.reservation_id', '=', reservationId)
    .where('payments.status', '=', 'succeeded')
    .executeTakeFirst();
  if (payment === undefined) return undefined;
  const membership = await db
    .selectFrom('checkout_reservations as reservation')
    .innerJoin('memberships', 'memberships.id', 'reservation.membership_id')
    .selectAll('memberships')
    .where('reservation.id', '=', reservationId)
    .executeTakeFirst();
  return {
    amountMinor: payment.amount_minor,
    refundedMinor: payment.refunded_minor,
    currency: payment.currency,
    // Once a mail is sent, it no longer contains its recipient.
    mailedTo: payment.status === 'pending' || payment.status === 'sent' ? payment.email : null,
    access: membership === undefined ? null : await accessTermsOf(db, membership),
  };
}

export type Receipt = NonNullable<Awaited<ReturnType<typeof findReceipt>>>;

/** `d•••@example.com`; all of the local part is hidden if it's only one or two characters. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${at > 2 ? email.slice(0, 1) : ''}•••${email.slice(at)}`;
}

/** Returns the access that the buyer would have if the checkout were paid now. `undefined` if it would add nothing. */
export async function purchaseOutlook(
  db: Database,
  { offer, buyer }: OpenCheckout,
  { current, placed, now }: CheckoutPlacement & { now: number },
) {
  if (placed.kind === 'nothing') return undefined;
  const { row, timeline } = boughtMembership(current, offer, {
    ...{ userId: buyer.id, placed, newId: 'new', now },
    ...{ paymentId: 'new', subscriptionId: placed.startsSubscription ? 'new' : null },
  });
  const planned = plannedOf(current?.timeline ?? [], now);
  const running = planned.find(({ startsAt }) => startsAt <= now);
  const rest = plannedOf(timeline, now).find(
    (period) => period.planId === running?.planId && period.paymentId === running?.paymentId,
  );
  const isInterrupted = running !== undefined && placed.startsAt <= now && rest !== undefined;
  const names = await namesOfPlans(db, planned);
  const nameOf = (planId: string | null | undefined) => names.get(planId ?? '') ?? 'your plan';
  return {
    /** First instant of what is bought; null if it starts at once. */
    startsAt: placed.startsAt > now ? placed.startsAt : null,
    endsAt: row.valid_until,
    nextPaymentAt: placed.startsSubscription ? row.renews_at : null,
    /** The plan that runs now. What is left of it follows what is bought. */
    resumes: isInterrupted ? { name: nameOf(running.planId), at: rest.startsAt, endsAt: rest.endsAt } : null,
    /** Names of the plans that this plan for life puts on hold. Empty if there are none. */
    pauses: placed.pausesRest
      ? [
          ...new Set(
            planned.filter((period) => !isOver(period, placed.startsAt)).map(({ planId }) => nameOf(planId)),
          ),
        ]
      : [],
    stopsRenewal: placed.stopsSubscription,
  };
}

const isOver = ({ endsAt }: { endsAt: number | null }, at: number) => endsAt !== null && endsAt <= at;

/** Access after a payment made now. Times are in milliseconds since the epoch. */
export type PurchaseOutlook = NonNullable<Awaited<ReturnType<typeof purchaseOutlook>>>;

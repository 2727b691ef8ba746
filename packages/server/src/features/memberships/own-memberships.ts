import type { Database } from '../../platform/database/open-database.js';
import { type Position, readPage } from '../../platform/database/rows.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { writeDecision } from './administer-membership.js';
import { decideEndNow } from './membership-change.js';
import { type NamedStretch, readFollowing, readMembership } from './membership-periods.js';
import { isExpired, isRenewing, membershipSql, membershipState } from './membership-state.js';
import { cancelSubscription } from './memberships.js';

const SHOWN_EXPIRED = 50;

type OwnMembershipKey = { readonly userId: string; readonly membershipId: string };

/** One page of the active and upcoming ones, oldest start first. The first page has the newest expired ones too. */
export async function listOwnMemberships(
  db: Database,
  userId: string,
  { now, after }: { now: number; after?: Position | undefined },
) {
  const own = ownMemberships(db, userId);
  const current = own.where((eb) => membershipSql.isNotExpired(eb, now));
  const order = { by: ['memberships.valid_from', 'memberships.id'], after } as const;
  const page = await readPage(current, order, asOwn);
  const expired = own
    .where((eb) => membershipSql.isExpired(eb, now))
    .orderBy('memberships.valid_until', 'desc')
    .orderBy('memberships.id')
    .limit(SHOWN_EXPIRED);
  const later: (NamedStretch & { id: string; name: string })[] = [];
  for (const { id, name, planChangesAt: plan_changes_at } of page.rows)
    for (const stretch of await readFollowing(db, { id, plan_changes_at }, now))
      later.push({ ...stretch, id: `${id} ${stretch.startsAt}`, name });
  const isCurrent = (membership: OwnMembership) => membershipState(membership, now) === 'active';
  return {
    active: page.rows.filter(isCurrent),
    upcoming: page.rows.filter((membership) => !isCurrent(membership)),
    next: page.next,
    later,
    expired: after === undefined ? (await expired.execute()).map(asOwn) : [],
  };
}

export async function findOwnMembership(
  db: Database,
  { userId, membershipId }: OwnMembershipKey,
  now: number,
) {
  const row = await ownMemberships(db, userId).where('memberships.id', '=', membershipId).executeTakeFirst();
  return row && { ...asOwn(row), isExpired: membershipState(row, now) === 'expired' };
}

export async function findRenewing(db: Database, key: OwnMembershipKey, now: number) {
  const own = await findOwnMembership(db, key, now);
  return own?.isRenewing === true ? own : undefined;
}

function ownMemberships(db: Database, userId: string) {
  return db
    .selectFrom('memberships')
    .leftJoin('communities', 'communities.id', 'memberships.community_id')
    .leftJoin('products', 'products.id', 'memberships.product_id')
    .leftJoin('pricing_plans', 'pricing_plans.id', 'memberships.pricing_plan_id')
    .select(['memberships.id', 'memberships.product_type as productType', 'pricing_plans.name as planName'])
    .select(['memberships.valid_from as validFrom', 'memberships.valid_until as validUntil'])
    .select(['memberships.plan_changes_at as planChangesAt', 'memberships.renews_at as renewsAt'])
    .select(['memberships.subscription_id', 'memberships.subscription_cancelled_at'])
    .select(['communities.name as communityName', 'products.name as productName'])
    .where('memberships.user_id', '=', userId);
}

function ownRow(db: Database, { userId, membershipId }: OwnMembershipKey) {
  return db
    .selectFrom('memberships')
    .selectAll()
    .where('id', '=', membershipId)
    .where('user_id', '=', userId);
}

/** The paid time stays. False if no subscription renews the membership. */
export async function cancelOwnSubscription(db: Database, key: OwnMembershipKey, now: number) {
  return await inTransaction(db, async (transaction) => {
    const row = await ownRow(transaction, key).executeTakeFirst();
    return row !== undefined && (await cancelSubscription(transaction, row, now));
  });
}

export async function leaveMembership(db: Database, key: OwnMembershipKey, now: number): Promise<boolean> {
  return await inTransaction(db, async (transaction) => {
    const row = await ownRow(transaction, key).executeTakeFirst();
    const current = row && (await readMembership(transaction, row, now));
    if (current === undefined || isExpired(current.row, now)) return false;
    await writeDecision(transaction, { current, decision: decideEndNow(current, now) }, now);
    return true;
  });
}

function asOwn(row: Awaited<ReturnType<ReturnType<typeof ownMemberships>['execute']>>[number]) {
  const { communityName, productName, subscription_id: _id, subscription_cancelled_at: _at, ...own } = row;
  // A membership can have neither a community nor a product.
  return { ...own, name: communityName ?? productName ?? 'Membership', isRenewing: isRenewing(row) };
}

export type OwnMembership = ReturnType<typeof asOwn>;

export type OwnMemberships = Awaited<ReturnType<typeof listOwnMemberships>>;

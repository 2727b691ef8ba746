import { isDeepStrictEqual } from 'node:util';
import type { MembershipProductType } from '@latchkey/contract/constants';
import type { ExpressionBuilder } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { prepareQuery } from '../../platform/database/prepared-query.js';
import type { Schema } from '../../platform/database/schema.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { findMembership } from './find-membership.js';
import { hasEnded, type MembershipRow, saveMembership } from './save-membership.js';
import { isRenewing } from './subscription.js';

/** A membership whose window holds the asked instant. */
export interface ActiveMembership {
  id: string;
  productType: MembershipProductType;
  validFrom: number;
  /** Null for lifetime access. */
  validUntil: number | null;
  /** Name of the community or product, when the membership is for one. */
  name: string | null;
}

/** A membership to be stored. One user has one row in a community, and one for a product. */
interface MembershipGrant {
  id: string;
  userId: string;
  productType: MembershipProductType;
  communityId?: string | undefined;
  productId?: string | undefined;
  validFrom: number;
  validUntil: number | null;
}

const findActiveByMessenger = prepareQuery(
  (db, given: { communityId: string; messengerUserId: number; now: number }) =>
    db
      .selectFrom('memberships')
      .innerJoin('users', 'users.id', 'memberships.user_id')
      .select('memberships.id')
      .where('users.messenger_user_id', '=', given.messengerUserId)
      .where('memberships.community_id', '=', given.communityId)
      .where((eb) => isActive(eb, given.now)),
);

/** By an account that is somebody's in this community only: see `membership/account-holder.ts`. */
const findActiveByAccount = prepareQuery(
  (db, given: { communityId: string; messengerUserId: number; now: number }) =>
    db
      .selectFrom('messenger_accounts as account')
      .innerJoin('users', 'users.id', 'account.user_id')
      .innerJoin('memberships', (join) =>
        join
          .onRef('memberships.user_id', '=', 'account.user_id')
          .onRef('memberships.community_id', '=', 'account.community_id'),
      )
      .select('memberships.id')
      .where('account.community_id', '=', given.communityId)
      .where('account.messenger_user_id', '=', given.messengerUserId)
      .where('users.messenger_user_id', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('users as owner')
              .select('owner.id')
              .where('owner.messenger_user_id', '=', given.messengerUserId),
          ),
        ),
      )
      .where((eb) => isActive(eb, given.now)),
);
/** Nothing is paid for it any more. */
const NOT_RENEWED = { subscription_id: null, subscription_cancelled_at: null } as const;

/** What the user has for the same community or product; a kind that names neither can be had any number of times. */
async function findForSame(
  transaction: Database,
  { userId, communityId, productId }: MembershipGrant,
): Promise<MembershipRow | undefined> {
  if (communityId !== undefined) return await findMembership(transaction, userId, { communityId });
  if (productId !== undefined) return await findMembership(transaction, userId, { productId });
  return undefined;
}

function newRow(membership: MembershipGrant) {
  return {
    id: membership.id,
    user_id: membership.userId,
    product_type: membership.productType,
    community_id: membership.communityId ?? null,
    product_id: membership.productId ?? null,
    pricing_plan_id: null,
    external_order_id: null,
    ...NOT_RENEWED,
  };
}

function isActive(eb: ExpressionBuilder<Schema, 'memberships'>, now: number) {
  return eb.and([
    eb('memberships.valid_from', '<=', now),
    eb.or([eb('memberships.valid_until', 'is', null), eb('memberships.valid_until', '>', now)]),
  ]);
}
/** Complete, oldest period first. A window starts at its first instant and ends before its last. */
export async function listActiveMemberships(
  db: Database,
  userId: string,
  now: number,
): Promise<ActiveMembership[]> {
  const rows = await db
    .selectFrom('memberships')
    .leftJoin('communities', 'communities.id', 'memberships.community_id')
    .leftJoin('products', 'products.id', 'memberships.product_id')
    .select(['memberships.id', 'memberships.product_type'])
    .select(['memberships.valid_from', 'memberships.valid_until'])
    .select(['communities.name as community_name', 'products.name as product_name'])
    .where('memberships.user_id', '=', userId)
    .where((eb) => isActive(eb, now))
    .orderBy('memberships.valid_from')
    .orderBy('memberships.id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    productType: row.product_type,
    validFrom: row.valid_from,
    validUntil: row.valid_until,
    name: row.community_name ?? row.product_name,
  }));
}

/** The membership of a community that a messenger account's user has now. */
export async function findActiveMembershipOfMessenger(
  db: Database,
  { communityId, messengerUserId }: { communityId: string; messengerUserId: number },
  now: number,
): Promise<string | undefined> {
  const asked = { communityId, messengerUserId, now };
  const found =
    (await findActiveByMessenger.first(db, asked)) ?? (await findActiveByAccount.first(db, asked));
  return found?.id;
}

/** Stores a membership and gives its id; the row that the user already has for the same thing gets the new window. */
export function grantMembership(db: Database, membership: MembershipGrant, now: number): Promise<string> {
  return inTransaction(db, async (transaction) => {
    const current = await findForSame(transaction, membership);
    const window = { valid_from: membership.validFrom, valid_until: membership.validUntil };
    const saved: MembershipRow = {
      ...(current ?? newRow(membership)),
      ...window,
      ...(window.valid_until === null && NOT_RENEWED),
      // The event that is written now says whether it is over.
      lapse_announced_at: hasEnded(window, now) ? now : null,
    };
    // A write that changes nothing publishes no event: sample data may be written again at each start.
    if (isDeepStrictEqual({ ...current }, saved)) return saved.id;
    await saveMembership(transaction, saved, { isNew: current === undefined, now });
    return saved.id;
  });
}

/** Ends a membership now, unless it has ended, and what renews it. Whether it exists. */
export function endMembership(db: Database, id: string, now: number): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const current = await transaction
      .selectFrom('memberships')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    if (current === undefined) return false;
    if (hasEnded(current, now)) return true;
    const cancelled = isRenewing(current) ? { ...current, subscription_cancelled_at: now } : current;
    const ended = { ...cancelled, valid_until: now, lapse_announced_at: now };
    await saveMembership(transaction, ended, { isNew: false, now });
    return true;
  });
}

import type { MembershipProductType } from '@latchkey/contract/constants';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { isActive, isRenewing, membershipSql } from './membership-state.js';
import type { MembershipRow } from './memberships.js';
import { cancelSubscription } from './subscription.js';

/** Maximum number of expired memberships that the list contains. */
const SHOWN_EXPIRED = 50;

/** Membership as its user's list shows it. Times are milliseconds since the epoch. */
export interface OwnMembership {
  id: string;
  /** Name of the community or product; a plain word if the membership is for neither. */
  name: string;
  productType: MembershipProductType;
  validFrom: number;
  /** Null for lifetime access. */
  validUntil: number | null;
  /** True if a subscription renews it. */
  isRenewing: boolean;
}

/** Memberships of one user by state. */
export interface OwnMemberships {
  active: OwnMembership[];
  upcoming: OwnMembership[];
  /** The newest ones only. */
  expired: OwnMembership[];
}

/** Lists a user's memberships: all active and upcoming ones, and the newest expired ones. */
export async function listOwnMemberships(db: Database, userId: string, now: number): Promise<OwnMemberships> {
  const all = db
    .selectFrom('memberships')
    .leftJoin('communities', 'communities.id', 'memberships.community_id')
    .leftJoin('products', 'products.id', 'memberships.product_id')
    .selectAll('memberships')
    .select(['communities.name as community_name', 'products.name as product_name'])
    .where('memberships.user_id', '=', userId);
  const current = await all
    .where((eb) => membershipSql.isNotExpired(eb, now))
    .orderBy('memberships.valid_from')
    .orderBy('memberships.id')
    .execute();
  const expired = await all
    .where((eb) => membershipSql.isExpired(eb, now))
    .orderBy('memberships.valid_until', 'desc')
    .orderBy('memberships.id')
    .limit(SHOWN_EXPIRED)
    .execute();
  return {
    active: current.filter((row) => isActive(row, now)).map(asOwn),
    upcoming: current.filter((row) => !isActive(row, now)).map(asOwn),
    expired: expired.map(asOwn),
  };
}

/** Returns the user's membership with this id if a subscription renews it. */
export async function findRenewing(
  db: Database,
  { userId, membershipId }: { userId: string; membershipId: string },
  now: number,
): Promise<OwnMembership | undefined> {
  const { active, upcoming, expired } = await listOwnMemberships(db, userId, now);
  return [...active, ...upcoming, ...expired].find((own) => own.id === membershipId && own.isRenewing);
}

/** Cancels the subscription that renews the user's membership. The paid time stays. False if none renews it. */
export async function cancelOwnSubscription(
  db: Database,
  { userId, membershipId }: { userId: string; membershipId: string },
  now: number,
): Promise<boolean> {
  return await inTransaction(db, async (transaction) => {
    const row = await transaction
      .selectFrom('memberships')
      .selectAll()
      .where('id', '=', membershipId)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return row !== undefined && (await cancelSubscription(transaction, row, now));
  });
}

type NamedRow = MembershipRow & { community_name: string | null; product_name: string | null };

function asOwn(row: NamedRow): OwnMembership {
  return {
    id: row.id,
    name: row.community_name ?? row.product_name ?? 'Membership',
    productType: row.product_type,
    validFrom: row.valid_from,
    validUntil: row.valid_until,
    isRenewing: isRenewing(row),
  };
}

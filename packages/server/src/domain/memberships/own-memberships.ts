import type { MembershipProductType } from '@latchkey/contract/constants';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { isActiveAt, type MembershipRow } from './save-membership.js';
import { cancelSubscription, isRenewing } from './subscription.js';

/** How many past memberships are listed. */
const SHOWN_LAPSED = 50;

/** A person's own membership. Times are milliseconds since the epoch. */
export interface OwnMembership {
  id: string;
  /** Of the community or product, or a plain word when it is for neither. */
  name: string;
  productType: MembershipProductType;
  validFrom: number;
  /** Null for lifetime access. */
  validUntil: number | null;
  /** Whether a subscription renews it. */
  isRenewing: boolean;
}

/** Every membership of a user that gives access now, or will; and the newest of those that are over. */
export async function listOwnMemberships(db: Database, userId: string, now: number) {
  const all = db
    .selectFrom('memberships')
    .leftJoin('communities', 'communities.id', 'memberships.community_id')
    .leftJoin('products', 'products.id', 'memberships.product_id')
    .selectAll('memberships')
    .select(['communities.name as community_name', 'products.name as product_name'])
    .where('memberships.user_id', '=', userId);
  const running = await all
    .where((eb) => eb.or([eb('valid_until', 'is', null), eb('valid_until', '>', now)]))
    .orderBy('memberships.valid_from')
    .orderBy('memberships.id')
    .execute();
  const expired = await all
    .where('valid_until', '<=', now)
    .orderBy('memberships.valid_until', 'desc')
    .orderBy('memberships.id')
    .limit(SHOWN_LAPSED)
    .execute();
  return {
    memberships: running.filter((row) => isActiveAt(row, now)).map(asOwn),
    upcoming: running.filter((row) => !isActiveAt(row, now)).map(asOwn),
    expired: expired.map(asOwn),
  };
}

/** The user's own membership with this id, when a subscription renews it. */
export async function findRenewing(
  db: Database,
  { userId, membershipId }: { userId: string; membershipId: string },
  now: number,
): Promise<OwnMembership | undefined> {
  const { memberships, upcoming, expired } = await listOwnMemberships(db, userId, now);
  return [...memberships, ...upcoming, ...expired].find((own) => own.id === membershipId && own.isRenewing);
}

/**
 * Cancels the subscription that renews the user's own membership: the time that is paid stays.
 * False when there is none to cancel.
 */
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

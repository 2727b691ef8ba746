import type { Database } from '../../platform/database/open-database.js';
import { listOwned } from '../communities/community-access.js';
import { findAdmins } from '../operator-roles/operator-roles.js';

export interface OwnedProperty {
  readonly id: string;
  readonly name: string;
}

/** What keeps an account from being deleted. Nothing does if all lists are empty and both flags are false. */
export type DeletionObstacles = Awaited<ReturnType<typeof findObstacles>>;

const LISTED_MAX = 50;

/** Locks what other transactions change without the user's row, which the caller has locked: roles and checkouts. */
export async function lockObstacles(transaction: Database, userId: string): Promise<DeletionObstacles> {
  await transaction
    .selectFrom('community_roles')
    .select('community_id')
    .where('user_id', '=', userId)
    .orderBy('community_id')
    .forUpdate()
    .execute();
  await findAdmins(transaction, { lock: true });
  // A new charge refers to the user and to its checkout. So either it's stored before this, or it finds neither
  // afterwards.
  await transaction
    .selectFrom('checkout_reservations')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id')
    .forUpdate()
    .execute();
  return await findObstacles(transaction, userId);
}

export async function findObstacles(db: Database, userId: string) {
  return {
    communities: await listOwned(db, userId, LISTED_MAX),
    products: await db
      .selectFrom('products')
      .select(['id', 'name'])
      .where('owner_id', '=', userId)
      .orderBy('id')
      .limit(LISTED_MAX)
      .execute(),
    clients: await db
      .selectFrom('oauth_clients')
      .select(['client_id as id', 'name'])
      .where('owner_id', '=', userId)
      .orderBy('client_id')
      .limit(LISTED_MAX)
      .execute(),
    apiKeys: await db
      .selectFrom('api_keys')
      .select(['id', 'name'])
      .where('owner_id', '=', userId)
      .where('revoked_at', 'is', null)
      .orderBy('id')
      .limit(LISTED_MAX)
      .execute(),
    /** True if nobody else could appoint operators. */
    isOnlyAdmin: (await findAdmins(db)).join() === userId,
    /** True if a charge of the user, or for one of the user's checkouts, has been started and has no stored result. */
    isCharged: await isCharged(db, userId),
  };
}

export function isDeletable({ isCharged, isOnlyAdmin, ...owned }: DeletionObstacles): boolean {
  return !isCharged && !isOnlyAdmin && Object.values(owned).every(({ length }) => length === 0);
}

/**
 * A checkout that was opened again for this user can still have a charge by its earlier buyer, which would be deleted
 * with the checkout. A provider's payment page that is still open is no obstacle: anyone can open one for any email
 * address, and it stays open for a day.
 */
async function isCharged(db: Database, userId: string): Promise<boolean> {
  const charge = await db
    .selectFrom('charges')
    .select('order_id')
    .where('user_id', '=', userId)
    .where('reference', 'is', null)
    .unionAll((eb) =>
      eb
        .selectFrom('charges')
        .innerJoin('checkout_reservations', 'checkout_reservations.id', 'charges.reservation_id')
        .select('charges.order_id')
        .where('checkout_reservations.user_id', '=', userId)
        .where('charges.reference', 'is', null),
    )
    .limit(1)
    .executeTakeFirst();
  return charge !== undefined;
}

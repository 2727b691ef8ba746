import type { Database } from '../../platform/database/open-database.js';
import { prepareQuery } from '../../platform/database/prepared-query.js';
import { hasRows } from '../../platform/database/rows.js';
import { samePerson } from '../users/shown-person.js';
import { membershipSql } from './membership-state.js';

/** By the account that the operator entered. The community sees it once the person has acted there. */
const findActiveByMessenger = prepareQuery(
  (db, values: { communityId: string; messengerUserId: number; now: number }) =>
    db
      .selectFrom('memberships')
      .innerJoin('users', 'users.id', 'memberships.user_id')
      .select('memberships.id')
      .where('users.messenger_user_id', '=', values.messengerUserId)
      .where('memberships.community_id', '=', values.communityId)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('community_emails as link')
              .select('link.id')
              .whereRef('link.community_id', '=', 'memberships.community_id')
              .whereRef('link.user_id', '=', 'memberships.user_id'),
          ),
        ),
      )
      .where((eb) => membershipSql.isActive(eb, values.now)),
);

/** Finds the membership by an account that is linked to the user in this community only; see `identified-user.ts`. */
const findActiveByAccount = prepareQuery(
  (db, values: { communityId: string; messengerUserId: number; now: number }) =>
    db
      .selectFrom('messenger_accounts as account')
      .innerJoin('users', 'users.id', 'account.user_id')
      .innerJoin('memberships', samePerson('memberships', 'account'))
      .leftJoin('community_emails as link', samePerson('link', 'account'))
      .select('memberships.id')
      .where('account.community_id', '=', values.communityId)
      .where('account.messenger_user_id', '=', values.messengerUserId)
      .where((eb) => eb.or([eb('users.messenger_user_id', 'is', null), eb('link.shown_id', 'is not', null)]))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('users as owner')
              .select('owner.id')
              .where('owner.messenger_user_id', '=', values.messengerUserId)
              .whereRef('owner.id', '!=', 'account.user_id'),
          ),
        ),
      )
      .where((eb) => membershipSql.isActive(eb, values.now)),
);

export async function listActiveMemberships(db: Database, userId: string, now: number) {
  return await db
    .selectFrom('memberships')
    .leftJoin('communities', 'communities.id', 'memberships.community_id')
    .leftJoin('products', 'products.id', 'memberships.product_id')
    .select(['memberships.id', 'memberships.product_type as productType'])
    .select(['memberships.valid_from as validFrom', 'memberships.valid_until as validUntil'])
    .select(({ fn }) => fn.coalesce('communities.name', 'products.name').as('name'))
    .where('memberships.user_id', '=', userId)
    .where((eb) => membershipSql.isActive(eb, now))
    .orderBy('memberships.valid_from')
    .orderBy('memberships.id')
    .execute();
}

export async function findActiveMembershipOfMessenger(
  db: Database,
  { communityId, messengerUserId }: { communityId: string; messengerUserId: number },
  now: number,
): Promise<string | undefined> {
  const values = { communityId, messengerUserId, now };
  const found =
    (await findActiveByMessenger.first(db, values)) ?? (await findActiveByAccount.first(db, values));
  return found?.id;
}

export async function isActiveMember(
  db: Database,
  { communityId, userId }: { communityId: string; userId: string },
  now: number,
): Promise<boolean> {
  return await hasRows(
    db
      .selectFrom('memberships')
      .where('community_id', '=', communityId)
      .where('user_id', '=', userId)
      .where((eb) => membershipSql.isActive(eb, now)),
  );
}

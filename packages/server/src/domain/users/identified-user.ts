import type { Selectable } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { prepareQuery } from '../../platform/database/prepared-query.js';
import type { Schema } from '../../platform/database/schema/schema.js';

/** Stored user. */
export type UserRow = Selectable<Schema['users']>;

interface EmailInCommunity {
  readonly email: string;
  readonly communityId: string;
}

interface AccountInCommunity {
  readonly messengerUserId: number;
  readonly communityId: string;
}

/** At most two users: the one with the address, and the one that the community's partner named with it. */
const byEmailOrLink = prepareQuery((db, values: EmailInCommunity) =>
  db
    .selectFrom('users')
    .selectAll()
    .where('email', '=', values.email)
    .unionAll(
      db
        .selectFrom('community_emails as link')
        .innerJoin('users', 'users.id', 'link.user_id')
        .selectAll('users')
        .where('link.community_id', '=', values.communityId)
        .where('link.email', '=', values.email)
        .where('users.email', 'is', null),
    ),
);

const byAccount = prepareQuery((db, values: { messengerUserId: number }) =>
  db.selectFrom('users').selectAll().where('messenger_user_id', '=', values.messengerUserId),
);

const byAccountHere = prepareQuery((db, values: AccountInCommunity) =>
  db
    .selectFrom('messenger_accounts as link')
    .innerJoin('users', 'users.id', 'link.user_id')
    .selectAll('users')
    .where('link.community_id', '=', values.communityId)
    .where('link.messenger_user_id', '=', values.messengerUserId)
    .where('users.messenger_user_id', 'is', null),
);

/**
 * Finds the user of an email address as one community sees it. The first match applies:
 *
 * 1. the user who proved the address
 * 2. the user that the community's partner named with the address
 * 3. the user that was created for the address and has not signed in yet
 */
export async function findByEmailIn(db: Database, address: EmailInCommunity): Promise<UserRow | undefined> {
  const users = await byEmailOrLink.all(db, address);
  const own = users.find(({ email }) => email !== null);
  const named = users.find(({ email }) => email === null);
  return own !== undefined && own.email_verified_at !== null ? own : (named ?? own);
}

/**
 * Finds the user of a messenger account as one community sees it. The first match applies:
 *
 * 1. the user for whom the operator entered the account
 * 2. the user that the account belongs to in this community, unless the operator entered another one for that user
 */
export async function findByAccountIn(
  db: Database,
  account: AccountInCommunity,
): Promise<UserRow | undefined> {
  const user = await byAccount.first(db, { messengerUserId: account.messengerUserId });
  return user ?? (await byAccountHere.first(db, account));
}

import type { Selectable } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { prepareQuery } from '../../platform/database/prepared-query.js';
import type { Schema } from '../../schema/schema.js';
import { recordAudit } from '../audit/audit.js';

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
export async function findByAccountIn(db: Database, account: AccountInCommunity) {
  const user = await byAccount.first(db, { messengerUserId: account.messengerUserId });
  return user ?? (await byAccountHere.first(db, account));
}

interface CommunityUser {
  readonly communityId: string;
  readonly userId: string;
}

/** Links a messenger account to a user in one community. The user must have no account there. */
export async function linkAccount(
  transaction: Database,
  { communityId, userId, messengerUserId }: CommunityUser & { messengerUserId: number },
  now: number,
): Promise<void> {
  await transaction
    .insertInto('messenger_accounts')
    .values({
      community_id: communityId,
      user_id: userId,
      messenger_user_id: messengerUserId,
      joined_at: now,
    })
    .execute();
  const details = { fields: ['messengerUserId'] };
  await recordAudit(transaction, { action: 'user.link', subjectId: userId, communityId, details });
}

/** True if the user has a messenger account in the community, of the operator or of the community. */
export async function hasAccountIn(db: Database, { communityId, userId }: CommunityUser): Promise<boolean> {
  const row = await db
    .selectFrom('messenger_accounts')
    .select('user_id')
    .where('community_id', '=', communityId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Gives an email address to a user without one. The address becomes the user's own if everything that the user has comes
 * from this community. Its holder can then sign in as the user. Otherwise the address counts in this community only, so
 * that a partner cannot take over what other communities gave to the user.
 */
export async function linkEmail(
  transaction: Database,
  { communityId, userId, email }: CommunityUser & { email: string },
  now: number,
): Promise<void> {
  const details = { fields: ['email'] };
  await recordAudit(transaction, { action: 'user.link', subjectId: userId, communityId, details });
  if (await belongsTo(transaction, { communityId, userId })) {
    await transaction
      .updateTable('users')
      .set({ email })
      .where('id', '=', userId)
      .where('email', 'is', null)
      .execute();
    return;
  }
  await transaction
    .insertInto('community_emails')
    .values({ community_id: communityId, email, user_id: userId, linked_at: now })
    .onConflict((conflict) => conflict.columns(['community_id', 'user_id']).doNothing())
    .execute();
}

/** True if the user has nothing outside of the community: no proven account, no identifier, access, role or property. */
async function belongsTo(db: Database, { communityId, userId }: CommunityUser): Promise<boolean> {
  const linksElsewhere = (table: 'messenger_accounts' | 'community_emails') =>
    db
      .selectFrom(table)
      .select('user_id')
      .where('user_id', '=', userId)
      .where('community_id', '!=', communityId);
  const accessElsewhere = db
    .selectFrom('memberships')
    .select('id')
    .where('user_id', '=', userId)
    .where((eb) => eb.or([eb('community_id', 'is', null), eb('community_id', '!=', communityId)]));
  const property = (table: 'products' | 'oauth_clients' | 'api_keys' | 'webhooks') =>
    db.selectFrom(table).select('owner_id').where('owner_id', '=', userId);
  const elsewhere = [
    db.selectFrom('community_roles').select('user_id').where('user_id', '=', userId),
    linksElsewhere('messenger_accounts'),
    linksElsewhere('community_emails'),
    accessElsewhere,
    ...(['products', 'oauth_clients', 'api_keys', 'webhooks'] as const).map(property),
  ];
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('messenger_user_id', 'is', null)
    .where(({ and, not, exists }) => and(elsewhere.map((query) => not(exists(query)))))
    .executeTakeFirst();
  return user !== undefined;
}

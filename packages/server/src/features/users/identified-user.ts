import { randomUUID } from 'node:crypto';
import { hasRowLocks } from '../../platform/database/kysely/row-locks.js';
import type { Database } from '../../platform/database/open-database.js';
import { prepareQuery, runDeferredWrite } from '../../platform/database/prepared-query.js';
import { hasRows } from '../../platform/database/rows.js';
import { recordAudit } from '../audit/audit.js';

interface EmailInCommunity {
  readonly email: string;
  readonly communityId: string;
}

interface AccountInCommunity {
  readonly messengerUserId: number;
  readonly communityId: string;
}

const PERSON = ['users.id', 'users.email', 'users.name', 'users.messenger_user_id', 'link.shown_id'] as const;

function selectPeople(db: Database, communityId: string) {
  return db
    .selectFrom('users')
    .leftJoin('community_emails as link', (join) =>
      join.onRef('link.user_id', '=', 'users.id').on('link.community_id', '=', communityId),
    )
    .select([...PERSON, 'link.email as named_email']);
}

/** At most two users: the one with the address, and the one who has it in the community's link. */
const byEmailOrLink = prepareQuery((db, values: EmailInCommunity) =>
  selectPeople(db, values.communityId)
    .where('users.email', '=', values.email)
    .unionAll(
      db
        .selectFrom('community_emails as link')
        .innerJoin('users', 'users.id', 'link.user_id')
        .select([...PERSON, 'link.email as named_email'])
        .where('link.community_id', '=', values.communityId)
        .where('link.email', '=', values.email),
    ),
);

const byAccount = prepareQuery((db, values: AccountInCommunity) =>
  selectPeople(db, values.communityId).where('users.messenger_user_id', '=', values.messengerUserId),
);

const byAccountHere = prepareQuery((db, values: AccountInCommunity) =>
  selectPeople(db, values.communityId)
    .innerJoin('messenger_accounts as account', 'account.user_id', 'users.id')
    .where('account.community_id', '=', values.communityId)
    .where('account.messenger_user_id', '=', values.messengerUserId)
    // For a person whom the community knows, the operator's account replaces it.
    .where((eb) => eb.or([eb('users.messenger_user_id', 'is', null), eb('link.shown_id', 'is not', null)])),
);

/**
 * Finds the user of an email address as one community sees it: the user who proved the address, or else the user that
 * somebody gave the community with it. `claim`: that other user, if the address has just been proved and both still
 * exist.
 */
export async function findByEmailIn(db: Database, address: EmailInCommunity) {
  const users = await byEmailOrLink.all(db, address);
  const proven = users.find(({ email }) => email === address.email);
  const named = users.find(({ id }) => id !== proven?.id);
  return { user: proven ?? named, claim: proven && named };
}

/**
 * Finds the user of a messenger account as one community sees it. The first match applies:
 *
 * 1. the user for whom the operator entered the account
 * 2. the user with the account in this community, unless the community knows the person and the operator entered
 *    another account for them
 */
export async function findByAccountIn(db: Database, account: AccountInCommunity) {
  return (await byAccount.first(db, account)) ?? (await byAccountHere.first(db, account));
}

interface CommunityUser {
  readonly communityId: string;
  readonly userId: string;
}

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

/** True if the user has an account that this community linked, or another user has this account there. */
export async function isAccountLinked(
  db: Database,
  { communityId, userId, messengerUserId }: CommunityUser & { messengerUserId: number },
): Promise<boolean> {
  return await hasRows(
    db
      .selectFrom('messenger_accounts')
      .where('community_id', '=', communityId)
      .where((eb) => eb.or([eb('user_id', '=', userId), eb('messenger_user_id', '=', messengerUserId)])),
  );
}

/**
 * Records that somebody else gave a person's address to a community. Unless the person is known there by an act, the
 * community sees nothing but the address from now on, and the result is true. Repeating it refreshes the link, and an
 * address completes a link without one. `shownId` is the `sub` that the community sees, and learns now if `isTold`.
 */
export async function linkPerson(
  transaction: Database,
  person: CommunityUser & {
    readonly email: string | null;
    readonly shownId: string;
    readonly isTold?: boolean;
  },
  now: number,
): Promise<boolean> {
  const { communityId, userId, email, shownId, isTold = false } = person;
  const linked = await transaction
    .updateTable('community_emails')
    .set(({ fn, ref, val }) => ({
      linked_at: now,
      email: fn.coalesce(ref('email'), val(email)),
      ...(isTold && { shown_id: shownId }),
    }))
    .where('community_id', '=', communityId)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst();
  if (linked !== undefined) return true;
  if (await isKnownTo(transaction, person)) return false;
  const shown_id = (await allowsAppOf(transaction, person)) ? userId : shownId;
  const link = { id: randomUUID(), community_id: communityId, user_id: userId };
  await transaction
    .insertInto('community_emails')
    .values({ ...link, email, shown_id, linked_at: now })
    .execute();
  const details = { fields: ['email'] };
  await recordAudit(transaction, { action: 'user.link', subjectId: userId, communityId, details });
  return true;
}

/**
 * Stores an unproven address for a moment as if its user had proved it. Its unique key then lets a transaction that
 * proves the address wait for this one, and find the claim. If the address has been proved since this transaction
 * looked for its user, this one fails, and its retry finds the user.
 */
export async function meetProof(
  transaction: Database,
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  // SQLite has one writer at a time.
  if (!hasRowLocks(transaction)) return;
  const unproven = transaction
    .updateTable('users')
    .where('id', '=', userId)
    .where('email_verified_at', 'is', null);
  await runDeferredWrite(transaction, unproven.where('email', 'is', null).set({ email }));
  await runDeferredWrite(transaction, unproven.where('email', '=', email).set({ email: null }));
}

/** True if a community knows a person without a link by an act: as a member or buyer, or by a role. */
export async function isKnownTo(db: Database, { communityId, userId }: CommunityUser): Promise<boolean> {
  const member = (table: 'memberships' | 'payments' | 'community_roles') =>
    db
      .selectFrom(table)
      .select('user_id')
      .where('user_id', '=', userId)
      .where('community_id', '=', communityId);
  const acts = (['memberships', 'payments', 'community_roles'] as const).map(member);
  return await hasRows(
    db
      .selectFrom('users')
      .where('id', '=', userId)
      .where(({ or, exists }) => or(acts.map((act) => exists(act)))),
  );
}

/**
 * True if a person has allowed an app of one of a community's administrators. The consent page says that the app gets
 * the id and the address, so the community sees that id and no more.
 */
export async function allowsAppOf(db: Database, { communityId, userId }: CommunityUser): Promise<boolean> {
  return await hasRows(
    db
      .selectFrom('consents')
      .innerJoin('oauth_clients as client', 'client.client_id', 'consents.client_id')
      .innerJoin('community_roles as role', 'role.user_id', 'client.owner_id')
      .where('consents.user_id', '=', userId)
      .where('role.community_id', '=', communityId)
      .where('role.is_active', '=', 1),
  );
}

/**
 * True if everything about the user comes from the community: no account, and no identifier, access, role or property
 * elsewhere. Such a user has never signed in.
 */
export async function isClaimOf(db: Database, { communityId, userId }: CommunityUser): Promise<boolean> {
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
  return await hasRows(
    db
      .selectFrom('users')
      .where('id', '=', userId)
      .where('email', 'is', null)
      .where('messenger_user_id', 'is', null)
      .where('deleted_at', 'is', null)
      .where(({ and, not, exists }) => and(elsewhere.map((query) => not(exists(query))))),
  );
}

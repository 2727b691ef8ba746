import { randomUUID } from 'node:crypto';
import type { Selectable } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { prepareQuery } from '../../platform/database/prepared-query.js';
import type { Schema } from '../../platform/database/schema.js';
import { localAccountHolder } from './account-holder.js';

type UserRow = Selectable<Schema['users']>;

/** What a caller knows of a buyer; one of the two at least. Addresses are trimmed and in lower case. */
export interface BuyerIdentifiers {
  readonly email?: string | undefined;
  readonly messengerUserId?: number | undefined;
}

/** A buyer that was looked for: the user, if any identifier is theirs, and the identifiers that nobody holds. */
export interface BuyerMatch {
  readonly user: UserRow | undefined;
  readonly unheld: BuyerIdentifiers;
}

const findByEmail = prepareQuery((db, given: { email: string }) =>
  db.selectFrom('users').selectAll().where('email', '=', given.email),
);

const findByMessenger = prepareQuery((db, given: { messengerUserId: number }) =>
  db.selectFrom('users').selectAll().where('messenger_user_id', '=', given.messengerUserId),
);

/** Finds the user that identifiers name in a community. The address wins: if they name two users, nothing moves between them. */
export async function matchBuyer(
  transaction: Database,
  { email, messengerUserId, communityId }: BuyerIdentifiers & { communityId: string },
): Promise<BuyerMatch> {
  const byEmail = email === undefined ? undefined : await findByEmail.first(transaction, { email });
  const byMessenger =
    messengerUserId === undefined ? undefined : await findByMessenger.first(transaction, { messengerUserId });
  const byAccountHere =
    messengerUserId === undefined || byMessenger !== undefined
      ? undefined
      : await localAccountHolder.first(transaction, { messengerUserId, communityId });
  // An account that is somebody's here becomes theirs everywhere when the address says so too.
  const isFree = byMessenger === undefined && (byAccountHere?.id ?? byEmail?.id) === byEmail?.id;
  return {
    user: byEmail ?? byMessenger ?? byAccountHere,
    unheld: {
      email: byEmail === undefined ? email : undefined,
      messengerUserId: isFree ? messengerUserId : undefined,
    },
  };
}

/**
 * Gives the user who was matched the identifiers that nobody holds, where they have none of that kind: an address that
 * somebody signs in with is never exchanged. Creates the user when nobody was matched.
 *
 * @returns the user's id.
 * @throws the database's own error when somebody else got an identifier meanwhile; run again, that one is matched.
 */
export async function settleBuyer(
  transaction: Database,
  { user, unheld: { email, messengerUserId } }: BuyerMatch,
  now: number,
): Promise<string> {
  if (user === undefined) {
    const id = randomUUID();
    const identifiers = { email: email ?? null, messenger_user_id: messengerUserId ?? null };
    await transaction
      .insertInto('users')
      .values({ id, name: null, created_at: now, ...identifiers })
      .execute();
    return id;
  }
  const own = transaction.updateTable('users').where('id', '=', user.id);
  if (email !== undefined && user.email === null) {
    await own.set({ email }).where('email', 'is', null).execute();
  }
  if (messengerUserId !== undefined && user.messenger_user_id === null) {
    await own.set({ messenger_user_id: messengerUserId }).where('messenger_user_id', 'is', null).execute();
  }
  return user.id;
}

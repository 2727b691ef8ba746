import { randomUUID } from 'node:crypto';
import type { Selectable } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { prepareQuery } from '../../platform/database/prepared-query.js';
import type { Schema } from '../../platform/database/schema.js';
import { localAccountHolder } from './account-holder.js';

type UserRow = Selectable<Schema['users']>;

/** Identifiers of a buyer; at least one is set. Email addresses are trimmed and in lower case. */
export interface BuyerIdentifiers {
  readonly email?: string | undefined;
  readonly messengerUserId?: number | undefined;
}

/** Result of {@link matchBuyer}. */
export interface BuyerMatch {
  /** User with one of the identifiers. */
  readonly user: UserRow | undefined;
  /** Identifiers that no user has. */
  readonly unclaimed: BuyerIdentifiers;
}

const findByEmail = prepareQuery((db, values: { email: string }) =>
  db.selectFrom('users').selectAll().where('email', '=', values.email),
);

const findByMessenger = prepareQuery((db, values: { messengerUserId: number }) =>
  db.selectFrom('users').selectAll().where('messenger_user_id', '=', values.messengerUserId),
);

/** Finds the user with the identifiers. If they belong to two users, the email address decides and neither user changes. */
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
  // A local account becomes the user's service-wide account if the email address belongs to the same user.
  const isFree = byMessenger === undefined && (byAccountHere?.id ?? byEmail?.id) === byEmail?.id;
  return {
    user: byEmail ?? byMessenger ?? byAccountHere,
    unclaimed: {
      email: byEmail === undefined ? email : undefined,
      messengerUserId: isFree ? messengerUserId : undefined,
    },
  };
}

/**
 * Stores unclaimed identifiers with the matched user, where the user has none of that kind. An existing email address is
 * never replaced, because the user signs in with it. Creates the user if there was no match.
 *
 * @returns the user's id.
 * @throws the database's error if another user claimed an identifier meanwhile. A retry matches that user.
 */
export async function settleBuyer(
  transaction: Database,
  { user, unclaimed: { email, messengerUserId } }: BuyerMatch,
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

import type { Database } from '../../platform/database/open-database.js';
import { findByAccountIn, findByEmailIn, type UserRow } from '../users/identified-user.js';
import { hasAccountIn, linkAccount, linkEmail } from '../users/link-identifiers.js';
import { insertUnprovenUser } from '../users/users.js';

/** Identifiers of a buyer; at least one is set. Email addresses are trimmed and in lower case. */
export interface BuyerIdentifiers {
  readonly email?: string | undefined;
  readonly messengerUserId?: number | undefined;
}

/** Result of {@link matchBuyer}. */
export interface BuyerMatch {
  readonly communityId: string;
  /** User with one of the identifiers. */
  readonly user: UserRow | undefined;
  /** Identifiers that no user has, as the community sees it. */
  readonly unclaimed: BuyerIdentifiers;
}

/**
 * Finds the user with the identifiers, as the community sees them: proven identifiers, and those that its partner supplied
 * before. If they belong to two users, the email address decides and neither user changes.
 */
export async function matchBuyer(
  transaction: Database,
  { email, messengerUserId, communityId }: BuyerIdentifiers & { communityId: string },
): Promise<BuyerMatch> {
  const byEmail = email === undefined ? undefined : await findByEmailIn(transaction, { email, communityId });
  const byMessenger =
    messengerUserId === undefined
      ? undefined
      : await findByAccountIn(transaction, { messengerUserId, communityId });
  return {
    communityId,
    user: byEmail ?? byMessenger,
    unclaimed: {
      email: byEmail === undefined ? email : undefined,
      messengerUserId: byMessenger === undefined ? messengerUserId : undefined,
    },
  };
}

/**
 * Links unclaimed identifiers to the matched user, where the user has none of that kind in the community. Existing
 * identifiers are never replaced. Creates the user if there was no match. A new user belongs to the holder of the email
 * address, who proves it by signing in. A messenger account counts in the community only.
 *
 * @returns the user's id.
 * @throws the database's error if another user claimed an identifier meanwhile. A retry matches that user.
 */
export async function settleBuyer(
  transaction: Database,
  { communityId, user, unclaimed: { email, messengerUserId } }: BuyerMatch,
  now: number,
): Promise<string> {
  const userId = user?.id ?? (await insertUnprovenUser(transaction, email ?? null, now));
  if (user !== undefined && user.email === null && email !== undefined) {
    await linkEmail(transaction, { communityId, userId, email }, now);
  }
  if (messengerUserId !== undefined && (user?.messenger_user_id ?? null) === null) {
    const hasAccount = user !== undefined && (await hasAccountIn(transaction, { communityId, userId }));
    if (!hasAccount) await linkAccount(transaction, { communityId, userId, messengerUserId }, now);
  }
  return userId;
}

import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { recordAudit } from '../audit/audit.js';
import { withdrawSignups } from '../drops/sign-up-for-drop.js';
import { writeDecision } from '../memberships/administer-membership.js';
import { decideEndNow } from '../memberships/membership-change.js';
import { readMembership } from '../memberships/membership-periods.js';
import { saveMembership } from '../memberships/memberships.js';
import { type EnteredProof, proveUser, type UserProof } from '../two-step/second-factor.js';
import { insertDeletedUser, wasUserDeleted } from '../users/users.js';
import { type DeletedBy, queueAccountDeleted } from './account-deleted-mail.js';
import { type DeletionObstacles, isDeletable, lockObstacles } from './deletion-obstacles.js';

/** Result of {@link deleteAccount}. Only `deleted` writes anything. */
export type DeleteAccountResult =
  /** `isNew` is false if the account had already been deleted. */
  | { readonly kind: 'deleted'; readonly isNew: boolean }
  | { readonly kind: 'blocked'; readonly obstacles: DeletionObstacles }
  | { readonly kind: 'unknown' };

/**
 * Deletes a user's account in one transaction, and queues a mail about it to the account's address. Active memberships
 * end with their events. Payments and memberships move to a row without personal data, which the seller's books refer
 * to from then on. Everything else goes with the user's row (`on delete cascade`).
 *
 * The user's row is deleted rather than emptied: the database then rejects any reference that a concurrent request
 * still adds. On PostgreSQL the row is locked before all writes: requests that already refer to the user end first, and
 * later ones wait. The statements after the lock must see what those requests stored, so the transaction is READ
 * COMMITTED. If the caller has its own transaction, it must be READ COMMITTED too.
 */
export async function deleteAccount(
  db: Database,
  { userId, deletedBy }: { userId: string; deletedBy: DeletedBy },
  now: number,
): Promise<DeleteAccountResult> {
  const work = async (transaction: Database): Promise<DeleteAccountResult> => {
    await lockBeforeUser(transaction, userId);
    const user = await transaction
      .selectFrom('users')
      .select(['id', 'email'])
      .where('id', '=', userId)
      .where('deleted_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (user === undefined) {
      const wasDeleted = await wasUserDeleted(transaction, userId);
      return wasDeleted ? { kind: 'deleted', isNew: false } : { kind: 'unknown' };
    }
    const obstacles = await lockObstacles(transaction, userId);
    if (!isDeletable(obstacles)) return { kind: 'blocked', obstacles };
    await endMembershipsOf(transaction, userId, now);
    const keeperId = await insertDeletedUser(transaction, userId, now);
    await keepBooks(transaction, { userId, keeperId });
    await deleteByIdentifier(transaction, user);
    await tellOfDeletion(transaction, { ...user, deletedBy }, now);
    await transaction.deleteFrom('users').where('id', '=', userId).execute();
    await recordAudit(transaction, { action: 'user.delete', subjectId: userId });
    return { kind: 'deleted', isNew: true };
  };
  return await inTransaction(db, work, { isolation: 'read committed' });
}

/**
 * Locks the rows that other transactions lock before they refer to the user, in the same order. Otherwise every clash
 * with one of them would be a deadlock, which PostgreSQL ends after a second.
 */
async function lockBeforeUser(transaction: Database, userId: string): Promise<void> {
  for (const table of ['memberships', 'authorization_codes', 'token_pairs'] as const) {
    await transaction
      .selectFrom(table)
      .select('id')
      .where('user_id', '=', userId)
      .orderBy('id')
      .forUpdate()
      .execute();
  }
  await transaction
    .selectFrom('sign_in_codes')
    .select('attempt_hash')
    .where('email', '=', (eb) => eb.selectFrom('users').select('email').where('id', '=', userId))
    .orderBy('attempt_hash')
    .forUpdate()
    .execute();
}

/** Moves what the seller's books need, and the blocks from declined invitations, to the row without personal data. */
async function keepBooks(transaction: Database, { userId, keeperId }: { userId: string; keeperId: string }) {
  for (const table of ['memberships', 'payments'] as const)
    await transaction.updateTable(table).set({ user_id: keeperId }).where('user_id', '=', userId).execute();
  // The checkouts are deleted, with their return URLs, the caller's id for the buyer, and the subscription's payment
  // method.
  await transaction
    .updateTable('payments')
    .set({ reservation_id: null })
    .where('reservation_id', 'in', (eb) =>
      eb.selectFrom('checkout_reservations').select('id').where('user_id', '=', userId),
    )
    .execute();
  // The provider's page of a checkout stays open. Whatever is paid there is refunded.
  await transaction
    .updateTable('checkout_reservations')
    .set({ user_id: keeperId, caller_id: null, external_id: null, success_url: '', cancel_url: '' })
    .where('user_id', '=', userId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('charges')
          .select('charges.reservation_id')
          .whereRef('charges.reservation_id', '=', 'checkout_reservations.id')
          .where('charges.reference', 'is not', null),
      ),
    )
    .execute();
  await transaction
    .deleteFrom('checkout_links')
    .where('reservation_id', 'in', (eb) =>
      eb.selectFrom('checkout_reservations').select('id').where('user_id', '=', keeperId),
    )
    .execute();
  await transaction.updateTable('charges').set({ user_id: keeperId }).where('user_id', '=', userId).execute();
  await transaction.deleteFrom('checkout_reservations').where('user_id', '=', userId).execute();
  // Other buyers' checkouts that were opened with the user's revoked API keys. Their subscriptions continue.
  await transaction
    .updateTable('checkout_reservations')
    .set({ caller_id: keeperId })
    .where('caller_id', '=', userId)
    .execute();
  // Invitations from this user that were declined. Without them, the community could invite those people again at once.
  await transaction
    .updateTable('invitations')
    .set({ invited_by: keeperId })
    .where('invited_by', '=', userId)
    .where('declined_at', 'is not', null)
    .execute();
}

/** Tells an earlier address too while it could have undone the change: a thief could have made it and deleted the account. */
async function tellOfDeletion(
  transaction: Database,
  { id: userId, email, deletedBy }: { id: string; email: string | null; deletedBy: DeletedBy },
  now: number,
): Promise<void> {
  const changes = await transaction
    .selectFrom('email_changes')
    .select('old_email')
    .where('user_id', '=', userId)
    .where('changed_at', 'is not', null)
    .where('expires_at', '>', now)
    .execute();
  const told = new Set([email, ...changes.map(({ old_email }) => old_email)]);
  for (const to of told)
    if (to !== null) await queueAccountDeleted(transaction, { to, userId, deletedBy }, now);
}

/** Deletes the rows that contain an identifier of the user but don't refer to the user's row. */
async function deleteByIdentifier(
  transaction: Database,
  { id, email }: { id: string; email: string | null },
): Promise<void> {
  await transaction
    .deleteFrom('messenger_join_requests')
    .where('messenger_user_id', 'in', (eb) =>
      eb
        .selectFrom('messenger_accounts')
        .select('messenger_user_id')
        .where('user_id', '=', id)
        .unionAll(
          eb
            .selectFrom('users')
            .select((users) => users.ref('messenger_user_id').$notNull().as('messenger_user_id'))
            .where('id', '=', id)
            .where('messenger_user_id', 'is not', null),
        ),
    )
    .execute();
  if (email === null) return;
  await withdrawSignups(transaction, email);
  for (const table of ['sign_in_codes', 'known_browsers', 'invitations', 'community_emails'] as const) {
    await transaction.deleteFrom(table).where('email', '=', email).execute();
  }
  await transaction.deleteFrom('mail_outbox').where('recipient', '=', email).execute();
}

/** Also announces an expiry that no worker has announced yet, since later events no longer identify the user. */
async function endMembershipsOf(transaction: Database, userId: string, now: number): Promise<void> {
  const rows = await transaction
    .selectFrom('memberships')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const row of rows) {
    const current = await readMembership(transaction, row, now);
    const decision = decideEndNow(current, now);
    if (decision.kind === 'changed') await writeDecision(transaction, { current, decision }, now);
    else if (row.lapse_announced_at === null) {
      await saveMembership(transaction, { ...row, lapse_announced_at: now }, { isNew: false, now });
    }
  }
}

export type DeleteOwnAccountResult = DeleteAccountResult | Exclude<UserProof, { kind: 'proven' }>;

/** The proof and the deletion are one transaction. */
export async function deleteOwnAccount(
  db: Database,
  entered: EnteredProof,
  now: number,
): Promise<DeleteOwnAccountResult> {
  const { userId, browser, network } = entered;
  const work = async (transaction: Database): Promise<DeleteOwnAccountResult> => {
    const proof = await proveUser(transaction, entered, now);
    if (proof.kind !== 'proven') return proof;
    return await deleteAccount(transaction, { userId, deletedBy: { who: 'user', browser, network } }, now);
  };
  return await inTransaction(db, work, { isolation: 'read committed' });
}

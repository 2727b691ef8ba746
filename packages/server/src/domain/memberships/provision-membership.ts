import type { ProvisionExternalCommand } from '@latchkey/contract';
import type { Database } from '../../platform/database/open-database.js';
import { prepareQuery } from '../../platform/database/prepared-query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import {
  findByAccountIn,
  findByEmailIn,
  hasAccountIn,
  linkAccount,
  linkEmail,
} from '../users/identified-user.js';
import { insertUnprovenUser } from '../users/users.js';
import { newMembership } from './membership-change.js';
import { isExpired } from './membership-state.js';
import { type MembershipRow, saveMembership } from './memberships.js';
import { decideProvisioning, type ProvisionDecision } from './provision-decision.js';

/** Result of {@link provisionMembership}. Only `provisioned` writes anything. */
export type ProvisionResult =
  | {
      kind: 'provisioned';
      status: 'created' | 'extended' | 'replaced' | 'idempotent_return';
      membership: MembershipRow;
    }
  | { kind: 'unknown-plan' }
  | Exclude<ProvisionDecision, { kind: 'grant' | 'repeat' }>;

/**
 * Provisions a membership (spec, "POST /membership/provision-external"). One transaction matches the buyer, decides, and
 * writes user, membership and event.
 *
 * Concurrent calls for one buyer wait for a lock on the membership's row, so each decides by the row that the previous
 * one wrote. If there is no row or no user yet, the unique keys let one call succeed. The others are retried and find
 * the new row. No part of this needs serializable isolation.
 */
export function provisionMembership(
  db: Database,
  command: ProvisionExternalCommand,
  now: number,
): Promise<ProvisionResult> {
  const provision = async (transaction: Database): Promise<ProvisionResult> => {
    if (!(await isPlanOfCommunity(transaction, command))) return { kind: 'unknown-plan' };
    const buyer = await matchBuyer(transaction, command);
    const { communityId } = command;
    const row = buyer.user && (await lockRow.first(transaction, { userId: buyer.user.id, communityId }));
    const decision = decideProvisioning(row, command, now);
    if (decision.kind === 'repeat') {
      await settleBuyer(transaction, buyer, now);
      return { kind: 'provisioned', status: 'idempotent_return', membership: decision.row };
    }
    if (decision.kind !== 'grant') return decision;

    const userId = await settleBuyer(transaction, buyer, now);
    const membership: MembershipRow = {
      ...(row ?? newMembership({ userId, communityId })),
      ...decision.changes,
      external_order_id: command.externalOrderId,
      // The caller sets the window from now on, so no subscription renews it.
      subscription_id: null,
      subscription_cancelled_at: null,
      // The event of this change already reports the expiry.
      lapse_announced_at: isExpired(decision.changes, now) ? now : null,
    };
    // An address that the user has is never replaced.
    const email = buyer.user?.email ?? undefined;
    await saveMembership(transaction, membership, { isNew: row === undefined, now, email });
    return { kind: 'provisioned', status: decision.status, membership };
  };
  return inTransaction(db, provision, { isolation: 'read committed' });
}

async function isPlanOfCommunity(
  transaction: Database,
  { pricingPlanId, communityId }: ProvisionExternalCommand,
): Promise<boolean> {
  if (pricingPlanId === undefined) return true;
  const plan = await transaction
    .selectFrom('pricing_plans')
    .select('id')
    .where('id', '=', pricingPlanId)
    .where('community_id', '=', communityId)
    .executeTakeFirst();
  return plan !== undefined;
}

/** Returns the buyer's row and locks it until the transaction ends. */
const lockRow = prepareQuery((db, values: { userId: string; communityId: string }) =>
  db
    .updateTable('memberships')
    .set((eb) => ({ valid_from: eb.ref('valid_from') }))
    .where('user_id', '=', values.userId)
    .where('community_id', '=', values.communityId)
    .returningAll(),
);

/**
 * Finds the user with the identifiers, as the community sees them: proven identifiers, and those that its partner supplied
 * before. If they belong to two users, the email address decides and neither user changes. `unclaimed`: identifiers that no user has, as
 * the community sees it.
 */
async function matchBuyer(
  transaction: Database,
  { email, messengerUserId, communityId }: ProvisionExternalCommand,
) {
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
async function settleBuyer(
  transaction: Database,
  { communityId, user, unclaimed }: Awaited<ReturnType<typeof matchBuyer>>,
  now: number,
): Promise<string> {
  const { email, messengerUserId } = unclaimed;
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

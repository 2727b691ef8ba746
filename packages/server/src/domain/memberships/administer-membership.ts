import { randomUUID } from 'node:crypto';
import type { Database } from '../../platform/database/open-database.js';
import { asAdministrator, type CommunityActor } from '../communities/community-access.js';
import { findMembership } from './find-membership.js';
import { matchBuyer, settleBuyer } from './match-buyer.js';
import {
  type AccessWindow,
  decideEnd,
  decideEndNow,
  decideRegrant,
  type MembershipDecision,
} from './membership-change.js';
import { type MembershipRow, saveMembership } from './save-membership.js';
import { cancelSubscription } from './subscription.js';

/** What became of a grant or a change; with the membership, as far as there is one. */
export type MembershipOutcome =
  | { kind: 'granted' | 'changed' | 'unchanged'; membershipId: string }
  | { kind: 'still-running' | 'renewing' | 'no-time'; membershipId: string }
  /** The actor has no role there, or the community no such membership. */
  | { kind: 'unknown' };

/** A change that an administrator makes to a membership. */
export type MembershipChange =
  | { kind: 'set-end'; validUntil: number | null }
  | { kind: 'end-now' }
  | { kind: 'cancel-subscription' };

/**
 * Grants a membership of the community to the person with this address, who is created if there is nobody: as
 * provisioning does. Who had one that has lapsed gets it back, with the new window.
 */
export async function grantMembership(
  db: Database,
  actor: CommunityActor,
  { email, window, now }: { email: string; window: AccessWindow; now: number },
): Promise<MembershipOutcome> {
  const outcome = await asAdministrator(db, actor, async (transaction): Promise<MembershipOutcome> => {
    const userId = await settleBuyer(
      transaction,
      await matchBuyer(transaction, { email, communityId: actor.communityId }),
      now,
    );
    const row = await findMembership(transaction, userId, { communityId: actor.communityId });
    if (row === undefined) {
      const created = newRow({ userId, communityId: actor.communityId }, window);
      await saveMembership(transaction, created, { isNew: true, now });
      return { kind: 'granted', membershipId: created.id };
    }
    const decision = decideRegrant(row, window, now);
    await writeDecision(transaction, decision, now);
    return { kind: decision.kind === 'changed' ? 'granted' : decision.kind, membershipId: row.id };
  });
  return outcome ?? { kind: 'unknown' };
}

/** Makes a change to a membership of the community. */
export async function changeMembership(
  db: Database,
  actor: CommunityActor,
  { membershipId, change, now }: { membershipId: string; change: MembershipChange; now: number },
): Promise<MembershipOutcome> {
  const outcome = await asAdministrator(
    db,
    actor,
    async (transaction): Promise<MembershipOutcome | undefined> => {
      const row = await transaction
        .selectFrom('memberships')
        .selectAll()
        .where('id', '=', membershipId)
        .where('community_id', '=', actor.communityId)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      if (change.kind === 'cancel-subscription') {
        const isCancelled = await cancelSubscription(transaction, row, now);
        return { kind: isCancelled ? 'changed' : 'unchanged', membershipId };
      }
      const decision =
        change.kind === 'end-now' ? decideEndNow(row, now) : decideEnd(row, change.validUntil, now);
      await writeDecision(transaction, decision, now);
      return { kind: decision.kind, membershipId };
    },
  );
  return outcome ?? { kind: 'unknown' };
}

async function writeDecision(
  transaction: Database,
  decision: MembershipDecision,
  now: number,
): Promise<void> {
  if (decision.kind === 'changed') await saveMembership(transaction, decision.row, { isNew: false, now });
}

function newRow(
  { userId, communityId }: { userId: string; communityId: string },
  { validFrom, validUntil }: AccessWindow,
): MembershipRow {
  return {
    id: randomUUID(),
    user_id: userId,
    product_type: 'community',
    community_id: communityId,
    product_id: null,
    valid_from: validFrom,
    valid_until: validUntil,
    pricing_plan_id: null,
    external_order_id: null,
    subscription_id: null,
    subscription_cancelled_at: null,
    lapse_announced_at: null,
  };
}

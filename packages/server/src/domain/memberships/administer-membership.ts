import type { Database } from '../../platform/database/open-database.js';
import { asAdministrator, type CommunityActor } from '../communities/community-access.js';
import {
  decideEnd,
  decideEndNow,
  decideJoin,
  decideRegrant,
  type MembershipChangeDecision,
  newMembership,
} from './membership-change.js';
import type { AccessWindow } from './membership-grant.js';
import { cancelSubscription, findMembership, saveMembership } from './memberships.js';

export type AdministerMembershipResult =
  | { kind: MembershipChangeDecision['kind']; membershipId: string }
  /** The actor does not administer the community, or the community has no such membership. */
  | { kind: 'unknown' };

/** Change that an administrator requests. */
export type MembershipChange =
  | { kind: 'set-end'; validUntil: number | null }
  | { kind: 'end-now' }
  | { kind: 'cancel-subscription' };

/**
 * Grants a membership of the community to a user at once, in the caller's transaction. An expired membership of the user
 * gets the new window.
 */
export async function grantToUser(
  transaction: Database,
  key: CommunityActor,
  { window, now }: { window: AccessWindow; now: number },
): Promise<{ kind: 'granted'; membershipId: string } | { kind: 'still-running' }> {
  const row = await findMembership(transaction, key.userId, { communityId: key.communityId });
  const decision = row && decideRegrant(row, window, now);
  if (row === undefined || decision === undefined) {
    return { kind: 'granted', membershipId: await createMembership(transaction, key, { window, now }) };
  }
  if (decision.kind === 'still-running') return decision;
  await writeDecision(transaction, decision, now);
  return { kind: 'granted', membershipId: row.id };
}

/**
 * Gives an invited user the membership, in the caller's transaction. A running membership is extended and never
 * shortened. `renewing`: a subscription renews it, and nothing changes.
 */
export async function joinCommunity(
  transaction: Database,
  key: CommunityActor,
  { window, now }: { window: AccessWindow; now: number },
): Promise<{ kind: 'renewing' } | undefined> {
  const row = await findMembership(transaction, key.userId, { communityId: key.communityId });
  if (row === undefined) {
    await createMembership(transaction, key, { window, now });
    return undefined;
  }
  const decision = decideJoin(row, window, now);
  if (decision.kind === 'renewing') return decision;
  await writeDecision(transaction, decision, now);
  return undefined;
}

export async function changeMembership(
  db: Database,
  actor: CommunityActor,
  { membershipId, change, now }: { membershipId: string; change: MembershipChange; now: number },
): Promise<AdministerMembershipResult> {
  const result = await asAdministrator(
    db,
    actor,
    async (transaction): Promise<AdministerMembershipResult | undefined> => {
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
  return result ?? { kind: 'unknown' };
}

async function writeDecision(transaction: Database, decision: MembershipChangeDecision, now: number) {
  if (decision.kind === 'changed') await saveMembership(transaction, decision.row, { isNew: false, now });
}

/** Stores the first membership of a user in a community. */
async function createMembership(
  transaction: Database,
  key: CommunityActor,
  { window: { validFrom, validUntil }, now }: { window: AccessWindow; now: number },
): Promise<string> {
  const row = { ...newMembership(key), valid_from: validFrom, valid_until: validUntil };
  await saveMembership(transaction, row, { isNew: true, now });
  return row.id;
}

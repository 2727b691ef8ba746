import { randomUUID } from 'node:crypto';
import type { Database } from '../../platform/database/open-database.js';
import { asAdministrator, type CommunityActor } from '../communities/community-access.js';
import { matchBuyer, settleBuyer } from './match-buyer.js';
import {
  decideEnd,
  decideEndNow,
  decideRegrant,
  type MembershipChangeDecision,
} from './membership-change.js';
import type { AccessWindow } from './membership-grant.js';
import { findMembership, type MembershipRow, saveMembership } from './memberships.js';
import { cancelSubscription } from './subscription.js';

/** Result of a grant or a change by an administrator. */
export type AdministerMembershipResult =
  | {
      kind: 'granted' | MembershipChangeDecision['kind'];
      membershipId: string;
    }
  /** The actor does not administer the community, or the community has no such membership. */
  | { kind: 'unknown' };

/** Change that an administrator requests. */
export type MembershipChange =
  | { kind: 'set-end'; validUntil: number | null }
  | { kind: 'end-now' }
  | { kind: 'cancel-subscription' };

/**
 * Grants a membership of the community to the user with an email address. The user is created if there is none. An
 * expired membership of the user gets the new window.
 */
export async function grantCommunityMembership(
  db: Database,
  actor: CommunityActor,
  { email, window, now }: { email: string; window: AccessWindow; now: number },
): Promise<AdministerMembershipResult> {
  const { communityId } = actor;
  const result = await asAdministrator(
    db,
    actor,
    async (transaction): Promise<AdministerMembershipResult> => {
      const buyer = await matchBuyer(transaction, { email, communityId });
      const userId = await settleBuyer(transaction, buyer, now);
      const row = await findMembership(transaction, userId, { communityId });
      if (row === undefined) {
        const created = newRow({ userId, communityId }, window);
        await saveMembership(transaction, created, { isNew: true, now });
        return { kind: 'granted', membershipId: created.id };
      }
      const decision = decideRegrant(row, window, now);
      await writeDecision(transaction, decision, now);
      return { kind: decision.kind === 'changed' ? 'granted' : decision.kind, membershipId: row.id };
    },
  );
  return result ?? { kind: 'unknown' };
}

/** Changes a membership of the community. */
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

async function writeDecision(
  transaction: Database,
  decision: MembershipChangeDecision,
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

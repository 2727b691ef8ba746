import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../../platform/database/open-database.js';
import { notFound } from '../../platform/http/http-failure.js';
import { asAdministrator, type CommunityActor } from '../communities/community-access.js';
import type { AccessWindow } from './membership.resource.js';
import {
  decideEnd,
  decideEndNow,
  decideJoin,
  decideRegrant,
  grantedMembership,
  type MembershipChangeDecision,
  newMembership,
} from './membership-change.js';
import { type Membership, readMembership, savePeriods } from './membership-periods.js';
import { cancelSubscription, findMembership, saveMembership } from './memberships.js';

export type MembershipChange =
  | { kind: 'set-end'; validUntil: number | null }
  | { kind: 'end-now' }
  | { kind: 'cancel-subscription' };

/** Runs in the caller's transaction. An expired membership gets the new window. */
export async function grantToUser(
  transaction: Database,
  key: CommunityActor,
  { window, now }: { window: AccessWindow; now: number },
): Promise<{ kind: 'granted'; membershipId: string } | { kind: 'still-running' }> {
  const row = await findMembership(transaction, key.userId, { communityId: key.communityId });
  if (row === undefined) {
    const membershipId = await createMembership(transaction, key, { window, source: 'grant', now });
    return { kind: 'granted', membershipId };
  }
  const current = await readMembership(transaction, row, now);
  const decision = decideRegrant(current, window, now);
  if (decision.kind === 'still-running') return decision;
  await writeDecision(transaction, { current, decision }, now);
  return { kind: 'granted', membershipId: row.id };
}

/** Extends a running membership, and never shortens it. `renewing`: a subscription renews it, so nothing changes. */
export async function joinCommunity(
  transaction: Database,
  key: CommunityActor,
  { window, now }: { window: AccessWindow; now: number },
): Promise<{ kind: 'renewing' } | undefined> {
  const row = await findMembership(transaction, key.userId, { communityId: key.communityId });
  if (row === undefined) {
    await createMembership(transaction, key, { window, source: 'invitation', now });
    return undefined;
  }
  const current = await readMembership(transaction, row, now);
  const decision = decideJoin(current, window, now);
  if (decision.kind === 'renewing') return decision;
  await writeDecision(transaction, { current, decision }, now);
  return undefined;
}

/** @throws HttpFailure 404 if the community has no such membership. */
export async function changeMembership(
  db: Database,
  actor: CommunityActor,
  { membershipId, change, now }: { membershipId: string; change: MembershipChange; now: number },
): Promise<MembershipChangeDecision['kind']> {
  return await asAdministrator(db, actor, async (transaction) => {
    const row = await transaction
      .selectFrom('memberships')
      .selectAll()
      .where('id', '=', membershipId)
      .where('community_id', '=', actor.communityId)
      .executeTakeFirst();
    if (row === undefined) throw notFound();
    if (change.kind === 'cancel-subscription')
      return (await cancelSubscription(transaction, row, now)) ? 'changed' : 'unchanged';
    const current = await readMembership(transaction, row, now);
    const decision =
      change.kind === 'end-now' ? decideEndNow(current, now) : decideEnd(current, change.validUntil, now);
    await writeDecision(transaction, { current, decision }, now);
    return decision.kind;
  });
}

/** A change that only adds time under planned periods leaves the row as it is, and records no event. */
export async function writeDecision(
  transaction: Database,
  { current, decision }: { current: Membership; decision: MembershipChangeDecision },
  now: number,
): Promise<void> {
  if (decision.kind !== 'changed') return;
  const periods = { before: current.timeline, after: decision.timeline };
  if (isDeepStrictEqual({ ...decision.row }, { ...current.row }))
    await savePeriods(transaction, decision.row.id, { periods, now });
  else await saveMembership(transaction, decision.row, { isNew: false, now, periods });
}

async function createMembership(
  transaction: Database,
  key: CommunityActor,
  { window, source, now }: { window: AccessWindow; source: 'grant' | 'invitation'; now: number },
): Promise<string> {
  const { row, timeline } = grantedMembership(newMembership(key), { window, source, now });
  await saveMembership(transaction, row, { isNew: true, now, periods: { before: [], after: timeline } });
  return row.id;
}

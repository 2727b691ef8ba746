import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../../platform/database/open-database.js';
import { notFound } from '../../platform/http/http-failure.js';
import { asAdministrator, type CommunityActor } from '../communities/community-access.js';
import { withdrawWhere } from '../communities/roles.js';
import { shownEmail } from '../users/shown-person.js';
import type { AccessWindow } from './membership.resource.js';
import {
  decideEnd,
  decideEndNow,
  decideJoin,
  decideRegrant,
  grantedMembership,
  type MembershipChangeDecision,
} from './membership-change.js';
import { type Membership, readMembership, savePeriods } from './membership-periods.js';
import { cancelSubscription, findMembership, saveMembership } from './memberships.js';

export type MembershipChange =
  | { kind: 'set-end'; validUntil: number | null }
  | { kind: 'end-now' }
  | { kind: 'cancel-subscription' };

/** An invitation extends a running window and never shortens it; a grant leaves it as it is. */
export async function giveAccess(
  transaction: Database,
  key: CommunityActor,
  { window, source, now }: { window: AccessWindow; source: 'grant' | 'invitation'; now: number },
): Promise<{ kind: MembershipChangeDecision['kind']; membershipId: string }> {
  const stored = await findMembership(transaction, key.userId, { communityId: key.communityId });
  if (stored === undefined) {
    const { row, timeline } = grantedMembership(key, { window, source, now });
    await saveMembership(transaction, row, { isNew: true, now, periods: { before: [], after: timeline } });
    return { kind: 'changed', membershipId: row.id };
  }
  const current = await readMembership(transaction, stored, now);
  const decision = (source === 'grant' ? decideRegrant : decideJoin)(current, window, now);
  await writeDecision(transaction, { current, decision }, now);
  return { kind: decision.kind, membershipId: stored.id };
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
    if (change.kind === 'end-now' && decision.kind === 'changed')
      await withdrawInvitations(transaction, { userId: row.user_id, communityId: actor.communityId });
    return decision.kind;
  });
}

/** Otherwise an earlier invitation could restore what the seller ended. Only the address that the seller sees counts. */
async function withdrawInvitations(transaction: Database, { userId, communityId }: CommunityActor) {
  await withdrawWhere(transaction, (eb) =>
    eb.and([
      eb('community_id', '=', communityId),
      eb('kind', '=', 'membership'),
      eb(
        'email',
        'in',
        eb
          .selectFrom('users')
          .leftJoin('community_emails as link', (join) =>
            join.onRef('link.user_id', '=', 'users.id').on('link.community_id', '=', communityId),
          )
          .select(shownEmail)
          .where('users.id', '=', userId),
      ),
    ]),
  );
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

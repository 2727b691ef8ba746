import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { recordAudit } from '../audit/audit.js';
import type { CommunityActor } from '../communities/community-access.js';
import { assignRole, countRolesOf, ROLES_MAX_PER_USER } from '../communities/roles.js';
import { joinCommunity } from '../memberships/administer-membership.js';
import { confirmPerson } from '../memberships/claims.js';
import { findUser } from '../users/users.js';
import { DECLINE_BLOCK_MS, type InvitationRow, isOpen, offerOf } from './invitation.js';

export interface InvitationKey {
  id: string;
  userId: string;
}

export type AcceptInvitationResult =
  | { kind: 'accepted' }
  /** A subscription renews the user's membership and must be cancelled first. */
  | { kind: 'renewing' }
  | { kind: 'too-many-roles'; max: number }
  /** The invitation isn't open, or is for another address. */
  | { kind: 'unknown' };

/**
 * Accepts an invitation to the user's email address. Deletes it and stores the membership or role in one transaction.
 */
export async function acceptInvitation(
  db: Database,
  key: InvitationKey,
  now: number,
): Promise<AcceptInvitationResult> {
  return await inTransaction(db, async (transaction): Promise<AcceptInvitationResult> => {
    const invitation = await findOpen(transaction, key, now);
    if (invitation === undefined) return { kind: 'unknown' };
    const refusal = await apply(transaction, { invitation, userId: key.userId, now });
    if (refusal !== undefined) return refusal;
    await transaction.deleteFrom('invitations').where('id', '=', invitation.id).execute();
    const { id: subjectId, community_id: communityId } = invitation;
    await recordAudit(transaction, { action: 'invitation.accept', subjectId, communityId });
    await confirmPerson(transaction, { communityId, userId: key.userId }, now);
    return { kind: 'accepted' };
  });
}

/**
 * Declines an invitation. The row stays until the block ends. Returns false if the user has no such open invitation.
 */
export async function declineInvitation(db: Database, key: InvitationKey, now: number): Promise<boolean> {
  return await inTransaction(db, async (transaction) => {
    const invitation = await findOpen(transaction, key, now);
    if (invitation === undefined) return false;
    await transaction
      .updateTable('invitations')
      .set({ declined_at: now, expires_at: now + DECLINE_BLOCK_MS })
      .where('id', '=', invitation.id)
      .execute();
    const { id: subjectId, community_id: communityId } = invitation;
    await recordAudit(transaction, { action: 'invitation.decline', subjectId, communityId });
    return true;
  });
}

async function apply(
  transaction: Database,
  { invitation, userId, now }: { invitation: InvitationRow; userId: string; now: number },
): Promise<AcceptInvitationResult | undefined> {
  const communityId = invitation.community_id;
  const offer = offerOf(invitation);
  if (offer.kind === 'membership') {
    // Access starts with the acceptance at the earliest, even if the seller typed an earlier start.
    const window = { validFrom: Math.max(offer.validFrom, now), validUntil: offer.validUntil };
    return await joinCommunity(transaction, { userId, communityId }, { window, now });
  }
  const sender = await findRole(transaction, { communityId, userId: invitation.invited_by });
  if (sender?.role !== 'OWNER' || sender.is_active === 0) return { kind: 'unknown' };
  const own = await findRole(transaction, { communityId, userId });
  // An admin becomes an owner, and an inactive owner becomes active again. An invitation never takes anything away.
  if (own !== undefined && (offer.role === 'ADMIN' || (own.role === 'OWNER' && own.is_active === 1)))
    return undefined;
  if (own === undefined && (await countRolesOf(transaction, userId)) >= ROLES_MAX_PER_USER) {
    return { kind: 'too-many-roles', max: ROLES_MAX_PER_USER };
  }
  await assignRole(transaction, { communityId, userId, role: offer.role, isActive: true });
  return undefined;
}

async function findOpen(transaction: Database, { id, userId }: InvitationKey, now: number) {
  // A session proves the address: the user signed in with a code sent to it.
  const email = (await findUser(transaction, userId))?.email ?? null;
  if (email === null) return undefined;
  return await transaction
    .selectFrom('invitations')
    .selectAll()
    .where('id', '=', id)
    .where('email', '=', email)
    .where((eb) => isOpen(eb, now))
    .executeTakeFirst();
}

async function findRole(transaction: Database, { communityId, userId }: CommunityActor) {
  return await transaction
    .selectFrom('community_roles')
    .select(['role', 'is_active'])
    .where('community_id', '=', communityId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

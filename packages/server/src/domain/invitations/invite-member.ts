import type { Database } from '../../platform/database/open-database.js';
import { asAdministrator, type CommunityActor } from '../communities/community-access.js';
import { grantToUser } from '../memberships/administer-membership.js';
import type { AccessWindow } from '../memberships/membership-grant.js';
import { hasRunningMember } from '../memberships/membership-list.js';
import { findUser } from '../users/users.js';
import { type SendInvitationResult, sendInvitation } from './send-invitation.js';

/** Result of {@link inviteMember}. */
export type InviteMemberResult =
  | SendInvitationResult
  /** The actor's own membership, which counts at once. */
  | { kind: 'granted'; membershipId: string }
  /** A member of the community with this address has an active or upcoming membership. */
  | { kind: 'still-running' }
  /** The actor does not administer the community. */
  | { kind: 'unknown' };

/**
 * Invites the holder of an email address to a membership of the community. The membership counts once the holder accepts.
 * A grant to the actor's own address counts at once.
 */
export async function inviteMember(
  db: Database,
  actor: CommunityActor,
  { email, window, now }: { email: string; window: AccessWindow; now: number },
): Promise<InviteMemberResult> {
  const { communityId, userId } = actor;
  const result = await asAdministrator(db, actor, async (transaction): Promise<InviteMemberResult> => {
    if ((await findUser(transaction, userId))?.email === email) {
      return await grantToUser(transaction, { userId, communityId }, { window, now });
    }
    if (await hasRunningMember(transaction, { communityId }, { email, now }))
      return { kind: 'still-running' };
    return await sendInvitation(transaction, actor, { email, offer: { kind: 'membership', ...window }, now });
  });
  return result ?? { kind: 'unknown' };
}

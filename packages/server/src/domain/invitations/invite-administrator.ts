import type { Database } from '../../platform/database/open-database.js';
import type { CommunityRole } from '../communities/community.js';
import { asAdministrator, type CommunityActor } from '../communities/community-access.js';
import { ROLES_MAX_PER_COMMUNITY } from '../communities/roles.js';
import { type SendInvitationResult, sendInvitation } from './send-invitation.js';

/** Result of {@link inviteAdministrator}. */
export type InviteAdministratorResult =
  | SendInvitationResult
  /** The actor is not an active owner. */
  | { kind: 'not-owner' }
  /** An administrator of the community has this address. */
  | { kind: 'already' }
  | { kind: 'too-many-roles'; max: number };

/**
 * Invites the holder of an email address to a role. The role counts once the holder accepts. `undefined` if the actor
 * does not administer the community.
 */
export async function inviteAdministrator(
  db: Database,
  actor: CommunityActor,
  { email, role, now }: { email: string; role: CommunityRole; now: number },
): Promise<InviteAdministratorResult | undefined> {
  return await asAdministrator(
    db,
    actor,
    async (transaction, community): Promise<InviteAdministratorResult> => {
      if (community.role !== 'OWNER') return { kind: 'not-owner' };
      const { communityId } = actor;
      if (await hasRole(transaction, { communityId, email })) return { kind: 'already' };
      if ((await countRoles(transaction, { communityId, now })) >= ROLES_MAX_PER_COMMUNITY) {
        return { kind: 'too-many-roles', max: ROLES_MAX_PER_COMMUNITY };
      }
      return await sendInvitation(transaction, actor, { email, offer: { kind: 'role', role }, now });
    },
  );
}

async function hasRole(
  transaction: Database,
  { communityId, email }: { communityId: string; email: string },
): Promise<boolean> {
  const row = await transaction
    .selectFrom('community_roles')
    .innerJoin('users', 'users.id', 'community_roles.user_id')
    .select('users.id')
    .where('community_roles.community_id', '=', communityId)
    .where('users.email', '=', email)
    .executeTakeFirst();
  return row !== undefined;
}

/** Counts the roles of a community and its invitations to roles. */
async function countRoles(
  transaction: Database,
  { communityId, now }: { communityId: string; now: number },
): Promise<number> {
  const roles = await transaction
    .selectFrom('community_roles')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('community_id', '=', communityId)
    .executeTakeFirstOrThrow();
  const invitations = await transaction
    .selectFrom('invitations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('community_id', '=', communityId)
    .where('kind', '=', 'role')
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return Number(roles.count) + Number(invitations.count);
}

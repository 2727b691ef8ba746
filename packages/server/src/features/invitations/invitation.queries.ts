import { DAY_MS } from '@latchkey/contract/constants';
import type { Row, Schema } from '../../migrations/schema.js';
import type { ExpressionBuilder } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { type Position, readPage } from '../../platform/database/rows.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { recordAudit } from '../audit/audit.js';
import { asAdministrator, type CommunityActor } from '../communities/community-access.js';
import { isActiveOwner } from '../communities/role-change.js';
import { assignRole, countRolesOf, findHolder, ROLES_MAX_PER_USER } from '../communities/roles.js';
import { giveAccess } from '../memberships/administer-membership.js';
import { confirmPerson } from '../memberships/claims.js';
import { findUser } from '../users/users.js';

/** How long an invitation can be accepted, in milliseconds. A forgotten one must not count forever. */
export const INVITATION_LIFETIME_MS = 90 * DAY_MS;

/** How long after a decline the community can't invite the address again, in milliseconds. */
const DECLINE_BLOCK_MS = 90 * DAY_MS;

/** How many invitations one sender can have to one address. Declined ones count until their block ends. */
export const INVITATIONS_MAX_PER_SENDER = 3;

/** How many open invitations one address can have: about as many as a person can read and answer. */
export const INVITATIONS_MAX_PER_ADDRESS = 30;

/** How many membership invitations a community can have. Declined ones count until their block ends. */
export const INVITATIONS_MAX_PER_COMMUNITY = 500;

export type Offered = Pick<SentInvitation, 'role' | 'validUntil'>;

export async function listSentInvitations(
  db: Database,
  { communityId, kind, now }: { communityId: string; kind: Row<'invitations'>['kind']; now: number },
  after?: Position | undefined,
) {
  const sent = db
    .selectFrom('invitations')
    .select(['id', 'email', 'role', 'valid_until as validUntil'])
    .select(['created_at as createdAt', 'expires_at as expiresAt', 'declined_at as declinedAt'])
    .where('community_id', '=', communityId)
    .where('kind', '=', kind)
    .where('expires_at', '>', now);
  return await readPage(sent, { by: ['created_at', 'id'], direction: 'desc', after }, (row) => row);
}

/** All it says about the person is what the seller typed. `expiresAt` can be the end of the block after a decline. */
export type SentInvitation = Awaited<ReturnType<typeof listSentInvitations>>['rows'][number];

/** Lists them newest first. An invitation to a role counts only if its sender is still an active owner. */
export async function listReceivedInvitations(db: Database, email: string | null, now: number) {
  if (email === null) return [];
  return await db
    .selectFrom('invitations')
    .innerJoin('communities', 'communities.id', 'invitations.community_id')
    .innerJoin('users as sender', 'sender.id', 'invitations.invited_by')
    .select(['invitations.id', 'communities.name as communityName', 'sender.email as senderEmail'])
    .select(['invitations.role', 'invitations.valid_until as validUntil'])
    .where('invitations.email', '=', email)
    .where((eb) => isOpen(eb, now))
    .where(isOffered)
    .orderBy('invitations.created_at', 'desc')
    .orderBy('invitations.id')
    .limit(INVITATIONS_MAX_PER_ADDRESS)
    .execute();
}

/** The seller wrote the community's name; the sender's address is verified. */
export type ReceivedInvitation = Awaited<ReturnType<typeof listReceivedInvitations>>[number];

/** Only an owner can withdraw an invitation to a role. A declined one stays, since it blocks new ones. */
export async function withdrawInvitation(
  db: Database,
  actor: CommunityActor,
  { id, now }: { id: string; now: number },
): Promise<'withdrawn' | 'not-owner' | 'unknown'> {
  return await asAdministrator(db, actor, async (transaction, community) => {
    const row = await transaction
      .selectFrom('invitations')
      .select('kind')
      .where('id', '=', id)
      .where('community_id', '=', community.id)
      .where((eb) => isOpen(eb, now))
      .executeTakeFirst();
    if (row === undefined) return 'unknown';
    if (row.kind === 'role' && community.role !== 'OWNER') return 'not-owner';
    await transaction.deleteFrom('invitations').where('id', '=', id).execute();
    const communityId = community.id;
    await recordAudit(transaction, { action: 'invitation.withdraw', subjectId: id, communityId });
    return 'withdrawn';
  });
}

interface InvitationKey {
  id: string;
  userId: string;
}

type AcceptInvitationResult =
  | { kind: 'accepted' }
  /** A subscription renews the user's membership and must be cancelled first. */
  | { kind: 'renewing' }
  | { kind: 'too-many-roles'; max: number }
  /** The invitation isn't open, or is for another address. */
  | { kind: 'unknown' };

/** Deletes the invitation and stores the membership or role, in one transaction. */
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

/** The row stays until the block ends. Returns false if the user has no such open invitation. */
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
  { invitation, userId, now }: { invitation: Row<'invitations'>; userId: string; now: number },
): Promise<AcceptInvitationResult | undefined> {
  const { community_id: communityId, role } = invitation;
  if (role === null) {
    // Access starts with the acceptance at the earliest, even if the seller typed an earlier start.
    const window = {
      validFrom: Math.max(invitation.valid_from ?? 0, now),
      validUntil: invitation.valid_until,
    };
    const { kind } = await giveAccess(
      transaction,
      { userId, communityId },
      { window, source: 'invitation', now },
    );
    return kind === 'renewing' ? { kind } : undefined;
  }
  const sender = await findHolder(transaction, { communityId, userId: invitation.invited_by });
  if (sender === undefined || !isActiveOwner(sender)) return { kind: 'unknown' };
  const own = await findHolder(transaction, { communityId, userId });
  // An admin becomes an owner, and an inactive owner becomes active again. An invitation never takes anything away.
  if (own !== undefined && (role === 'ADMIN' || isActiveOwner(own))) return undefined;
  if (own === undefined && (await countRolesOf(transaction, userId)) >= ROLES_MAX_PER_USER) {
    return { kind: 'too-many-roles', max: ROLES_MAX_PER_USER };
  }
  await assignRole(transaction, { communityId, userId, role, isActive: true });
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

/** Condition: the sender can still offer it. Otherwise a removed owner could come back through another account. */
export function isOffered(eb: ExpressionBuilder<Schema, 'invitations'>) {
  const sendersRole = eb
    .selectFrom('community_roles')
    .select('community_roles.user_id')
    .whereRef('community_roles.community_id', '=', 'invitations.community_id')
    .whereRef('community_roles.user_id', '=', 'invitations.invited_by')
    .where('community_roles.role', '=', 'OWNER')
    .where('community_roles.is_active', '=', 1);
  return eb.or([eb('invitations.kind', '=', 'membership'), eb.exists(sendersRole)]);
}

export function isOpen(eb: ExpressionBuilder<Schema, 'invitations'>, now: number) {
  return eb.and([eb('invitations.declined_at', 'is', null), eb('invitations.expires_at', '>', now)]);
}

import type { Database } from '../../platform/database/open-database.js';
import { type Position, readPage } from '../../platform/database/rows.js';
import { recordAudit } from '../audit/audit.js';
import { asAdministrator, type CommunityActor } from '../communities/community-access.js';
import {
  INVITATIONS_MAX_PER_ADDRESS,
  type InvitationOffer,
  isOffered,
  isOpen,
  offerOf,
} from './invitation.js';

/** Lists one page of a community's unexpired invitations, newest first. */
export async function listSentInvitations(
  db: Database,
  { communityId, kind, now }: { communityId: string; kind: InvitationOffer['kind']; now: number },
  after?: Position | undefined,
) {
  const sent = db
    .selectFrom('invitations')
    .select(['id', 'email', 'role', 'valid_from', 'valid_until'])
    .select(['created_at as createdAt', 'expires_at as expiresAt', 'declined_at as declinedAt'])
    .where('community_id', '=', communityId)
    .where('kind', '=', kind)
    .where('expires_at', '>', now);
  return await readPage(sent, { by: ['created_at', 'id'], direction: 'desc', after }, withOffer);
}

/**
 * An invitation in the seller's list. All it says about the person is the address that the seller typed. `expiresAt` is
 * when it can no longer be accepted, or when the block after a decline ends.
 */
export type SentInvitation = Awaited<ReturnType<typeof listSentInvitations>>['rows'][number];

function withOffer<Row extends Parameters<typeof offerOf>[0]>(row: Row) {
  const { role: _role, valid_from: _from, valid_until: _until, ...invitation } = row;
  return { ...invitation, offer: offerOf(row) };
}

/**
 * Lists the open invitations to an email address, newest first. An invitation to a role counts only if its sender is
 * still an active owner.
 */
export async function listReceivedInvitations(db: Database, email: string | null, now: number) {
  if (email === null) return [];
  const rows = await db
    .selectFrom('invitations')
    .innerJoin('communities', 'communities.id', 'invitations.community_id')
    .innerJoin('users as sender', 'sender.id', 'invitations.invited_by')
    .select(['invitations.id', 'communities.name as communityName', 'sender.email as senderEmail'])
    .select(['invitations.role', 'invitations.valid_from', 'invitations.valid_until'])
    .where('invitations.email', '=', email)
    .where((eb) => isOpen(eb, now))
    .where(isOffered)
    .orderBy('invitations.created_at', 'desc')
    .orderBy('invitations.id')
    .limit(INVITATIONS_MAX_PER_ADDRESS)
    .execute();
  return rows.map((row) => withOffer(row));
}

/**
 * An invitation in the invited person's list. The community's name was written by the seller; the sender's address is
 * verified.
 */
export type ReceivedInvitation = Awaited<ReturnType<typeof listReceivedInvitations>>[number];

/**
 * Withdraws an open invitation of the community. Only an owner can withdraw an invitation to a role. A declined
 * invitation can't be withdrawn, since it blocks new ones.
 */
export async function withdrawInvitation(
  db: Database,
  actor: CommunityActor,
  { id, now }: { id: string; now: number },
): Promise<{ kind: 'withdrawn' | 'not-owner' | 'unknown' }> {
  const kind = await asAdministrator(db, actor, async (transaction, community) => {
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
  return { kind: kind ?? 'unknown' };
}

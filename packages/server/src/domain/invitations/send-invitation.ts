import { randomUUID } from 'node:crypto';
import type { Database } from '../../platform/database/open-database.js';
import type { CommunityActor } from '../communities/community-access.js';
import {
  expiryOf,
  INVITATIONS_MAX_PER_ADDRESS,
  INVITATIONS_MAX_PER_COMMUNITY,
  INVITATIONS_MAX_PER_SENDER,
  type InvitationOffer,
  isOffered,
  isOpen,
} from './invitation.js';
import { queueInvitationMail } from './queue-invitation-mail.js';

/** Result of {@link sendInvitation}. Only `invited` writes anything. None of them depends on accounts. */
export type SendInvitationResult =
  | { kind: 'invited' }
  /** The community has already invited the address. */
  | { kind: 'already-invited' }
  /** The address declined an invitation of the community. It can be invited again from `until` on. */
  | { kind: 'declined'; until: number }
  | { kind: 'too-many'; of: 'sender' | 'address' | 'community'; max: number };

/**
 * Stores an invitation and queues its mail in the caller's serializable transaction, which also checked the sender's role. It
 * reads no user and no other seller's data except counts, so the result is the same if the address has an account or not.
 */
export async function sendInvitation(
  transaction: Database,
  { communityId, userId }: CommunityActor,
  { email, offer, now }: { email: string; offer: InvitationOffer; now: number },
): Promise<SendInvitationResult> {
  const current = await transaction
    .selectFrom('invitations')
    .selectAll()
    .where('community_id', '=', communityId)
    .where('kind', '=', offer.kind)
    .where('email', '=', email)
    .executeTakeFirst();
  if (current !== undefined && current.expires_at > now) {
    return current.declined_at === null
      ? { kind: 'already-invited' }
      : { kind: 'declined', until: current.expires_at };
  }
  if (current !== undefined) {
    await transaction.deleteFrom('invitations').where('id', '=', current.id).execute();
  }
  const excess = await findExcess(transaction, { communityId, userId, email, now });
  if (excess !== undefined) return { kind: 'too-many', ...excess };
  const id = randomUUID();
  await transaction
    .insertInto('invitations')
    .values({
      id,
      community_id: communityId,
      email,
      kind: offer.kind,
      role: offer.kind === 'role' ? offer.role : null,
      valid_from: offer.kind === 'membership' ? offer.validFrom : null,
      valid_until: offer.kind === 'membership' ? offer.validUntil : null,
      invited_by: userId,
      created_at: now,
      expires_at: expiryOf(offer, now),
      declined_at: null,
    })
    .execute();
  await queueInvitationMail(transaction, { id, email, communityId, senderId: userId }, now);
  return { kind: 'invited' };
}

/** Returns the limit that one more invitation would exceed. */
async function findExcess(
  transaction: Database,
  { communityId, userId, email, now }: CommunityActor & { email: string; now: number },
): Promise<{ of: 'sender' | 'address' | 'community'; max: number } | undefined> {
  const running = transaction
    .selectFrom('invitations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('expires_at', '>', now);
  const ofSender = await running
    .where('invited_by', '=', userId)
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  if (Number(ofSender.count) >= INVITATIONS_MAX_PER_SENDER) {
    return { of: 'sender', max: INVITATIONS_MAX_PER_SENDER };
  }
  const ofAddress = await running
    .where('email', '=', email)
    .where((eb) => isOpen(eb, now))
    // The person can answer only those, and must be able to make room.
    .where(isOffered)
    .executeTakeFirstOrThrow();
  if (Number(ofAddress.count) >= INVITATIONS_MAX_PER_ADDRESS) {
    return { of: 'address', max: INVITATIONS_MAX_PER_ADDRESS };
  }
  const ofCommunity = await running.where('community_id', '=', communityId).executeTakeFirstOrThrow();
  if (Number(ofCommunity.count) >= INVITATIONS_MAX_PER_COMMUNITY) {
    return { of: 'community', max: INVITATIONS_MAX_PER_COMMUNITY };
  }
  return undefined;
}

import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '@latchkey/contract/constants';
import type { Database } from '../../platform/database/open-database.js';
import { countRows } from '../../platform/database/rows.js';
import { recordAudit } from '../audit/audit.js';
import { type Budget, mailboxOf, useBudgets } from '../budgets/budgets.js';
import type { CommunityRole } from '../communities/community.resource.js';
import { asAdministrator, type CommunityActor } from '../communities/community-access.js';
import { isActiveOwner } from '../communities/role-change.js';
import { findHolder, ROLES_MAX_PER_COMMUNITY } from '../communities/roles.js';
import { queueMail } from '../mail/mail-outbox.js';
import { giveAccess } from '../memberships/administer-membership.js';
import type { AccessWindow } from '../memberships/membership.resource.js';
import { hasRunningMember } from '../memberships/membership-list.js';
import { findUser, findUserByEmail } from '../users/users.js';
import {
  INVITATION_LIFETIME_MS,
  INVITATIONS_MAX_PER_ADDRESS,
  INVITATIONS_MAX_PER_COMMUNITY,
  INVITATIONS_MAX_PER_SENDER,
  isOffered,
  isOpen,
} from './invitation.queries.js';
import { hasOptedOut } from './invitation-opt-out.js';

/** How old an account must be to no longer count as a new sender, in milliseconds. */
const NEW_SENDER_MS = 7 * DAY_MS;

/** Without limits, a stranger could flood a mailbox. The sender's own run out before the ones shared with others. */
function budgetsOf(
  { communityId, userId: senderId }: CommunityActor,
  { email, isNew }: { email: string; isNew: boolean },
): Budget[] {
  const mailbox = mailboxOf(email);
  const budget = (counted: string[], limit: number, periodMs: number): Budget => ({
    counted: ['invitation mails', ...counted],
    limit,
    periodMs,
  });
  return [
    // You correct an invitation by withdrawing it and inviting again. That must not repeat the mail at will.
    budget(['community and mailbox', communityId, mailbox], 2, 30 * DAY_MS),
    budget(['sender and mailbox', senderId, mailbox], 2, DAY_MS),
    budget(['sender', senderId], 50, DAY_MS),
    budget(['mailbox', mailbox], 3, DAY_MS),
    // Anyone can create many accounts today. They can't use up what last week's sellers need.
    isNew ? budget(['new senders'], 300, HOUR_MS) : budget(['senders'], 1000, HOUR_MS),
  ];
}

/** Sends no mail if the mailbox has opted out or a limit is reached. The sender isn't told: that concerns others. */
async function queueInvitationMail(
  transaction: Database,
  sender: CommunityActor,
  { id, email, now }: { id: string; email: string; now: number },
): Promise<void> {
  if (await hasOptedOut(transaction, email)) return;
  const { created_at } = await transaction
    .selectFrom('users')
    .select('created_at')
    .where('id', '=', sender.userId)
    .executeTakeFirstOrThrow();
  const isNew = created_at > now - NEW_SENDER_MS;
  const use = await useBudgets(transaction, budgetsOf(sender, { email, isNew }), now);
  if (use.kind === 'exhausted') return;
  await queueMail(transaction, { kind: 'invitation', subjectId: id, to: email, facts: {} }, now);
}

/** What to invite to: a role, or the time of a membership. */
interface NewOffer {
  readonly role: CommunityRole | null;
  readonly validFrom: number | null;
  readonly validUntil: number | null;
}

/** Result of {@link sendInvitation}. Only `invited` writes anything. No result reveals whether there is an account. */
export type SendInvitationResult =
  | { kind: 'invited'; id: string }
  | { kind: 'already-invited' }
  /** The address declined an invitation from the community. It can be invited again from `until` on. */
  | { kind: 'declined'; until: number }
  | { kind: 'too-many'; of: 'sender' | 'address' | 'community'; max: number };

/**
 * Stores an invitation and queues its mail, in the caller's serializable transaction, which also checked the sender's
 * role. It reads no user except for the mail's language, and other sellers' data only as counts. The result is the same
 * whether or not the address has an account.
 */
async function sendInvitation(
  transaction: Database,
  { communityId, userId }: CommunityActor,
  { email, offer, now }: { email: string; offer: NewOffer; now: number },
): Promise<SendInvitationResult> {
  const { role, validFrom: valid_from, validUntil: valid_until } = offer;
  const kind = role === null ? 'membership' : 'role';
  const current = await transaction
    .selectFrom('invitations')
    .selectAll()
    .where('community_id', '=', communityId)
    .where('kind', '=', kind)
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
      ...{ kind, role, valid_from, valid_until },
      invited_by: userId,
      created_at: now,
      expires_at: Math.min(valid_until ?? Number.POSITIVE_INFINITY, now + INVITATION_LIFETIME_MS),
    })
    .execute();
  await recordAudit(transaction, {
    action: 'invitation.create',
    subjectId: id,
    communityId,
    details: { kind },
  });
  await queueInvitationMail(transaction, { communityId, userId }, { id, email, now });
  return { kind: 'invited', id };
}

async function findExcess(
  transaction: Database,
  { communityId, userId, email, now }: CommunityActor & { email: string; now: number },
): Promise<{ of: 'sender' | 'address' | 'community'; max: number } | undefined> {
  const running = transaction.selectFrom('invitations').where('expires_at', '>', now);
  const toAddress = running.where('email', '=', email);
  if ((await countRows(toAddress.where('invited_by', '=', userId))) >= INVITATIONS_MAX_PER_SENDER) {
    return { of: 'sender', max: INVITATIONS_MAX_PER_SENDER };
  }
  // The person can only answer these, and must be able to make room.
  const answerable = toAddress.where((eb) => isOpen(eb, now)).where(isOffered);
  if ((await countRows(answerable)) >= INVITATIONS_MAX_PER_ADDRESS) {
    return { of: 'address', max: INVITATIONS_MAX_PER_ADDRESS };
  }
  if ((await countRows(running.where('community_id', '=', communityId))) >= INVITATIONS_MAX_PER_COMMUNITY) {
    return { of: 'community', max: INVITATIONS_MAX_PER_COMMUNITY };
  }
  return undefined;
}

export type InviteAdministratorResult =
  | SendInvitationResult
  | { kind: 'not-owner' }
  /** The holder of this address already has the role, or is an owner. */
  | { kind: 'already' }
  | { kind: 'too-many-roles'; max: number };

/** The role counts once the holder accepts, even if an admin is to become an owner. */
export async function inviteAdministrator(
  db: Database,
  actor: CommunityActor,
  { email, role, now }: { email: string; role: CommunityRole; now: number },
): Promise<InviteAdministratorResult> {
  return await asAdministrator(db, actor, async (transaction, community) => {
    if (community.role !== 'OWNER') return { kind: 'not-owner' };
    const { communityId } = actor;
    const user = await findUserByEmail(transaction, email);
    const own = user && (await findHolder(transaction, { communityId, userId: user.id }));
    if (own !== undefined && (role === 'ADMIN' || isActiveOwner(own))) return { kind: 'already' };
    if (
      own === undefined &&
      (await countRoles(transaction, { communityId, now })) >= ROLES_MAX_PER_COMMUNITY
    ) {
      return { kind: 'too-many-roles', max: ROLES_MAX_PER_COMMUNITY };
    }
    return await sendInvitation(transaction, actor, {
      email,
      offer: { role, validFrom: null, validUntil: null },
      now,
    });
  });
}

/** This always needs the holder's acceptance. `no-address`: there is no address to send the invitation to. */
export async function inviteHolderAsOwner(
  db: Database,
  actor: CommunityActor,
  { userId, now }: { userId: string; now: number },
): Promise<InviteAdministratorResult | { kind: 'no-address' }> {
  const email = (await findUser(db, userId))?.email ?? null;
  if (email === null) return { kind: 'no-address' };
  return await inviteAdministrator(db, actor, { email, role: 'OWNER', now });
}

async function countRoles(transaction: Database, { communityId, now }: { communityId: string; now: number }) {
  const roles = transaction.selectFrom('community_roles').where('community_id', '=', communityId);
  const invitations = transaction.selectFrom('invitations').where('community_id', '=', communityId);
  const running = invitations.where('kind', '=', 'role').where('expires_at', '>', now);
  return (await countRows(roles)) + (await countRows(running));
}

export type InviteMemberResult =
  | SendInvitationResult
  /** The actor's own membership, which counts at once. */
  | { kind: 'granted'; membershipId: string }
  | { kind: 'past' }
  /** A member of the community with this address has an active or upcoming membership. */
  | { kind: 'still-running' };

/** The membership counts once the holder accepts. A grant to the actor's own address counts at once. */
export async function inviteMember(
  db: Database,
  actor: CommunityActor,
  { email, window, now }: { email: string; window: AccessWindow; now: number },
): Promise<InviteMemberResult> {
  const { communityId, userId } = actor;
  return await asAdministrator(db, actor, async (transaction) => {
    if (window.validUntil !== null && window.validUntil <= now) return { kind: 'past' };
    if ((await findUser(transaction, userId))?.email === email) {
      const given = await giveAccess(transaction, { userId, communityId }, { window, source: 'grant', now });
      return given.kind === 'changed' ? { ...given, kind: 'granted' } : { kind: 'still-running' };
    }
    if (await hasRunningMember(transaction, { communityId }, { email, now }))
      return { kind: 'still-running' };
    return await sendInvitation(transaction, actor, { email, offer: { role: null, ...window }, now });
  });
}

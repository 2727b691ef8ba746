import { DAY_MS } from '@latchkey/contract/constants';
import type { Row, Schema } from '../../migrations/schema.js';
import type { ExpressionBuilder } from '../../platform/database/kysely.js';
import type { CommunityRole } from '../communities/community.resource.js';

/** How long an invitation can be accepted, in milliseconds. A forgotten one must not count forever. */
const INVITATION_LIFETIME_MS = 90 * DAY_MS;

/** How long after a decline the community can't invite the address again, in milliseconds. */
export const DECLINE_BLOCK_MS = 90 * DAY_MS;

/** How many invitations one sender can have to one address. Declined ones count until their block ends. */
export const INVITATIONS_MAX_PER_SENDER = 3;

/** How many open invitations one address can have: about as many as a person can read and answer. */
export const INVITATIONS_MAX_PER_ADDRESS = 30;

/** How many membership invitations a community can have. Declined ones count until their block ends. */
export const INVITATIONS_MAX_PER_COMMUNITY = 500;

export type InvitationRow = Row<'invitations'>;

export type InvitationOffer =
  | { kind: 'membership'; validFrom: number; validUntil: number | null }
  | { kind: 'role'; role: CommunityRole };

export function offerOf(row: Pick<InvitationRow, 'role' | 'valid_from' | 'valid_until'>): InvitationOffer {
  return row.role === null
    ? { kind: 'membership', validFrom: row.valid_from ?? 0, validUntil: row.valid_until }
    : { kind: 'role', role: row.role };
}

/** Returns when a new invitation can no longer be accepted, in milliseconds since the epoch. */
export function expiryOf(offer: InvitationOffer, now: number): number {
  const end = offer.kind === 'membership' ? offer.validUntil : null;
  return Math.min(end ?? Number.POSITIVE_INFINITY, now + INVITATION_LIFETIME_MS);
}

/**
 * Condition: the sender can still offer it. A role needs a sender who is an active owner, or a removed owner could come
 * back through another account.
 */
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

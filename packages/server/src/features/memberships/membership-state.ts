import type { Schema } from '../../migrations/schema.js';
import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from '../../platform/database/kysely.js';

/** `active` includes the start and excludes the end. A membership without an end never expires. */
export type MembershipState = 'upcoming' | 'active' | 'expired';

export function membershipState(
  { validFrom, validUntil }: { validFrom: number; validUntil: number | null },
  now: number,
): MembershipState {
  if (validUntil !== null && validUntil <= now) return 'expired';
  return validFrom <= now ? 'active' : 'upcoming';
}

export function isActive(row: { valid_from: number; valid_until: number | null }, now: number): boolean {
  return membershipState({ validFrom: row.valid_from, validUntil: row.valid_until }, now) === 'active';
}

export function isExpired({ valid_until }: { valid_until: number | null }, now: number): boolean {
  return membershipState({ validFrom: -Infinity, validUntil: valid_until }, now) === 'expired';
}

export function isRenewing({
  subscription_id,
  subscription_cancelled_at,
}: {
  subscription_id: string | null;
  subscription_cancelled_at: number | null;
}): boolean {
  return subscription_id !== null && subscription_cancelled_at === null;
}

type Memberships = ExpressionBuilder<Schema, 'memberships'>;
type Condition = ExpressionWrapper<Schema, 'memberships', SqlBool>;

/** The same rules in SQL, as conditions for `where`. */
export const membershipSql = {
  isActive: (eb: Memberships, now: number): Condition =>
    eb.and([eb('memberships.valid_from', '<=', now), membershipSql.isNotExpired(eb, now)]),

  isExpired: (eb: Memberships, now: number): Condition => eb('memberships.valid_until', '<=', now),

  isNotExpired: (eb: Memberships, now: number): Condition =>
    eb.or([eb('memberships.valid_until', 'is', null), eb('memberships.valid_until', '>', now)]),

  isNotRenewing: (eb: Memberships): Condition =>
    eb.or([
      eb('memberships.subscription_id', 'is', null),
      eb('memberships.subscription_cancelled_at', 'is not', null),
    ]),

  isRenewing: (eb: Memberships): Condition =>
    eb.and([
      eb('memberships.subscription_id', 'is not', null),
      eb('memberships.subscription_cancelled_at', 'is', null),
    ]),
};

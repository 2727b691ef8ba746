import { type Database, RENEWAL_LEAD_MS } from '@latchkey/server/extension';
import { ControlFailure, unknown } from '../access/control-failure.js';

/** Instant of one membership. */
export interface MembershipInstant {
  readonly membershipId: string;
  /** `renewal`: the time at which the subscription is charged, an hour before the paid time ends. */
  readonly to: 'end' | 'renewal';
}

/**
 * Returns the instant in milliseconds since the epoch.
 *
 * @throws ControlFailure `not_found` for an unknown membership, `conflict` if it has no such instant ahead.
 */
export async function instantOf(
  db: Database,
  { membershipId, to }: MembershipInstant,
  now: number,
): Promise<number> {
  const membership = await db
    .selectFrom('memberships')
    .select(['valid_until', 'subscription_id', 'subscription_cancelled_at'])
    .where('id', '=', membershipId)
    .executeTakeFirst();
  if (membership === undefined) throw unknown('membership', membershipId);
  const { valid_until: end, subscription_id, subscription_cancelled_at } = membership;
  if (end === null) throw new ControlFailure('conflict', 'The membership is for life: it has no end.');
  if (end <= now) throw new ControlFailure('conflict', 'The membership has ended.');
  if (to === 'end') return end;
  const isRenewing = subscription_id !== null && subscription_cancelled_at === null;
  if (!isRenewing) throw new ControlFailure('conflict', 'No subscription renews the membership.');
  return Math.max(now, end - RENEWAL_LEAD_MS);
}

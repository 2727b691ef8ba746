import type { Clock } from '@latchkey/server';
import { cancelSubscription, type Database, inTransaction } from '@latchkey/server/extension';
import type { SandboxControl } from '../control/control.js';
import type { ClockMove } from '../control/timeline/timeline.js';

/** Time that is left to the membership. Longer than programs keep the memberships that they have read. */
const LEFT_MS = 5 * 60_000;

/** Parts of the sandbox that {@link endAccess} uses. */
export interface EndAccessNeeds {
  readonly db: Database;
  readonly clock: Clock;
  readonly control: Pick<SandboxControl, 'clock' | 'data'>;
}

/**
 * Lets a membership end by time: cancels its renewal, brings its end forward to five minutes from now, and moves the clock
 * there. The sessions of its owner stay valid, so a site shows the end and not a signed-out visitor.
 *
 * @returns undefined if no such membership is running.
 */
export async function endAccess(
  { db, clock, control }: EndAccessNeeds,
  membershipId: string,
): Promise<ClockMove | undefined> {
  const now = clock.now();
  const running = await inTransaction(db, async (transaction) => {
    const row = await transaction
      .selectFrom('memberships')
      .selectAll()
      .where('id', '=', membershipId)
      .executeTakeFirst();
    if (row === undefined || (row.valid_until !== null && row.valid_until <= now)) return undefined;
    await cancelSubscription(transaction, row, now);
    return row;
  });
  if (running === undefined) return undefined;
  const { id, user_id, product_type, community_id, product_id, valid_from, valid_until } = running;
  const endsAt = Math.min(now + LEFT_MS, valid_until ?? Number.POSITIVE_INFINITY);
  await control.data.grantMembership({
    id,
    userId: user_id,
    productType: product_type,
    ...(community_id !== null && { communityId: community_id }),
    ...(product_id !== null && { productId: product_id }),
    validFrom: Math.min(valid_from, now),
    validUntil: endsAt,
  });
  return await control.clock.moveTo(endsAt);
}

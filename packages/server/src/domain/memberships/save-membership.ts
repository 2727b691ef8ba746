import { formatTimestamp } from '@latchkey/contract/constants';
import type { Selectable } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { prepareQuery } from '../../platform/database/prepared-query.js';
import type { Schema } from '../../platform/database/schema.js';
import { recordEvent } from '../webhooks/event-outbox.js';

/** A membership as it is stored. */
export type MembershipRow = Selectable<Schema['memberships']>;

/** When a membership's window holds the instant: it starts at its first one and is over at its last. */
export function isActiveAt(
  membership: Pick<MembershipRow, 'valid_from' | 'valid_until'>,
  now: number,
): boolean {
  return membership.valid_from <= now && !hasEnded(membership, now);
}

/** When a membership is over: from its last instant on. One that has not begun is not over. */
export function hasEnded({ valid_until }: Pick<MembershipRow, 'valid_until'>, now: number): boolean {
  return valid_until !== null && valid_until <= now;
}

/** What the row of a membership is about: never changes. */
const identityOf = ({ id, user_id, product_type, community_id, product_id }: MembershipRow) => ({
  id,
  user_id,
  product_type,
  community_id,
  product_id,
});

const changeableOf = (
  membership: MembershipRow,
): Omit<MembershipRow, keyof ReturnType<typeof identityOf>> => ({
  valid_from: membership.valid_from,
  valid_until: membership.valid_until,
  pricing_plan_id: membership.pricing_plan_id,
  external_order_id: membership.external_order_id,
  subscription_id: membership.subscription_id,
  subscription_cancelled_at: membership.subscription_cancelled_at,
  lapse_announced_at: membership.lapse_announced_at,
});

const insertRow = prepareQuery((db, given: MembershipRow) =>
  db.insertInto('memberships').values({ ...identityOf(given), ...changeableOf(given) }),
);

const updateRow = prepareQuery((db, given: MembershipRow) =>
  db.updateTable('memberships').set(changeableOf(given)).where('id', '=', given.id),
);

const findEmail = prepareQuery((db, given: { userId: string }) =>
  db.selectFrom('users').select('email').where('id', '=', given.userId),
);

/**
 * Stores a membership in its new form, whole, with the event that tells of it. Called inside the transaction that read
 * the row before, so that nobody else changed it in between.
 */
export async function saveMembership(
  transaction: Database,
  membership: MembershipRow,
  { isNew, now }: { isNew: boolean; now: number },
): Promise<void> {
  await (isNew ? insertRow : updateRow).all(transaction, membership);
  await recordMembershipChange(transaction, membership, { isNew, now });
}

/** Writes the event of a membership that was created, or changed in any way: its window, or that it is over. */
export async function recordMembershipChange(
  transaction: Database,
  membership: MembershipRow,
  { isNew, now }: { isNew: boolean; now: number },
): Promise<void> {
  const { user_id: userId } = membership;
  const user = await findEmail.first(transaction, { userId });
  if (user === undefined) throw new Error(`The user ${userId} of a membership is not there.`);
  const communityId = membership.community_id;
  const productId = membership.product_id;
  await recordEvent(
    transaction,
    {
      type: isNew ? 'membership.created' : 'membership.updated',
      data: {
        membership: eventMembership(membership, now),
        user: { sub: userId, email: user.email },
        communityId,
        productId,
        externalOrderId: membership.external_order_id,
      },
      communityId: communityId ?? undefined,
      productId: productId ?? undefined,
    },
    now,
  );
}

/** A membership as events show it. */
export function eventMembership(membership: MembershipRow, now: number) {
  return {
    id: membership.id,
    productType: membership.product_type,
    isActive: isActiveAt(membership, now),
    validFrom: formatTimestamp(membership.valid_from),
    validUntil: membership.valid_until === null ? null : formatTimestamp(membership.valid_until),
  };
}

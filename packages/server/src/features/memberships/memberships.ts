import { formatTimestamp } from '@latchkey/contract/constants';
import type { Row } from '../../migrations/schema.js';
import type { Database } from '../../platform/database/open-database.js';
import { pick, prepareDeferredWrite } from '../../platform/database/prepared-query.js';
import { type AuditAction, recordAudit } from '../audit/audit.js';
import { findPerson, type PersonRow, shownPerson } from '../users/shown-person.js';
import { recordEvent } from '../webhooks/event-outbox.js';
import { type StoredTimeline, savePeriods } from './membership-periods.js';
import { isActive, isExpired, isRenewing } from './membership-state.js';

export type MembershipRow = Row<'memberships'>;

export type MembershipTarget = { readonly communityId: string } | { readonly productId: string };

const IDENTITY = ['id', 'user_id', 'product_type', 'community_id', 'product_id'] as const;
const CHANGEABLE = [
  'valid_from',
  'valid_until',
  'pricing_plan_id',
  'external_order_id',
  'subscription_id',
  'subscription_cancelled_at',
  'renews_at',
  'plan_changes_at',
  'lapse_announced_at',
] as const satisfies readonly Exclude<keyof MembershipRow, (typeof IDENTITY)[number]>[];

const insertRow = prepareDeferredWrite((db, values: MembershipRow) =>
  db.insertInto('memberships').values(pick(values, [...IDENTITY, ...CHANGEABLE])),
);

const updateRow = prepareDeferredWrite((db, values: MembershipRow) =>
  db.updateTable('memberships').set(pick(values, CHANGEABLE)).where('id', '=', values.id),
);

export async function findMembership(db: Database, userId: string, target: MembershipTarget) {
  const own = db.selectFrom('memberships').selectAll().where('user_id', '=', userId);
  const found =
    'communityId' in target
      ? own.where('community_id', '=', target.communityId)
      : own.where('product_id', '=', target.productId);
  return await found.executeTakeFirst();
}

/** `member`, if the caller has read it in the transaction. `periods`, unless they stay as they are. */
type MembershipChange = {
  isNew: boolean;
  now: number;
  member?: PersonRow | undefined;
  periods?: StoredTimeline | undefined;
};

/** The caller's transaction must also have read the previous row. */
export async function saveMembership(
  transaction: Database,
  membership: MembershipRow,
  change: MembershipChange,
): Promise<void> {
  await (change.isNew ? insertRow : updateRow).run(transaction, membership);
  if (change.periods !== undefined) await savePeriods(transaction, membership.id, change);
  const { id: subjectId, community_id: communityId } = membership;
  await recordAudit(transaction, { action: actionOf(membership, change), subjectId, communityId });
  await recordMembershipChange(transaction, membership, change);
}

function actionOf(membership: MembershipRow, { isNew, now }: MembershipChange): AuditAction {
  if (isNew) return 'membership.create';
  if (isExpired(membership, now)) return 'membership.end';
  return membership.subscription_cancelled_at === now ? 'membership.cancel-renewal' : 'membership.change';
}

/** Records the event of a membership that was created or changed or has expired. Returns the event's id. */
export async function recordMembershipChange(
  transaction: Database,
  membership: MembershipRow,
  { isNew, now, member }: MembershipChange,
): Promise<string> {
  const { user_id: userId, community_id: communityId } = membership;
  const person = member ?? (await findPerson.first(transaction, { userId, communityId }));
  if (person === undefined)
    throw new Error(`The membership ${membership.id} has an unknown user: ${userId}.`);
  const { sub, email } = shownPerson(person);
  const productId = membership.product_id;
  return await recordEvent(
    transaction,
    {
      type: isNew ? 'membership.created' : 'membership.updated',
      data: {
        membership: eventMembership(membership, now),
        user: { sub, email },
        communityId,
        productId,
        pricingPlanId: membership.pricing_plan_id,
        externalOrderId: membership.external_order_id,
      },
      communityId: communityId ?? undefined,
      productId: productId ?? undefined,
    },
    now,
  );
}

export function eventMembership(membership: MembershipRow, now: number) {
  return {
    id: membership.id,
    productType: membership.product_type,
    isActive: isActive(membership, now),
    validFrom: formatTimestamp(membership.valid_from),
    validUntil: membership.valid_until === null ? null : formatTimestamp(membership.valid_until),
  };
}

/** The paid time stays. False if no subscription renews the membership; nothing is written then. */
export async function cancelSubscription(transaction: Database, membership: MembershipRow, now: number) {
  if (!isRenewing(membership)) return false;
  const cancelled = {
    ...membership,
    subscription_cancelled_at: now,
    // The event of this change already reports the expiry.
    lapse_announced_at: isExpired(membership, now) ? (membership.lapse_announced_at ?? now) : null,
  };
  await saveMembership(transaction, cancelled, { isNew: false, now });
  return true;
}

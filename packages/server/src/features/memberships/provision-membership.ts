import type { ProvisionExternalCommand } from '@latchkey/contract';
import type { Database } from '../../platform/database/open-database.js';
import { prepareQuery } from '../../platform/database/prepared-query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { costsMorePerDay, findPricingPlan } from '../plans/plan.queries.js';
import {
  findByAccountIn,
  isAccountLinked,
  isClaimOf,
  linkAccount,
  linkPerson,
  meetProof,
} from '../users/identified-user.js';
import type { PersonRow } from '../users/shown-person.js';
import { findTyped, insertClaim, mergeClaim } from './claims.js';
import { newMembership } from './membership-change.js';
import { readMembership } from './membership-periods.js';
import { cancelSubscription, findMembership, type MembershipRow, saveMembership } from './memberships.js';
import { decideProvisioning, type ProvisionDecision, provisioned } from './provision-decision.js';
import type { Timeline } from './timeline.js';

/** Result of {@link provisionMembership}. Only `provisioned` writes anything. */
export type ProvisionResult =
  | {
      kind: 'provisioned';
      status: 'created' | 'extended' | 'replaced' | 'idempotent_return';
      membership: MembershipRow;
    }
  | { kind: 'unknown-plan' }
  | Exclude<ProvisionDecision, { kind: 'grant' | 'repeat' }>;

/**
 * Provisions a membership (spec, "POST /membership/provision-external"). One transaction matches the buyer, decides,
 * and writes user, membership and event.
 *
 * Concurrent calls for one buyer wait for a lock on the membership's row, so each decides by the row that the previous
 * one wrote. If there is no row or no user yet, the unique keys let one call succeed; the others are retried and find
 * the new row. A sign-in that proves the address meanwhile meets it at the same key. No part of this needs serializable
 * isolation.
 */
export function provisionMembership(
  db: Database,
  command: ProvisionExternalCommand,
  now: number,
): Promise<ProvisionResult> {
  const provision = async (transaction: Database): Promise<ProvisionResult> => {
    if (!(await isPlanOfCommunity(transaction, command))) return { kind: 'unknown-plan' };
    const buyer = await matchBuyer(transaction, command, now);
    const { communityId } = command;
    const stored = buyer.user && (await lockRow.first(transaction, { userId: buyer.user.id, communityId }));
    const current = stored && (await readMembership(transaction, stored, now));
    const decision = decideProvisioning(current?.row, command, now);
    if (decision.kind === 'repeat') {
      await settleBuyer(transaction, { ...buyer, isNew: false }, now);
      await absorb(transaction, buyer, now);
      return { kind: 'provisioned', status: 'idempotent_return', membership: decision.row };
    }
    if (decision.kind !== 'grant') return decision;

    const isNew = current === undefined;
    const { userId, member } = await settleBuyer(transaction, { ...buyer, isNew }, now);
    const before = current ?? { row: newMembership({ userId, communityId, now }), timeline: [] };
    const cheaper = decision.isAdded ? await cheaperPlans(transaction, before.timeline, command) : [];
    const after = provisioned(before, decision, now, ({ planId }) => cheaper.includes(planId));
    const membership: MembershipRow = {
      ...after.row,
      external_order_id: command.externalOrderId,
      // The caller sets the window from now on; no subscription renews it.
      ...{ subscription_id: null, subscription_cancelled_at: null, renews_at: null },
    };
    const periods = { before: before.timeline, after: after.timeline };
    await saveMembership(transaction, membership, { isNew, now, member, periods });
    await absorb(transaction, buyer, now);
    return { kind: 'provisioned', status: decision.status, membership };
  };
  return inTransaction(db, provision, { isolation: 'read committed' });
}

async function isPlanOfCommunity(
  transaction: Database,
  { pricingPlanId, communityId }: ProvisionExternalCommand,
): Promise<boolean> {
  if (pricingPlanId === undefined) return true;
  return (await findPricingPlan(transaction, pricingPlanId))?.communityId === communityId;
}

/** Returns the plans of a timeline that cost less per day than the order's. Reads nothing if there are no others. */
async function cheaperPlans(
  transaction: Database,
  timeline: Timeline,
  { pricingPlanId }: ProvisionExternalCommand,
): Promise<(string | null)[]> {
  const others = new Set(timeline.flatMap(({ planId }) => (planId === pricingPlanId ? [] : (planId ?? []))));
  if (pricingPlanId === undefined || others.size === 0) return [];
  const ordered = await findPricingPlan(transaction, pricingPlanId);
  const cheaper: string[] = [];
  for (const id of others) {
    const plan = await findPricingPlan(transaction, id);
    if (ordered !== undefined && plan !== undefined && costsMorePerDay(ordered, plan)) cheaper.push(id);
  }
  return cheaper;
}

const lockRow = prepareQuery((db, values: { userId: string; communityId: string }) =>
  db
    .updateTable('memberships')
    .set((eb) => ({ valid_from: eb.ref('valid_from') }))
    .where('user_id', '=', values.userId)
    .where('community_id', '=', values.communityId)
    .returningAll(),
);

/**
 * Finds the user with the identifiers as the community sees them: proven ones, and those that somebody gave it before.
 * If two users match, the email address decides and neither user changes. There are two exceptions. A user known only
 * from an unpaid checkout doesn't count, or a stranger's checkout could take over the address. And two users that only
 * this community knows are one person if its partner says so; `absorbed` then becomes part of `user`.
 */
async function matchBuyer(
  transaction: Database,
  { email, messengerUserId, communityId }: ProvisionExternalCommand,
  now: number,
) {
  const byEmail = email === undefined ? undefined : await findTyped(transaction, { email, communityId }, now);
  const byMessenger =
    messengerUserId === undefined
      ? undefined
      : await findByAccountIn(transaction, { messengerUserId, communityId });
  const typed = { communityId, email, messengerUserId };
  const isUnclaimed = { email: byEmail === undefined, messenger: byMessenger === undefined };
  const match = { ...typed, isUnclaimed, user: byEmail ?? byMessenger, absorbed: undefined };
  if (byEmail === undefined || byMessenger === undefined || byEmail.id === byMessenger.id) return match;
  const claim = { communityId, userId: byEmail.id };
  if (!(await isClaimOf(transaction, claim))) return match;
  const membership = await findMembership(transaction, claim.userId, { communityId });
  // The caller stores the id of a provisioned membership, so it must not change.
  if ((membership?.external_order_id ?? null) !== null) return match;
  const isNamed = byMessenger.named_email !== null;
  const isOnePerson = !isNamed && (await isClaimOf(transaction, { communityId, userId: byMessenger.id }));
  if (isOnePerson) return { ...match, user: byMessenger, absorbed: claim };
  return membership === undefined ? { ...match, user: byMessenger } : match;
}

type Match = Awaited<ReturnType<typeof matchBuyer>>;

/**
 * Links the identifiers that no user has in the community's view to the matched user, unless the user already has one
 * of that kind there. Never replaces existing identifiers. Creates the user if nothing matched: the holder of the email
 * address becomes that user by proving it. A messenger account counts in the community only.
 *
 * @returns the user's id, and the user as the community sees them if that's known without reading it.
 * @throws the database's error if another user claimed an identifier meanwhile. A retry matches that user.
 */
async function settleBuyer(
  transaction: Database,
  { communityId, user, email, messengerUserId, isUnclaimed, isNew }: Match & { isNew: boolean },
  now: number,
): Promise<{ userId: string; member: PersonRow | undefined }> {
  if (user === undefined) {
    const id = await insertClaim(transaction, { communityId, email: email ?? null }, now);
    if (messengerUserId !== undefined) {
      await linkAccount(transaction, { communityId, userId: id, messengerUserId }, now);
    }
    const identity = { id, email: null, name: null, messenger_user_id: null };
    return { userId: id, member: { ...identity, shown_id: id, named_email: email ?? null } };
  }
  const isOwn = user.email === null ? isUnclaimed.email : user.email === email;
  const newName = isOwn && email !== undefined && user.named_email === null ? email : null;
  // The response contains the user's id, so the events may contain it too.
  const link = { communityId, userId: user.id, email: newName, shownId: user.id, isTold: true };
  if (newName !== null && user.email === null)
    await meetProof(transaction, { userId: user.id, email: newName });
  const isHidden = user.shown_id !== null;
  const mustLink = isHidden ? newName !== null || user.shown_id !== user.id : isNew;
  const staysHidden = mustLink ? await linkPerson(transaction, link, now) : isHidden;
  const isVouched = messengerUserId !== undefined && user.messenger_user_id === messengerUserId;
  if (messengerUserId !== undefined && (staysHidden ? isVouched || isUnclaimed.messenger : mayLink(user))) {
    const account = { communityId, userId: user.id, messengerUserId };
    if (!(await isAccountLinked(transaction, account))) await linkAccount(transaction, account, now);
  }
  return { userId: user.id, member: mustLink ? undefined : user };

  function mayLink({ messenger_user_id }: PersonRow): boolean {
    return isUnclaimed.messenger && messenger_user_id === null;
  }
}

/**
 * Merges the absorbed claim of a match into its user, and stores the user's membership. A subscription that somebody
 * began for the claim ends: it would reject the caller's next order.
 */
async function absorb(transaction: Database, { absorbed, user }: Match, now: number): Promise<void> {
  if (absorbed === undefined || user === undefined) return;
  const paid = await findMembership(transaction, absorbed.userId, absorbed);
  if (paid !== undefined) await cancelSubscription(transaction, paid, now);
  await mergeClaim(transaction, { ...absorbed, into: user.id }, now);
}

import { randomUUID } from 'node:crypto';
import type { Database } from '../../platform/database/open-database.js';
import { runDeferredWrite } from '../../platform/database/prepared-query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { audited, recordAudit } from '../audit/audit.js';
import { costsMorePerDay, findPricingPlan } from '../plans/plan.queries.js';
import {
  allowsAppOf,
  findByEmailIn,
  isClaimOf,
  isKnownTo,
  linkPerson,
  meetProof,
} from '../users/identified-user.js';
import { findPerson, shownPerson } from '../users/shown-person.js';
import { findUserByEmail, type NewUser, type User } from '../users/users.js';
import { mergedMembership } from './membership-change.js';
import { type Membership, readMembership } from './membership-periods.js';
import { isExpired, isRenewing } from './membership-state.js';
import { findMembership, type MembershipRow, recordMembershipChange, saveMembership } from './memberships.js';
import { plannedOf } from './timeline.js';

/** If there is no user, creates a claim: a user with an unproven address whom only this community knows. */
export async function findOrClaim(
  transaction: Database,
  { email, communityId }: { email: string; communityId: string },
  now: number,
): Promise<string> {
  const user = await findTyped(transaction, { email, communityId }, now);
  if (user === undefined) return await insertClaim(transaction, { email, communityId }, now);
  // The community gets an id that leads nowhere else.
  const shownId = user.email === null ? user.id : randomUUID();
  await linkPerson(transaction, { communityId, userId: user.id, email, shownId }, now);
  return user.id;
}

/** If the address, as the community sees it, has just been proved, the claim to it goes to its holder. */
export async function findTyped(
  transaction: Database,
  address: { email: string; communityId: string },
  now: number,
) {
  const { user, claim } = await findByEmailIn(transaction, address);
  if (user === undefined || claim === undefined) return user;
  await adoptClaims(transaction, { email: address.email, userId: user.id }, now);
  return (await findByEmailIn(transaction, address)).user;
}

export async function insertClaim(
  transaction: Database,
  { communityId, email }: { communityId: string; email: string | null },
  now: number,
): Promise<string> {
  const id = randomUUID();
  const user = { id, email: null, name: null, messenger_user_id: null, created_at: now };
  await runDeferredWrite(transaction, transaction.insertInto('users').values(user));
  if (email !== null) await meetProof(transaction, { userId: id, email });
  await recordAudit(transaction, { action: 'user.create', subjectId: id, communityId });
  const link = { id: randomUUID(), community_id: communityId, user_id: id, email, shown_id: id };
  await runDeferredWrite(
    transaction,
    transaction.insertInto('community_emails').values({ ...link, linked_at: now }),
  );
  return id;
}

/** The operator vouches for the identifiers. False if another user has the id, the email or the messenger account. */
export async function insertUser(db: Database, { id, email, name, messengerUserId }: NewUser, now: number) {
  const inserted = await audited(db, { action: 'user.create', subjectId: id }, async (transaction) => {
    const user = await transaction
      .insertInto('users')
      .values({
        id,
        email,
        email_verified_at: email === null ? null : now,
        name,
        messenger_user_id: messengerUserId,
        created_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (user !== undefined && email !== null) await adoptClaims(transaction, { email, userId: id }, now);
    return user;
  });
  return inserted !== undefined;
}

/**
 * Returns the user of an email address that its holder has just proved, with everything that communities hold for the
 * address. If there is no such user, the oldest claim with a membership becomes the user and keeps the id that
 * provisioning returned. Communities keep seeing what was typed until the person acts.
 */
export async function proveEmail(db: Database, email: string, now: number): Promise<User> {
  return await inTransaction(
    db,
    async (transaction) => {
      const user =
        (await findUserByEmail(transaction, email)) ?? (await insertProven(transaction, email, now));
      await adoptClaims(transaction, { email, userId: user.id }, now);
      return user;
    },
    { isolation: 'read committed' },
  );
}

export async function findClaim(db: Database, email: string): Promise<string | undefined> {
  const [oldest] = await claimsOf(db, email);
  return oldest?.user_id;
}

/** @throws the database's error if another transaction has just stored the user. A retry finds it. */
async function insertProven(transaction: Database, email: string, now: number): Promise<User> {
  for (const { community_id: communityId, user_id: id } of await claimsOf(transaction, email)) {
    const hasAccess = await transaction
      .selectFrom('memberships')
      .select('id')
      .where('user_id', '=', id)
      .limit(1)
      .executeTakeFirst();
    if (hasAccess === undefined || !(await isClaimOf(transaction, { communityId, userId: id }))) continue;
    const proven = { email, email_verified_at: now };
    await transaction.updateTable('users').set(proven).where('id', '=', id).execute();
    const details = { fields: ['email', 'emailVerifiedAt'] };
    await recordAudit(transaction, { action: 'user.change', subjectId: id, details });
    return { id, email, name: null };
  }
  const id = randomUUID();
  const row = { id, email, email_verified_at: now, name: null, messenger_user_id: null, created_at: now };
  await transaction.insertInto('users').values(row).execute();
  await recordAudit(transaction, { action: 'user.create', subjectId: id });
  return { id, email, name: null };
}

async function claimsOf(db: Database, email: string) {
  return await db
    .selectFrom('community_emails as link')
    .innerJoin('users', 'users.id', 'link.user_id')
    .select(['link.id', 'link.community_id', 'link.user_id'])
    .where('link.email', '=', email)
    .orderBy('users.created_at')
    .orderBy('users.id')
    .execute();
}

/** A user that is more than a claim of the community keeps everything and only loses the address. */
export async function adoptClaims(
  transaction: Database,
  { email, userId }: { email: string; userId: string },
  now: number,
): Promise<void> {
  for (const link of await claimsOf(transaction, email)) {
    if (link.user_id === userId) continue;
    const claim = { communityId: link.community_id, userId: link.user_id };
    if (await isClaimOf(transaction, claim)) {
      await mergeClaim(transaction, { ...claim, into: userId }, now);
      continue;
    }
    await transaction
      .updateTable('community_emails')
      .set({ email: null })
      .where('id', '=', link.id)
      .execute();
  }
}

/** Tables in which a claim's rows only need a new owner. */
const MOVED = ['payments', 'checkout_reservations', 'charges', 'messenger_invites'] as const;

interface Merge {
  readonly communityId: string;
  readonly userId: string;
  readonly into: string;
}

export async function mergeClaim(transaction: Database, { communityId, userId, into }: Merge, now: number) {
  const wasKnown = await isKnownTo(transaction, { communityId, userId: into });
  // Lock out requests that refer to the claim, or what they store would be deleted with it.
  await transaction.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
  const rows = await transaction
    .selectFrom('memberships')
    .selectAll()
    .where('user_id', 'in', [userId, into])
    .where('community_id', '=', communityId)
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const table of MOVED) {
    await transaction.updateTable(table).set({ user_id: into }).where('user_id', '=', userId).execute();
  }
  const claimed = rows.find((row) => row.user_id === userId);
  const claim = await findPerson.first(transaction, { userId, communityId });
  const shownId = claim && shownPerson(claim).sub;
  const own = rows.find((row) => row.user_id === into);
  // Events show the claim until its link has moved.
  if (claimed !== undefined && own !== undefined) {
    const ended = { ...claimed, valid_from: Math.min(claimed.valid_from, now), valid_until: now };
    await recordMembershipChange(transaction, ended, { isNew: false, now });
  }
  await moveIdentifiers(transaction, { communityId, userId, into, wasKnown });
  if (claimed !== undefined && own === undefined) {
    await transaction
      .updateTable('memberships')
      .set({ user_id: into })
      .where('id', '=', claimed.id)
      .execute();
    const member = await findPerson.first(transaction, { userId: into, communityId });
    if (member !== undefined && shownPerson(member).sub !== shownId)
      await recordMembershipChange(transaction, { ...claimed, user_id: into }, { isNew: false, now, member });
  }
  if (claimed !== undefined && own !== undefined) {
    const isBlocked = await rejectsOrders(transaction, { own, claimed }, now);
    const kept = isBlocked ? { ...own, subscription_cancelled_at: now } : own;
    const before = await readMembership(transaction, kept, now);
    const other = await readMembership(transaction, claimed, now);
    // What has ended is not in the timelines.
    await transaction
      .updateTable('membership_periods')
      .set({ membership_id: own.id })
      .where('membership_id', '=', claimed.id)
      .where('ends_at', '<=', now)
      .execute();
    await transaction
      .updateTable('checkout_reservations')
      .set({ membership_id: own.id })
      .where('membership_id', '=', claimed.id)
      .execute();
    const isOtherFirst = await runsDearerPlan(transaction, { one: other, other: before }, now);
    const merged = mergedMembership(before, other, now, isOtherFirst);
    const periods = { before: before.timeline, after: merged.timeline };
    await saveMembership(transaction, merged.row, { isNew: false, now, periods });
  }
  await transaction.deleteFrom('users').where('id', '=', userId).execute();
  const details = { into };
  await recordAudit(transaction, { action: 'user.merge', subjectId: userId, communityId, details });
}

/** True if the user's subscription isn't their own act, and would reject the next order of the claim's partner. */
async function rejectsOrders(
  db: Database,
  { own, claimed }: Readonly<Record<'own' | 'claimed', MembershipRow>>,
  now: number,
): Promise<boolean> {
  if (claimed.external_order_id === null || isExpired(claimed, now) || !isRenewing(own)) return false;
  const subscription = db.selectFrom('subscriptions').select('is_own').where('id', '=', own.subscription_id);
  return (await subscription.executeTakeFirst())?.is_own !== 1;
}

/** True if the plan that runs now costs more per day than the other membership's. */
async function runsDearerPlan(
  db: Database,
  { one, other }: Readonly<Record<'one' | 'other', Membership>>,
  now: number,
): Promise<boolean> {
  const [plan, otherPlan] = await Promise.all(
    [one, other].map(async ({ timeline }) => {
      const running = plannedOf(timeline, now).find(({ startsAt }) => startsAt <= now);
      return running && (await findPricingPlan(db, running.planId ?? ''));
    }),
  );
  return plan !== undefined && (otherPlan === undefined || costsMorePerDay(plan, otherPlan));
}

/** Leaves out what the user already has in the community, or is known there by an act. */
async function moveIdentifiers(
  transaction: Database,
  { communityId, userId, into, wasKnown }: Merge & { wasKnown: boolean },
): Promise<void> {
  for (const table of ['community_emails', 'messenger_accounts'] as const) {
    const rows = transaction.selectFrom(table).select('user_id').where('community_id', '=', communityId);
    const has = await rows.where('user_id', '=', into).executeTakeFirst();
    if (has === undefined && !(wasKnown && table === 'community_emails')) {
      await transaction.updateTable(table).set({ user_id: into }).where('user_id', '=', userId).execute();
    }
  }
  if (await allowsAppOf(transaction, { communityId, userId: into }))
    await transaction
      .updateTable('community_emails')
      .set({ shown_id: into })
      .where('community_id', '=', communityId)
      .where('user_id', '=', into)
      .execute();
  const left = await transaction
    .deleteFrom('community_emails')
    .where('user_id', '=', userId)
    .returning('email')
    .executeTakeFirst();
  if (left === undefined) return;
  await transaction
    .updateTable('community_emails')
    .set({ email: left.email })
    .where('community_id', '=', communityId)
    .where('user_id', '=', into)
    .where('email', 'is', null)
    .execute();
}

/** Shows a person who pays or accepts while signed in. Reports the membership again if it had another id. */
export async function confirmPerson(
  db: Database,
  { communityId, userId }: { communityId: string; userId: string },
  now: number,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const link = await transaction
      .deleteFrom('community_emails')
      .where('community_id', '=', communityId)
      .where('user_id', '=', userId)
      .where(({ exists, selectFrom }) =>
        exists(selectFrom('users').select('id').where('id', '=', userId).where('email', 'is not', null)),
      )
      .returning('shown_id')
      .executeTakeFirst();
    if (link === undefined) return;
    await recordAudit(transaction, { action: 'user.confirm', subjectId: userId, communityId });
    if (link.shown_id !== userId) await reportAgain(transaction, { communityId, userId }, now);
  });
}

/**
 * Tells a person's id to the communities that the owner of an app administers, once the person allows the app: the app
 * learns the id anyway. Their memberships are reported again under it, so the app can match them. The name and the
 * messenger account stay hidden.
 */
export async function tellIdToOwnerOf(
  transaction: Database,
  { clientId, userId }: { clientId: string; userId: string },
  now: number,
): Promise<void> {
  const links = await transaction
    .selectFrom('community_emails as link')
    .innerJoin('community_roles as role', 'role.community_id', 'link.community_id')
    .innerJoin('oauth_clients as client', 'client.owner_id', 'role.user_id')
    .select('link.community_id')
    .where('link.user_id', '=', userId)
    .where('client.client_id', '=', clientId)
    .where('role.is_active', '=', 1)
    .where('link.shown_id', '!=', userId)
    .execute();
  for (const { community_id: communityId } of links) {
    await transaction
      .updateTable('community_emails')
      .set({ shown_id: userId })
      .where('community_id', '=', communityId)
      .where('user_id', '=', userId)
      .execute();
    await recordAudit(transaction, { action: 'user.confirm', subjectId: userId, communityId });
    await reportAgain(transaction, { communityId, userId }, now);
  }
}

async function reportAgain(
  transaction: Database,
  { communityId, userId }: { communityId: string; userId: string },
  now: number,
) {
  const membership = await findMembership(transaction, userId, { communityId });
  if (membership !== undefined) await recordMembershipChange(transaction, membership, { isNew: false, now });
}

import { randomUUID } from 'node:crypto';
import { phrase } from '../../platform/language/language.js';
import { hashSecret } from '../../platform/secrets.js';
import { checkoutPath, findOfferOf, openCheckout } from '../checkout/checkouts.js';
import { signUpForDrop } from '../drops/sign-up-for-drop.js';
import { withdrawInvitation } from '../invitations/invitation.queries.js';
import { inviteAdministrator, inviteMember } from '../invitations/send-invitation.js';
import {
  changeMembership,
  type MembershipChange,
  writeDecision,
} from '../memberships/administer-membership.js';
import { accessWindowSchema } from '../memberships/membership.resource.js';
import {
  decideEnd,
  decideEndNow,
  decideWindow,
  grantedMembership,
} from '../memberships/membership-change.js';
import { type Membership, readMembership } from '../memberships/membership-periods.js';
import { findMembership, saveMembership } from '../memberships/memberships.js';
import {
  alreadyExists,
  conflict,
  notFound,
  parseInput,
  requireCommunity,
  requireProduct,
  requireUser,
  wrong,
} from './operator-checks.js';
import type { Created, CreatedRecord, RecordWrites, WriteContext } from './record-kinds.js';
import { requireRow } from './records.js';
import { actingOwner } from './seller-writes.js';

export const MEMBER_WRITES: RecordWrites<'invitations' | 'memberships' | 'reservations' | 'signups'> = {
  memberships: {
    async create({ validUntil = null, ...membership }, context) {
      const { userId, productType, communityId, productId } = membership;
      await requireUser(context.db, userId);
      if (communityId !== undefined) await requireCommunity(context.db, communityId);
      if (productId !== undefined) await requireProduct(context.db, productId);
      else if (productType === 'community' && communityId === undefined)
        throw wrong('communityId', 'Enter the community of the membership.');
      return await grant({ ...membership, validUntil }, context);
    },
    async change(id, { validUntil, cancelSubscription }, context) {
      if (cancelSubscription) await changeMembershipOf(id, { kind: 'cancel-subscription' }, context);
      if (validUntil !== undefined) await changeMembershipOf(id, { kind: 'set-end', validUntil }, context);
    },
    async end(id, context) {
      const now = context.clock.now();
      const current = await storedMembership(id, context);
      await writeDecision(context.db, { current, decision: decideEndNow(current, now) }, now);
    },
  },
  invitations: {
    async create({ communityId, email, role, validFrom, validUntil = null }, { db, clock }) {
      await requireCommunity(db, communityId);
      const [actor, now] = [await actingOwner(db, communityId), clock.now()];
      const window = parseInput(accessWindowSchema, { validFrom: validFrom ?? now, validUntil });
      const result =
        role === undefined
          ? await inviteMember(db, actor, { email, window, now })
          : await inviteAdministrator(db, actor, { email, role, now });
      if (result.kind === 'invited') return { id: result.id };
      if (result.kind === 'past') throw wrong('validUntil', 'Enter an end in the future.');
      throw conflict(INVITATION_FAILURES[result.kind] ?? 'The community changed meanwhile.', 'email');
    },
    async end(id, { db, clock }) {
      const row = await requireRow(db, 'invitations', id);
      const actor = await actingOwner(db, String(row.community_id));
      const result = await withdrawInvitation(db, actor, { id, now: clock.now() });
      if (result !== 'withdrawn') throw conflict(phrase('The invitation was declined or has expired.'));
    },
  },
  reservations: { create: reserve },
  signups: {
    async create({ communityId, email, phoneNumber }, { db, clock }) {
      await requireCommunity(db, communityId);
      const result = await signUpForDrop(db, { communityId, email, phoneNumber }, clock.now());
      if (result.kind !== 'signed-up') {
        const [field, message] = SIGNUP_FAILURES[result.kind];
        throw conflict(message, field);
      }
      return { id: result.id };
    },
  },
};

const INVITATION_FAILURES: Readonly<Record<string, string>> = {
  'already-invited': 'The community has already invited this address. Withdraw that invitation first.',
  declined: 'The holder of this address declined an invitation less than 90 days ago.',
  'too-many': 'This address or the community has the maximum number of invitations.',
  'too-many-roles': 'The community has the maximum number of roles and invitations to roles.',
  already: 'The holder of this address has the role already.',
  'still-running': 'The holder of this address is a member already.',
  granted: 'This is the address of the owner who would invite. Grant the membership.',
};

const SIGNUP_FAILURES = {
  'no-drop': ['communityId', 'The community has no drop that is running or upcoming.'],
  'has-account': ['email', 'The service signs up nobody who has an account. Enter another address.'],
  duplicate: ['email', 'This address is already signed up.'],
  full: ['communityId', 'All slots of the next drop are taken.'],
} as const;

const MEMBERSHIP_REFUSALS: Readonly<Record<string, string>> = {
  renewing: phrase(
    'A subscription renews the membership, and would set the end again. Cancel the subscription first.',
  ),
  expired: phrase('The membership has expired. Grant a new one.'),
  'no-time': phrase('Enter an end after the start.'),
};

/** @throws OperatorError `conflict` if the membership can't change like that. */
function refuse(kind: string): void {
  const message = MEMBERSHIP_REFUSALS[kind];
  if (message !== undefined) throw conflict(message, 'validUntil');
}

type Grant = Omit<Created<'memberships'>, 'validUntil'> & { validUntil: number | null };

/** Grants a membership. A grant that changes nothing records no event. */
async function grant(
  { id = randomUUID(), validFrom, validUntil, ...membership }: Grant,
  { db, clock }: WriteContext,
): Promise<CreatedRecord> {
  const now = clock.now();
  const window = parseInput(accessWindowSchema, { validFrom: validFrom ?? now, validUntil });
  const { userId, communityId, productId } = membership;
  // Memberships without a community or product can be granted any number of times.
  const target =
    communityId !== undefined ? { communityId } : productId !== undefined ? { productId } : undefined;
  const current = target && (await findMembership(db, userId, target));
  if (current === undefined) {
    const other = await db.selectFrom('memberships').select('id').where('id', '=', id).executeTakeFirst();
    if (other !== undefined) throw alreadyExists(`Another membership has the id ${id}. Use a different one.`);
    const granted = grantedMembership({ ...membership, id }, { window, source: 'grant', now });
    const periods = { before: [], after: granted.timeline };
    await saveMembership(db, granted.row, { isNew: true, now, periods });
    return { id: granted.row.id };
  }
  const before = await readMembership(db, current, now);
  const decision = decideWindow(before, window, now);
  refuse(decision.kind);
  await writeDecision(db, { current: before, decision }, now);
  return { id: current.id };
}

async function changeMembershipOf(
  membershipId: string,
  change: Exclude<MembershipChange, { kind: 'end-now' }>,
  context: WriteContext,
): Promise<void> {
  const { db, clock } = context;
  const now = clock.now();
  const unsubscribed = phrase('No subscription renews this membership.');
  const current = await storedMembership(membershipId, context);
  const { community_id: communityId } = current.row;
  const decided = async () => {
    if (communityId !== null)
      return await changeMembership(db, await actingOwner(db, communityId), { membershipId, change, now });
    // Only memberships of communities have subscriptions.
    if (change.kind === 'cancel-subscription') throw conflict(unsubscribed);
    const decision = decideEnd(current, change.validUntil, now);
    await writeDecision(db, { current, decision }, now);
    return decision.kind;
  };
  const kind = await decided();
  refuse(kind);
  if (kind === 'unchanged' && change.kind === 'cancel-subscription') throw conflict(unsubscribed);
}

async function storedMembership(id: string, { db, clock }: WriteContext): Promise<Membership> {
  const row = await db.selectFrom('memberships').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw notFound('membership', id);
  return await readMembership(db, row, clock.now());
}

async function reserve(
  { userId, pricingPlanId, productId }: Created<'reservations'>,
  { db, clock, baseUrl }: WriteContext,
): Promise<CreatedRecord> {
  await requireRow(db, 'users', userId);
  const offer = await findOfferOf(db, { planId: pricingPlanId ?? null, productId: productId ?? null });
  if (offer === undefined) {
    const field = productId === undefined ? 'pricingPlanId' : 'productId';
    throw wrong(field, 'It does not exist, or it is not for sale.');
  }
  const { subject, paidBy } = offer;
  const path =
    subject.kind === 'plan' ? `/communities/${subject.communityId}` : `/products/${subject.productId}`;
  const back = `${baseUrl}${path}`;
  const buyer = { id: userId };
  const page = { subject, buyer, caller: null, successUrl: back, cancelUrl: back, utmSource: null };
  const secret = await openCheckout(db, page, clock.now());
  const { id } = await db
    .selectFrom('checkout_links')
    .select('reservation_id as id')
    .where('secret_hash', '=', hashSecret(secret))
    .executeTakeFirstOrThrow();
  return { id, checkoutUrl: `${baseUrl}${checkoutPath(paidBy, secret)}` };
}

import { randomUUID } from 'node:crypto';
import { phrase } from '../../platform/language/language.js';
import { hashSecret } from '../../platform/secrets.js';
import { checkoutPath, findOfferOf, openCheckout } from '../checkout/checkouts.js';
import { signUpForDrop } from '../drops/sign-up-for-drop.js';
import { withdrawInvitation } from '../invitations/invitation-list.js';
import { inviteAdministrator, inviteMember } from '../invitations/send-invitation.js';
import { changeMembership, writeDecision } from '../memberships/administer-membership.js';
import { accessWindowSchema } from '../memberships/membership.resource.js';
import {
  decideEndNow,
  decideWindow,
  grantedMembership,
  newMembership,
} from '../memberships/membership-change.js';
import { readMembership } from '../memberships/membership-periods.js';
import { findMembership, saveMembership } from '../memberships/memberships.js';
import {
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
      return undefined;
    },
    async end(id, { db, clock }) {
      const now = clock.now();
      const row = await db.selectFrom('memberships').selectAll().where('id', '=', id).executeTakeFirst();
      if (row === undefined) throw notFound('membership', id);
      const current = await readMembership(db, row, now);
      await writeDecision(db, { current, decision: decideEndNow(current, now) }, now);
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
      if (result?.kind === 'invited') return { id: result.id };
      if (result?.kind === 'past') throw wrong('validUntil', 'Enter an end in the future.');
      throw conflict(INVITATION_FAILURES[result?.kind ?? ''] ?? 'The community changed meanwhile.', 'email');
    },
    async end(id, { db, clock }) {
      const row = await requireRow(db, 'invitations', id);
      const actor = await actingOwner(db, String(row.community_id));
      const { kind } = await withdrawInvitation(db, actor, { id, now: clock.now() });
      if (kind !== 'withdrawn') throw conflict(phrase('The invitation was declined or has expired.'));
    },
  },
  reservations: { create: reserve },
  signups: {
    async create({ communityId, email, phoneNumber }, { db, clock }) {
      await requireRow(db, 'communities', communityId);
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
    const granted = grantedMembership(newMembership({ ...membership, id }), { window, source: 'grant', now });
    const periods = { before: [], after: granted.timeline };
    await saveMembership(db, granted.row, { isNew: true, now, periods });
    return { id: granted.row.id };
  }
  const before = await readMembership(db, current, now);
  await writeDecision(db, { current: before, decision: decideWindow(before, window, now) }, now);
  return { id: current.id };
}

async function changeMembershipOf(
  membershipId: string,
  change: Parameters<typeof changeMembership>[2]['change'],
  context: WriteContext,
): Promise<void> {
  const { db, clock } = context;
  const row = await requireRow(db, 'memberships', membershipId);
  const unsubscribed = phrase('No subscription renews this membership.');
  if (row.community_id === null) {
    // Sellers of products have no such form. Instead, the operator grants the membership again.
    if (change.kind !== 'set-end') throw conflict(unsubscribed);
    const { user_id, product_id, product_type, valid_from } = row;
    await grant(
      {
        ...{ id: membershipId, userId: String(user_id) },
        productType: product_type as Created<'memberships'>['productType'],
        productId: product_id === null ? undefined : String(product_id),
        ...{ validFrom: Number(valid_from), validUntil: change.validUntil },
      },
      context,
    );
    return;
  }
  const actor = await actingOwner(db, String(row.community_id));
  const result = await changeMembership(db, actor, { membershipId, change, now: clock.now() });
  const message = MEMBERSHIP_REFUSALS[result.kind];
  if (message !== undefined) throw conflict(message, 'validUntil');
  if (result.kind === 'unchanged' && change.kind === 'cancel-subscription') throw conflict(unsubscribed);
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

import { MEMBERSHIP_PRODUCT_TYPES } from '@latchkey/contract/constants';
import {
  changeMembership,
  checkoutPath,
  findOfferOf,
  hashSecret,
  openCheckout,
} from '@latchkey/server/extension';
import * as z from 'zod';
import { invalid } from '../../access/control-failure.js';
import { requireRow } from '../records/records.js';
import {
  actingOwner,
  defined,
  idText,
  instant,
  newId,
  recordWrites,
  refused,
  type WriteContext,
} from './record-writes.js';

const validUntil = instant.nullable().optional().describe('First instant without access; null is lifetime.');

export const membershipGrant = z.strictObject({
  id: newId,
  userId: idText,
  productType: z.enum(MEMBERSHIP_PRODUCT_TYPES, 'Choose a type from the list.').default('community'),
  communityId: idText.optional(),
  productId: idText.optional(),
  validFrom: instant.optional().describe('First instant of access, by default now.'),
  validUntil,
});

export const membershipWrites = recordWrites({
  create: {
    summary: 'Grants a membership of a community or product. An existing one gets the new period.',
    body: membershipGrant,
    async run(grant, { operator }) {
      const { productType, communityId } = grant;
      if (productType === 'community' && communityId === undefined && grant.productId === undefined) {
        throw invalid('communityId', 'Enter the community of the membership.');
      }
      return await operator.grantMembership(defined(grant));
    },
  },
  edit: {
    summary: 'Changes the end of a membership, or cancels its renewal, with the rules of the seller area.',
    body: z.strictObject({
      validUntil,
      cancelSubscription: z.literal(true, 'Enter true or nothing.').optional(),
    }),
    async run(id, { validUntil, cancelSubscription }, context) {
      if (cancelSubscription) await changeOf(id, { kind: 'cancel-subscription' }, context);
      if (validUntil !== undefined) await changeOf(id, { kind: 'set-end', validUntil }, context);
      return {};
    },
  },
  end: {
    summary: 'Ends a membership and its renewal now.',
    run: (id, { operator }) => operator.endMembership(id),
  },
});

const REFUSALS: Readonly<Record<string, string>> = {
  renewing:
    'A subscription renews the membership, and would set the end again. Cancel the subscription first.',
  expired: 'The membership has expired. Grant a new one.',
  'no-time': 'Enter an end after the start.',
};

async function changeOf(
  membershipId: string,
  change: Parameters<typeof changeMembership>[2]['change'],
  { db, clock, operator }: WriteContext,
): Promise<void> {
  const row = await requireRow(db, 'memberships', membershipId);
  if (row.community_id === null) {
    // Sellers of products have no such form. The operator grants the membership again.
    if (change.kind !== 'set-end') throw refused('No subscription renews this membership.');
    await operator.grantMembership({
      id: membershipId,
      userId: String(row.user_id),
      productType: row.product_type as (typeof MEMBERSHIP_PRODUCT_TYPES)[number],
      ...(row.product_id !== null && { productId: String(row.product_id) }),
      validFrom: Number(row.valid_from),
      validUntil: change.validUntil,
    });
    return;
  }
  const actor = await actingOwner(db, String(row.community_id));
  const result = await changeMembership(db, actor, { membershipId, change, now: clock.now() });
  const message = REFUSALS[result.kind];
  if (message !== undefined) throw refused(message, 'validUntil');
  if (result.kind === 'unchanged' && change.kind === 'cancel-subscription')
    throw refused('No subscription renews this membership.');
}

/** Writes of reservations. A reservation expires without payment, so there is nothing to change or to end. */
export const reservationWrites = recordWrites({
  create: {
    summary: 'Reserves a plan or a product for a user, and returns the address of its checkout.',
    body: z.strictObject({
      userId: idText.describe('Buyer.'),
      pricingPlanId: idText.optional(),
      productId: idText.optional(),
    }),
    run: reserve,
  },
});

async function reserve(
  { userId, pricingPlanId, productId }: { userId: string; pricingPlanId?: string; productId?: string },
  { db, clock, baseUrl }: WriteContext,
): Promise<{ id: string; checkoutUrl: string }> {
  if ((pricingPlanId === undefined) === (productId === undefined)) {
    throw invalid('pricingPlanId', 'Enter either a plan or a product.');
  }
  await requireRow(db, 'users', userId);
  const offer = await findOfferOf(db, { planId: pricingPlanId ?? null, productId: productId ?? null });
  if (offer === undefined) {
    const field = productId === undefined ? 'pricingPlanId' : 'productId';
    throw invalid(field, 'It does not exist, or it is not for sale.');
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

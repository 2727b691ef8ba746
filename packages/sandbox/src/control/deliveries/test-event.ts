import { randomUUID } from 'node:crypto';
import type { Clock } from '@latchkey/server';
import {
  type Database,
  eventMembership,
  inTransaction,
  recordEvent,
  recordMembershipChange,
} from '@latchkey/server/extension';
import type * as z from 'zod';
import { invalid, unknown } from '../access/control-failure.js';
import type { testEventInput } from '../routes/webhook-inputs.js';

/** A test event, as callers write it. */
export type TestEventInput = z.input<typeof testEventInput>;
type TestEvent = z.output<typeof testEventInput>;
type Payment = Extract<TestEvent, { pricingPlanId: string }>;

/**
 * Records a test event and returns its id.
 *
 * @throws ControlFailure `not_found` for an unknown object, `invalid_input` if the objects don't belong together.
 */
export function recordTestEvent(db: Database, event: TestEvent, clock: Clock): Promise<string> {
  return inTransaction(db, async (transaction) => {
    const now = clock.now();
    if (event.type === 'payment.failed') {
      const user = await findUser(transaction, event.userId);
      return await recordPayment(transaction, event, { user, now });
    }
    const membership = await findMembership(transaction, event.membershipId);
    if (event.type === 'payment.success') {
      const user = await findUser(transaction, membership.user_id);
      return await recordPayment(transaction, event, { user, now, communityId: membership.community_id });
    }
    if (event.type === 'digital.product.purchase') {
      return await recordProductPurchase(transaction, membership, { amount: event.amount, now });
    }
    const isNew = event.type === 'membership.created';
    return await recordMembershipChange(transaction, membership, { isNew, now });
  });
}

interface Buyer {
  readonly sub: string;
  readonly email: string | null;
}

async function recordPayment(
  transaction: Database,
  event: Payment,
  { user, now, communityId }: { user: Buyer; now: number; communityId?: string | null },
): Promise<string> {
  const plan = await transaction
    .selectFrom('pricing_plans')
    .selectAll()
    .where('id', '=', event.pricingPlanId)
    .executeTakeFirst();
  if (plan === undefined) throw unknown('plan', event.pricingPlanId);
  if (communityId !== undefined && communityId !== plan.community_id) {
    throw invalid('pricingPlanId', 'The plan belongs to another community than the membership.');
  }
  const payment = {
    paymentId: await paymentIdOf(transaction, { userId: user.sub, planId: plan.id, type: event.type }),
    user,
    communityId: plan.community_id,
    pricingPlanId: plan.id,
    amount: event.amount ?? plan.price_minor,
    currency: plan.currency,
    externalId: event.externalId ?? null,
    utmSource: event.utmSource ?? null,
  };
  const subject = { communityId: plan.community_id };
  if (event.type === 'payment.failed') {
    const data = { ...payment, reason: event.reason };
    return await recordEvent(transaction, { type: event.type, data, ...subject }, now);
  }
  const data = { ...payment, membershipId: event.membershipId };
  return await recordEvent(transaction, { type: event.type, data, ...subject }, now);
}

/** Returns the id of the user's newest payment for the plan, or a new id if there is none. */
async function paymentIdOf(
  transaction: Database,
  { userId, planId, type }: { userId: string; planId: string; type: Payment['type'] },
): Promise<string> {
  const payment = await transaction
    .selectFrom('payments')
    .select('id')
    .where('user_id', '=', userId)
    .where('pricing_plan_id', '=', planId)
    .where('status', '=', type === 'payment.success' ? 'succeeded' : 'failed')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return payment?.id ?? randomUUID();
}

async function recordProductPurchase(
  transaction: Database,
  membership: Awaited<ReturnType<typeof findMembership>>,
  { amount: paid, now }: { amount: number | undefined; now: number },
): Promise<string> {
  const productId = membership.product_id;
  if (productId === null) {
    throw invalid('membershipId', 'The membership belongs to a community. Name one of a product.');
  }
  const { price_minor, currency, ...product } = await transaction
    .selectFrom('products')
    .select(['id', 'name', 'slug', 'type', 'price_minor', 'currency'])
    .where('id', '=', productId)
    .executeTakeFirstOrThrow();
  const data = {
    product,
    membership: eventMembership(membership, now),
    user: await findUser(transaction, membership.user_id),
    amount: paid ?? price_minor ?? 0,
    currency: currency ?? 'EUR',
  };
  return await recordEvent(transaction, { type: 'digital.product.purchase', data, productId }, now);
}

async function findMembership(transaction: Database, membershipId: string) {
  const membership = await transaction
    .selectFrom('memberships')
    .selectAll()
    .where('id', '=', membershipId)
    .executeTakeFirst();
  if (membership === undefined) throw unknown('membership', membershipId);
  return membership;
}

async function findUser(transaction: Database, userId: string): Promise<Buyer> {
  const user = await transaction
    .selectFrom('users')
    .select(['id as sub', 'email'])
    .where('id', '=', userId)
    .executeTakeFirst();
  if (user === undefined) throw unknown('user', userId);
  return user;
}

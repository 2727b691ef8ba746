import type { PaymentProvider } from '@latchkey/server';
import {
  type Database,
  findCheckout,
  openCheckout,
  payCheckout,
  requireRow,
} from '@latchkey/server/extension';
import type * as z from 'zod';
import { isImmediate, SIMULATED_METHODS } from '../../payments/simulated-payments.js';
import type { Needs } from '../../services/services.js';
import { ControlFailure, invalid } from '../access/control-failure.js';
import type { purchaseInput } from '../routes/webhook-inputs.js';

/** A purchase, as callers write it. */
export type PurchaseInput = z.input<typeof purchaseInput>;

export interface PurchaseResult {
  readonly result: 'paid' | 'declined';
  /** The payment method that was charged. */
  readonly method: string;
  /** The membership that the payment created or extended; null if it was declined. */
  readonly membershipId: string | null;
  /** Why the payment was declined; null if it was paid. */
  readonly reason: string | null;
}

/**
 * Buys a plan or a product for a user, with the same state and events as a purchase on the checkout page.
 *
 * @throws ControlFailure
 */
export async function buy(
  {
    services,
    payments,
  }: { services: Needs<'baseUrl' | 'clock' | 'db' | 'logger'>; payments: PaymentProvider },
  purchase: z.output<typeof purchaseInput>,
): Promise<PurchaseResult> {
  const { baseUrl, db, clock, logger } = services;
  const secret = await open(services, purchase);
  const found = await findCheckout(db, secret);
  if (found?.offer === undefined) {
    throw new ControlFailure(
      'conflict',
      'This is not for sale: the plan is archived, or the product has no price.',
    );
  }
  const checkout = { ...found, offer: found.offer };
  const method = chooseMethod(purchase, checkout.offer);
  // A copy of the services would lack those that are getters.
  const paid = await payCheckout({ db, clock, logger, payments }, { checkout, url: baseUrl, method });
  if (paid.kind === 'declined') {
    return { result: 'declined', method, membershipId: null, reason: paid.reason };
  }
  if (paid.kind !== 'settled') throw new ControlFailure('conflict', 'The user owns this already.');
  const { membership_id: membershipId } = await db
    .selectFrom('checkout_reservations')
    .select('membership_id')
    .where('id', '=', checkout.reservationId)
    .executeTakeFirstOrThrow();
  return { result: 'paid', method, membershipId, reason: null };
}

async function open(
  { clock, baseUrl, db }: Needs<'baseUrl' | 'clock' | 'db'>,
  { userId, pricingPlanId, productId, externalId, utmSource }: z.output<typeof purchaseInput>,
): Promise<string> {
  await requireRow(db, 'users', userId);
  const page = {
    successUrl: `${baseUrl}/`,
    cancelUrl: `${baseUrl}/`,
    utmSource: utmSource ?? null,
    buyer: { id: userId },
  };
  if (productId !== undefined) {
    await requireRow(db, 'products', productId);
    const subject = { kind: 'product' as const, productId };
    return await openCheckout(db, { ...page, subject, caller: null }, clock.now());
  }
  const planId = pricingPlanId ?? '';
  const communityId = String((await requireRow(db, 'plans', planId)).community_id);
  const caller = externalId === undefined ? null : { id: await ownerOf(db, communityId), externalId };
  const subject = { kind: 'plan' as const, planId, communityId };
  return await openCheckout(db, { ...page, subject, caller }, clock.now());
}

/** Returns the owner of a community: their API key would open the checkout. */
async function ownerOf(db: Database, communityId: string): Promise<string> {
  const owner = await db
    .selectFrom('community_roles')
    .select('user_id')
    .where('community_id', '=', communityId)
    .where('role', '=', 'OWNER')
    .where('is_active', '=', 1)
    .executeTakeFirst();
  if (owner !== undefined) return owner.user_id;
  throw new ControlFailure('conflict', 'The community has no owner, so no caller can have an external id.');
}

/** Returns a payment method with the wanted result. A free order isn't charged, so it can't be declined. */
function chooseMethod(
  { result, method }: { result: 'paid' | 'declined'; method?: string | undefined },
  offer: { readonly amountMinor: number; readonly currency: string; readonly paidBy: 'card' | 'crypto' },
): string {
  if (offer.amountMinor === 0 && (result === 'declined' || method !== undefined)) {
    throw new ControlFailure('conflict', 'The order is free, so nothing is charged and nothing declined.');
  }
  const methods = SIMULATED_METHODS.filter((known) => known.kind === offer.paidBy && isImmediate(known));
  const offered = methods.map(({ id }) => id);
  const chosen = methods.find(
    ({ id, first }) => (method === undefined || id === method) && (first === 'paid') === (result === 'paid'),
  );
  if (chosen !== undefined) return chosen.id;
  const known = offered.join(', ');
  const message =
    method === undefined
      ? `No payment method is ${result}.`
      : offered.includes(method)
        ? `A payment with ${method} is not ${result}. Choose another one of ${known}.`
        : `Choose one of ${known}.`;
  throw invalid('method', message);
}

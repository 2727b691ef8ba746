import type { Schema } from '../../migrations/schema.js';
import type { Database } from '../../platform/database/open-database.js';
import { hasRows } from '../../platform/database/rows.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { LogFields } from '../../platform/logging/logger.js';
import { closeCharge, countFailures, findCharge } from '../charges/charges.js';
import { cancelSubscription, findMembership } from '../memberships/memberships.js';
import { type Charging, chargedCheckout, subjectOf } from './checkout.js';
import { findRenewalOf, type SettledRenewal } from './due-renewals.js';
import { endAtProvider } from './end-subscriptions.js';
import { settleFound, storePaid } from './look-up-charges.js';
import type { ProviderEvent } from './payment-provider.js';
import { recordDeclined, recordWithoutAccess } from './payment-record.js';
import { renewalAttempt, settleRenewal } from './renew-subscriptions.js';
import { applyReversal, findChargedPayment } from './reversals.js';

/** How many failed attempts at one order are stored. A buyer can try many cards on the provider's page. */
const FAILURES_STORED = 10;

type Outcome = Schema['provider_events']['outcome'];

/**
 * Stores what the payment provider's events report, oldest first. Each event is stored with its effect in one
 * transaction, so a repeated event changes nothing. Events arrive in any order. If an event's payment isn't stored yet,
 * it's looked up first.
 *
 * @throws Error if an event couldn't be stored. The provider must send it again.
 */
export async function receiveEvents(services: Charging, events: readonly ProviderEvent[]): Promise<void> {
  const { db, logger, payments } = services;
  for (const event of [...events].sort((one, other) => one.createdAt - other.createdAt)) {
    if (event.mode === payments.mode && !isAboutAttempt(event)) await settleFirst(services, event);
    const logged: [LogFields, string][] = [];
    const outcome = await inTransaction(db, async (transaction) => {
      // If the transaction is repeated, it logs again.
      logged.length = 0;
      const recording = {
        ...logger,
        error: (fields: LogFields, text: string) => void logged.push([fields, text]),
      };
      return await storeEvent({ ...services, db: transaction, logger: recording }, event);
    });
    for (const [fields, text] of logged) logger.error(fields, text);
    if (outcome === 'unknown' || outcome === 'other-mode') logger.warn(fieldsOf(event), WARNINGS[outcome]);
  }
}

const WARNINGS = {
  unknown: 'An event of the payment provider is about an order that this service does not know',
  'other-mode': 'An event of the payment provider has another mode than the provider, and was ignored',
} as const;

function fieldsOf({ id, kind, orderId, reference, mode }: ProviderEvent) {
  return { event: id, kind, order: orderId, reference, mode };
}

function isAboutAttempt({ kind }: ProviderEvent): boolean {
  return kind === 'paid' || kind === 'declined' || kind === 'expired';
}

async function settleFirst(services: Charging, { orderId }: ProviderEvent): Promise<void> {
  const charge = await findCharge(services.db, orderId);
  if (charge !== undefined) await settleFound(services, charge);
}

/** Applies and stores an event, in the transaction `db`. Returns `undefined` if it has been stored before. */
async function storeEvent(services: Charging, event: ProviderEvent): Promise<Outcome | undefined> {
  const { db: transaction, clock, payments } = services;
  const key = { id: event.id, provider: payments.name };
  const known = await transaction
    .selectFrom('provider_events')
    .select('id')
    .where('id', '=', key.id)
    .where('provider', '=', key.provider)
    .executeTakeFirst();
  if (known !== undefined) return undefined;
  const outcome = event.mode === payments.mode ? await applyEvent(services, event) : 'other-mode';
  const { kind, orderId: order_id, reference, createdAt: created_at } = event;
  await transaction
    .insertInto('provider_events')
    .values({ ...key, kind, order_id, reference, outcome, created_at, received_at: clock.now() })
    .execute();
  return outcome;
}

async function applyEvent(services: Charging, event: ProviderEvent): Promise<Outcome> {
  const { db: transaction, clock, payments } = services;
  const now = clock.now();
  const { orderId, reference } = event;
  const reverse = async (reversal: Omit<Parameters<typeof applyReversal>[2], 'at'>) => {
    const payment = { provider: payments.name, reference };
    const changed = await applyReversal(transaction, payment, { ...reversal, at: event.createdAt }, now);
    if (changed !== undefined) return outcomeOf(changed);
    const renewal = await findRenewalOf(transaction, { provider: payments.name, orderId });
    // This may be the refund of a renewal with an event that is late. The provider must send it again, or it would be
    // forgotten.
    if (renewal !== undefined)
      throw new Error(`The payment ${reference} of the order ${orderId} is not stored yet.`);
    return 'unknown';
  };
  switch (event.kind) {
    case 'paid':
      return await applyPaid(services, event);
    case 'declined': {
      const charge = await findCharge(transaction, orderId);
      if (charge === undefined) return (await isStored(transaction, orderId)) ? 'no-change' : 'unknown';
      const checkout = await chargedCheckout(transaction, charge);
      const failures = await countFailures(transaction, { orderId, since: 0, max: FAILURES_STORED });
      if (failures === FAILURES_STORED) return 'no-change';
      const attempt = { ...checkout, ...checkout.offer, charged: null };
      await recordDeclined(transaction, attempt, { reason: event.reason, now });
      return 'applied';
    }
    case 'expired':
      return outcomeOf(await closeCharge(transaction, { orderId, reference }, now));
    case 'refunded':
      return await reverse({ refundedMinor: event.amountMinor });
    case 'dispute-opened':
      return await reverse({ dispute: 'open' });
    case 'dispute-won':
      return await reverse({ dispute: 'won' });
    case 'dispute-lost':
      return await reverse({ dispute: 'lost' });
    case 'renewed':
    case 'renewal-failed':
    case 'subscription-ended':
      return await applyRenewal(services, event);
  }
}

const outcomeOf = (changed: boolean): Outcome => (changed ? 'applied' : 'no-change');

async function isStored(transaction: Database, orderId: string): Promise<boolean> {
  return await hasRows(transaction.selectFrom('payments').where('order_id', '=', orderId));
}

async function applyPaid(services: Charging, event: ProviderEvent & { kind: 'paid' }): Promise<Outcome> {
  const { db: transaction, logger, payments } = services;
  const charge = await findCharge(transaction, event.orderId);
  if (charge !== undefined) {
    const { kind } = await storePaid(services, await chargedCheckout(transaction, charge), event);
    return kind === 'other-price' ? kind : outcomeOf(kind === 'settled');
  }
  const { amountMinor, currency, reference } = event;
  if (await findChargedPayment(transaction, { provider: payments.name, reference })) return 'no-change';
  const isSecond = await recordSecondPayment(services, event);
  logger.error(
    { ...fieldsOf(event), amountMinor, currency },
    isSecond
      ? 'An order was paid twice. The second payment gave no access, and is refunded'
      : 'A payment could not be stored, because its order is not known any more: refund it',
  );
  return isSecond ? 'applied' : 'unknown';
}

/** Stores another payment of an order that is already settled. Returns false if no payment of the order is stored. */
async function recordSecondPayment(
  { db: transaction, clock, payments: { name: provider } }: Charging,
  { orderId, reference, amountMinor, currency, subscription }: ProviderEvent & { kind: 'paid' | 'renewed' },
): Promise<boolean> {
  const now = clock.now();
  const stored = { provider, reference };
  if (await findChargedPayment(transaction, stored)) return false;
  const first = await transaction
    .selectFrom('payments')
    .innerJoin('users', 'users.id', 'payments.user_id')
    .select(['user_id', 'community_id', 'product_id', 'pricing_plan_id', 'utm_source', 'email'])
    .where('order_id', '=', orderId)
    .where('provider', '=', provider)
    .where('status', '=', 'succeeded')
    .executeTakeFirst();
  const subject = first && subjectOf(first);
  if (first === undefined || subject === undefined) return false;
  await endAtProvider(transaction, { reference: subscription, provider, order_id: orderId }, now);
  await recordWithoutAccess(
    transaction,
    {
      ...{ subject, amountMinor, currency, orderId, reservationId: null },
      ...{ buyer: { id: first.user_id, email: first.email }, charged: stored },
      ...{ externalId: null, utmSource: first.utm_source },
    },
    now,
  );
  return true;
}

type RenewalEvent = ProviderEvent & { kind: 'renewed' | 'renewal-failed' | 'subscription-ended' };

async function applyRenewal(services: Charging, event: RenewalEvent): Promise<Outcome> {
  const { db: transaction, clock, logger, payments } = services;
  const provider = payments.name;
  const now = clock.now();
  const key = { provider, orderId: event.orderId, reference: event.subscription };
  const found = await findRenewalOf(transaction, key);
  if (event.kind === 'subscription-ended') {
    const reference = event.subscription ?? found?.reference ?? '';
    await transaction
      .updateTable('provider_subscriptions')
      .set({ ended_at: now })
      .where('reference', '=', reference)
      .where('provider', '=', provider)
      .where('ended_at', 'is', null)
      .execute();
  }
  if (found === undefined) {
    if (event.kind !== 'renewed') return 'unknown';
    const isSecond = await recordSecondPayment(services, event);
    logger.error(
      fieldsOf(event),
      isSecond
        ? 'A subscription that renews nothing was charged. The payment is refunded'
        : 'A renewal could not be stored, because its subscription is unknown: refund it',
    );
    return isSecond ? 'applied' : 'unknown';
  }
  const { reference: _own, ...subscription } = found;
  const { user_id: userId, community_id: communityId } = subscription;
  const membership =
    communityId === null ? undefined : await findMembership(transaction, userId, { communityId });
  const renews = membership?.subscription_id === subscription.subscription_id;
  if (event.kind === 'subscription-ended') {
    return outcomeOf(renews && (await cancelSubscription(transaction, membership, now)));
  }
  const due: SettledRenewal = {
    ...subscription,
    order_id: `${event.orderId}:${event.renewalId}`,
    period_end: membership?.renews_at ?? 0,
  };
  if (event.kind === 'renewal-failed') {
    const attempt = renewalAttempt(due, null);
    const failed = { orderId: due.order_id, since: 0, max: FAILURES_STORED };
    if (attempt === undefined || (await countFailures(transaction, failed)) === FAILURES_STORED)
      return 'no-change';
    await recordDeclined(transaction, attempt, { reason: event.reason ?? 'card_declined', now });
    return 'applied';
  }
  const { amountMinor, currency, reference } = event;
  const hasPrice = amountMinor === due.amount_minor && currency === due.currency;
  const settled = await settleRenewal(
    transaction,
    {
      // A renewal at another price is stored without access, as if it came from a subscription that the membership
      // doesn't have.
      due: hasPrice ? due : { ...due, subscription_id: '', amount_minor: amountMinor, currency },
      result: { kind: 'paid', reference },
      provider: payments.name,
    },
    now,
  );
  if (settled.kind === 'no-access') {
    logger.error(
      { ...fieldsOf(event), payment: settled.paymentId, amountMinor, currency },
      hasPrice
        ? 'A renewal gave no access, because the membership has changed, and is refunded'
        : 'A renewal has another price than its subscription, gave no access, and is refunded',
    );
    return hasPrice ? 'applied' : 'other-price';
  }
  return outcomeOf(settled.kind === 'renewed');
}

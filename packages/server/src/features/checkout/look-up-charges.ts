import { dueWorker, unlessStopped, type Worker } from '../../platform/background/background-work.js';
import { inTransaction } from '../../platform/database/transaction.js';
import {
  closeCharge,
  countFailures,
  endLeasedCharge,
  findOpenCharge,
  findStoredOrder,
  leaseCharge,
  overdueCharges,
  type StartedCharge,
  takeTurnToAsk,
} from '../charges/charges.js';
import { type ChargedCheckout, type Charging, chargedCheckout, findCharged } from './checkout.js';
import { endAtProvider } from './end-subscriptions.js';
import type { FoundPayment } from './payment-provider.js';
import { recordWithoutAccess } from './payment-record.js';
import { applyReversal } from './reversals.js';
import { type SettleChargeResult, settleCharge } from './settle-payment.js';

/** `other-price`: the payment differs from its order. It gives no access, but is stored once and refunded. */
export function storePaid(
  services: Charging,
  checkout: ChargedCheckout,
  paid: FoundPayment & { kind: 'paid' },
): Promise<SettleChargeResult | { readonly kind: 'other-price' }> {
  const { clock, logger, payments } = services;
  const { orderId, offer } = checkout;
  const { reference, amountMinor, currency, refundedMinor, dispute } = paid;
  const charged = { provider: payments.name, reference };
  return inTransaction(services.db, async (transaction) => {
    const now = clock.now();
    if (amountMinor !== offer.amountMinor || currency !== offer.currency) {
      if ((await findStoredOrder(transaction, { orderId, reference }))?.isOther === false)
        return { kind: 'other-price' };
      const attempt = { ...checkout, subject: offer.subject, amountMinor, currency };
      await recordWithoutAccess(transaction, { ...attempt, charged }, now);
      const subscription = { reference: paid.subscription, provider: payments.name, order_id: orderId };
      await endAtProvider(transaction, subscription, now);
      if (checkout.reference !== null)
        await closeCharge(transaction, { orderId, reference: checkout.reference }, now);
      const expected = { amountMinor: offer.amountMinor, currency: offer.currency };
      logger.error(
        { order: orderId, reference, expected, paid: { amountMinor, currency } },
        'A payment has another price than its order, gave no access, and is refunded',
      );
      return { kind: 'other-price' };
    }
    const settled = await settleCharge({ ...services, db: transaction }, checkout, paid);
    if (refundedMinor !== undefined || dispute !== undefined)
      await applyReversal(transaction, charged, { refundedMinor, dispute, at: now }, now);
    return settled;
  });
}

/** Stores the order if it was paid, and nothing else: a buyer may still be on the provider's page. */
export async function settleFound(services: Charging, charge: StartedCharge) {
  const checkout = await chargedCheckout(services.db, charge);
  const found = await findCharged(services.payments, checkout);
  if (found.kind === 'paid') await storePaid(services, checkout, found);
  return found.kind;
}

/** State of a payment on the provider's page. `none`: the checkout has no page where it can still be paid. */
export type AwaitedPayment = 'none' | 'waiting' | 'settled';

/** Asks the provider, at most every few seconds, since its webhook may still be on the way. */
export async function awaitPayment(services: Charging, reservationId: string): Promise<AwaitedPayment> {
  const { db, clock, logger } = services;
  const charge = await findOpenCharge(db, reservationId);
  if (charge?.reference == null) return 'none';
  const { order_id: orderId, reference } = charge;
  if (!(await takeTurnToAsk(db, orderId, clock.now()))) return 'waiting';
  try {
    const found = await settleFound(services, charge);
    if (found === 'paid') return 'settled';
    if (found !== 'none') return 'waiting';
    await closeCharge(db, { orderId, reference }, clock.now());
    return 'none';
  } catch (error) {
    logger.error({ order: orderId, error }, 'The payment of a returning buyer could not be looked up');
    return 'waiting';
  }
}

const CONCURRENCY = 4;
const LIMIT_MS = 30_000;
const STOPPING_GRACE_MS = 3_000;
/** Also the lease, so it's longer than a look-up takes. */
const MIN_PAUSE_MS = 15 * 60_000;
/** Longest time until an order is looked up again, in milliseconds. A buyer is waiting for access. */
const MAX_PAUSE_MS = 3600_000;

/** Creates the worker for charged checkout orders that a crash or an error left without a stored result. */
export function createChargeLookUp({
  limitMs = LIMIT_MS,
  stoppingGraceMs = STOPPING_GRACE_MS,
  ...services
}: Charging & { limitMs?: number; stoppingGraceMs?: number }): Worker {
  const { db, clock, logger, payments } = services;
  return dueWorker({
    ...{ name: 'look up charges', logger, concurrency: CONCURRENCY, by: ['order_id'] },
    due: () => overdueCharges(db, clock.now()),
    handle: lookUp,
  });

  /** False if there is no result yet, or another process has the lease. */
  async function lookUp(overdue: StartedCharge, signal: AbortSignal) {
    const charge = await lease(overdue);
    if (charge === undefined) return false;
    const checkout = await chargedCheckout(db, charge);
    const finding = findCharged(payments, checkout, limitMs);
    const found = await unlessStopped(finding, { signal, graceMs: stoppingGraceMs });
    if (found === 'stopped' || found.kind === 'pending') return false;
    if (found.kind === 'none')
      return await inTransaction(db, (transaction) => endLeasedCharge(transaction, charge, clock.now()));
    if (found.kind === 'paid') {
      await storePaid(services, checkout, found);
      return true;
    }
    // Stores a failure the way the request that charged the order would have.
    return await inTransaction(db, async (transaction) => {
      // The buyer has tried again since, and that attempt has no known result.
      if (!(await endLeasedCharge(transaction, charge, clock.now()))) return false;
      const key = { orderId: charge.order_id, since: charge.started_at, max: 1 };
      if ((await countFailures(transaction, key)) === 0)
        await settleCharge({ ...services, db: transaction }, checkout, found);
      return true;
    });
  }

  async function lease(overdue: StartedCharge) {
    const now = clock.now();
    const pause = Math.min(Math.max(MIN_PAUSE_MS, now - overdue.started_at), MAX_PAUSE_MS);
    return await leaseCharge(db, overdue, { now, until: now + pause });
  }
}

import type { Needs } from '../../app/services.js';
import {
  handleEachDue,
  unlessStopped,
  type Worker,
  withinLimit,
} from '../../platform/background/background-work.js';
import { inTransaction } from '../../platform/database/transaction.js';
import {
  endLeasedCharge,
  isFailureStored,
  leaseCharge,
  listOverdueCharges,
  type StartedCharge,
} from '../charges/charges.js';
import { canFindCharges, chargedCheckout, findOrder, orderOf } from './checkout.js';
import { subjectColumns } from './offer.js';
import type { PaymentProvider } from './payment-provider.js';
import { type CheckoutCharge, settleCharge } from './settle-payment.js';

/** Orders that a process looks up at once. */
const CONCURRENCY = 4;
/** Time limit of a look-up, in milliseconds. */
const LIMIT_MS = 30_000;
/** Time that a look-up has to finish when the process stops, in milliseconds. */
const STOPPING_GRACE_MS = 3_000;
/** Shortest time until an order is looked up again, in milliseconds. Longer than a look-up takes, because it is the lease too. */
const MIN_PAUSE_MS = 15 * 60_000;
/** Longest time until an order is looked up again, in milliseconds. A buyer waits for the access. */
const MAX_PAUSE_MS = 3600_000;

/**
 * Creates the worker that looks up the orders of checkouts that were charged and have no stored result, which a crash or an error
 * left, and stores their results. If the provider cannot look orders up, the worker logs them.
 */
export function createChargeLookUp({
  db,
  clock,
  logger,
  payments,
  limitMs = LIMIT_MS,
  stoppingGraceMs = STOPPING_GRACE_MS,
}: Needs<'db' | 'clock' | 'logger'> & {
  payments: PaymentProvider;
  limitMs?: number;
  stoppingGraceMs?: number;
}): Worker {
  const name = 'look up charges';
  return {
    name,
    runOnce: (signal) =>
      handleEachDue<StartedCharge>(
        {
          ...{ name, logger, concurrency: CONCURRENCY },
          page: (after) => listOverdueCharges(db, after, clock.now()),
          handle: (overdue) => lookUp(overdue, signal),
        },
        signal,
      ),
  };

  /** Looks an order up and stores its result. False if the result is not known, or another process has the lease. */
  async function lookUp(overdue: StartedCharge, signal: AbortSignal) {
    const charge = await lease(overdue);
    if (charge === undefined || !canFindCharges(payments)) return false;
    const checkout = await chargedCheckout(db, charge);
    const finding = withinLimit(findOrder(payments, orderOf(charge, checkout)), {
      ...{ name: 'The look-up of an order', limitMs },
    });
    const found = await unlessStopped(finding, { signal, graceMs: stoppingGraceMs });
    if (found === 'stopped' || found.kind === 'pending') return false;
    if (found.kind === 'none')
      return await inTransaction(db, (transaction) => endLeasedCharge(transaction, charge));
    const { id: orderId, method } = charge;
    return await settle(charge, { checkout, method, orderId, result: found });
  }

  /** Leases a charge until its next look-up. Logs it if the provider cannot look it up, less often the older it is. */
  async function lease(overdue: StartedCharge) {
    const isFindable = canFindCharges(payments);
    const now = clock.now();
    const age = Math.max(MIN_PAUSE_MS, now - overdue.startedAt);
    const pause = isFindable ? Math.min(age, MAX_PAUSE_MS) : age;
    const leased = await leaseCharge(db, overdue, { now, until: now + pause });
    if (leased !== undefined && !isFindable) {
      logger.error(
        { order: leased.id, reservation: leased.reservationId },
        'A charge has no stored result, and the payment provider cannot look it up: compare it with the provider',
      );
    }
    return leased;
  }

  /** Stores a result as the request that charged the order would have. */
  async function settle(overdue: StartedCharge, charge: CheckoutCharge): Promise<boolean> {
    const { checkout, orderId, result } = charge;
    const now = clock.now();
    if (result.kind === 'paid') {
      await settleCharge(db, charge, { logger, now });
      return true;
    }
    const { community_id: communityId } = subjectColumns(checkout.offer.subject);
    const key = { orderId, userId: checkout.buyer.id, communityId, since: overdue.startedAt };
    return await inTransaction(db, async (transaction) => {
      // The buyer has tried again since, and the result of that attempt is not known.
      if (!(await endLeasedCharge(transaction, overdue))) return false;
      if (!(await isFailureStored(transaction, key)))
        await settleCharge(transaction, charge, { logger, now });
      return true;
    });
  }
}

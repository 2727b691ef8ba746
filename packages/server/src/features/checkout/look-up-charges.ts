import {
  dueWorker,
  unlessStopped,
  type Worker,
  withinLimit,
} from '../../platform/background/background-work.js';
import { inTransaction } from '../../platform/database/transaction.js';
import {
  countFailures,
  endLeasedCharge,
  leaseCharge,
  listOverdueCharges,
  type StartedCharge,
} from '../charges/charges.js';
import { type Charging, chargedCheckout, findOrder, orderOf } from './checkout.js';
import { storePaid } from './found-payment.js';
import { type CheckoutCharge, settleCharge } from './settle-payment.js';

const CONCURRENCY = 4;
/** Time limit of a look-up, in milliseconds. */
const LIMIT_MS = 30_000;
/** How long a look-up may still take when the process stops, in milliseconds. */
const STOPPING_GRACE_MS = 3_000;
/**
 * Shortest time until an order is looked up again, in milliseconds. It's also the lease, so it's longer than a look-up
 * takes.
 */
const MIN_PAUSE_MS = 15 * 60_000;
/** Longest time until an order is looked up again, in milliseconds. A buyer is waiting for access. */
const MAX_PAUSE_MS = 3600_000;

/**
 * Creates the worker that looks up charged checkout orders without a stored result, left behind by a crash or an error,
 * and stores their results.
 */
export function createChargeLookUp({
  db,
  clock,
  logger,
  payments,
  limitMs = LIMIT_MS,
  stoppingGraceMs = STOPPING_GRACE_MS,
}: Charging & { limitMs?: number; stoppingGraceMs?: number }): Worker {
  return dueWorker<StartedCharge>({
    ...{ name: 'look up charges', logger, concurrency: CONCURRENCY },
    page: (after) => listOverdueCharges(db, after, clock.now()),
    handle: lookUp,
  });

  /**
   * Looks up an order and stores its result. Returns false if there is no result yet, or another process has the lease.
   */
  async function lookUp(overdue: StartedCharge, signal: AbortSignal) {
    const charge = await lease(overdue);
    if (charge === undefined) return false;
    const checkout = await chargedCheckout(db, charge);
    const finding = withinLimit(findOrder(payments, orderOf(charge, checkout)), {
      ...{ name: 'The look-up of an order', limitMs },
    });
    const found = await unlessStopped(finding, { signal, graceMs: stoppingGraceMs });
    if (found === 'stopped' || found.kind === 'pending') return false;
    if (found.kind === 'none')
      return await inTransaction(db, (transaction) => endLeasedCharge(transaction, charge, clock.now()));
    const provider = payments.name;
    if (found.kind === 'paid') {
      await storePaid(db, { charge, checkout, provider }, found, { logger, now: clock.now() });
      return true;
    }
    const { id: orderId, method } = charge;
    return await settle(charge, { checkout, method, orderId, provider, result: found });
  }

  /** Leases a charge until its next look-up. The older the charge, the later that is. */
  async function lease(overdue: StartedCharge) {
    const now = clock.now();
    const pause = Math.min(Math.max(MIN_PAUSE_MS, now - overdue.startedAt), MAX_PAUSE_MS);
    return await leaseCharge(db, overdue, { now, until: now + pause });
  }

  /** Stores a failure the way the request that charged the order would have. */
  async function settle(overdue: StartedCharge, charge: CheckoutCharge): Promise<boolean> {
    const now = clock.now();
    const key = { orderId: charge.orderId, since: overdue.startedAt, max: 1 };
    return await inTransaction(db, async (transaction) => {
      // The buyer has tried again since, and that attempt has no known result.
      if (!(await endLeasedCharge(transaction, overdue, now))) return false;
      if ((await countFailures(transaction, key)) === 0)
        await settleCharge(transaction, charge, { logger, now });
      return true;
    });
  }
}

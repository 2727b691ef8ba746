import type { Worker } from '../../platform/background/background-work.js';
import { unlessStopped, withinLimit } from '../../platform/background/bounded-wait.js';
import { handleEachDue } from '../../platform/background/each-due.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { Logger } from '../../platform/logging/logger.js';
import { endCharge } from '../charges/charges.js';
import { canFindCharges, chargeOrder, findOrder } from './charge-order.js';
import {
  type DueRenewal,
  isStillRenewing,
  listDueRenewals,
  listStartedRenewals,
  releaseRenewal,
  startRenewal,
} from './due-renewals.js';
import type { FoundCharge, PaymentProvider } from './payment-provider.js';
import { settleRenewal } from './settle-renewal.js';

/** Renewals that a process charges at once. */
const CONCURRENCY = 4;
/** Time limit of a charge, in milliseconds. */
const CHARGE_LIMIT_MS = 30_000;
/** Time that a charge has to finish when the process stops, in milliseconds. */
const STOPPING_GRACE_MS = 3_000;

/** Parts of the service that renewals use. */
export interface RenewalWorkerNeeds {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly payments: PaymentProvider;
  /**
   * Time limit of a charge, in milliseconds.
   *
   * @default 30000
   */
  readonly chargeLimitMs?: number;
  /**
   * Time that a charge has to finish when the process stops, in milliseconds.
   *
   * @default 3000
   */
  readonly stoppingGraceMs?: number;
}

/**
 * Creates the worker that charges the next period of each active subscription before the current one ends. It also charges the
 * orders without a stored result again, which a crash or an error left.
 */
export function createRenewalWorker(needs: RenewalWorkerNeeds): Worker {
  const { db, clock, logger } = needs;
  const name = 'renew subscriptions';
  return {
    name,
    async runOnce(signal) {
      /** Orders of this run. An order that failed waits for the next run. */
      const tried = new Set<string>();
      const handle = async (due: DueRenewal) => {
        if (tried.has(due.order_id)) return false;
        tried.add(due.order_id);
        return await renew(needs, due, signal);
      };
      const work = { name, logger, handle, concurrency: CONCURRENCY };
      const due = (after: DueRenewal | undefined) => listDueRenewals(db, after, clock.now());
      const started = (after: DueRenewal | undefined) => listStartedRenewals(db, after, clock.now());
      const handled = await handleEachDue({ ...work, page: due }, signal);
      return handled + (await handleEachDue({ ...work, page: started }, signal));
    },
  };
}

/** Charges a renewal and stores the result. False if nothing was stored. */
async function renew(needs: RenewalWorkerNeeds, due: DueRenewal, signal: AbortSignal): Promise<boolean> {
  const { db, clock, logger } = needs;
  const { chargeLimitMs = CHARGE_LIMIT_MS, stoppingGraceMs = STOPPING_GRACE_MS } = needs;
  if (!(await startRenewal(db, due, clock.now()))) return false;
  const charging = withinLimit(chargeOrFind(needs, due), { name: 'The charge', limitMs: chargeLimitMs });
  // Charging is repeatable: without a stored result, a later run charges the same order again.
  const result = await unlessStopped(charging, { signal, graceMs: stoppingGraceMs }).catch(async (error) => {
    await releaseRenewal(db, due, clock.now());
    throw error;
  });
  if (result === 'stopped') await releaseRenewal(db, due, clock.now());
  if (result === 'stopped' || result.kind === 'pending') return false;
  if (result.kind === 'none') {
    await inTransaction(db, (transaction) => endCharge(transaction, due.order_id));
    return false;
  }
  const settled = await settleRenewal(db, { due, result }, clock.now());
  if (settled.kind === 'no-access') {
    logger.error(
      { payment: settled.paymentId, order: due.order_id, subscription: due.subscription_id },
      'A renewal gave no access, because the membership changed during its charge: refund it',
    );
  }
  return settled.kind !== 'unchanged';
}

/**
 * Charges a renewal. If its charge was started, and the subscription was cancelled or replaced since, the order is looked up instead:
 * nothing must be charged after that. A provider that cannot look orders up charges it again.
 */
async function chargeOrFind({ db, payments }: RenewalWorkerNeeds, due: DueRenewal): Promise<FoundCharge> {
  if (due.amount_minor === 0) return { kind: 'paid' };
  const order = {
    orderId: due.order_id,
    amountMinor: due.amount_minor,
    currency: due.currency,
    method: due.payment_method,
    isRenewal: true,
  };
  if (due.isStarted && canFindCharges(payments) && !(await isStillRenewing(db, due)))
    return await findOrder(payments, order);
  return await chargeOrder(payments, order);
}

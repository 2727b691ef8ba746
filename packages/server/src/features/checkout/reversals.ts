import { isDeepStrictEqual } from 'node:util';
import { DAY_MS } from '@latchkey/contract/constants';
import type { Row } from '../../migrations/schema.js';
import { dueWorker, type Worker, withinLimit } from '../../platform/background/background-work.js';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { recordAudit } from '../audit/audit.js';
import { NO_ACCESS } from '../charges/charges.js';
import { readMembership, withTimeline } from '../memberships/membership-periods.js';
import { isRenewing } from '../memberships/membership-state.js';
import { saveMembership } from '../memberships/memberships.js';
import { withdrawPeriods } from '../memberships/timeline.js';
import { type Charging, findOrder } from './checkout.js';
import { queueRefunded } from './payment-mails.js';
import type { ChargedPayment } from './payment-record.js';

type PaymentRow = Row<'payments'>;

export interface Reversal {
  readonly refundedMinor?: number | undefined;
  readonly dispute?: 'open' | 'won' | 'lost' | undefined;
  /** Time of the report by the provider's clock, in milliseconds since the epoch. Reports arrive in any order. */
  readonly at: number;
}

/** True if the whole payment went back, and so no longer pays for anything. */
export function isReversed(payment: Pick<PaymentRow, 'amount_minor' | 'refunded_minor' | 'dispute'>) {
  const isRefunded = payment.amount_minor > 0 && payment.refunded_minor >= payment.amount_minor;
  return isRefunded || payment.dispute === 'lost';
}

/**
 * Stores a refund or a dispute of a payment, in the caller's transaction. Once the whole payment has gone back, the
 * access that it paid for ends, with its event. A partial refund, and a dispute that is open or won, change nothing for
 * the buyer.
 *
 * | report | is stored |
 * |---|---|
 * | refunds, more than stored | always |
 * | refunds, less than stored | if it is newer than the last report: a refund failed at the bank. Access does not return |
 * | dispute won or lost | unless the opposite is stored and newer |
 * | dispute opened | if it is newer than the last report |
 *
 * @returns false if nothing changed; `undefined` if there is no such payment.
 */
export async function applyReversal(
  transaction: Database,
  charged: ChargedPayment,
  { refundedMinor, dispute, at }: Reversal,
  now: number,
): Promise<boolean | undefined> {
  const payment = await findChargedPayment(transaction, charged);
  if (payment === undefined) return undefined;
  const changed = { ...payment };
  if (refundedMinor !== undefined) {
    const total = Math.max(0, Math.min(refundedMinor, payment.amount_minor));
    const isNewer = at > (payment.refunded_at ?? -Infinity);
    if (total > payment.refunded_minor || isNewer) changed.refunded_minor = total;
    if (isNewer) changed.refunded_at = at;
  }
  if (dispute !== undefined) {
    const lastAt = payment.disputed_at ?? -Infinity;
    const counts = dispute === 'open' ? at > lastAt : payment.dispute === 'open' || at >= lastAt;
    if (counts) Object.assign(changed, { dispute, disputed_at: Math.max(at, lastAt) });
  }
  if (isDeepStrictEqual(changed, { ...payment })) return false;
  const { id, refunded_minor, refunded_at, disputed_at } = changed;
  await transaction
    .updateTable('payments')
    .set({ refunded_minor, refunded_at, dispute: changed.dispute, disputed_at })
    .where('id', '=', id)
    .execute();
  if (refunded_minor !== payment.refunded_minor || changed.dispute !== payment.dispute)
    await recordAudit(transaction, {
      action: changed.dispute === payment.dispute ? 'payment.refund' : 'payment.dispute',
      subjectId: id,
      communityId: payment.community_id,
      details: { refundedMinor: `${refunded_minor}`, dispute: changed.dispute },
    });
  const endsAccess = isReversed(changed) && !isReversed(payment) && payment.reason !== NO_ACCESS;
  if (endsAccess) await withdrawPayment(transaction, { paymentId: id, now });
  if (refunded_minor > payment.refunded_minor)
    await queueRefunded(transaction, { payment: changed, endsAccess }, now);
  return true;
}

export async function findChargedPayment(db: Database, { provider, reference }: ChargedPayment) {
  return await db
    .selectFrom('payments')
    .selectAll()
    .where('reference', '=', reference)
    .where('provider', '=', provider)
    .executeTakeFirst();
}

const ASK_EVERY_MS = DAY_MS;
/** How long after a payment the provider is asked, in milliseconds. Buyers can dispute for that long. */
const ASKED_FOR_MS = 120 * DAY_MS;
const LIMIT_MS = 10_000;

/** Creates the daily look-up of refunds and disputes, in case a webhook was lost. Its findings only add. */
export function createReversalLookUp({ db, clock, logger, payments }: Charging): Worker {
  const due = () =>
    db
      .selectFrom('payments')
      .selectAll()
      .where('look_up_at', '<=', clock.now())
      .where('provider', '=', payments.name);
  return dueWorker({ name: 'look up refunds and disputes', logger, by: ['id'], due, handle });

  async function handle(payment: PaymentRow): Promise<boolean> {
    const { id, order_id, reference, currency, amount_minor: amountMinor } = payment;
    const now = clock.now();
    const next = now + ASK_EVERY_MS;
    const leased = await db
      .updateTable('payments')
      .set({ look_up_at: next <= payment.created_at + ASKED_FOR_MS ? next : null })
      .where('id', '=', id)
      .where('look_up_at', '=', payment.look_up_at)
      .returning('id')
      .executeTakeFirst();
    if (leased === undefined || reference === null || isReversed(payment)) return false;
    const isRenewal = payment.reservation_id === null && payment.reason === null;
    const order = {
      orderId: order_id ?? '',
      reference,
      amountMinor,
      currency,
      method: null,
      subscription: null,
    };
    const finding = findOrder(payments, { ...order, isRenewal });
    const found = await withinLimit(finding, { name: 'The look-up of a payment', limitMs: LIMIT_MS });
    if (found.kind !== 'paid' || found.reference !== reference) return false;
    const { dispute, refundedMinor = 0 } = found;
    const isNews = refundedMinor > payment.refunded_minor || (dispute ?? payment.dispute) !== payment.dispute;
    if (!isNews) return false;
    const more = refundedMinor > payment.refunded_minor ? { refundedMinor } : {};
    const reversal = { ...more, dispute, at: now };
    const charged = { provider: payments.name, reference };
    return await inTransaction(
      db,
      async (transaction) => (await applyReversal(transaction, charged, reversal, now)) === true,
    );
  }
}

/** Takes back what is left of a payment's periods, and cancels its subscription. What follows moves forward. */
export async function withdrawPayment(
  transaction: Database,
  { paymentId, now }: { paymentId: string; now: number },
): Promise<void> {
  const bought = await transaction
    .selectFrom('membership_periods')
    .select(['membership_id', 'subscription_id'])
    .where('payment_id', '=', paymentId)
    .execute();
  const [first] = bought;
  if (first === undefined) return;
  const stored = await transaction
    .selectFrom('memberships')
    .selectAll()
    .where('id', '=', first.membership_id)
    .executeTakeFirstOrThrow();
  const { row, timeline } = await readMembership(transaction, stored, now);
  const after = withdrawPeriods(timeline, paymentId, now);
  const isOfSubscription = bought.some(
    ({ subscription_id: id }) => id !== null && id === row.subscription_id,
  );
  const isCancelled = isOfSubscription && isRenewing(row);
  const hasLeft = timeline.some((period) => period.paymentId === paymentId);
  if (!hasLeft && !isCancelled) return;
  const cancelled = isCancelled ? { ...row, subscription_cancelled_at: now } : row;
  const changed = withTimeline(cancelled, after, now);
  await saveMembership(transaction, changed, { isNew: false, now, periods: { before: timeline, after } });
}

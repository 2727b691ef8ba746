import { HOUR_MS } from '@latchkey/contract/constants';
import type { Needs } from '../../app/services.js';
import type { Row } from '../../migrations/schema.js';
import { dueWorker, type Worker, withinLimit } from '../../platform/background/background-work.js';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { notFound } from '../../platform/http/http-failure.js';
import { recordAudit } from '../audit/audit.js';
import { useBudgets } from '../budgets/budgets.js';
import { asAdministrator, type CommunityActor } from '../communities/community-access.js';
import type { ProductOwner } from '../products/product.queries.js';
import type { Charging } from './checkout.js';
import type { PaymentProvider, RefundResult } from './payment-provider.js';
import { applyReversal, isReversed } from './reversals.js';

type PaymentRow = Row<'payments'>;
type RefundRow = Row<'refunds'>;

const REFUND_LIMIT_MS = 10_000;
/** Until the provider is asked again about a refund without a result. Longer than a call takes. */
const RETRY_MS = 60_000;
/** The same for a refund that the provider has accepted. Usually an event arrives sooner. */
const PENDING_RETRY_MS = HOUR_MS;

/** How many refunds of one payment are requested per hour. Each one is a call of the provider, and a row that stays. */
const REFUNDS_PER_HOUR = 20;

export type Refunder = CommunityActor | ProductOwner;

export interface NewRefund {
  readonly paymentId: string;
  /** Id that the form was rendered with. Sending the form twice refunds once. */
  readonly refundId: string;
  readonly amountMinor: number;
}

export type RefundObstacle = 'not-paid' | 'free' | 'other-provider' | 'disputed' | 'refunded';

export type RequestRefundResult =
  | RefundResult
  /** The provider didn't answer. The server keeps asking until it does. */
  | { readonly kind: 'unanswered' }
  | { readonly kind: 'refused'; readonly obstacle: RefundObstacle }
  | { readonly kind: 'too-much'; readonly leftMinor: number }
  /** The payment has had {@link REFUNDS_PER_HOUR}, failed ones included. */
  | { readonly kind: 'too-many'; readonly availableAt: number };

export function refundObstacle(
  payment: Pick<
    PaymentRow,
    'status' | 'amount_minor' | 'refunded_minor' | 'provider' | 'reference' | 'dispute'
  >,
  payments: Pick<PaymentProvider, 'name'> | undefined,
): RefundObstacle | undefined {
  if (payment.status !== 'succeeded') return 'not-paid';
  if (payment.amount_minor === 0) return 'free';
  if (payment.reference === null || payment.provider !== payments?.name) return 'other-provider';
  // In a dispute, the bank moves the money. A refund would pay it back twice.
  if (payment.dispute === 'open' || payment.dispute === 'lost') return 'disputed';
  return isReversed(payment) ? 'refunded' : undefined;
}

/** Stores the refund before it asks the provider: after a crash, the worker asks again. @throws HttpFailure 404. */
export async function requestRefund(
  services: Needs<'db' | 'clock' | 'logger'> & { payments: PaymentProvider | undefined },
  refunder: Refunder,
  refund: NewRefund,
): Promise<RequestRefundResult> {
  const { db, clock, logger, payments } = services;
  const started = await startRefund(db, refunder, refund, { payments, now: clock.now() });
  if ('kind' in started) return started;
  if (payments === undefined) return { kind: 'refused', obstacle: 'other-provider' };
  try {
    return await callProvider({ db, clock, payments }, started);
  } catch (error) {
    logger.error({ refund: refund.refundId, payment: refund.paymentId, error }, 'A refund has no result yet');
    return { kind: 'unanswered' };
  }
}

async function startRefund(
  db: Database,
  refunder: Refunder,
  { paymentId, refundId, amountMinor }: NewRefund,
  { payments, now }: { payments: PaymentProvider | undefined; now: number },
): Promise<RefundRow | RequestRefundResult> {
  const start = async (transaction: Database): Promise<RefundRow | RequestRefundResult> => {
    const payment = await ownPayment(transaction, refunder, paymentId);
    if (payment === undefined) throw notFound();
    const before = await transaction
      .selectFrom('refunds')
      .selectAll()
      .where((eb) => eb.or([eb('payment_id', '=', paymentId), eb('id', '=', refundId)]))
      .execute();
    const repeated = before.find(({ id }) => id === refundId);
    if (repeated !== undefined && repeated.payment_id !== paymentId) throw notFound();
    if (repeated?.status === 'pending') return repeated;
    if (repeated !== undefined) return resultOf(repeated);
    const obstacle = refundObstacle(payment, payments);
    if (obstacle !== undefined) return { kind: 'refused', obstacle };
    const leftMinor = leftToRefund(payment, before);
    if (!(amountMinor > 0 && amountMinor <= leftMinor)) return { kind: 'too-much', leftMinor };
    const hourly = { counted: ['refunds', paymentId], limit: REFUNDS_PER_HOUR, periodMs: HOUR_MS };
    const use = await useBudgets(transaction, [hourly], now);
    if (use.kind === 'exhausted') return { kind: 'too-many', availableAt: use.availableAt };
    const refund: RefundRow = {
      id: refundId,
      payment_id: paymentId,
      amount_minor: amountMinor,
      refunded_before: payment.refunded_minor,
      status: 'pending',
      reason: null,
      created_at: now,
      try_at: now + RETRY_MS,
    };
    await transaction.insertInto('refunds').values(refund).execute();
    await recordAudit(transaction, {
      action: 'payment.request-refund',
      subjectId: paymentId,
      communityId: payment.community_id,
      details: { refund: refundId, amountMinor: `${amountMinor}` },
    });
    return refund;
  };
  return 'productId' in refunder
    ? await inTransaction(db, start)
    : await asAdministrator(db, refunder, start);
}

function resultOf({ status, reason }: RefundRow): RefundResult {
  return status === 'failed' ? { kind: 'failed', reason: reason ?? '' } : { kind: status };
}

/** Returns how much of a payment has neither gone back nor is on its way back, in the minor unit. */
export function leftToRefund(
  payment: Pick<PaymentRow, 'amount_minor' | 'refunded_minor'>,
  refunds: readonly Pick<RefundRow, 'status' | 'amount_minor'>[],
): number {
  const sum = (status: RefundRow['status']) =>
    refunds
      .filter((refund) => refund.status === status)
      .reduce((total, refund) => total + refund.amount_minor, 0);
  // The provider's total covers the refunds that arrived, without any that a bank has since sent back.
  const gone = payment.refunded_minor + sum('pending');
  return Math.max(0, payment.amount_minor - gone);
}

export async function ownPayment(db: Database, refunder: Refunder, paymentId: string) {
  const payment = db.selectFrom('payments').selectAll('payments').where('payments.id', '=', paymentId);
  if ('communityId' in refunder)
    return await payment.where('community_id', '=', refunder.communityId).executeTakeFirst();
  return await payment
    .innerJoin('products', 'products.id', 'payments.product_id')
    .where('products.id', '=', refunder.productId)
    .where('products.owner_id', '=', refunder.userId)
    .executeTakeFirst();
}

export function isAutomatic({ id, payment_id }: Pick<RefundRow, 'id' | 'payment_id'>): boolean {
  return id === payment_id;
}

export async function listRefunds(db: Database, paymentId: string) {
  return await db
    .selectFrom('refunds')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

async function callProvider(
  { db, clock, payments }: Pick<Charging, 'db' | 'clock' | 'payments'>,
  { id: refundId, payment_id: paymentId, amount_minor: amountMinor }: RefundRow,
): Promise<RefundResult> {
  const { order_id, reference, currency } = await db
    .selectFrom('payments')
    .select(['order_id', 'reference', 'currency'])
    .where('id', '=', paymentId)
    .executeTakeFirstOrThrow();
  const refund = { refundId, orderId: order_id ?? '', reference: reference ?? '', amountMinor, currency };
  const result = await withinLimit(payments.refund(refund), { name: 'The refund', limitMs: REFUND_LIMIT_MS });
  if (!['refunded', 'pending', 'failed'].includes(result?.kind))
    throw new Error(`"refund" of the payment provider returned ${JSON.stringify(result)}.`);
  await storeResult(db, { refundId, result, provider: payments.name }, clock.now());
  return result;
}

function storeResult(
  db: Database,
  { refundId, result, provider }: { refundId: string; result: RefundResult; provider: string },
  now: number,
): Promise<void> {
  return inTransaction(db, async (transaction) => {
    const reason = result.kind === 'failed' ? `${result.reason}`.slice(0, 200) : null;
    const refund = await transaction
      .updateTable('refunds')
      .set({ status: result.kind, reason, try_at: now + PENDING_RETRY_MS })
      .where('id', '=', refundId)
      .where('status', '=', 'pending')
      .returningAll()
      .executeTakeFirst();
    if (refund === undefined || result.kind !== 'refunded') return;
    const payment = await transaction
      .selectFrom('payments')
      .select(['reference', 'refunded_minor', 'refunded_at'])
      .where('id', '=', refund.payment_id)
      .executeTakeFirstOrThrow();
    const all = await listRefunds(transaction, refund.payment_id);
    const own = all
      .filter(({ status }) => status === 'refunded')
      .reduce((sum, { amount_minor }) => sum + amount_minor, 0);
    const refundedMinor = Math.max(
      ...[payment.refunded_minor, own, refund.refunded_before + refund.amount_minor],
    );
    const charged = { provider, reference: payment.reference ?? '' };
    // The provider didn't report this, so it isn't newer than the last report.
    await applyReversal(transaction, charged, { refundedMinor, at: payment.refunded_at ?? 0 }, now);
  });
}

export function createRefundWorker({ db, clock, logger, payments }: Charging): Worker {
  const due = () =>
    db
      .selectFrom('refunds')
      .innerJoin('payments', 'payments.id', 'refunds.payment_id')
      .selectAll('refunds')
      .where('refunds.status', '=', 'pending')
      .where('refunds.try_at', '<=', clock.now())
      .where('payments.provider', '=', payments.name)
      // In a dispute, the bank moves the money.
      .where((eb) => eb.or([eb('payments.dispute', 'is', null), eb('payments.dispute', '=', 'won')]));
  return dueWorker({ name: 'refund payments', logger, by: ['refunds.id'], due, handle });

  async function handle(refund: RefundRow): Promise<boolean> {
    const leased = await db
      .updateTable('refunds')
      .set({ try_at: clock.now() + RETRY_MS })
      .where('id', '=', refund.id)
      .where('status', '=', 'pending')
      .where('try_at', '=', refund.try_at)
      .returning('id')
      .executeTakeFirst();
    if (leased === undefined) return false;
    const result = await callProvider({ db, clock, payments }, refund);
    if (result.kind === 'failed' && isAutomatic(refund))
      logger.error(
        { payment: refund.payment_id, reason: result.reason },
        'A payment gave no access, and the provider did not refund it: refund it',
      );
    return true;
  }
}

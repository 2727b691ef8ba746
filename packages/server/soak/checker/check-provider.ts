import { type CallEntry, isUnknown } from '../log/log-entries.ts';
import type { SoakHistory } from './soak-history.ts';
import type { Report } from './violation.ts';

/**
 * Checks the books at the end: each event of the payment provider is stored once, each refund with its amount, and whoever paid for the plan
 * and got no money back has what was paid for.
 */
export function checkProvider(history: SoakHistory, report: Report): void {
  const { books } = history;
  if (books === undefined) return;
  const calls = history.of('provider-event');
  const stored = Map.groupBy(books.events, (id) => id);
  const known = Map.groupBy(calls, ({ input }) => String(input.id));
  for (const [id, same] of known) {
    const times = stored.get(id)?.length ?? 0;
    const wasTaken = same.some(({ status }) => status === 200);
    if (times > 1 || (wasTaken && times === 0))
      report('provider event counts once', `The event ${id} is stored ${times} times.`);
  }
  for (const id of stored.keys()) {
    if (!known.has(id)) report('provider event counts once', `Nobody sent the stored event ${id}.`);
  }
  const refunds = Map.groupBy(calls.filter(isRefund), ({ subject }) => subject);
  for (const { orderId, isPaid, refundedMinor } of books.payments.filter((payment) => payment.isPaid)) {
    const own = refunds.get(orderId) ?? [];
    const total = Number(own[0]?.input.amountMinor ?? 0);
    const isCertain = own.some(({ status }) => status === 200);
    const mayBe = own.some((call) => call.status === 200 || isUnknown(call));
    if ((isCertain && refundedMinor !== total) || (!mayBe && refundedMinor !== 0) || !isPaid)
      report('refund is kept', `${refundedMinor} of ${total} are refunded for the order ${orderId}.`);
  }
  const refunded = new Set(books.payments.flatMap((one) => (one.refundedMinor > 0 ? [one.orderId] : [])));
  const access = Map.groupBy(books.access, ({ orderId }) => orderId);
  for (const [orderId, [row]] of access) {
    const isForLife = row?.validUntil === null;
    if (isForLife === refunded.has(orderId))
      report(
        'paid time is kept',
        `The order ${orderId} ${isForLife ? 'was refunded and gives' : 'was paid and gives no'} access.`,
      );
  }
}

/** Returns the time from which the access of a buyer may be gone, because a refund was on its way. */
export function refundSince({ books, of }: SoakHistory, externalId: string): number | undefined {
  const orders = new Set(
    books?.payments.filter((one) => one.externalId === externalId).map(({ orderId }) => orderId),
  );
  return of('provider-event').find((call) => isRefund(call) && orders.has(call.subject))?.sent;
}

function isRefund({ input }: CallEntry): boolean {
  return input.event === 'refunded';
}

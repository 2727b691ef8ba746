import { randomUUID } from 'node:crypto';
import type { PaymentStart } from './payment-driver.js';
import { casesOf, expectThat, type PaymentSession, required } from './payment-session.js';

/** Refunds a part of a payment, and checks the total that events and look-up report afterwards. */
export async function refunds(
  session: PaymentSession,
  { payment, reference }: { payment: PaymentStart; reference: string },
  { amountMinor, total, refundId }: { amountMinor: number; total: number; refundId?: string },
): Promise<void> {
  const { orderId, currency } = payment;
  const refund = { currency, ...(refundId !== undefined && { refundId }) };
  const result = await session.refund({ orderId, reference }, amountMinor, refund);
  expectThat(result.kind !== 'failed', `A refund of ${amountMinor} ${currency} failed.`);
  await session.readAll();
  await reports(session, payment, total);
}

async function reports(session: PaymentSession, payment: PaymentStart, total: number): Promise<void> {
  await session.find(payment);
  const { refundedMinor } = session.ledger.entry(payment.orderId);
  expectThat(refundedMinor === total, `${total} were refunded in total, and ${refundedMinor} are reported.`);
}

export const refundChecks = casesOf('refund', {
  async 'whole: A whole payment is refunded.'(session) {
    const paid = await session.paid();
    await refunds(session, paid, {
      amountMinor: paid.payment.amountMinor,
      total: paid.payment.amountMinor,
    });
  },
  async 'part: Two parts of a payment are refunded, and their total is reported.'(session) {
    const paid = await session.paid();
    await refunds(session, paid, { amountMinor: 300, total: 300 });
    await refunds(session, paid, { amountMinor: 200, total: 500 });
  },
  async 'twice: The same refund twice pays back once.'(session) {
    const paid = await session.paid();
    const refundId = randomUUID();
    await refunds(session, paid, { amountMinor: 300, total: 300, refundId });
    await refunds(session, paid, { amountMinor: 300, total: 300, refundId });
  },
  async 'at-once: The same refund at the same time pays back once.'(session) {
    const { payment, reference, orderId } = await session.paid();
    const refundId = randomUUID();
    const both = [1, 2].map(() => session.refund({ orderId, reference }, 300, { refundId }));
    // One of them may fail for now: the server calls again.
    await Promise.allSettled(both);
    await session.readAll();
    await reports(session, payment, 300);
  },
  async 'too-much: More than was paid isn’t refunded.'(session) {
    const { payment, reference, orderId } = await session.paid();
    const result = await session.refund({ orderId, reference }, payment.amountMinor + 1);
    expectThat(result.kind === 'failed', `A refund of more than was paid returned "${result.kind}".`);
    await session.readAll();
    await reports(session, payment, 0);
  },
  async 'rest-only: After a part, no more than the rest is refunded.'(session) {
    const paid = await session.paid();
    await refunds(session, paid, { amountMinor: 600, total: 600 });
    const result = await session.refund(paid, 600);
    expectThat(result.kind === 'failed', `A refund of more than is left returned "${result.kind}".`);
    await session.readAll();
    await reports(session, paid.payment, 600);
  },
  async 'unknown: A payment that the provider doesn’t know isn’t refunded.'(session) {
    const { reference } = await session.paid();
    const stranger = { orderId: `conformance-${randomUUID()}`, reference: `${reference}x` };
    const kind = await session.refund(stranger, 100).then(
      (result) => result.kind,
      () => 'failed' as const,
    );
    expectThat(kind === 'failed', `A refund of an unknown payment returned "${kind}".`);
  },
  async 'lost-event: A refund whose webhook was lost is found.'(session) {
    const { payment, reference, orderId } = await session.paid();
    await session.refund({ orderId, reference }, 400);
    await session.take();
    await reports(session, payment, 400);
  },
  async 'without-minor-unit: A currency without a minor unit is refunded as it is: 500 JPY are 500 yen.'(
    session,
  ) {
    const paid = await session.paid({ amountMinor: 500, currency: 'JPY' });
    await refunds(session, paid, { amountMinor: 500, total: 500 });
  },
});

type Step = 'open' | 'win' | 'lose';

/** Takes a payment through the steps of a dispute, and reads the events. */
async function disputed(session: PaymentSession, steps: readonly Step[]) {
  const dispute = required(session.driver.dispute?.bind(session.driver), 'dispute');
  const paid = await session.paid();
  for (const step of steps) await dispute(paid, step);
  return paid;
}

const DECISIONS = { open: 'opened', win: 'won', lose: 'lost' } as const;

/** Checks what the events say about a dispute after its steps. */
async function says(session: PaymentSession, steps: readonly Step[]): Promise<void> {
  const { orderId } = await disputed(session, steps);
  await session.readAll();
  const { dispute } = session.ledger.entry(orderId);
  const wanted = DECISIONS[steps.at(-1) ?? 'open'];
  expectThat(dispute === wanted, `The dispute is ${wanted}, and the events say "${dispute}".`);
}

export const disputeChecks = casesOf('dispute', {
  'opened: A dispute that the buyer opens is reported.': (session) => says(session, ['open']),
  'won: A dispute that the seller wins is reported.': (session) => says(session, ['open', 'win']),
  'lost: A dispute that the seller loses is reported.': (session) => says(session, ['open', 'lose']),
  async 'out-of-order: A dispute stays decided if the event about its beginning comes last.'(session) {
    const { orderId } = await disputed(session, ['open', 'lose']);
    for (const webhook of (await session.take()).toReversed()) await session.read(webhook);
    const { dispute } = session.ledger.entry(orderId);
    expectThat(dispute === 'lost', `The dispute was lost, and reversed events say "${dispute}".`);
  },
  async 'lost-event: A lost dispute whose webhook was lost is found.'(session) {
    const { payment } = await disputed(session, ['open', 'lose']);
    await session.take();
    const found = await session.find(payment);
    const seen = found.kind === 'paid' ? found.dispute : found.kind;
    expectThat(seen === 'lost', `The dispute was lost, and find returned "${seen}".`);
  },
});

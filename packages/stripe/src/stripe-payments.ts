import type { PaymentProvider, PaymentRefund, RefundResult } from '@latchkey/server';
import Stripe from 'stripe';
import { toStripeAmount } from './amounts.js';
import { readStripeEvents } from './events.js';
import { findPayment, ORDER, startPayment } from './sessions.js';
import { connectStripe, type StripeOptions } from './stripe-options.js';

const REFUND = 'latchkey_refund';

/**
 * Payments with Stripe, for the option `payments` of `startServer`. Buyers pay on Stripe's checkout page, and Stripe
 * charges the renewals. Set up a webhook endpoint in Stripe first; docs/stripe.md in the repository is the guide.
 *
 * @throws Error if an option can't work. The message says what to change.
 */
export function stripePayments(options: StripeOptions): PaymentProvider {
  const stripe = connectStripe(options);
  const isTest = options.mode === 'test';
  return {
    name: 'stripe',
    mode: options.mode,
    disclaimer: isTest
      ? 'You pay on a page of Stripe, in its test mode: use a test card. No money moves.'
      : 'You pay on a page of Stripe. This service never sees your card.',
    renewals: 'provider',
    methods: () => [],
    start: async (payment) => await startPayment(stripe, payment, options),
    find: async (order) => await findPayment(stripe, order),
    refund: async (refund) => await refundPayment(stripe, refund),
    cancelRenewals: async ({ reference }) => await cancelSubscription(stripe, reference),
    readEvents: async (webhook) => await readStripeEvents(stripe, webhook, options),
  };
}

/** Reads the payment's refunds first: Stripe forgets idempotency keys after a day. */
async function refundPayment(
  stripe: Stripe,
  { refundId, orderId, reference, amountMinor, currency }: PaymentRefund,
): Promise<RefundResult> {
  if (!reference.startsWith('pi_'))
    return {
      kind: 'failed',
      reason: 'This payment was made outside of Stripe’s checkout: refund it in Stripe.',
    };
  for await (const refund of stripe.refunds.list({ payment_intent: reference, limit: 100 })) {
    if (refund.metadata?.[REFUND] === refundId) return resultOf(refund);
  }
  try {
    const refund = await stripe.refunds.create(
      {
        payment_intent: reference,
        amount: toStripeAmount(amountMinor, currency),
        metadata: { [REFUND]: refundId, [ORDER]: orderId },
      },
      { idempotencyKey: `refund/${refundId}` },
    );
    return resultOf(refund);
  } catch (error) {
    // For example a payment that was refunded in Stripe's dashboard.
    if (error instanceof Stripe.errors.StripeInvalidRequestError)
      return { kind: 'failed', reason: error.message };
    throw error;
  }
}

function resultOf({ status, failure_reason: why }: Stripe.Refund): RefundResult {
  if (status === 'succeeded') return { kind: 'refunded' };
  if (status === 'failed' || status === 'canceled')
    return { kind: 'failed', reason: `Stripe couldn’t refund it${why === undefined ? '' : ` (${why})`}.` };
  return { kind: 'pending' };
}

async function cancelSubscription(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.subscriptions.cancel(id);
  } catch (error) {
    // The subscription has already ended.
    const isGone =
      error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
    if (!isGone) throw error;
  }
}

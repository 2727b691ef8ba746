import type { PaymentStart } from '@latchkey/server';
import { onTestFinished } from 'vitest';
import { type StripeOptions, stripePayments } from '../src/index.js';
import {
  type FakeStripe,
  type FakeStripeOptions,
  type SignedWebhook,
  signWebhook,
  startFakeStripe,
} from '../src/testing.js';

export const WEBHOOK_SECRET = 'whsec_of_the_tests';

/** Options for a fake. */
function optionsFor({ url, secretKey }: FakeStripe): StripeOptions {
  return { secretKey, webhookSecret: WEBHOOK_SECRET, mode: 'test', apiUrl: url };
}

/** A fake of Stripe with a provider that uses it, until the test ends. */
export async function openShop(changes: Partial<StripeOptions> = {}, fakeOptions: FakeStripeOptions = {}) {
  const stripe = await startFakeStripe(fakeOptions);
  onTestFinished(() => stripe.close());
  const payments = stripePayments({ ...optionsFor(stripe), ...changes });
  let orders = 0;
  return {
    stripe,
    payments,
    /** Returns a payment of 9 euros. */
    order: (changed: Partial<PaymentStart> = {}): PaymentStart => ({
      ...{
        orderId: `order-${++orders}`,
        kind: 'card',
        description: 'Full bag at Roasters',
        method: null,
        renews: null,
      },
      ...{
        amountMinor: 900,
        currency: 'EUR',
        buyerEmail: 'ana@example.com',
        expiresAt: Date.now() + 24 * 3600_000,
      },
      ...{ returnUrl: 'https://members.example/paid', cancelUrl: 'https://members.example/cancelled' },
      ...changed,
    }),
    /** Starts a payment and returns the id of its page. */
    async open(payment: PaymentStart): Promise<string> {
      const started = await payments.start(payment);
      if (started.kind !== 'redirect') throw new Error(`The payment is ${started.kind}.`);
      return started.reference;
    },
    /** Looks an order up by its page. */
    find: ({ orderId, amountMinor, currency }: PaymentStart, reference: string | null) =>
      payments.find({
        orderId,
        amountMinor,
        currency,
        reference,
        method: null,
        isRenewal: false,
        subscription: null,
      }),
    /** Reads all webhooks so far. */
    async read() {
      const webhooks = stripe.events.map((event) => signWebhook(event, WEBHOOK_SECRET));
      return (
        await Promise.all(webhooks.map((webhook: SignedWebhook) => payments.readEvents(webhook)))
      ).flat();
    },
  };
}

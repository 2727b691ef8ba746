import { reportText } from '@latchkey/conformance';
import { PAYMENT_CASES, type PaymentDriver, testPaymentProvider } from '@latchkey/conformance/payments';
import { expect, it } from 'vitest';
import { fromStripeAmount } from '../src/amounts.js';
import { signWebhook } from '../src/testing.js';
import { openShop, WEBHOOK_SECRET } from './shop.js';

/** The buyer, the bank and the passing of time, played by the fake of Stripe. */
async function stripeDriver(): Promise<PaymentDriver> {
  const { stripe, payments } = await openShop();
  const { account } = stripe;
  let taken = 0;
  return {
    provider: payments,
    async act(act, { reference }) {
      const next = stripe.act(reference, act === 'fail-action' ? 'pay-with-action' : act);
      if (act === 'pay-with-action') return stripe.act(reference, 'complete-action');
      return act === 'fail-action' ? stripe.act(reference, act) : next;
    },
    async takeWebhooks() {
      const events = stripe.events.slice(taken);
      taken = stripe.events.length;
      return events.map((event) => signWebhook(event, WEBHOOK_SECRET));
    },
    charges: async (orderId) =>
      account.chargesOf(orderId).map(({ amount, currency }) => ({
        amountMinor: fromStripeAmount(amount, currency),
        currency: currency.toUpperCase(),
      })),
    expire: async ({ reference }) => account.expirePage(reference),
    dispute: async ({ reference }, step) => account.dispute(reference, step),
    nextPeriod: async ({ subscription }, card) =>
      account.nextPeriod(subscription ?? '', { isPaid: card === 'pays' }),
    endSubscription: async ({ subscription }) => void account.cancelSubscription(subscription ?? ''),
    setDown: async (isDown) => stripe.setDown(isDown),
  };
}

it('Stripe keeps the promises of a payment provider', async () => {
  const report = await testPaymentProvider({ driver: await stripeDriver() });
  const outcomes = Map.groupBy(report.results, ({ outcome }) => outcome.kind);
  expect(outcomes.get('failed') ?? [], reportText(report)).toEqual([]);
  // What a server does that charges renewals itself. Stripe charges them.
  const notRun = ['server-charges', 'server-charges-once', 'server-is-declined', 'server-refunds'];
  expect((outcomes.get('not-run') ?? []).map(({ id }) => id)).toEqual([
    ...notRun.map((name) => `renewal.${name}`),
    'down.renewal',
  ]);
  expect(outcomes.get('passed')).toHaveLength(PAYMENT_CASES.length - notRun.length - 1);
});

import { randomUUID } from 'node:crypto';
import type { PaymentOrder, PaymentReference, PaymentStart } from './payment-driver.js';
import { CannotRun, casesOf, expectThat, type PaymentSession, required } from './payment-session.js';
import { refunds } from './refund-checks.js';

const RENEWS = { renews: { periodDays: 30 } };

/** Requires a provider with renewals that the server charges, or that it charges itself. */
function charges(session: PaymentSession, who: 'server' | 'provider'): void {
  const { renewals } = session.driver.provider;
  if (renewals !== who)
    throw new CannotRun(`the provider leaves renewals to the ${renewals}, not to the ${who}`);
}

/** Buys a subscription that the server renews, and returns the order of its next period. */
async function nextOrder(session: PaymentSession, method?: string): Promise<PaymentOrder> {
  charges(session, 'server');
  const first = await session.paid({ ...RENEWS, ...(method !== undefined && { method }) });
  const { amountMinor, currency, method: chosen } = first.payment;
  const orderId = `conformance-${randomUUID()}`;
  const { subscription } = first;
  return { orderId, amountMinor, currency, method: chosen, reference: null, isRenewal: true, subscription };
}

/** Buys a subscription that the provider renews. */
async function subscribed(session: PaymentSession): Promise<PaymentReference & { payment: PaymentStart }> {
  charges(session, 'provider');
  const paid = await session.paid(RENEWS);
  expectThat(paid.subscription !== null, 'The provider renews, and a payment has no "subscription".');
  return paid;
}

function nextPeriodOf({ driver }: PaymentSession) {
  return required(driver.nextPeriod?.bind(driver), 'nextPeriod');
}

export const renewalChecks = casesOf('renewal', {
  async 'server-charges: The server charges the next period.'(session) {
    const order = await nextOrder(session);
    const result = await session.renew(order);
    expectThat(result.kind === 'paid', `The renewal returned "${result.kind}".`);
    await session.expectOneCharge(order, 'The renewal');
  },
  async 'server-charges-once: A renewal that is charged again, or looked up, is charged once.'(session) {
    const order = await nextOrder(session);
    const [one, other] = [await session.renew(order), await session.renew(order)];
    const isSame = one.kind === 'paid' && other.kind === 'paid' && one.reference === other.reference;
    expectThat(isSame, `A renewal returned ${JSON.stringify(one)}, and again ${JSON.stringify(other)}.`);
    const found = await session.call('find', () => session.driver.provider.find(order));
    expectThat(found.kind === 'paid', `The renewal was paid, and find returned "${found.kind}".`);
    await session.expectOneCharge(order, 'The renewal');
  },
  async 'server-is-declined: A declined renewal has a reason, and is not charged.'(session) {
    charges(session, 'server');
    const order = await nextOrder(
      session,
      required(session.driver.methodDeclinedLater, 'methodDeclinedLater'),
    );
    const result = await session.renew(order);
    expectThat(result.kind === 'declined', `The renewal returned "${result.kind}".`);
    const made = await session.driver.charges(order.orderId);
    expectThat(made.length === 0, 'The renewal was declined, and charged.');
  },
  async 'server-refunds: A renewal is refunded like a first payment.'(session) {
    const order = await nextOrder(session);
    const renewed = await session.renew(order);
    expectThat(renewed.kind === 'paid', `The renewal returned "${renewed.kind}".`);
    const { orderId, amountMinor } = order;
    const result = await session.refund({ orderId, reference: renewed.reference }, amountMinor);
    expectThat(result.kind !== 'failed', 'The refund of a renewal failed.');
  },
  async 'provider-charges: The provider reports each period that it charges, with an id of its own.'(
    session,
  ) {
    const paid = await subscribed(session);
    const nextPeriod = nextPeriodOf(session);
    await nextPeriod(paid, 'pays');
    await nextPeriod(paid, 'pays');
    const events = (await session.readAll()).filter((event) => event.kind === 'renewed');
    const { renewed } = session.ledger.entry(paid.orderId);
    expectThat(renewed.size === 2, `Two periods were charged, and ${renewed.size} are reported.`);
    for (const { amountMinor, currency } of events) {
      const isPrice = amountMinor === paid.payment.amountMinor && currency === paid.payment.currency;
      expectThat(isPrice, `A period was charged as ${amountMinor} ${currency}.`);
    }
  },
  async 'provider-replays: The event about a period that arrives again counts once.'(session) {
    const paid = await subscribed(session);
    await nextPeriodOf(session)(paid, 'pays');
    const webhooks = await session.take();
    for (const webhook of [...webhooks, ...webhooks]) await session.read(webhook);
    const { renewed } = session.ledger.entry(paid.orderId);
    expectThat(renewed.size === 1, `One period was charged, and ${renewed.size} are reported.`);
  },
  async 'provider-is-declined: A period that can’t be charged is reported as failed.'(session) {
    const paid = await subscribed(session);
    await nextPeriodOf(session)(paid, 'declined');
    await session.readAll();
    const { renewed, failedRenewals } = session.ledger.entry(paid.orderId);
    expectThat(failedRenewals.size > 0, 'The card was declined, and no "renewal-failed" says so.');
    expectThat(renewed.size === 0, 'The card was declined, and "renewed" says the opposite.');
  },
  async 'provider-ends: A subscription that ends at the provider is reported.'(session) {
    const paid = await subscribed(session);
    const end = required(session.driver.endSubscription?.bind(session.driver), 'endSubscription');
    await end(paid);
    const events = await session.readAll();
    for (const event of events)
      if ('subscription' in event)
        expectThat(
          event.subscription === paid.subscription,
          `The subscription is ${paid.subscription}, and "${event.kind}" has ${event.subscription}.`,
        );
    const { hasEnded } = session.ledger.entry(paid.orderId);
    expectThat(hasEnded, 'The subscription has ended, and no "subscription-ended" says so.');
  },
  async 'provider-cancels: After the server ends a subscription nothing is charged, and ending it again does no harm.'(
    session,
  ) {
    const paid = await subscribed(session);
    const { provider } = session.driver;
    const cancel = required(provider.cancelRenewals?.bind(provider), 'provider with cancelRenewals');
    const subscription = { reference: paid.subscription ?? '' };
    await cancel(subscription);
    await cancel(subscription);
    await nextPeriodOf(session)(paid, 'pays').catch(() => undefined);
    await session.readAll();
    const { renewed } = session.ledger.entry(paid.orderId);
    expectThat(renewed.size === 0, 'A period was charged after the subscription was ended.');
  },
});

/** Runs a call while the provider is down, and checks that it has no result: it throws. */
async function hasNoResult(session: PaymentSession, call: () => Promise<unknown>): Promise<void> {
  const setDown = required(session.driver.setDown?.bind(session.driver), 'setDown');
  await setDown(true);
  const result = await call().then(
    (value) => ({ value }),
    () => undefined,
  );
  await setDown(false);
  expectThat(
    result === undefined,
    `The provider is down, and the call returned ${JSON.stringify(result?.value)}. Throw an error.`,
  );
}

export const outageChecks = casesOf('down', {
  async 'start: If the provider is down, start throws, and the order is paid once afterwards.'(session) {
    const payment = session.order('pay');
    await hasNoResult(session, () => session.driver.provider.start(payment));
    await session.actOn('pay', payment);
    await session.readAll();
    await session.expectOneCharge(payment);
  },
  async 'find: If the provider is down, find throws, and finds the payment afterwards.'(session) {
    const { payment } = await session.paid();
    await hasNoResult(session, () => session.find(payment));
    await session.findPaid('The buyer has paid', payment);
  },
  async 'refund: If the provider is down, refund throws, and the same refund pays back once afterwards.'(
    session,
  ) {
    const { payment, reference, orderId } = await session.paid();
    const refundId = randomUUID();
    await hasNoResult(session, () => session.refund({ orderId, reference }, 300, { refundId }));
    await refunds(session, { payment, reference }, { amountMinor: 300, total: 300, refundId });
  },
  async 'renewal: If the provider is down, renew throws, and the period is charged once afterwards.'(
    session,
  ) {
    const order = await nextOrder(session);
    await hasNoResult(session, () => session.renew(order));
    await session.renew(order);
    await session.expectOneCharge(order, 'The renewal');
  },
});

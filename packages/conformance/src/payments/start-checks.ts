import { casesOf, expectThat, type PaymentSession } from './payment-session.js';

/**
 * Pays an order in a currency, and checks that the provider's books have the same amount: minor units aren't cents
 * everywhere.
 */
async function chargesExactly(session: PaymentSession, amountMinor: number, currency: string): Promise<void> {
  const { payment } = await session.paid({ amountMinor, currency });
  const [charge] = await session.driver.charges(payment.orderId);
  const seen = `${charge?.amountMinor} ${charge?.currency}`;
  expectThat(
    seen === `${amountMinor} ${currency}`,
    `An order of ${amountMinor} ${currency} was charged ${seen}.`,
  );
}

export const startChecks = casesOf('start', {
  async 'result: Starting a payment returns its result, or an https page of the provider with a reference.'(
    session,
  ) {
    await session.start(session.order('pay'));
  },
  async 'repeated: Starting an open order again returns the same page, and charges nothing.'(session) {
    const { payment, page } = await session.open('pay-with-action');
    const again = await session.start(payment);
    const isSame = again.kind === 'redirect' && again.reference === page.reference;
    expectThat(
      isSame,
      `The order has the page ${page.reference}, and a second start returned ${JSON.stringify(again)}.`,
    );
    const charges = await session.driver.charges(payment.orderId);
    expectThat(charges.length === 0, 'The order was charged before the buyer paid.');
  },
  async 'otherwise: An open order that is started again, and no longer renews, is paid once and begins no subscription.'(
    session,
  ) {
    const { payment } = await session.open('pay-with-action', { renews: { periodDays: 30 } });
    const single = { ...payment, renews: null };
    const { started } = await session.actOn('pay-with-action', single);
    await session.readAll();
    const page = 'reference' in started ? started.reference : null;
    const { subscription = null } = await session.findPaid('The order was paid', single, page);
    expectThat(subscription === null, `A single payment has begun the subscription ${subscription}.`);
    await session.expectOneCharge(payment);
  },
  async 'at-once: Two starts of an order at the same time are one payment.'(session) {
    const payment = session.order('pay');
    const [one, other] = await Promise.all([session.start(payment), session.start(payment)]);
    const references = [one, other].map((result) => ('reference' in result ? result.reference : result.kind));
    expectThat(
      references[0] === references[1],
      `Two starts of one order returned ${references.join(' and ')}.`,
    );
    const charges = await session.driver.charges(payment.orderId);
    expectThat(charges.length <= 1, `Two starts at once charged the order ${charges.length} times.`);
  },
  async 'after-payment: Starting a paid order again returns the payment, and charges nothing.'(session) {
    const { payment, reference } = await session.paid();
    const again = await session.start(payment);
    const isSame = again.kind === 'paid' && again.reference === reference;
    expectThat(
      isSame,
      `The order was paid as ${reference}, and a later start returned ${JSON.stringify(again)}.`,
    );
    await session.expectOneCharge(payment);
  },
  async 'after-decline: A declined order can be started again, and then paid.'(session) {
    const { payment } = await session.buy('decline');
    await session.actOn('pay', { ...payment, method: session.order('pay').method });
    await session.readAll();
    await session.findPaid('The second attempt was paid', {
      ...payment,
      method: session.order('pay').method,
    });
    await session.expectOneCharge(payment);
  },
  async 'own-references: Two orders are two payments with different references.'(session) {
    const [one, other] = [await session.paid(), await session.paid()];
    expectThat(one.reference !== other.reference, `Two orders have the reference ${one.reference}.`);
  },
  'amount: An order is charged its amount.': (session) => chargesExactly(session, 1234, 'EUR'),
  'without-minor-unit: A currency without a minor unit is charged as it is: 500 JPY are 500 yen.': (
    session,
  ) => chargesExactly(session, 500, 'JPY'),
  'three-decimals: A currency with three decimals is charged as it is: 1500 KWD are 1.500 dinars.': (
    session,
  ) => chargesExactly(session, 1500, 'KWD'),
});

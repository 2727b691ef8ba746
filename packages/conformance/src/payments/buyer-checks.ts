import type { BuyerAct, PaymentStart, ProviderPage } from './payment-driver.js';
import { casesOf, expectThat, type PaymentSession, required } from './payment-session.js';

/** Checks the amount in the provider's books: minor units aren't cents everywhere. */
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
    const { reference } = await session.actOn('pay-with-action', single);
    await session.readAll();
    const { subscription = null } = await session.findPaid('The order was paid', single, reference);
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
    const second = { ...payment, method: session.order('pay').method };
    await session.actOn('pay', second);
    await session.readAll();
    await session.findPaid('The second attempt was paid', second);
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

/** True if a URL is the wanted one. The provider may add to the query. */
function leadsTo(url: string | undefined, wanted: string): boolean {
  if (url === undefined || !URL.canParse(url)) return false;
  const [seen, expected] = [new URL(url), new URL(wanted)];
  const keeps = [...expected.searchParams].every(([name, value]) => seen.searchParams.get(name) === value);
  return seen.origin === expected.origin && seen.pathname === expected.pathname && keeps;
}

/** Checks that nothing was charged, and that find doesn't report a payment. */
async function isUnpaid(
  session: PaymentSession,
  payment: PaymentStart,
  reference: string | null,
): Promise<void> {
  const found = await session.find(payment, reference);
  expectThat(found.kind !== 'paid', 'The buyer has not paid, and find returned "paid".');
  const charges = await session.driver.charges(payment.orderId);
  expectThat(charges.length === 0, 'The buyer has not paid, and the order was charged.');
  await session.readAll();
  expectThat(
    session.ledger.entry(payment.orderId).state !== 'paid',
    'The buyer has not paid, and an event says so.',
  );
}

async function tries(session: PaymentSession, act: BuyerAct, page: ProviderPage): Promise<void> {
  await session.driver.act(act, page).catch(() => undefined);
}

export const buyerChecks = casesOf('buyer', {
  async 'pays: A payment on the provider’s page is reported by an event, and the buyer comes back to the return address.'(
    session,
  ) {
    const { payment, wentTo } = await session.payOnPage();
    expectThat(leadsTo(wentTo, payment.returnUrl), `After paying, the buyer went to ${wentTo}.`);
    await session.readAll();
    const { state } = session.ledger.entry(payment.orderId);
    expectThat(state === 'paid', `The buyer has paid, and the events say "${state}".`);
  },
  async 'action-approved: A card that needs an action of its bank (3-D Secure) is charged once the buyer approves it.'(
    session,
  ) {
    const { payment, page } = await session.open('pay-with-action');
    await isUnpaid(session, payment, page.reference);
    await session.driver.act('pay-with-action', page);
    await session.readAll();
    await session.findPaid('The buyer approved the payment', payment, page.reference);
  },
  async 'action-failed: A card whose action fails is not charged.'(session) {
    const { payment, page } = await session.open('fail-action');
    await tries(session, 'fail-action', page);
    await isUnpaid(session, payment, page.reference);
  },
  async 'declined: A declined payment has a reason, and is not charged.'(session) {
    const { payment, reference } = await session.buy('decline');
    await isUnpaid(session, payment, reference);
    const { wasDeclined } = session.ledger.entry(payment.orderId);
    expectThat(wasDeclined, 'The card was declined, and neither a result nor an event says so.');
  },
  async 'cancels: A buyer who gives up comes back to the cancel address, and is not charged.'(session) {
    const { payment, page } = await session.open('cancel');
    const wentTo = await session.driver.act('cancel', page);
    expectThat(leadsTo(wentTo, payment.cancelUrl), `After giving up, the buyer went to ${wentTo}.`);
    await isUnpaid(session, payment, page.reference);
  },
  async 'cancels-then-pays: A buyer who gave up can start again, and pays once.'(session) {
    const { payment, page } = await session.open('pay-with-action');
    await session.driver.act('cancel', page);
    await session.actOn('pay-with-action', payment);
    await session.readAll();
    await session.findPaid('The buyer paid the second time', payment);
    await session.expectOneCharge(payment);
  },
  async 'expires: An order whose time runs out is reported as expired, and its page can’t be paid any more.'(
    session,
  ) {
    const expire = required(session.driver.expire?.bind(session.driver), 'expire');
    const { payment, page } = await session.open('pay-with-action');
    await expire(page);
    await session.readAll();
    const { state } = session.ledger.entry(payment.orderId);
    const found = await session.find(payment, page.reference);
    const isOver = state === 'expired' || found.kind === 'none';
    expectThat(isOver, `The order has expired, no event says so, and find returned "${found.kind}".`);
    await tries(session, 'pay-with-action', page);
    await isUnpaid(session, payment, page.reference);
  },
  async 'pays-twice: A buyer who sends the provider’s page twice pays once.'(session) {
    const { payment, page } = await session.payOnPage();
    await tries(session, 'pay-with-action', page);
    await tries(session, 'pay', page);
    await session.expectOneCharge(payment);
  },
});

export const findChecks = casesOf('find', {
  async 'unknown: An order that was never started is not found.'(session) {
    const found = await session.find(session.order('pay'));
    expectThat(found.kind === 'none', `Nothing was started, and find returned "${found.kind}".`);
  },
  async 'returns-early: A buyer who comes back before paying is not found to have paid.'(session) {
    const { payment, page } = await session.open('pay-with-action');
    const found = await session.find(payment, page.reference);
    const isOpen = found.kind === 'pending' || found.kind === 'none';
    expectThat(isOpen, `The page is open, and find returned "${found.kind}".`);
  },
  async 'returns-before-event: A buyer who comes back before the webhook has paid, and the late event is the same payment.'(
    session,
  ) {
    const { payment, page } = await session.payOnPage();
    await session.findPaid('The buyer has paid', payment, page.reference);
    await session.readAll();
    session.expectOnePayment(payment);
  },
  async 'returns-late: A buyer who comes back after the webhook has made the payment of the event.'(session) {
    const { payment, page } = await session.payOnPage();
    await session.readAll();
    await session.findPaid('The event says "paid"', payment, page.reference);
    session.expectOnePayment(payment);
  },
  async 'lost-event: A payment whose webhook was lost is found, without the reference of its page too.'(
    session,
  ) {
    const { payment } = await session.payOnPage();
    await session.take();
    const found = await session.find(payment, null);
    expectThat(
      found.kind === 'paid',
      `The buyer has paid, and find returned "${found.kind}" without a reference.`,
    );
  },
  async 'repeated: Looking an order up charges nothing, however often.'(session) {
    const { payment } = await session.paid();
    const found = [await session.find(payment), await session.find(payment)];
    expectThat(
      found.every(({ kind }) => kind === 'paid'),
      'A paid order was not found the second time.',
    );
    await session.expectOneCharge(payment);
  },
});

import type { BuyerAct, PaymentStart, ProviderPage } from './payment-driver.js';
import { casesOf, expectThat, type PaymentSession, required } from './payment-session.js';

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

/** Tries something that the provider may reject. */
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
    const { payment, started } = await session.buy('decline');
    await isUnpaid(session, payment, 'reference' in started ? started.reference : null);
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

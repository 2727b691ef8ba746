import { readFileSync } from 'node:fs';
import { InvalidProviderWebhookError } from '@latchkey/server';
import { describe, expect, it } from 'vitest';
import { stripePayments, WEBHOOK_EVENTS } from '../src/index.js';
import { signWebhook } from '../src/testing.js';
import { openShop, WEBHOOK_SECRET } from './shop.js';

const DAY_MS = 24 * 3600_000;

describe('a checkout page', () => {
  it('has the price, the order and the addresses', async () => {
    const { stripe, payments, order } = await openShop();
    const payment = order();
    const started = await payments.start(payment);
    expect(started).toMatchObject({ kind: 'redirect', url: expect.stringMatching(/\/c\/pay\/cs_test_/) });
    const [session] = stripe.account.sessions.values();
    expect(session).toMatchObject({
      ...{ mode: 'payment', amount_total: 900, currency: 'eur', client_reference_id: payment.orderId },
      ...{
        success_url: payment.returnUrl,
        cancel_url: payment.cancelUrl,
        metadata: { latchkey_order: payment.orderId },
      },
    });
  });

  it('stays the same for repeated and simultaneous starts', async () => {
    const { stripe, open, order } = await openShop();
    const payment = order();
    const [page = '', ...others] = await Promise.all([open(payment), open(payment), open(payment)]);
    expect(others).toEqual([page, page]);
    // Other words, after the server has stored the page.
    expect(await open({ ...payment, description: 'Renamed', previous: page })).toBe(page);
    // Other words, and the answer with the page was lost.
    expect(await open({ ...payment, description: 'Renamed' })).toBe(page);
    expect(stripe.account.sessions.size).toBe(1);
  });

  it('is replaced when it has expired, also after Stripe has forgotten the idempotency keys', async () => {
    let now = Date.now();
    const { stripe, open, order } = await openShop({}, { now: () => now });
    const payment = order();
    const first = await open(payment);
    stripe.account.expirePage(first);
    const second = await open(payment);
    expect(second).not.toBe(first);
    now += DAY_MS - 60_000;
    expect(await open({ ...payment, previous: second })).toBe(second);
  });

  it('is replaced if the order now renews otherwise, and then nobody can pay on the old one', async () => {
    const { stripe, open, order, find } = await openShop();
    const single = order();
    const subscribed = { ...single, renews: { periodDays: 30 } };
    const first = await open(subscribed);
    // After a restart, with the page that the server stored, and without it.
    const second = await open({ ...single, previous: first });
    const third = await open(subscribed);
    const modes = [first, second, third].map((id) => {
      const { mode, status } = stripe.account.page(id);
      return `${mode} ${status}`;
    });
    expect(modes).toEqual(['subscription expired', 'payment expired', 'subscription open']);
    expect(() => stripe.act(first, 'pay')).toThrow("can't be paid");
    stripe.act(third, 'pay');
    expect(await find(single, third)).toMatchObject({ subscription: expect.stringMatching(/^sub_/) });
    expect(stripe.account.charges.size).toBe(1);
  });

  it('that was paid a moment ago is not replaced', async () => {
    const { stripe, payments, open, order } = await openShop();
    const payment = order();
    const page = await open({ ...payment, renews: { periodDays: 30 } });
    stripe.act(page, 'pay');
    expect(await payments.start({ ...payment, previous: page })).toMatchObject({
      ...{ kind: 'paid', subscription: expect.stringMatching(/^sub_/) },
    });
    expect(stripe.account.sessions.size).toBe(1);
  });

  it('is not opened for a paid order', async () => {
    const { stripe, payments, open, order, find } = await openShop();
    const payment = order();
    const page = await open(payment);
    stripe.act(page, 'pay');
    const paid = await payments.start(payment);
    expect(paid).toMatchObject({ kind: 'paid', reference: expect.stringMatching(/^pi_/) });
    expect(await find(payment, page)).toMatchObject({
      ...paid,
      amountMinor: 900,
      currency: 'EUR',
      refundedMinor: 0,
    });
  });

  it('expires at the nearest time that Stripe takes', async () => {
    const { stripe, open, order } = await openShop();
    await open(order({ expiresAt: Date.now() + 1000 }));
    await open(order({ expiresAt: Date.now() + 90 * 60_000 }));
    await open(order({ expiresAt: Date.now() + 30 * DAY_MS }));
    const minutes = [...stripe.account.sessions.values()].map(({ expires_at: at, created }) =>
      Math.round((at - created) / 60),
    );
    expect(minutes[0]).toBeGreaterThanOrEqual(30);
    expect(minutes[0]).toBeLessThanOrEqual(62);
    expect(minutes.slice(1)).toEqual([90, 1440]);
  });

  it('leaves an address out that Stripe does not take', async () => {
    const { open, order } = await openShop();
    await expect(open(order({ buyerEmail: 'ana@localhost' }))).resolves.toMatch(/^cs_/);
  });

  it('asks for tax and an invoice if the operator wants them', async () => {
    const { open, order } = await openShop({ tax: 'automatic', invoices: true });
    await expect(open(order())).resolves.toMatch(/^cs_/);
    await expect(open(order({ renews: { periodDays: 30 } }))).resolves.toMatch(/^cs_/);
  });

  it.each([
    ['EUR', 900, 900],
    ['JPY', 900, 900],
    ['ISK', 900, 90_000],
    ['UGX', 900, 90_000],
    ['MGA', 900, 9],
    ['KWD', 9_990, 9_990],
  ])('has the amount of %s in the units of Stripe', async (currency, amountMinor, amount) => {
    const { stripe, open, order, find, read } = await openShop();
    const payment = order({ currency, amountMinor });
    const page = await open(payment);
    expect(stripe.account.page(page)).toMatchObject({
      amount_total: amount,
      currency: currency.toLowerCase(),
    });
    stripe.act(page, 'pay');
    expect(await find(payment, page)).toMatchObject({ amountMinor, currency });
    expect(await read()).toMatchObject([{ kind: 'paid', amountMinor, currency }]);
  });

  it.each([
    ['MGA', 950],
    ['KWD', 9_999],
  ])('is not opened for an amount of %s that Stripe would round', async (currency, amountMinor) => {
    const { open, order } = await openShop();
    await expect(open(order({ currency, amountMinor }))).rejects.toThrow('change');
  });
});

describe('the events', () => {
  it('report a payment, its refunds and its dispute under one reference', async () => {
    const { stripe, payments, open, order, read, find } = await openShop();
    const payment = order();
    const page = await open(payment);
    stripe.act(page, 'decline');
    stripe.act(page, 'pay-with-action');
    stripe.act(page, 'complete-action');
    const found = await find(payment, page);
    const reference = found.kind === 'paid' ? found.reference : '';
    const part = {
      refundId: 'refund-1',
      orderId: payment.orderId,
      reference,
      amountMinor: 300,
      currency: 'EUR',
    };
    expect(await payments.refund(part)).toEqual({ kind: 'refunded' });
    expect(await payments.refund(part)).toEqual({ kind: 'refunded' });
    stripe.account.dispute(reference, 'open');
    expect(await find(payment, page)).toMatchObject({ refundedMinor: 300, dispute: 'open' });
    stripe.account.dispute(reference, 'lose');
    expect(await find(payment, page)).toMatchObject({ refundedMinor: 300, dispute: 'lost' });
    expect(await payments.refund({ ...part, refundId: 'refund-2', amountMinor: 700 })).toMatchObject({
      kind: 'failed',
    });
    const events = await read();
    expect(events).toMatchObject([
      { kind: 'declined', reason: 'card_declined' },
      { kind: 'paid', amountMinor: 900, currency: 'EUR', reference },
      { kind: 'refunded', amountMinor: 300, reference },
      { kind: 'dispute-opened', reference },
      { kind: 'dispute-lost', reference },
    ]);
    for (const event of events) expect(event).toMatchObject({ orderId: payment.orderId, mode: 'test' });
  });

  it('report the periods of a subscription, and refunds of each', async () => {
    const { stripe, payments, open, order, read } = await openShop();
    const payment = order({ renews: { periodDays: 30 } });
    stripe.act(await open(payment), 'pay');
    const [subscription = ''] = stripe.account.subscriptions.keys();
    stripe.account.nextPeriod(subscription, { isPaid: true });
    stripe.account.nextPeriod(subscription, { isPaid: false });
    const [first, second] = stripe.account.chargesOf(payment.orderId);
    const refund = { orderId: payment.orderId, amountMinor: 900, currency: 'EUR' };
    const reference = String(second?.payment_intent);
    expect(await payments.refund({ ...refund, refundId: 'r', reference })).toEqual({ kind: 'refunded' });
    await payments.cancelRenewals?.({ reference: subscription });
    await payments.cancelRenewals?.({ reference: subscription });
    const events = await read();
    const { orderId } = payment;
    const paid = { kind: 'paid', orderId, subscription, reference: first?.payment_intent, amountMinor: 900 };
    // Both the invoice and the page report the first payment.
    expect(events).toMatchObject([
      ...[paid, paid],
      { kind: 'renewed', orderId, reference, renewalId: expect.stringMatching(/^in_/), amountMinor: 900 },
      { kind: 'renewal-failed', orderId, renewalId: expect.stringMatching(/^in_/), reason: 'card_declined' },
      { kind: 'refunded', orderId, reference, amountMinor: 900 },
      { kind: 'subscription-ended', orderId, reference: subscription },
    ]);
  });

  it('report a bank transfer when it has arrived, or has not', async () => {
    const { stripe, open, order, read, find } = await openShop();
    const [arrives, fails] = [order(), order()];
    const pages = [await open(arrives), await open(fails)] as const;
    for (const page of pages) stripe.act(page, 'pay-later');
    expect(await read()).toEqual([]);
    expect(await find(arrives, pages[0])).toEqual({ kind: 'pending' });
    stripe.account.settlePage(pages[0], true);
    stripe.account.settlePage(pages[1], false);
    expect(await find(arrives, pages[0])).toMatchObject({ kind: 'paid' });
    expect(await find(fails, pages[1])).toEqual({ kind: 'none' });
    const kinds = (await read()).map(({ kind }) => kind);
    expect(kinds).toEqual(['paid', 'declined', 'declined']);
    expect(await open(fails)).not.toBe(pages[1]);
  });

  it('are all among those that the endpoint has to send', async () => {
    const { stripe, open, order } = await openShop();
    const page = await open(order());
    stripe.act(page, 'decline');
    stripe.account.expirePage(page);
    for (const { type } of stripe.events) expect(WEBHOOK_EVENTS).toContain(type);
  });

  it('of other shops on the account are left out', async () => {
    const { stripe, payments, open, order } = await openShop();
    stripe.act(await open(order()), 'pay');
    const [event] = stripe.events;
    if (event === undefined) throw new Error('No event.');
    const foreign = { ...event, data: { object: { ...(event.data.object as object), metadata: {} } } };
    expect(await payments.readEvents(signWebhook(foreign, WEBHOOK_SECRET))).toEqual([]);
  });

  it.each([
    ['another secret', (event: object) => signWebhook(event as never, 'whsec_another')],
    ['the other mode', (event: object) => signWebhook({ ...event, livemode: true } as never, WEBHOOK_SECRET)],
    [
      'a changed body',
      (event: object) => {
        const { headers, body } = signWebhook(event as never, WEBHOOK_SECRET);
        return { headers, body: Uint8Array.from([...body, 32]) };
      },
    ],
    [
      'no signature',
      (event: object) => ({ headers: {}, body: signWebhook(event as never, WEBHOOK_SECRET).body }),
    ],
  ])('with %s are refused', async (_what, sign) => {
    const { stripe, payments, open, order } = await openShop();
    stripe.act(await open(order()), 'pay');
    const [event] = stripe.events;
    await expect(payments.readEvents(sign(event ?? {}))).rejects.toThrow(InvalidProviderWebhookError);
  });
});

describe('the fake', () => {
  it('refuses what is not in the document of Stripe', async () => {
    const { stripe } = await openShop();
    const post = async (path: string, body: string) => {
      const headers = { authorization: `Bearer ${stripe.secretKey}`, 'stripe-version': '2026-10-28.endive' };
      const answer = await fetch(`${stripe.url}${path}`, { method: 'POST', headers, body });
      return [answer.status, (await answer.json()).error?.message];
    };
    expect(await post('/v1/refunds', 'payment_intent=pi_1&amout=5')).toEqual([
      400,
      'Received unknown parameter: amout',
    ]);
    expect(await post('/v1/refunds', 'amount=five')).toMatchObject([
      400,
      expect.stringMatching(/^amount: Invalid/),
    ]);
    expect(await post('/v1/refunds', 'metadata=5')).toEqual([400, 'metadata: Invalid input']);
    expect(await post('/v1/checkout/sessions', 'mode=payment')).toMatchObject([
      400,
      expect.stringMatching(/^success_url: Invalid/),
    ]);
    expect(await post('/v1/nothing', '')).toMatchObject([404, expect.stringContaining('Unrecognized')]);
  });
});

it.each([
  [{ secretKey: 'pk_test_1' }, 'publishable'],
  [{ secretKey: 'wrong' }, 'sk_test_'],
  [{ secretKey: 'sk_live_1' }, 'copy the key of test mode'],
  [{ webhookSecret: 'we_1' }, 'whsec_'],
  [{ mode: 'sandbox' as 'test' }, '"test" or "live"'],
  [{ apiUrl: 'https://stripe.example' }, 'on this machine'],
])('values that cannot work are refused with the fix: %o', (changes, words) => {
  const options = { secretKey: 'sk_test_1', webhookSecret: 'whsec_1', mode: 'test' as const };
  expect(() => stripePayments({ ...options, ...changes })).toThrow(words);
});

it('the guide lists the events that the endpoint has to send', () => {
  const guide = readFileSync(new URL('../../../docs/stripe.md', import.meta.url), 'utf8');
  const listed = /```\n([\s\S]+?)```/.exec(guide.slice(guide.indexOf('Select these events')))?.[1] ?? '';
  expect(listed.trim().split(/\s+/)).toEqual([...WEBHOOK_EVENTS]);
});

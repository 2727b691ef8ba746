import type { PaymentStart } from '@latchkey/server';
import { load } from 'cheerio';
import { describe, expect } from 'vitest';
import type { PaymentEntry } from '../src/index.js';
import { locationOf } from './browser.js';
import { callControl } from './control-caller.js';
import { it, type SandboxUnderTest } from './sandbox-under-test.js';

const HOUR_MS = 3600_000;

/** Starts a payment at the provider, as the service does. */
async function start(service: SandboxUnderTest, changes: Partial<PaymentStart> = {}) {
  const { bank, baseUrl, clock } = service.server;
  const orderId = changes.orderId ?? `order-${Math.random()}`;
  const started = await bank.provider.start({
    ...{ orderId, kind: 'card', amountMinor: 900, currency: 'EUR', description: 'Monthly (Sunrise)' },
    ...{ buyerEmail: 'ada@example.com', renews: null, method: 'card-4242' },
    ...{
      returnUrl: `${baseUrl}/checkout/card/x?returned`,
      cancelUrl: `${baseUrl}/checkout/card/x?cancelled`,
    },
    expiresAt: clock.now() + 24 * HOUR_MS,
    ...changes,
  });
  if (started.kind === 'declined') throw new Error(started.reason);
  return { ...started, orderId, path: 'url' in started ? started.url.replace(baseUrl, '') : '' };
}

/** Returns the newest payment by the control API. */
async function newest(service: SandboxUnderTest): Promise<PaymentEntry> {
  const { body } = await callControl<{ payments: PaymentEntry[] }>(service, 'GET /payments?limit=1');
  const [payment] = body.payments;
  if (payment === undefined) throw new Error('There is no payment.');
  return payment;
}

/** Reads the events of a payment's webhooks as the service does, newest first. */
async function eventsOf({ server: { bank } }: SandboxUnderTest, { webhooks }: PaymentEntry) {
  const events = await Promise.all(webhooks.map((webhook) => bank.provider.readEvents(bank.signed(webhook))));
  return events.flat();
}

describe('the page of a payment that a bank asks about', () => {
  it('shows the order, and lets the buyer approve it', async ({ service }) => {
    service.server.control.payments.set({ webhooks: 'withhold' });
    const { path, orderId, reference } = await start(service, { method: 'card-3220' });
    const browser = service.browser();
    const page = await browser.get(path);
    const $ = load(await page.text());
    expect($('h1').text()).toBe('Approve your payment');
    expect($('dl').text()).toContain('€9.00');
    const answered = await browser.post($('form').attr('action') ?? '', { answer: 'approve' });
    expect([answered.status, locationOf(answered)]).toEqual([
      303,
      `${service.baseUrl}/checkout/card/x?returned`,
    ]);
    expect(await newest(service)).toMatchObject({ id: reference, state: 'paid', pageUrl: null });
    const [event] = await eventsOf(service, await newest(service));
    expect(event).toMatchObject({ kind: 'paid', orderId, reference, amountMinor: 900, currency: 'EUR' });
    expect(load(await (await browser.get(path)).text())('h1').text()).toBe('This payment is made');
    expect((await browser.post(path, { answer: 'approve' })).status).toBe(409);
  });

  it('declines the payment if the check fails, and another attempt has a page of its own', async ({
    service,
  }) => {
    const { path, orderId, reference } = await start(service, { method: 'card-3220' });
    await service.browser().post(path, { answer: 'fail' });
    expect(await newest(service)).toMatchObject({ state: 'declined', reason: 'card_declined' });
    const again = await start(service, { orderId, method: 'card-3220' });
    expect(again.reference).not.toBe(reference);
    expect((await service.request(path)).status).toBe(404);
    expect((await service.request(again.path)).status).toBe(200);
  });

  it('rejects answers from other sites, unknown answers and unknown addresses', async ({ service }) => {
    const { path } = await start(service, { method: 'card-3220' });
    const browser = service.browser();
    const foreign = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
    expect((await browser.post(path, { answer: 'approve' }, foreign)).status).toBe(403);
    expect((await browser.post(path, { answer: 'arrive' })).status).toBe(409);
    expect((await browser.post(path, {})).status).toBe(400);
    expect((await browser.get('/sandbox/pay/nothing')).status).toBe(404);
    expect(await newest(service)).toMatchObject({ state: 'open' });
  });
});

describe('a late transfer', () => {
  const late = { kind: 'crypto', method: 'transfer-late' } as const;

  it('arrives after an hour of the service’s clock', async ({ service }) => {
    const { orderId } = await start(service, late);
    const order = { orderId, amountMinor: 900, currency: 'EUR', method: late.method, reference: null };
    const find = () => service.server.bank.provider.find({ ...order, isRenewal: false, subscription: null });
    await service.server.control.clock.advanceBy('59m');
    expect(await find()).toEqual({ kind: 'pending' });
    await service.server.control.clock.advanceBy('2m');
    expect(await find()).toMatchObject({ kind: 'paid', amountMinor: 900 });
  });

  it('expires if the checkout ends before', async ({ service }) => {
    const expiresAt = service.server.clock.now() + HOUR_MS / 2;
    await start(service, { ...late, expiresAt });
    await service.server.control.clock.advanceBy('2h');
    expect(await newest(service)).toMatchObject({ state: 'expired' });
    expect((await eventsOf(service, await newest(service))).map(({ kind }) => kind)).toEqual(['expired']);
  });
});

describe('the webhooks of the provider', () => {
  /** Approves a new payment while webhooks are sent in a way, and returns it. */
  async function paidWith(service: SandboxUnderTest, webhooks: 'send' | 'late' | 'double' | 'withhold') {
    await callControl(service, 'POST /payment-provider', { webhooks });
    const { reference } = await start(service, { method: 'card-3220' });
    const { body } = await callControl<PaymentEntry>(service, `POST /payments/${reference}/answer`, {
      answer: 'approve',
    });
    return body;
  }

  it('go to the service at once, over HTTP', async ({ service }) => {
    const [webhook] = (await paidWith(service, 'send')).webhooks;
    expect(webhook).toMatchObject({ kind: 'paid', attempts: 1, answer: expect.any(Number) });
  });

  it('are withheld until they are sent by hand, and sent again with the same event id', async ({
    service,
  }) => {
    const payment = await paidWith(service, 'withhold');
    const [webhook] = payment.webhooks;
    expect(webhook).toMatchObject({ state: 'withheld', attempts: 0 });
    const send = `POST /payments/${payment.id}/webhooks/${webhook?.id}`;
    const first = await callControl<PaymentEntry>(service, send);
    expect(first.body.webhooks[0]).toMatchObject({ id: webhook?.id, attempts: 1 });
    const again = await callControl<PaymentEntry>(service, send);
    expect(again.body.webhooks[0]).toMatchObject({ id: webhook?.id, attempts: 2, body: webhook?.body });
  });

  it('come ten minutes late by the service’s clock', async ({ service }) => {
    const payment = await paidWith(service, 'late');
    expect(payment.webhooks[0]).toMatchObject({ state: 'waiting', attempts: 0 });
    await service.server.control.clock.advanceBy('11m');
    expect((await newest(service)).webhooks[0]?.attempts).toBeGreaterThan(0);
  });

  it('are found by their id only', async ({ service }) => {
    const { id } = await paidWith(service, 'withhold');
    const unknown = 'evt_00000000-0000-4000-8000-000000000000';
    expect((await callControl(service, `POST /payments/${id}/webhooks/${unknown}`)).status).toBe(404);
    expect((await callControl(service, `GET /payments/sim_${'0'.repeat(24)}`)).status).toBe(404);
  });
});

describe('refunds and disputes at the provider', () => {
  it('refund a part and then the rest, but no more', async ({ service }) => {
    const { reference } = await start(service);
    const refund = (body: object) =>
      callControl<PaymentEntry>(service, `POST /payments/${reference}/refund`, body);
    expect((await refund({ amountMinor: 300 })).body.refundedMinor).toBe(300);
    expect((await refund({ amountMinor: 601 })).status).toBe(409);
    expect((await refund({})).body.refundedMinor).toBe(900);
    const events = await eventsOf(service, await newest(service));
    const totals = events.map((event) => (event.kind === 'refunded' ? event.amountMinor : event.kind));
    expect(totals.toSorted()).toEqual([300, 900]);
  });

  it('open a dispute once, and decide it once', async ({ service }) => {
    const { reference } = await start(service);
    const dispute = (step: string) =>
      callControl<PaymentEntry>(service, `POST /payments/${reference}/dispute`, { step });
    expect((await dispute('win')).status).toBe(409);
    expect((await dispute('open')).body.dispute).toBe('open');
    expect((await dispute('open')).status).toBe(409);
    expect((await callControl(service, `POST /payments/${reference}/refund`, {})).status).toBe(409);
    expect((await dispute('lose')).body.dispute).toBe('lost');
    expect((await dispute('win')).status).toBe(409);
    expect((await eventsOf(service, await newest(service))).map(({ kind }) => kind).toSorted()).toEqual([
      'dispute-lost',
      'dispute-opened',
    ]);
  });
});

describe('the simulated provider', () => {
  it('is down on demand, and up again after a reset', async ({ service }) => {
    await callControl(service, 'POST /payment-provider', { isDown: true, webhooks: 'late' });
    await expect(start(service)).rejects.toThrow('down');
    await callControl(service, 'POST /reset', { scenario: 'empty' });
    expect((await callControl(service, 'GET /payment-provider')).body).toEqual({
      webhooks: 'send',
      isDown: false,
    });
    await expect(start(service)).resolves.toMatchObject({ kind: 'paid' });
  });

  it('has its books in snapshots, and empty ones after a reset', async ({ service }) => {
    const { reference } = await start(service, { orderId: 'kept' });
    await callControl(service, 'POST /snapshots/books');
    await start(service, { orderId: 'later' });
    await callControl(service, 'POST /snapshots/books/load');
    const { body } = await callControl<{ payments: PaymentEntry[] }>(service, 'GET /payments');
    expect(body.payments.map(({ id }) => id)).toEqual([reference]);
    await callControl(service, 'POST /reset', { scenario: 'empty' });
    expect((await callControl(service, 'GET /payments')).body).toEqual({ payments: [], next: null });
  });

  it('lists payments by state and text, page by page', async ({ service }) => {
    for (const index of [1, 2, 3])
      await start(service, { orderId: `order-${index}`, description: `No. ${index}` });
    await start(service, { orderId: 'open', method: 'card-3220' });
    const list = async (query: string) =>
      (
        await callControl<{ payments: PaymentEntry[]; next: string | null }>(
          service,
          `GET /payments?${query}`,
        )
      ).body;
    expect((await list('state=open')).payments.map(({ orderId }) => orderId)).toEqual(['open']);
    expect((await list('text=No.%202')).payments.map(({ orderId }) => orderId)).toEqual(['order-2']);
    const first = await list('limit=3');
    const rest = await list(`limit=3&after=${first.next}`);
    const all = [...first.payments, ...rest.payments].map(({ orderId }) => orderId);
    expect(all.toSorted()).toEqual(['open', 'order-1', 'order-2', 'order-3']);
    expect(rest.next).toBeNull();
  });

  it('keeps one result for starts at the same time', async ({ service }) => {
    const both = await Promise.all([1, 2].map(() => start(service, { orderId: 'one', method: 'card-3220' })));
    expect(new Set(both.map(({ path }) => path)).size).toBe(1);
  });
});

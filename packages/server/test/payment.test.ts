import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { openDatabase } from '../src/platform/database/open-database.js';
import { signedIn } from './authorization-flow.js';
import { locationOf } from './browser.js';
import {
  buyersBrowser,
  checkoutFields,
  eventsOf,
  eventTypesOf,
  it,
  METHODS,
  membershipOf,
  openCheckout,
  pageAt,
  pay,
  payFor,
  SUCCESS_URL,
} from './checkout-world.js';
import { formOf, parsePage, textOf } from './pages/page-document.js';
import { START, startService } from './service-under-test.js';

const { users, community, plans } = sandboxScenario;
const DAY = 24 * 3600_000;

describe('payment', () => {
  it('turns the reservation into a membership and emits both events', {
    tags: ['webhook.payment-success', 'webhook.membership-created'],
  }, async ({ service, db }) => {
    const path = await openCheckout(service, { utmSource: 'newsletter' });
    const answer = await pay(await buyersBrowser(service, users.ben.email), path);
    expect({ status: answer.status, to: locationOf(answer) }).toEqual({ status: 303, to: `${path}?paid` });

    const membership = await membershipOf(db, 'ben@example.com');
    expect(membership).toMatchObject({
      product_type: 'community',
      valid_from: START,
      valid_until: START + 30 * DAY,
      pricing_plan_id: plans.monthly.id,
      subscription_id: expect.any(String),
    });
    const [reservation] = await db.selectFrom('checkout_reservations').selectAll().execute();
    expect(reservation).toMatchObject({ paid_at: START, membership_id: membership?.id });
    const [payment, ...others] = await db.selectFrom('payments').selectAll().execute();
    expect(others).toEqual([]);
    expect(payment).toMatchObject({
      ...{ status: 'succeeded', amount_minor: 900, currency: 'EUR', utm_source: 'newsletter' },
      ...{ user_id: users.ben.id, community_id: community.id, pricing_plan_id: plans.monthly.id },
    });
    const events = await eventsOf(db);
    expect(events.map(({ type }) => type)).toEqual(['membership.created', 'payment.success']);
    expect(events[0]?.data).toMatchObject({ pricingPlanId: plans.monthly.id });
    expect(events[1]?.data).toEqual({
      ...{ paymentId: payment?.id, membershipId: membership?.id, communityId: community.id },
      ...{ pricingPlanId: plans.monthly.id, externalId: 'order-7', utmSource: 'newsletter' },
      ...{ amount: 900, currency: 'EUR' },
      user: { sub: users.ben.id, email: 'ben@example.com' },
    });
  });

  it('redirects the browser that paid to the success URL', { tags: ['buy-plan.success-url'] }, async ({
    service,
  }) => {
    const path = await openCheckout(service);
    const browser = await buyersBrowser(service, users.ben.email);
    const response = await browser.get(locationOf(await pay(browser, path)));
    const { status, headers } = response;
    const $ = parsePage(await response.text());
    expect(status).toBe(200);
    expect($('meta[http-equiv="refresh"]').attr('content')).toBe(`0;url=${SUCCESS_URL}`);
    expect($('main a').attr('href')).toBe(SUCCESS_URL);
    expect(headers.get('referrer-policy')).toBe('same-origin');
    const later = parsePage(await (await browser.get(`${path}?paid`)).text());
    expect(later('meta[http-equiv="refresh"]').length).toBe(0);
    for (const page of [$, later]) {
      expect(textOf(page, '.lead')).toBe('You’re a member.');
      expect(textOf(page, '.receipt')).toBe('PlanMonthlyPaid€9.00Next payment€9.00 on 12 Jul 2026');
      expect(textOf(page, 'main')).toContain('We’ve mailed a receipt to b•••@example.com.');
    }
  });

  it('redirects nobody else: a link to a finished checkout leads to a page with a link', async ({
    service,
  }) => {
    const path = await payFor(service);
    for (const days of [0, 2]) {
      service.clock.advance(days * DAY);
      for (const address of [path, `${path}?paid`]) {
        const { status, $, headers } = await pageAt(service, address);
        expect({ status, to: headers.get('location') }).toEqual({ status: 200, to: null });
        expect($('meta[http-equiv="refresh"]').length).toBe(0);
        expect($('main a').attr('href')).toBe(SUCCESS_URL);
        expect($('main').text()).toContain(new URL(SUCCESS_URL).host);
        expect($('.receipt')).toHaveLength(0);
        expect($('main').text()).not.toContain('b•••');
      }
    }
  });

  it('shows its receipt to nobody who posts without having seen the order', async ({ service }) => {
    const path = await payFor(service);
    const stranger = service.browser();
    for (const form of [{}, { terms: 'x'.repeat(43) }]) {
      expect(locationOf(await stranger.post(`${path}/pay`, form))).toBe(path);
      const page = parsePage(await (await stranger.get(`${path}?paid`)).text());
      expect(page('.receipt, meta[http-equiv="refresh"]')).toHaveLength(0);
    }
  });

  it('keeps the paid amount in its receipt, whatever the plan costs now', async ({ service, db }) => {
    const browser = await buyersBrowser(service, users.ben.email);
    const path = await openCheckout(service);
    const answer = await pay(browser, path);
    await db.updateTable('pricing_plans').set({ price_minor: 99_900 }).execute();
    const $ = parsePage(await (await browser.get(locationOf(answer))).text());
    expect(textOf($, '.receipt')).toContain('Paid€9.00Next payment€9.00 on');
  });

  it('that fails is reported to buyer and webhook, and can be retried', {
    tags: ['webhook.payment-failed'],
  }, async ({ service, db }) => {
    const browser = service.browser();
    const path = await openCheckout(service);
    for (const [method, reason, words] of [
      [METHODS.declined, 'card_declined', 'declined'],
      [METHODS.poor, 'insufficient_funds', 'insufficient funds'],
    ] as const) {
      const answer = await pay(browser, path, method);
      expect(locationOf(answer)).toBe(`${path}?declined=${reason}&method=${method}`);
      const page = await pageAt(service, locationOf(answer));
      expect(page.$('input[name="method"][checked]').attr('value')).toBe(method);
      expect(textOf(page.$, '[role="alert"]')).toContain(words);
      expect(textOf(page.$, 'title')).toContain('Payment failed');
    }
    expect(await membershipOf(db, 'ben@example.com')).toBeUndefined();
    const failed = await eventsOf(db);
    expect(failed.map(({ type }) => type)).toEqual(['payment.failed', 'payment.failed']);
    expect(failed.map(({ data }) => ('reason' in data ? data.reason : '')).sort()).toEqual([
      'card_declined',
      'insufficient_funds',
    ]);
    expect(failed[0]?.data).toMatchObject({
      ...{ externalId: 'order-7', communityId: community.id, pricingPlanId: plans.monthly.id },
      ...{ amount: 900, currency: 'EUR' },
    });

    expect(locationOf(await pay(browser, path))).toBe(`${path}?paid`);
    expect(await membershipOf(db, 'ben@example.com')).toBeDefined();
    const payments = await db.selectFrom('payments').select('status').orderBy('status').execute();
    expect(payments.map(({ status }) => status)).toEqual(['failed', 'failed', 'succeeded']);
  });

  it('in crypto succeeds when the transfer arrives, and fails when it does not', async ({ service, db }) => {
    const path = await openCheckout(service, { pricingPlanId: plans.lifetime.id });
    const { $ } = await pageAt(service, path);
    expect(textOf($, '.transfer')).toContain('199.00 test EUR');
    const browser = service.browser();
    expect(locationOf(await pay(browser, path, METHODS.noTransfer))).toBe(
      `${path}?declined=transfer_expired&method=${METHODS.noTransfer}`,
    );
    expect(locationOf(await pay(browser, path, METHODS.transfer))).toBe(`${path}?paid`);
    expect(await membershipOf(db, 'ben@example.com')).toMatchObject({
      valid_until: null,
      subscription_id: null,
    });
  });

  it('creates one payment and one membership for concurrent submissions', async ({ service, db }) => {
    const paths = await Promise.all(Array.from({ length: 5 }, () => openCheckout(service)));
    const fields = await checkoutFields(service.browser(), paths[0] ?? '');
    const tries = Array.from({ length: 50 }, async (_, index) => {
      const path = paths[index % paths.length] ?? '';
      return locationOf(await service.browser().post(`${path}/pay`, { ...fields, method: METHODS.card }));
    });
    const ends = await Promise.all(tries);
    expect(ends.every((end) => end.endsWith('?paid'))).toBe(true);
    expect(await db.selectFrom('payments').select('status').execute()).toEqual([{ status: 'succeeded' }]);
    expect(await membershipOf(db, 'ben@example.com')).toMatchObject({ valid_until: START + 30 * DAY });
    expect(await eventTypesOf(db)).toEqual(['membership.created', 'payment.success']);
  });

  it('of two concurrent reservations of one buyer adds both periods', async ({ service, db }) => {
    await Promise.all(['order-1', 'order-2', 'order-3'].map((externalId) => payFor(service, { externalId })));
    expect(await membershipOf(db, 'ben@example.com')).toMatchObject({ valid_until: START + 90 * DAY });
    expect(await db.selectFrom('payments').select('id').execute()).toHaveLength(3);
  });

  it('is rejected when the page was opened before the checkout changed', async ({ service, db }) => {
    const browser = service.browser();
    const path = await openCheckout(service);
    const stale = { ...(await checkoutFields(browser, path)), method: METHODS.card };
    await db.updateTable('pricing_plans').set({ price_minor: 99_900 }).execute();
    expect(locationOf(await browser.post(`${path}/pay`, stale))).toBe(`${path}?changed`);
    await openCheckout(service, { email: 'ada@example.com' });
    expect(locationOf(await pay(browser, path))).toBe(`${path}?paid`);
    expect(await membershipOf(db, 'ben@example.com')).toBeUndefined();
    const page = await pageAt(service, `${await openCheckout(service, { externalId: 'x' })}?changed`);
    expect(textOf(page.$, '[role="status"]')).toContain('order changed');
    expect(page.$('[role="status"]').hasClass('caution')).toBe(true);
  });

  it('is rejected when the method is not offered', async ({ service, db }) => {
    const path = await openCheckout(service);
    for (const method of ['', METHODS.transfer, 'constructor', 'x'.repeat(5_000)]) {
      expect(locationOf(await pay(service.browser(), path, method))).toBe(path);
    }
    expect(await db.selectFrom('payments').selectAll().execute()).toEqual([]);
  });

  it('of a free plan needs no method', async ({ service, db }) => {
    const { id } = await service.server.operator.createPricingPlan({
      communityId: community.id,
      name: 'Taster',
      priceMinor: 0,
      periodDays: 7,
    });
    const path = await openCheckout(service, { pricingPlanId: id });
    const ben = await signedIn(service, 'ben@example.com');
    const $ = parsePage(await (await ben.get(path)).text());
    expect(textOf($, 'main form button')).toBe('Get it for free');
    expect($('[type="radio"]')).toHaveLength(0);
    expect(locationOf(await pay(ben, path, ''))).toBe(`${path}?paid`);
    expect(await membershipOf(db, 'ben@example.com')).toMatchObject({ valid_until: START + 7 * DAY });
  });

  it('of a free plan needs the buyer: nobody gives a stranger a membership with an API key', async ({
    service,
    db,
  }) => {
    const { id } = await service.server.operator.createPricingPlan({
      communityId: community.id,
      name: 'Taster',
      priceMinor: 0,
    });
    const path = await openCheckout(service, { pricingPlanId: id });
    const signIn = `/sign-in?${new URLSearchParams({ continue: path })}`;
    const visitor = service.browser();
    expect(locationOf(await visitor.get(path))).toBe(signIn);
    const ben = await signedIn(service, 'ben@example.com');
    const terms = formOf(parsePage(await (await ben.get(path)).text()), `${path}/pay`).hidden;
    const form = Object.fromEntries(terms);
    expect(locationOf(await visitor.post(`${path}/pay`, form))).toBe(signIn);
    const dana = await signedIn(service, 'dana@example.com');
    for (const response of [await dana.get(path), await dana.post(`${path}/pay`, form)]) {
      expect(response.status).toBe(403);
      const page = parsePage(await response.text());
      expect(textOf(page, 'h1')).toBe('Sign in as the buyer');
      expect(textOf(page, 'main')).not.toContain('ben@example.com');
    }
    expect(await membershipOf(db, 'ben@example.com')).toBeUndefined();
    expect(locationOf(await ben.post(`${path}/pay`, form))).toBe(`${path}?paid`);
    expect(await membershipOf(db, 'ben@example.com')).toMatchObject({ valid_until: null });
  });

  it('of a reservation survives a restart of the server', async ({ service, database }) => {
    const path = await openCheckout(service);
    await service.server.close();
    const restarted = await startService({ database, backgroundWork: false });
    expect(locationOf(await pay(restarted.browser(), path))).toBe(`${path}?paid`);
    await restarted.server.close();
    const db = await openDatabase(database);
    expect(await membershipOf(db, 'ben@example.com')).toBeDefined();
    await db.destroy();
  });
});

describe('period added by a payment', () => {
  it('starts at the end of a running period, or at once after an expired one', async ({ service, db }) => {
    await payFor(service);
    service.clock.advance(10 * DAY);
    await payFor(service, { externalId: 'order-8' });
    expect(await membershipOf(db, 'ben@example.com')).toMatchObject({
      valid_from: START,
      valid_until: START + 60 * DAY,
    });
    await payFor(service, { email: 'cleo@example.com', externalId: 'order-9' });
    expect(await membershipOf(db, 'cleo@example.com')).toMatchObject({
      valid_from: START + 10 * DAY,
      valid_until: START + 40 * DAY,
    });
    const updates = (await eventTypesOf(db)).filter((type) => type === 'membership.updated');
    // The event of Cleo's seeded membership is not among them.
    expect(updates).toHaveLength(1);
  });

  it('never shortens lifetime access', async ({ service, db }) => {
    const before = await membershipOf(db, 'ada@example.com');
    await payFor(service, { email: 'ada@example.com' });
    // Ada had no plan. The gates of the plan that she paid for must open for as long as it is paid, and no longer.
    expect(await membershipOf(db, 'ada@example.com')).toEqual({
      ...before,
      pricing_plan_id: plans.monthly.id,
      subscription_id: expect.any(String),
      plan_changes_at: START + 30 * DAY,
      renews_at: START + 30 * DAY,
    });
    expect(await db.selectFrom('subscriptions').selectAll().execute()).toHaveLength(1);
  });
});

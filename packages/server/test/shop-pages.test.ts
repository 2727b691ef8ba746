import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { signedIn } from './authorization-flow.js';
import { type Browser, locationOf } from './browser.js';
import { checkoutFields, eventsOf, it, METHODS, membershipOf, pay, payFor } from './checkout-world.js';
import { formOf, parsePage, textOf } from './pages/page-document.js';
import { START, startService } from './service-under-test.js';
import { removeSandboxMark } from './service-with-database.js';

const { users, community, products, plans } = sandboxScenario;
const PRODUCT = `/products/${products.brewGuide.id}`;
const COMMUNITY = `/communities/${community.id}`;
const DAY = 24 * 3600_000;

async function open(browser: Browser, path: string) {
  const response = await browser.get(path);
  return { status: response.status, $: parsePage(await response.text()) };
}

/** Submits a page's purchase form, with changes, and returns the redirect's address. */
async function buy(browser: Browser, page: string, changes: Record<string, string> = {}): Promise<string> {
  const { $ } = await open(browser, page);
  const { hidden } = formOf($, `${page}/buy`);
  return locationOf(await browser.post(`${page}/buy`, { ...Object.fromEntries(hidden), ...changes }));
}

/** Posts a purchase form whose page shows none, and returns the redirect's address. */
async function post(browser: Browser, page: string, fields: Record<string, string>): Promise<string> {
  return locationOf(await browser.post(`${page}/buy`, fields));
}

describe('product', () => {
  it('has a public page with its price', async ({ service }) => {
    const { status, $ } = await open(service.browser(), PRODUCT);
    expect(status).toBe(200);
    expect(textOf($, 'main')).toContain('E-book by Dana Owner');
    expect(textOf($, 'main')).toContain('Sold by Dana Owner, not by Latchkey.');
    expect(textOf($, '.amount')).toBe('€19.00');
    expect($('main a').attr('href')).toBe(`/sign-in?continue=${encodeURIComponent(PRODUCT)}`);
    for (const path of ['/products/nothing', `${PRODUCT}/nothing`]) {
      expect((await open(service.browser(), path)).status).toBe(404);
    }
  });

  it('belongs to the buyer for life once bought, and emits its event', {
    tags: ['webhook.digital-product-purchase', 'webhook.membership-created'],
  }, async ({ service, db }) => {
    const ben = await signedIn(service, 'ben@example.com');
    const checkout = await buy(ben, PRODUCT);
    expect(textOf((await open(ben, checkout)).$, 'main')).toContain('The Brew Guide');
    expect(locationOf(await pay(ben, checkout))).toBe(`${checkout}?paid`);
    expect(locationOf(await ben.get(checkout))).toBe(`${service.baseUrl}${PRODUCT}`);
    expect(textOf((await open(ben, PRODUCT)).$, 'main')).toContain('You have lifetime access');

    const bought = { user_id: users.ben.id, product_id: products.brewGuide.id, valid_until: null };
    const memberships = await db.selectFrom('memberships').selectAll().execute();
    expect(memberships).toContainEqual(
      expect.objectContaining({ ...bought, product_type: 'digital_product', valid_from: START }),
    );
    const events = await eventsOf(db);
    expect(events.map(({ type }) => type)).toEqual(['digital.product.purchase', 'membership.created']);
    expect(events[0]?.data).toMatchObject({
      product: { id: products.brewGuide.id, name: 'The Brew Guide', slug: 'the-brew-guide', type: 'ebook' },
      user: { sub: users.ben.id, email: 'ben@example.com' },
      membership: { productType: 'digital_product', validUntil: null },
      ...{ amount: 1_900, currency: 'EUR' },
    });
    expect(events[1]?.data).toMatchObject({ productId: products.brewGuide.id, pricingPlanId: null });
    const [payment] = await db.selectFrom('payments').selectAll().execute();
    expect(payment).toMatchObject({ product_id: products.brewGuide.id, amount_minor: 1_900 });
  });

  it('is bought once: of two open checkouts, only one is paid', async ({ service, db }) => {
    const ben = await signedIn(service, 'ben@example.com');
    const [first, second] = [await buy(ben, PRODUCT), await buy(ben, PRODUCT)];
    const fields = { ...(await checkoutFields(ben, first)), method: METHODS.card };
    const ends = await Promise.all(
      [first, second, first, second].map(async (path) => locationOf(await ben.post(`${path}/pay`, fields))),
    );
    expect(ends.some((end) => end.endsWith('?paid'))).toBe(true);
    expect(await db.selectFrom('payments').select('status').execute()).toHaveLength(1);
    expect(await buy(ben, PRODUCT, { account: users.ben.id })).toBe(PRODUCT);
    for (const checkout of [first, second]) {
      expect(locationOf(await ben.get(checkout))).toBe(`${service.baseUrl}${PRODUCT}`);
    }
  });

  it('is bought once if the clock of the second payment is behind that of the first', async ({
    service,
    db,
  }) => {
    const ben = await signedIn(service, 'ben@example.com');
    const [first, second] = [await buy(ben, PRODUCT), await buy(ben, PRODUCT)];
    const fields = { ...(await checkoutFields(ben, second)), method: METHODS.card };
    await pay(ben, first);
    service.clock.set(START - 22);
    expect(locationOf(await ben.post(`${second}/pay`, fields))).toBe(`${service.baseUrl}${PRODUCT}`);
    expect(await buy(ben, PRODUCT, { account: users.ben.id })).toBe(PRODUCT);
    expect(await db.selectFrom('payments').select('status').execute()).toHaveLength(1);
    const events = await eventsOf(db);
    expect(events.map(({ type }) => type)).toEqual(['digital.product.purchase', 'membership.created']);
  });

  it('that a seller granted for later can be bought now', async ({ service, db }) => {
    const ben = await signedIn(service, 'ben@example.com');
    const grant = { userId: users.ben.id, productType: 'digital_product' as const };
    await service.server.operator.grantMembership({
      ...{ ...grant, productId: products.brewGuide.id },
      validFrom: START + DAY,
    });
    expect(locationOf(await pay(ben, await buy(ben, PRODUCT)))).toMatch(/\?paid$/);
    expect(await db.selectFrom('payments').select('status').execute()).toHaveLength(1);
  });

  it('with a limited membership can be bought for life', async ({ service, db }) => {
    const ada = await signedIn(service, 'ada@example.com');
    expect(textOf((await open(ada, PRODUCT)).$, 'main')).toContain('You have access until');
    await pay(ada, await buy(ada, PRODUCT));
    const { valid_until } = await db
      .selectFrom('memberships')
      .select('valid_until')
      .where('id', '=', sandboxScenario.memberships.adaProduct.id)
      .executeTakeFirstOrThrow();
    expect(valid_until).toBeNull();
  });

  it('with a failed payment emits no event, and the payment can be retried', async ({ service, db }) => {
    const ben = await signedIn(service, 'ben@example.com');
    const checkout = await buy(ben, PRODUCT);
    expect(locationOf(await pay(ben, checkout, METHODS.declined))).toBe(
      `${checkout}?declined=card_declined&method=${METHODS.declined}`,
    );
    expect(await eventsOf(db)).toEqual([]);
    expect(await db.selectFrom('payments').select(['status', 'reason']).execute()).toEqual([
      { status: 'failed', reason: 'card_declined' },
    ]);
    expect(locationOf(await pay(ben, checkout))).toBe(`${checkout}?paid`);
  });

  it('without a price is not for sale', async ({ service, db }) => {
    const ben = await signedIn(service, 'ben@example.com');
    const checkout = await buy(ben, PRODUCT);
    await db.updateTable('products').set({ price_minor: null, currency: null }).execute();
    expect(textOf((await open(ben, PRODUCT)).$, 'main')).toContain('not for sale');
    expect(await buy(ben, PRODUCT, { account: users.ben.id })).toBe(PRODUCT);
    expect((await open(ben, checkout)).status).toBe(410);
  });

  it('is bought only by the user who saw its page', async ({ service }) => {
    const ben = await signedIn(service, 'ben@example.com');
    const { hidden } = formOf((await open(ben, PRODUCT)).$, `${PRODUCT}/buy`);
    const ada = await signedIn(service, 'ada@example.com');
    expect((await ada.post(`${PRODUCT}/buy`, Object.fromEntries(hidden))).status).toBe(409);
    const answer = await service.browser().post(`${PRODUCT}/buy`, Object.fromEntries(hidden));
    expect(locationOf(answer)).toBe(`/sign-in?continue=${encodeURIComponent(PRODUCT)}`);
  });
});

describe('community', () => {
  it('shows its plans to any visitor', async ({ service, db }) => {
    const { status, $ } = await open(service.browser(), COMMUNITY);
    expect(status).toBe(200);
    const text = textOf($, 'main');
    for (const part of ['Monthly', '€9.00', 'until you cancel', 'For life', '€199.00', 'in crypto']) {
      expect(text).toContain(part);
    }
    expect((await open(service.browser(), '/communities/nothing')).status).toBe(404);
    await db.updateTable('pricing_plans').set({ archived_at: START }).execute();
    expect(textOf((await open(service.browser(), COMMUNITY)).$, 'main')).toContain('No plan is for sale');
  });

  it('sells a plan to a signed-in user, and redirects back to its page', async ({ service, db }) => {
    const ben = await signedIn(service, 'ben@example.com');
    const checkout = await buy(ben, COMMUNITY, { plan: plans.monthly.id });
    expect(locationOf(await pay(ben, checkout))).toBe(`${checkout}?paid`);
    expect(locationOf(await ben.get(checkout))).toBe(`${service.baseUrl}${COMMUNITY}`);
    const text = textOf((await open(ben, COMMUNITY)).$, 'main');
    expect(text).toContain('You’re a member.');
    expect(text).toContain('Renews on 12 Jul 2026 for €9.00.');
    expect(await membershipOf(db, 'ben@example.com')).toMatchObject({ valid_until: START + 30 * DAY });
    const [, success] = await eventsOf(db);
    expect(success).toMatchObject({ type: 'payment.success', data: { externalId: null, utmSource: null } });
  });

  it('sells a plan to a lifetime member without one, nothing twice for life, and no plan of another community', async ({
    service,
  }) => {
    const ada = await signedIn(service, 'ada@example.com');
    const { $ } = await open(ada, COMMUNITY);
    expect(textOf($, 'main')).toContain('Lifetime access.');
    expect($(`form[action="${COMMUNITY}/buy"]`)).toHaveLength(2);
    await pay(ada, await buy(ada, COMMUNITY, { plan: plans.lifetime.id }), METHODS.transfer);
    expect((await open(ada, COMMUNITY)).$(`form[action="${COMMUNITY}/buy"]`)).toHaveLength(1);
    const again = { account: users.ada.id, plan: plans.lifetime.id };
    expect(await post(ada, COMMUNITY, again)).toBe(COMMUNITY);

    const { operator } = service.server;
    const { id: communityId } = await operator.createCommunity({ name: 'Tea', ownerId: users.dana.id });
    const { id } = await operator.createPricingPlan({ communityId, name: 'Tea', priceMinor: 1 });
    const ben = await signedIn(service, 'ben@example.com');
    for (const plan of [id, 'nothing']) expect(await buy(ben, COMMUNITY, { plan })).toBe(COMMUNITY);
  });
});

describe('plan of a member', () => {
  const cardOf = ($: ReturnType<typeof parsePage>, name: string) =>
    $('.plan-card').filter((_, card) => $(card).find('h2').text() === name);

  it('is marked, and is not sold again while it renews', async ({ service }) => {
    const ben = await signedIn(service, 'ben@example.com');
    const [first, second] = [
      await buy(ben, COMMUNITY, { plan: plans.monthly.id }),
      await buy(ben, COMMUNITY, { plan: plans.monthly.id }),
    ];
    await pay(ben, first);
    const { $ } = await open(ben, COMMUNITY);
    expect(cardOf($, 'Monthly').text()).toContain('Your plan');
    expect(cardOf($, 'Monthly').find('form')).toHaveLength(0);
    expect(cardOf($, 'For life').text()).not.toContain('Your plan');
    expect(cardOf($, 'For life').find('button').text()).toBe('Buy For life');
    expect(await post(ben, COMMUNITY, { account: users.ben.id, plan: plans.monthly.id })).toBe(COMMUNITY);
    // A checkout that was open before leads back too, and charges nothing.
    const back = `${service.baseUrl}${COMMUNITY}`;
    expect(locationOf(await ben.get(second))).toBe(back);
    expect(locationOf(await ben.post(`${second}/pay`, { method: METHODS.card }))).toBe(back);
  });

  it('can be extended once its subscription is cancelled', async ({ service, db }) => {
    const ben = await signedIn(service, 'ben@example.com');
    await pay(ben, await buy(ben, COMMUNITY, { plan: plans.monthly.id }));
    await db.updateTable('memberships').set({ subscription_cancelled_at: START }).execute();
    const { $ } = await open(ben, COMMUNITY);
    expect(textOf($, '.held-plan')).toContain('Ends on 12 Jul 2026 and doesn’t renew.');
    expect(cardOf($, 'Monthly').find('button').text()).toBe('Extend Monthly');
    await pay(ben, await buy(ben, COMMUNITY, { plan: plans.monthly.id }));
    expect(await membershipOf(db, 'ben@example.com')).toMatchObject({ valid_until: START + 60 * DAY });
  });

  it('is shown by its name after it was archived, with the agreed price', async ({ service, db }) => {
    const ben = await signedIn(service, 'ben@example.com');
    await pay(ben, await buy(ben, COMMUNITY, { plan: plans.monthly.id }));
    await db.updateTable('pricing_plans').set({ archived_at: START, price_minor: 99_900 }).execute();
    const { $ } = await open(ben, COMMUNITY);
    expect(textOf($, '.held-plan')).toContain('MonthlyRenews on 12 Jul 2026 for €9.00.');
    expect(textOf($, 'main')).toContain('No plan is for sale at the moment');
    expect(textOf($, 'main')).toContain('Your membership stays as it is.');
  });

  it('of another community is not shown', async ({ service }) => {
    const { otherCommunity } = sandboxScenario;
    const eve = await signedIn(service, 'eve@example.com');
    const { $ } = await open(eve, COMMUNITY);
    expect($('.held-plan')).toHaveLength(0);
    expect(textOf((await open(eve, `/communities/${otherCommunity.id}`)).$, '.held-plan')).toContain(
      'Lifetime',
    );
  });
});

describe('purchase form', () => {
  it('takes no price, buyer or return address from the browser', async ({ service, db }) => {
    const ben = await signedIn(service, 'ben@example.com');
    const forged = {
      ...{ amountMinor: '1', priceMinor: '1', price: '0.01', currency: 'JPY', periodDays: '36500' },
      ...{ user_id: users.ada.id, buyer: users.ada.id, successUrl: 'https://evil.example/' },
    };
    const checkout = await buy(ben, COMMUNITY, { plan: plans.monthly.id, ...forged });
    const fields = { ...(await checkoutFields(ben, checkout)), method: METHODS.card, ...forged };
    expect(locationOf(await ben.post(`${checkout}/pay`, fields))).toBe(`${checkout}?paid`);
    const payments = await db
      .selectFrom('payments')
      .select(['user_id', 'amount_minor', 'currency'])
      .execute();
    expect(payments).toEqual([{ user_id: users.ben.id, amount_minor: 900, currency: 'EUR' }]);
    expect(await membershipOf(db, 'ben@example.com')).toMatchObject({ valid_until: START + 30 * DAY });
    const $ = parsePage(await (await ben.get(`${checkout}?paid`)).text());
    expect($('main a').attr('href')).toBe(`${service.baseUrl}${COMMUNITY}`);
  });

  it('sells no archived plan to a browser that saw it for sale', async ({ service, db }) => {
    const ben = await signedIn(service, 'ben@example.com');
    await db.updateTable('pricing_plans').set({ archived_at: START }).execute();
    expect(await post(ben, COMMUNITY, { account: users.ben.id, plan: plans.monthly.id })).toBe(COMMUNITY);
    expect(await db.selectFrom('checkout_reservations').selectAll().execute()).toEqual([]);
  });

  it('pays once when it is submitted several times', async ({ service, db }) => {
    const ben = await signedIn(service, 'ben@example.com');
    const checkout = await buy(ben, COMMUNITY, { plan: plans.monthly.id });
    const fields = { ...(await checkoutFields(ben, checkout)), method: METHODS.card };
    const clicks = Array.from({ length: 8 }, () => ben.post(`${checkout}/pay`, fields));
    const ends = await Promise.all(clicks);
    expect(ends.map(locationOf)).toEqual(clicks.map(() => `${checkout}?paid`));
    expect(await db.selectFrom('payments').select('id').execute()).toHaveLength(1);
    expect(await membershipOf(db, 'ben@example.com')).toMatchObject({ valid_until: START + 30 * DAY });
  });
});

describe('receipt of a purchase on a page of the service', () => {
  it('stays until the buyer goes on', async ({ service }) => {
    const ben = await signedIn(service, 'ben@example.com');
    for (const [page, plan, lead] of [
      [PRODUCT, undefined, 'The Brew Guide is yours.'],
      [COMMUNITY, plans.monthly.id, 'You’re a member.'],
    ] as const) {
      const checkout = await buy(ben, page, plan === undefined ? {} : { plan });
      const { $ } = await open(ben, locationOf(await pay(ben, checkout)));
      expect($('meta[http-equiv="refresh"]')).toHaveLength(0);
      expect(textOf($, '.lead')).toBe(lead);
      expect($('main a').attr('href')).toBe(`${service.baseUrl}${page}`);
    }
  });
});

describe('community and product', () => {
  it('show texts of their sellers, and the logo of the community', async ({ service, db }) => {
    const logo_url = 'https://shop.example/logo.svg';
    await db.updateTable('communities').set({ logo_url }).where('id', '=', community.id).execute();
    const { $ } = await open(service.browser(), COMMUNITY);
    expect($('.profile img').attr('src')).toBe(logo_url);
    expect(textOf($, '.plan-card .benefits')).toContain(plans.monthly.benefits[0]);
    const product = (await open(service.browser(), PRODUCT)).$;
    expect(product('.lines').text()).toBe(products.brewGuide.description);
  });
});

describe('service without payments', () => {
  it('sells nothing on any page', async ({ service, database, db, onTestFinished }) => {
    const open_ = await payFor(service, { externalId: 'paid' });
    await service.server.close();
    await removeSandboxMark(db);
    const mailer = { send: async () => undefined };
    const real = await startService({ sandbox: false, database, mailer, backgroundWork: false });
    onTestFinished(() => real.server.close());
    expect(textOf((await open(real.browser(), PRODUCT)).$, 'main')).toContain('not for sale');
    expect(textOf((await open(real.browser(), COMMUNITY)).$, 'main')).toContain('No plan is for sale');
    const paid = await open(real.browser(), open_);
    expect(paid.status).toBe(200);
    expect(textOf(paid.$, 'main')).toContain('Payment complete');
  });
});

describe('seller', () => {
  it('is named before and after the payment, as somebody else than the service', async ({ service }) => {
    const sold = `Sold by ${community.name}, not by Latchkey.`;
    const ben = await signedIn(service, 'ben@example.com');
    expect(textOf((await open(ben, COMMUNITY)).$, 'main')).toContain(sold);
    const checkout = await buy(ben, COMMUNITY, { plan: plans.monthly.id });
    expect(textOf((await open(ben, checkout)).$, 'main')).toContain(sold);
    await pay(ben, checkout);
    expect(textOf((await open(ben, `${checkout}?paid`)).$, 'main')).toContain(sold);
  });

  it('that the operator named after the service is the service', async ({ service, db }) => {
    await db.updateTable('communities').set({ name: 'Latchkey Academy' }).execute();
    const { $ } = await open(service.browser(), COMMUNITY);
    expect(textOf($, 'main')).toContain('Sold by Latchkey Academy.');
    expect(textOf($, 'main')).not.toContain('not by');
  });

  it('without a name is one', async ({ service, db }) => {
    await db.updateTable('users').set({ name: null }).execute();
    const { $ } = await open(service.browser(), PRODUCT);
    expect(textOf($, 'main')).toContain('Sold by a seller without a name, not by Latchkey.');
  });
});

describe('buyer who starts many orders', () => {
  it('gets 120 an hour, then a page with the time, and stops nobody else', async ({ service }) => {
    const ben = await signedIn(service, 'ben@example.com');
    const { hidden } = formOf((await open(ben, PRODUCT)).$, `${PRODUCT}/buy`);
    for (let order = 0; order < 120; order += 1) {
      expect((await ben.post(`${PRODUCT}/buy`, Object.fromEntries(hidden))).status).toBe(303);
    }
    const refused = await ben.post(`${PRODUCT}/buy`, Object.fromEntries(hidden));
    expect(refused.status).toBe(429);
    expect(await refused.text()).toContain('Start the next one in 60 minutes.');
    expect(await buy(await signedIn(service, 'ada@example.com'), PRODUCT)).toContain('/checkout/');
    service.clock.advance(3600_000);
    expect(await buy(ben, PRODUCT)).toContain('/checkout/');
  });
});

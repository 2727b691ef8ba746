import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { signedIn } from './authorization-flow.js';
import { locationOf } from './browser.js';
import {
  CART,
  checkoutFields,
  it,
  METHODS,
  membershipOf,
  openCheckout,
  pageAt,
  payFor,
} from './checkout-world.js';
import { parsePage, textOf } from './pages/page-document.js';
import { START } from './service-under-test.js';

const { community, plans } = sandboxScenario;
const DAY = 24 * 3600_000;

describe('checkout page', () => {
  it('shows the order to any visitor, and of the buyer only a masked email address', async ({ service }) => {
    const { status, $, headers } = await pageAt(
      service,
      await openCheckout(service, { email: 'cleo@example.com' }),
    );
    expect(status).toBe(200);
    const text = textOf($, 'main');
    for (const part of [community.name, 'Monthly', '€9.00', '30 days', 'every 30 days until you cancel']) {
      expect(text).toContain(part);
    }
    expect(text).toContain('c•••@example.com');
    expect(text).not.toMatch(/cleo|lapsed|member/i);
    expect($(`a[href="${CART}"]`).text()).toContain('shop.example');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toContain("form-action 'self';");
  });

  it.for([
    ['JPY', 900, 'JP¥900'],
    ['KWD', 1_005, 'KWD 1.005'],
    ['USD', 10_050, 'US$100.50'],
  ] as const)(
    'shows a price in %s in that currency’s units',
    async ([currency, priceMinor, shown], { service }) => {
      const { id } = await service.server.operator.createPricingPlan({
        communityId: community.id,
        name: 'Abroad',
        priceMinor,
        currency,
      });
      const { $ } = await pageAt(service, await openCheckout(service, { pricingPlanId: id }));
      expect(textOf($, '.amount > .figures').replace(/\s/g, ' ')).toBe(shown);
    },
  );

  it('does not reveal to other visitors what access the buyer has', async ({ service }) => {
    const orders = ['ada@example.com', 'cleo@example.com', 'nobody-yet@example.com'];
    for (const visitor of [service.browser(), await signedIn(service, 'eve@example.com')]) {
      const bills = new Set<string>();
      for (const [order, email] of orders.entries()) {
        const path = await openCheckout(service, { email, externalId: `order-${order}` });
        const $ = parsePage(await (await visitor.get(path)).text());
        bills.add(textOf($, '.checkout-summary').replace(/.•••@/, ''));
      }
      expect([...bills]).toHaveLength(1);
      expect([...bills][0]).toContain('Due today€9.00Access30 days€9.00 every 30 days until you cancel');
    }
  });

  it('shows the buyer what is due today and the next payment, by the access so far', async ({
    service,
    db,
  }) => {
    const billOf = async (path: string, email = 'ben@example.com') => {
      const $ = parsePage(await (await (await signedIn(service, email)).get(path)).text());
      return `${textOf($, '.checkout-summary .bill')} ${textOf($, '.bill + p')}`;
    };
    expect(await billOf(await openCheckout(service))).toBe(
      'Due today€9.00Next payment on 12 Jul 2026€9.00 €9.00 every 30 days until you cancel',
    );
    const season = await service.server.operator.createPricingPlan({
      ...{ communityId: community.id, name: 'Season', priceMinor: 2_400, periodDays: 90 },
    });
    expect(await billOf(await openCheckout(service, { pricingPlanId: season.id }))).toBe(
      'Due today€24.00Accessuntil 10 Sept 2026 Ends automatically, no renewal',
    );
    expect(await billOf(await openCheckout(service, { pricingPlanId: plans.lifetime.id }))).toBe(
      'Due today€199.00AccessLifetime One payment, no renewal',
    );
    // A running membership is extended, so the next payment is later.
    await payFor(service, { externalId: 'order-1' });
    expect(await billOf(await openCheckout(service, { externalId: 'order-2' }))).toContain('on 11 Aug 2026');
    // Lifetime access without a plan gets the plan for as long as it is paid.
    const forLife = await billOf(
      await openCheckout(service, { email: 'ada@example.com', externalId: 'order-3' }),
      'ada@example.com',
    );
    expect(forLife).toBe(
      'Due today€9.00Next payment on 12 Jul 2026€9.00 €9.00 every 30 days until you cancel',
    );
    await payFor(service, { email: 'ada@example.com', externalId: 'order-3' });
    expect(await membershipOf(db, 'ada@example.com')).toMatchObject({
      valid_until: null,
      plan_changes_at: START + 30 * DAY,
    });
  });

  it('shows prices in the locale of the visitor', async ({ service }) => {
    const path = await openCheckout(service);
    for (const [language, price] of [
      ['de-DE,de;q=0.9', '9,00 €'],
      ['fr', '9,00 €'],
      ['en-US', '€9.00'],
      ['x'.repeat(5_000), '€9.00'],
    ] as const) {
      const response = await service.request(path, { headers: { 'accept-language': language } });
      const shown = textOf(parsePage(await response.text()), '.amount > .figures');
      expect(shown.replace(/\s/g, ' ')).toBe(price);
    }
  });

  it('shows the logo and the benefits of the community’s plan', async ({ service, db }) => {
    const logo_url = 'https://shop.example/logo.svg';
    await db.updateTable('communities').set({ logo_url }).where('id', '=', community.id).execute();
    const { $ } = await pageAt(service, await openCheckout(service));
    expect($('.checkout-seller img').attr('src')).toBe(logo_url);
    expect(textOf($, '.checkout-summary .benefits')).toBe(plans.monthly.benefits.join(''));
  });

  it('is a readable 404 page when the checkout is unknown or has expired', async ({ service }) => {
    expect((await pageAt(service, `/checkout/card/${'x'.repeat(43)}`)).status).toBe(404);
    const path = await openCheckout(service);
    service.clock.set(START + DAY - 1);
    const fields = await checkoutFields(service.browser(), path);
    service.clock.set(START + DAY);
    const { status, $ } = await pageAt(service, path);
    expect(status).toBe(404);
    expect(textOf($, 'h1')).toBe('This checkout has expired');
    expect($('main a').attr('href')).toBe(CART);
    expect((await service.browser().post(`${path}/pay`, { ...fields, method: METHODS.card })).status).toBe(
      404,
    );
  });

  it('has the accent of its community, also where it can no longer be paid', async ({ service, db }) => {
    await db.updateTable('communities').set({ accent: '#7a1fa2' }).where('id', '=', community.id).execute();
    const path = await openCheckout(service);
    const accentAt = async (at: string) =>
      (await pageAt(service, at)).$('link[rel="stylesheet"]').last().attr('href');
    expect(await accentAt(path)).toBe('/assets/accent.7a1fa2.css');
    service.clock.set(START + DAY);
    expect(await accentAt(path)).toBe('/assets/accent.7a1fa2.css');
  });

  it('shows that its plan has been archived', async ({ service, db }) => {
    const path = await openCheckout(service);
    await db.updateTable('pricing_plans').set({ archived_at: START }).execute();
    expect((await pageAt(service, path)).status).toBe(410);
    expect((await service.browser().post(`${path}/pay`, { method: METHODS.card })).status).toBe(410);
  });

  it('sells only what it showed: not what the seller made of its words since', async ({ service, db }) => {
    const path = await openCheckout(service);
    const browser = service.browser();
    for (const [table, words] of [
      ['pricing_plans', { benefits: '[]' }],
      ['pricing_plans', { description: 'A mail now and then' }],
      ['pricing_plans', { name: 'Newsletter' }],
      ['communities', { name: 'Another club' }],
    ] as const) {
      const fields = { ...(await checkoutFields(browser, path)), method: METHODS.card };
      await db.updateTable(table).set(words).execute();
      expect(locationOf(await browser.post(`${path}/pay`, fields))).toBe(`${path}?changed`);
    }
    expect(await db.selectFrom('payments').selectAll().execute()).toEqual([]);
  });

  it('redirects to the other payment page when the reservation now has a plan of that kind', async ({
    service,
  }) => {
    const path = await openCheckout(service);
    await openCheckout(service, { pricingPlanId: plans.lifetime.id });
    const moved = locationOf(await service.browser().get(path));
    expect(moved).toBe(path.replace('/card/', '/crypto/'));
    expect(textOf((await pageAt(service, moved)).$, '.amount > .figures')).toBe('€199.00');
  });

  it('accepts forms from the service’s own pages only', async ({ service, db }) => {
    const browser = service.browser();
    const path = await openCheckout(service);
    const fields = { ...(await checkoutFields(browser, path)), method: METHODS.card };
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await browser.post(`${path}/pay`, fields, foreign)).status).toBe(403);
    expect((await browser.get(`${path}/pay`)).status).toBe(405);
    expect(await db.selectFrom('payments').selectAll().execute()).toEqual([]);
  });

  it('keeps its secret out of the log and the database', async ({ service, db }) => {
    const path = await payFor(service);
    const secret = path.split('/').at(-1) ?? '';
    await service.request(`${path}/nothing`);
    expect(service.log.join('\n')).toContain('/checkout/card/[hidden]/pay');
    expect(service.log.join('\n')).not.toContain(secret);
    expect(JSON.stringify(await db.selectFrom('checkout_links').selectAll().execute())).not.toContain(secret);
  });
});

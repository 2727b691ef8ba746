import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { locationOf } from './browser.js';
import { CART, checkoutFields, it, METHODS, openCheckout, pageAt, payFor } from './checkout-world.js';
import { textOf } from './pages/page-document.js';
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
      expect(textOf($, '.amount').replace(/\s/g, ' ')).toBe(shown);
    },
  );

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

  it('shows that its plan has been archived', async ({ service, db }) => {
    const path = await openCheckout(service);
    await db.updateTable('pricing_plans').set({ archived_at: START }).execute();
    expect((await pageAt(service, path)).status).toBe(410);
    expect((await service.browser().post(`${path}/pay`, { method: METHODS.card })).status).toBe(410);
  });

  it('redirects to the other payment page when the reservation now has a plan of that kind', async ({
    service,
  }) => {
    const path = await openCheckout(service);
    await openCheckout(service, { pricingPlanId: plans.lifetime.id });
    const moved = locationOf(await service.browser().get(path));
    expect(moved).toBe(path.replace('/card/', '/crypto/'));
    expect(textOf((await pageAt(service, moved)).$, '.amount')).toBe('€199.00');
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

import { randomUUID } from 'node:crypto';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { METHODS, openCheckout, pay, payFor } from './checkout-world.js';
import { textOf } from './pages/page-document.js';
import { COMMUNITY, firstIdIn, rowsIn, sellerOf } from './seller-area.js';
import { START } from './service-under-test.js';
import { itWithDatabase as it } from './service-with-database.js';

const { users, products, community, plans } = sandboxScenario;
const SALES = `${COMMUNITY}/sales`;

describe('sales of a community', () => {
  it("show successful and failed payments, with the buyer's origin [buy-plan.utm-source-reported]", async ({
    service,
  }) => {
    const dana = await sellerOf(service);
    expect(textOf(await dana.page(SALES), '.empty')).toBe('There are no payments yet.');
    await payFor(service, { utmSource: 'newsletter <June>' });
    service.clock.advance(1000);
    const other = { email: 'grace@example.com', externalId: 'order-8' };
    await pay(service.browser(), await openCheckout(service, other), METHODS.poor);
    expect(rowsIn(await dana.page(SALES), 'payments')).toEqual([
      'grace@example.com | 12 June 2026, 14:05 UTC, Monthly | Payment failed: insufficient funds | Failed €9.00',
      'Ben Visitor | ben@example.com | 12 June 2026, 14:05 UTC, Monthly | Source: newsletter <June> | €9.00',
    ]);
  });

  it('keep the paid amount when the price of the plan changes', async ({ service }) => {
    const dana = await sellerOf(service);
    await payFor(service);
    await dana.submit(`${COMMUNITY}/plans/${plans.monthly.id}`, { name: 'Every month', price: '12' });
    expect(rowsIn(await dana.page(SALES), 'payments')).toEqual([
      'Ben Visitor | ben@example.com | 12 June 2026, 14:05 UTC, Every month | €9.00',
    ]);
  });

  it('link to a member whose subscription can be cancelled: the paid period stays, and the renewal stops', async ({
    service,
  }) => {
    const dana = await sellerOf(service);
    await payFor(service);
    const member = `${COMMUNITY}/members/${firstIdIn(await dana.page(`${COMMUNITY}/members`), 'list')}`;
    expect(textOf(await dana.page(member), '.facts')).toContain('SubscriptionActive, renews automatically');
    const $ = await dana.submit(`${member}/cancel-subscription`);
    expect(textOf($, '.panel-heading .tag')).toBe('Until 12 July 2026');
    service.clock.advance(30 * 24 * 3600_000);
    await service.server.runBackgroundWork();
    const later = await sellerOf(service);
    expect(textOf(await later.page(member), '.panel-heading .tag')).toBe('Ended 12 July 2026');
    expect(rowsIn(await later.page(SALES), 'payments')).toHaveLength(1);
  });

  it('are listed newest first, page by page', async ({ service, db }) => {
    const dana = await sellerOf(service);
    for (let sale = 0; sale < 52; sale += 1) {
      await db
        .insertInto('payments')
        .values({
          id: randomUUID(),
          reservation_id: null,
          user_id: users.ada.id,
          community_id: community.id,
          product_id: null,
          pricing_plan_id: plans.monthly.id,
          status: 'succeeded',
          reason: null,
          amount_minor: 900 + sale,
          currency: 'EUR',
          utm_source: null,
          created_at: START + sale * 1000,
        })
        .execute();
    }
    const $ = await dana.page(SALES);
    const rows = rowsIn($, 'payments');
    expect(rows).toHaveLength(50);
    expect(rows[0]).toMatch(/ €9.51$/);
    const next = await dana.page($('nav[aria-label="Pages"] a').attr('href') ?? '');
    expect(rowsIn(next, 'payments').map((row) => row.split(' | ').at(-1))).toEqual(['€9.01', '€9.00']);
  });
});

describe('sales of a product', () => {
  it('are visible to its seller only', async ({ service }) => {
    const dana = await sellerOf(service);
    const sales = `/seller/products/${products.brewGuide.id}/sales`;
    expect(textOf(await dana.page(sales), '.empty')).toBe('There are no payments yet.');
    expect((await (await sellerOf(service, 'ada@example.com')).get(sales)).status).toBe(404);
  });
});

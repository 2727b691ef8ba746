import { randomUUID } from 'node:crypto';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { buyersBrowser, METHODS, openCheckout, pay, payFor } from './checkout-world.js';
import { COMMUNITY, emptyIn, factsIn, firstIdIn, sellerOf, statusIn, tableIn } from './seller-area.js';
import { START } from './service-under-test.js';
import { itWithDatabase as it } from './service-with-database.js';

const { users, products, community, plans } = sandboxScenario;
const SALES = `${COMMUNITY}/sales`;

describe('sales of a community', () => {
  it("show successful and failed payments, with the buyer's origin", {
    tags: ['buy-plan.utm-source-reported'],
  }, async ({ service }) => {
    const dana = await sellerOf(service);
    expect(emptyIn(await dana.page(SALES))).toBe('No payments yet');
    const ben = await buyersBrowser(service, users.ben.email);
    await payFor(service, { utmSource: 'newsletter <June>' }, METHODS.card, ben);
    service.clock.advance(1000);
    const other = { email: 'grace@example.com', externalId: 'order-8' };
    await pay(service.browser(), await openCheckout(service, other), METHODS.poor);
    expect(tableIn(await dana.page(SALES), 'Payments')).toEqual([
      'grace@example.com | Monthly | Failed insufficient funds | None | 12 Jun 2026, 14:05 UTC | €9.00',
      'Ben Visitor ben@example.com | Monthly | Paid | newsletter <June> | 12 Jun 2026, 14:05 UTC | €9.00',
    ]);
  });

  it('keep the paid amount when the price of the plan changes', async ({ service }) => {
    const dana = await sellerOf(service);
    await payFor(service, {}, METHODS.card, await buyersBrowser(service, users.ben.email));
    await dana.submit(`${COMMUNITY}/plans/${plans.monthly.id}`, { name: 'Every month', price: '12' });
    expect(tableIn(await dana.page(SALES), 'Payments')).toEqual([
      'Ben Visitor ben@example.com | Every month | Paid | 12 Jun 2026, 14:05 UTC | €9.00',
    ]);
  });

  it('link to a member whose subscription can be cancelled: the paid period stays, and the renewal stops', async ({
    service,
  }) => {
    const dana = await sellerOf(service);
    await payFor(service);
    const member = `${COMMUNITY}/members/${firstIdIn(await dana.page(`${COMMUNITY}/members`))}`;
    expect(factsIn(await dana.page(member)).Subscription).toBe('Active, renews automatically');
    const $ = await dana.submit(`${member}/cancel-subscription`);
    expect([statusIn($), factsIn($).Ends]).toEqual(['Active', '12 Jul 2026, 14:05 UTC']);
    service.clock.advance(30 * 24 * 3600_000);
    await service.server.runBackgroundWork();
    const later = await sellerOf(service);
    expect(statusIn(await later.page(member))).toBe('Ended');
    expect(tableIn(await later.page(SALES), 'Payments')).toHaveLength(1);
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
    const rows = tableIn($, 'Payments');
    expect(rows).toHaveLength(50);
    expect(rows[0]).toMatch(/ €9.51$/);
    const next = await dana.page($('nav[aria-label="Pages"] a').attr('href') ?? '');
    expect(tableIn(next, 'Payments').map((row) => row.split(' | ').at(-1))).toEqual(['€9.01', '€9.00']);
  });
});

describe('sales of a product', () => {
  it('are visible to its seller only', async ({ service }) => {
    const dana = await sellerOf(service);
    const sales = `/seller/products/${products.brewGuide.id}/sales`;
    expect(emptyIn(await dana.page(sales))).toBe('No payments yet');
    expect((await (await sellerOf(service, 'ada@example.com')).get(sales)).status).toBe(404);
  });
});

import { randomUUID } from 'node:crypto';
import { ENDPOINTS } from '@latchkey/contract';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { callResource, publicTokens } from './authorization-flow.js';
import { locationOf } from './browser.js';
import { textOf } from './pages/page-document.js';
import { emptyIn, errorsIn, fieldIn, noticeIn, sellerOf, tableIn } from './seller-area.js';
import { START } from './service-under-test.js';
import { itWithDatabase as it } from './service-with-database.js';

const { users, products } = sandboxScenario;
const PRODUCT = `/seller/products/${products.brewGuide.id}`;
const VALID = { name: 'Latte Art', slug: 'latte-art', type: 'video', price: '12.50', currency: 'EUR' };

describe('product', () => {
  it('is visible to apps that may see what its seller sells, and is not listed for its buyers', {
    tags: ['products.created-not-purchased', 'products.name', 'products.slug', 'products.type'],
  }, async ({ service }) => {
    const ada = await sellerOf(service, 'ada@example.com');
    const $ = await ada.submit('/seller/products', VALID);
    expect([noticeIn($), textOf($, 'h1'), textOf($, '.lead')]).toEqual([
      'Product created.',
      'Latte Art',
      'Video, €12.50',
    ]);
    const older = { ...VALID, name: 'Leaflet', slug: 'leaflet', type: '', price: '' };
    expect(textOf(await ada.submit('/seller/products', older), '.lead')).toBe('Product, not for sale');
    expect(tableIn(await ada.page('/seller'), 'Products')).toEqual([
      'Latte Art | Video | €12.50',
      'Leaflet | Product | Not for sale',
    ]);
    const { access_token } = await publicTokens(service, { scope: 'products.read' });
    const response = await callResource(service, access_token, '/oauth/products');
    const listed = ENDPOINTS.products.success.body.strict.parse(await response.json()).products;
    expect(listed.map(({ name, slug, type }) => ({ name, slug, type }))).toEqual([
      { name: 'Latte Art', slug: 'latte-art', type: 'video' },
      { name: 'Leaflet', slug: 'leaflet', type: null },
    ]);
  });

  it('has a slug that is unique among its seller’s products only', async ({ service }) => {
    const dana = await sellerOf(service);
    const taken = { ...VALID, slug: products.brewGuide.slug };
    const $ = await dana.refused('/seller/products', taken);
    expect(errorsIn($)).toEqual(['#slug Another of your products has this slug. Enter a different one.']);
    expect(Object.keys(taken).map((name) => fieldIn($, name))).toEqual(Object.values(taken));
    const path = `/seller/products/${products.roastingCourse.id}`;
    expect(errorsIn(await dana.refused(path, taken))).toEqual(errorsIn($));
    expect(noticeIn(await dana.submit(PRODUCT, { ...taken, name: 'The Brew Book' }))).toBe('Product saved.');
    await (await sellerOf(service, 'ada@example.com')).submit('/seller/products', taken);
  });

  it('is not saved from an invalid form, which shows each error and keeps the typed text', async ({
    service,
  }) => {
    const dana = await sellerOf(service);
    const typed = { name: '', slug: 'Latte Art', type: 'game', price: '12,5000', currency: 'KWD' };
    for (const path of ['/seller/products', PRODUCT]) {
      const $ = await dana.refused(path, typed);
      expect(errorsIn($)).toEqual([
        '#name Enter a name.',
        '#slug Enter lower-case letters a to z, digits and single hyphens, at most 100 characters: the-brew-guide.',
        '#type Choose a type from the list.',
        '#price Enter a price such as 9.500 or 9,500, with at most 3 decimals for KWD.',
      ]);
      expect(['slug', 'price', 'currency'].map((name) => fieldIn($, name))).toEqual([
        'Latte Art',
        '12,5000',
        'KWD',
      ]);
    }
    for (const slug of ['', '-a', 'a--b', 'a/b', 'ä', 'a'.repeat(101)]) {
      expect(errorsIn(await dana.refused(PRODUCT, { ...VALID, slug }))).toEqual([
        expect.stringContaining('#slug '),
      ]);
    }
  });

  it('is not deleted once a buyer owns it or tried to pay for it, and is deleted otherwise', async ({
    service,
    db,
  }) => {
    const dana = await sellerOf(service);
    const $ = await dana.refused(`${PRODUCT}/delete`, {}, 409);
    expect(errorsIn($)).toEqual([
      '#delete You cannot delete this product, because it has buyers or payments. Remove its price to stop selling it.',
    ]);
    const fresh = locationOf(await dana.post('/seller/products', VALID)).replace(/\?.*/, '');
    const payment = {
      reservation_id: null,
      user_id: users.ben.id,
      community_id: null,
      pricing_plan_id: null,
    };
    await db
      .insertInto('payments')
      .values({
        ...payment,
        id: randomUUID(),
        product_id: fresh.split('/').at(-1) ?? '',
        status: 'failed',
        reason: 'card_declined',
        amount_minor: 1250,
        currency: 'EUR',
        utm_source: null,
        created_at: START,
      })
      .execute();
    await dana.refused(`${fresh}/delete`, {}, 409);
    const home = await dana.submit(`/seller/products/${products.roastingCourse.id}/delete`);
    expect(noticeIn(home)).toBe('Product deleted.');
    expect((await dana.get(`/seller/products/${products.roastingCourse.id}`)).status).toBe(404);
  });

  it('shows its buyers', async ({ service }) => {
    const dana = await sellerOf(service);
    expect(tableIn(await dana.page(`${PRODUCT}/buyers`), 'Buyers')).toEqual([
      'Ada Member ada@example.com | Active | 11 Jun 2026 | 12 Jul 2026',
    ]);
    const other = await dana.page(`/seller/products/${products.roastingCourse.id}/buyers`);
    expect(emptyIn(other)).toBe('No buyers yet');
  });
});

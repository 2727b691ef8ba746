import { sandboxScenario } from '@latchkey/sandbox';
import { OperatorError } from '@latchkey/server';
import { describe, expect } from 'vitest';
import { textOf } from './pages/page-document.js';
import { COMMUNITY, errorsIn, sellerOf } from './seller-area.js';
import { itWithDatabase as it } from './service-with-database.js';

const { community, plans, products, users } = sandboxScenario;
const PLANS = `${COMMUNITY}/plans`;
const MONTHLY = `${PLANS}/${plans.monthly.id}`;
const PRODUCT = `/seller/products/${products.brewGuide.id}`;
const NEW_PLAN = { name: 'Yearly', price: '90', currency: 'EUR', periodDays: '365', provider: 'card' };
const MONTHLY_CHANGE = { name: 'Monthly', price: '9' };

describe('texts of a plan', () => {
  it('are one description and one benefit on each line', async ({ service, db }) => {
    const dana = await sellerOf(service);
    await dana.submit(PLANS, {
      ...NEW_PLAN,
      description: ' All year. ',
      benefits: ' A seat \r\n\r\nA mug\n',
    });
    const texts = await db
      .selectFrom('pricing_plans')
      .select(['description', 'benefits'])
      .where('name', '=', 'Yearly')
      .executeTakeFirstOrThrow();
    expect(texts).toEqual({ description: 'All year.', benefits: '["A seat","A mug"]' });
  });

  it('are shown in the form of the plan, changed and removed', async ({ service }) => {
    const dana = await sellerOf(service);
    const $ = await dana.page(MONTHLY);
    expect($('#description').attr('value')).toBe(plans.monthly.description);
    expect($('#benefits').text().trim()).toBe(plans.monthly.benefits.join('\n'));
    const changed = await dana.submit(MONTHLY, { ...MONTHLY_CHANGE, description: '', benefits: 'A cup' });
    expect([changed('#description').attr('value'), textOf(changed, '#benefits')]).toEqual(['', 'A cup']);
  });

  it.for([
    ['description', 'x'.repeat(201), 'Enter a description of at most 200 characters; got 201.'],
    ['description', 'a\u0007b', 'Enter a description of visible characters on one line.'],
    ['benefits', `Fine\n${'x'.repeat(81)}`, 'Enter a benefit of at most 80 characters; got 81.'],
    ['benefits', 'a\n'.repeat(9), 'Enter at most 8 benefits.'],
    ['benefits', '\u200b\n\u202e', 'Enter a benefit of visible characters on one line.'],
  ] as const)('with an invalid %s are not saved', async ([field, value, message], { service }) => {
    const dana = await sellerOf(service);
    for (const [path, fields] of [
      [PLANS, NEW_PLAN],
      [MONTHLY, MONTHLY_CHANGE],
    ] as const) {
      const $ = await dana.refused(path, { ...fields, [field]: value });
      expect(errorsIn($)).toEqual([`#${field} ${message}`]);
    }
    expect((await dana.page(MONTHLY))('#description').attr('value')).toBe(plans.monthly.description);
  });

  it('follow the same rules for an operator', async ({ service }) => {
    const { operator } = service.server;
    const plan = { communityId: community.id, name: 'Yearly', priceMinor: 9_000 };
    await expect(
      operator.createPricingPlan({ ...plan, description: ' ', benefits: ['x'.repeat(81)] }),
    ).rejects.toSatisfy(
      (error) =>
        error instanceof OperatorError &&
        error.fields.description === 'Enter a description of visible characters on one line.' &&
        Object.values(error.fields).includes('Enter a benefit of at most 80 characters; got 81.'),
    );
    await operator.createPricingPlan({ ...plan, benefits: ['A seat'] });
  });
});

describe('description of a product', () => {
  it('keeps its line breaks, and can be removed', async ({ service, db }) => {
    const dana = await sellerOf(service);
    const fields = { name: 'Guide', slug: 'guide', type: 'ebook', price: '19', currency: 'EUR' };
    const stored = async () =>
      (
        await db
          .selectFrom('products')
          .select('description')
          .where('id', '=', products.brewGuide.id)
          .executeTakeFirstOrThrow()
      ).description;
    await dana.submit(PRODUCT, { ...fields, description: 'Six ways.\r\nTwo grinders.' });
    expect(await stored()).toBe('Six ways.\nTwo grinders.');
    expect(errorsIn(await dana.refused(PRODUCT, { ...fields, description: 'x'.repeat(1_001) }))).toEqual([
      '#description Enter a description of at most 1000 characters; got 1001.',
    ]);
    await dana.submit(PRODUCT, { ...fields, description: ' ' });
    expect(await stored()).toBeNull();
  });

  it('is stored by an operator', async ({ service, db }) => {
    const { id } = await service.server.operator.createProduct({
      ...{ ownerId: users.dana.id, name: 'Guide', slug: 'guide', description: 'Six ways.' },
    });
    const row = await db.selectFrom('products').select('description').where('id', '=', id).executeTakeFirst();
    expect(row?.description).toBe('Six ways.');
  });
});

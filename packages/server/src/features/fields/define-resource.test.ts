import { describe, expect, it } from 'vitest';
import { controlsOf } from '../../web/kit/parts/resource-form.js';
import { dropResource } from '../drops/drop.resource.js';
import { RECORD_KINDS, recordKind } from '../operator/record-kinds.js';
import { planResource } from '../plans/plan.resource.js';
import { productResource } from '../products/product.resource.js';
import { columnsOf, type Resource, recordOf } from './define-resource.js';

const RESOURCES: Readonly<Record<string, Pick<Resource, 'fields' | 'stated'>>> = {
  plan: planResource,
  product: productResource,
  drop: dropResource,
};

it.for(Object.entries(RESOURCES))('a %s has every field on its page', ([, resource]) => {
  const shown = resource.fields.map(({ name }) => (name === 'priceMinor' ? 'price' : name));
  expect(Object.keys(controlsOf(resource))).toEqual(shown);
  const kept = resource.fields.filter(({ isFixed }) => !isFixed);
  expect(Object.keys(controlsOf(resource, { currency: 'EUR' }))).toHaveLength(kept.length);
});

it.for(RECORD_KINDS)('the fields of %s accept their initial values', (kind) => {
  for (const field of recordKind(kind).fields) {
    const { schema, initial } = field;
    if ('initial' in field) expect(schema.safeParse(initial)).toEqual({ success: true, data: initial });
  }
});

describe('a plan', () => {
  const plan = planResource.create.parse({ name: 'P', priceMinor: 900, periodDays: 30, renews: true });
  const columns = { ...columnsOf(planResource, { ...plan, benefits: ['A seat'] }), created_at: 1 };

  it('is stored with lists as JSON and flags as numbers, and read back', () => {
    expect(columns).toMatchObject({ price_minor: 900, period_days: 30, renews: 1, benefits: '["A seat"]' });
    expect(recordOf(planResource, columns)).toEqual({ ...plan, benefits: ['A seat'], createdAt: 1 });
  });

  it('can change only what is not fixed', () => {
    expect(Object.keys(planResource.change.shape)).toEqual(expect.arrayContaining(['name', 'priceMinor']));
    for (const name of ['currency', 'periodDays', 'renews', 'provider'])
      expect(planResource.change.shape).not.toHaveProperty(name);
  });

  it('keeps the rule about several fields in an extension', () => {
    const parsed = planResource.create.safeExtend({}).safeParse({ name: 'P', priceMinor: 1, renews: true });
    expect(parsed.error?.issues.map(({ path }) => path)).toEqual([['periodDays']]);
  });
});

it('a product that is not for sale has the initial currency again', () => {
  const product = productResource.create.parse({ name: 'P', slug: 'p' });
  const row = { ...columnsOf(productResource, product), currency: null };
  expect(recordOf(productResource, row)).toEqual(product);
});

it.for(RECORD_KINDS)('a change of %s that names no field has none', (kind) => {
  const parsed = recordKind(kind).change?.body.safeParse({});
  expect(parsed?.success ? parsed.data : {}).toEqual({});
});

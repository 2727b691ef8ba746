import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { textOf } from './pages/page-document.js';
import {
  COMMUNITY,
  errorsIn,
  factsIn,
  fieldIn,
  firstIdIn,
  noticeIn,
  sellerOf,
  statusIn,
  tableIn,
} from './seller-area.js';
import { it } from './service-under-test.js';

const { users, community, plans } = sandboxScenario;
const PLANS = `${COMMUNITY}/plans`;
const ON_SALE = 'Plans for sale';
const MONTHLY = `${PLANS}/${plans.monthly.id}`;
const VALID = {
  name: 'Yearly',
  price: '90',
  currency: 'EUR',
  periodDays: '365',
  renews: 'on',
  provider: 'card',
};

describe('pricing plan', () => {
  it('is listed with its access, its payment and its price, and its page has the ids for the API', async ({
    service,
  }) => {
    const dana = await sellerOf(service);
    expect(tableIn(await dana.page(PLANS), ON_SALE)).toEqual([
      'Monthly | 30 days | Card, renews automatically | €9.00',
      'For life | Lifetime | Crypto | €199.00',
    ]);
    const $ = await dana.page(MONTHLY);
    expect(factsIn($)).toMatchObject({ Price: '€9.00', Access: '30 days' });
    expect(textOf($, '.facts code')).toBe(`${plans.monthly.id}${community.id}`);
  });

  it.for([
    ['12.34', 'EUR', '€12.34'],
    ['9,50', 'EUR', '€9.50'],
    ['1.234,50', 'EUR', '€1,234.50'],
    ['0', 'USD', 'US$0.00'],
    ['1200', 'JPY', 'JP¥1,200'],
    ['1.234', 'KWD', 'KWD 1.234'],
    ['90071992547409.91', 'GBP', '£90,071,992,547,409.91'],
  ])('is created for %s %s exactly', async ([price, currency, shown], { service }) => {
    const dana = await sellerOf(service);
    service.clock.advance(1000);
    const $ = await dana.submit(PLANS, { ...VALID, price: price ?? '', currency: currency ?? '' });
    expect(noticeIn($)).toBe('Plan created.');
    expect(tableIn($, ON_SALE).at(-1)).toBe(`Yearly | 365 days | Card, renews automatically | ${shown}`);
  });

  it('grants access for life without a number of days, and then never renews', async ({ service }) => {
    const dana = await sellerOf(service);
    service.clock.advance(1000);
    const $ = await dana.submit(PLANS, { ...VALID, periodDays: '', renews: '', provider: 'crypto' });
    expect(tableIn($, ON_SALE).at(-1)).toContain('Yearly | Lifetime | Crypto | ');
    expect(errorsIn(await dana.refused(PLANS, { ...VALID, periodDays: ' ' }))).toEqual([
      '#periodDays Enter a number of days: lifetime access never renews.',
    ]);
  });

  it('is not created from an invalid form, which shows each error and keeps the typed text', async ({
    service,
  }) => {
    const dana = await sellerOf(service);
    const typed = {
      name: ' ',
      price: '9,50',
      currency: 'JPY',
      periodDays: '1.5',
      renews: 'on',
      provider: 'cash',
    };
    const $ = await dana.refused(PLANS, typed);
    expect(errorsIn($)).toEqual([
      '#name Enter a name.',
      '#price Enter a price such as 900. JPY has no decimals.',
      '#periodDays Enter whole days from 1 to 36500, or nothing for lifetime access.',
      '#provider Choose card or crypto.',
    ]);
    expect(['name', 'price', 'currency', 'periodDays'].map((name) => fieldIn($, name))).toEqual([
      ' ',
      '9,50',
      'JPY',
      '1.5',
    ]);
    expect($('#renews').attr('checked')).toBeDefined();
    expect(textOf($, '#price-errors')).toContain('has no decimals');
    for (const [field, value] of [
      ['price', '9.505'],
      ['price', '-1'],
      ['price', '1e3'],
      ['price', '90071992547409.92'],
      ['currency', 'XXX'],
      ['currency', ''],
      ['periodDays', '0'],
      ['periodDays', '36501'],
      ['periodDays', '-1'],
    ] as const) {
      expect(errorsIn(await dana.refused(PLANS, { ...VALID, [field]: value }))).toEqual([
        expect.stringContaining(`#${field} `),
      ]);
    }
    expect(tableIn(await dana.page(PLANS), ON_SALE)).toHaveLength(2);
  });

  it('gets another name and another price in the same currency', async ({ service }) => {
    const dana = await sellerOf(service);
    expect((await dana.page(MONTHLY))('#price').attr('value')).toBe('9.00');
    const $ = await dana.submit(MONTHLY, { name: 'Every month', price: '9.5' });
    expect(factsIn($)).toMatchObject({
      Price: '€9.50',
      Access: '30 days',
      Payment: 'Card, renews automatically',
    });
    const refused = await dana.refused(MONTHLY, { name: 'Every month', price: '9.505' });
    expect(errorsIn(refused)).toEqual([
      '#price “9.505” can mean 9505.00 or 9.50. Enter one of them, without a thousands separator.',
    ]);
    expect(refused('#price').attr('value')).toBe('9.505');
  });

  it('is archived and restored', async ({ service }) => {
    const dana = await sellerOf(service);
    expect(noticeIn(await dana.submit(`${MONTHLY}/archive`, { archive: 'yes' }))).toContain('Plan archived');
    const $ = await dana.page(PLANS);
    expect([tableIn($, ON_SALE).length, tableIn($, 'Archived plans').length]).toEqual([1, 1]);
    expect(statusIn(await dana.page(MONTHLY))).toBe('Archived');
    const again = await dana.submit(`${MONTHLY}/archive`, { archive: 'no' });
    expect(noticeIn(again)).toContain('for sale again');
    expect(tableIn(await dana.page(PLANS), ON_SALE)).toHaveLength(2);
  });

  it('can be created by an admin as well', async ({ service }) => {
    const role = { communityId: community.id, userId: users.ada.id, role: 'ADMIN' } as const;
    await service.server.operator.assignRole(role);
    const ada = await sellerOf(service, 'ada@example.com');
    service.clock.advance(1000);
    const $ = await ada.submit(PLANS, VALID);
    expect(firstIdIn($)).toBe(plans.monthly.id);
    expect(tableIn($, ON_SALE)).toHaveLength(3);
  });
});

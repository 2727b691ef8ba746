import { randomUUID } from 'node:crypto';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { exportMemberships } from '../src/features/memberships/membership-list.js';
import { payFor } from './checkout-world.js';
import { COMMUNITY, sellerOf } from './seller-area.js';
import { itWithDatabase as it } from './service-with-database.js';

const { community, memberships, plans, products } = sandboxScenario;
const HEADER = 'membership_id,community_id,product_id,pricing_plan_id,valid_from,valid_until,exported_at';
const PRODUCT = `/seller/products/${products.brewGuide.id}`;

describe('the export of members', () => {
  it('names each membership with its community and plan, the oldest first', async ({ service }) => {
    await payFor(service, { email: 'ben@example.com' });
    const dana = await sellerOf(service);
    const response = await dana.get(`${COMMUNITY}/members.csv`);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="members-${community.id}.csv"`,
    );
    const [header, ada, cleo, ben, ...rest] = (await response.text()).split('\r\n');
    expect(header).toBe(HEADER);
    expect(ada).toBe(
      `${memberships.adaCommunity.id},${community.id},,,2026-03-14T14:05:00.000Z,,2026-06-12T14:05:00.000Z`,
    );
    expect(cleo).toContain(`${memberships.cleoCommunity.id},${community.id},,`);
    expect(cleo).toContain('2026-06-05T');
    expect(ben).toContain(`,${community.id},,${plans.monthly.id},2026-06-12T14:05:00.000Z,`);
    expect(ben).toMatch(/,2026-06-12T14:05:00\.000Z$/);
    expect(rest).toEqual(['']);
  });

  it('names the buyers of a product', async ({ service }) => {
    const dana = await sellerOf(service);
    const response = await dana.get(`${PRODUCT}/buyers.csv`);
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="buyers-${products.brewGuide.id}.csv"`,
    );
    const [, buyer = '', ...rest] = (await response.text()).split('\r\n');
    expect(buyer).toContain(`,,${products.brewGuide.id},,`);
    expect(rest).toEqual(['']);
    const other = await dana.get(`/seller/products/${products.roastingCourse.id}/buyers.csv`);
    expect(await other.text()).toBe(`${HEADER}\r\n`);
  });

  it('contains no address, name or messenger account of a member', async ({ service }) => {
    const dana = await sellerOf(service);
    const text = await (await dana.get(`${COMMUNITY}/members.csv`)).text();
    for (const personal of ['@', 'Ada', 'Cleo', '1001']) expect(text).not.toContain(personal);
  });

  it('is linked from the lists that it contains', async ({ service }) => {
    const dana = await sellerOf(service);
    const linkOn = async (path: string) => (await dana.page(path))('a[download]').attr('href');
    expect(await linkOn(`${COMMUNITY}/members`)).toBe(`${COMMUNITY}/members.csv`);
    expect(await linkOn(`${PRODUCT}/buyers`)).toBe(`${PRODUCT}/buyers.csv`);
  });

  it('contains each of many memberships once, also those that begin at the same instant', async ({
    service,
    db,
  }) => {
    const { operator } = service.server;
    const ids = await Promise.all(
      Array.from({ length: 12 }, async (_each, index) => {
        const { id: userId } = await operator.createUser({ email: `${randomUUID()}@example.com` });
        const validFrom = Date.parse('2026-05-01T00:00:00Z') + Math.floor(index / 5);
        const grant = { userId, productType: 'community', communityId: community.id, validFrom } as const;
        return (await operator.grantMembership(grant)).id;
      }),
    );
    const lines: string[] = [];
    for await (const text of exportMemberships(db, { communityId: community.id }, { now: 0, batch: 3 }))
      lines.push(...text.split('\r\n').slice(0, -1));
    const exported = lines.slice(1).map((line) => line.split(',')[0]);
    expect(exported.sort()).toEqual(
      [...ids, memberships.adaCommunity.id, memberships.cleoCommunity.id].sort(),
    );
  });
});

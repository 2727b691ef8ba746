import { randomUUID } from 'node:crypto';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import type { Database } from '../src/platform/database/open-database.js';
import { COMMUNITY, errorsIn, sellerOf } from './seller-area.js';
import { START } from './service-under-test.js';
import { itWithDatabase as it } from './service-with-database.js';

const { users, community } = sandboxScenario;

const PLAN = { name: 'More', price: '1', currency: 'EUR', provider: 'card' };
const DROP = { name: 'More', startsAt: '2026-07-01' };

async function insertPlans(db: Database, count: number): Promise<void> {
  const plans = Array.from({ length: count }, (_, index) => ({
    id: randomUUID(),
    community_id: community.id,
    name: `Plan ${index}`,
    price_minor: 1,
    currency: 'EUR',
    period_days: null,
    renews: 0 as const,
    provider: 'card' as const,
    created_at: START,
    archived_at: index % 2 === 0 ? START : null,
  }));
  await db.insertInto('pricing_plans').values(plans).execute();
}

async function insertProducts(db: Database, count: number): Promise<void> {
  const products = Array.from({ length: count }, (_, index) => ({
    id: randomUUID(),
    owner_id: users.dana.id,
    name: `Product ${index}`,
    slug: `product-${index}`,
    type: null,
    created_at: START,
  }));
  await db.insertInto('products').values(products).execute();
}

async function insertDrops(db: Database, count: number): Promise<void> {
  const drops = Array.from({ length: count }, (_, index) => ({
    id: randomUUID(),
    community_id: community.id,
    name: `Drop ${index}`,
    slots: null,
    starts_at: START + index,
    ends_at: null,
    created_at: START,
  }));
  await db.insertInto('drop_slots').values(drops).execute();
}

describe('limit on what a seller creates', () => {
  it('holds for communities, also for thirty simultaneous requests', async ({ service, db }) => {
    const ben = await sellerOf(service, users.ben.email);
    for (let index = 0; index < 18; index += 1) {
      await service.server.operator.createCommunity({ name: `Club ${index}`, ownerId: users.ben.id });
    }
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => ben.post('/seller/communities', { name: `More ${index}` })),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(2);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(28);
    const owned = db.selectFrom('community_roles').select('community_id').where('user_id', '=', users.ben.id);
    expect(await owned.execute()).toHaveLength(20);
    expect(errorsIn(await ben.refused('/seller/communities', { name: 'One more' }))).toEqual([
      '#name You own 20 communities, which is the maximum. Ask the operator of this service for more.',
    ]);
    // The operator is trusted and can exceed the limit.
    await service.server.operator.createCommunity({ name: 'One more', ownerId: users.ben.id });
    expect(await owned.execute()).toHaveLength(21);
  });

  it('holds for plans, archived ones included', async ({ service, db }) => {
    const dana = await sellerOf(service);
    const before = (await db.selectFrom('pricing_plans').select('id').execute()).length;
    await insertPlans(db, 198 - before);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => dana.post(`${COMMUNITY}/plans`, PLAN)),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(2);
    expect(errorsIn(await dana.refused(`${COMMUNITY}/plans`, PLAN))).toEqual([
      '#name This community has 200 plans, archived ones included, which is the maximum. Ask the operator of this service for more.',
    ]);
    const { operator } = service.server;
    await operator.createPricingPlan({ communityId: community.id, name: 'One more', priceMinor: 1 });
  });

  it('holds for products', async ({ service, db }) => {
    const dana = await sellerOf(service);
    const before = (await db.selectFrom('products').select('id').execute()).length;
    await insertProducts(db, 98 - before);
    const fields = (slug: string) => ({ name: 'More', slug, type: '', price: '', currency: 'EUR' });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => dana.post('/seller/products', fields(`more-${index}`))),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(2);
    expect(errorsIn(await dana.refused('/seller/products', fields('one-more')))).toEqual([
      '#name You have 100 products, which is the maximum. Delete one, or ask the operator of this service for more.',
    ]);
    await service.server.operator.createProduct({
      ownerId: users.dana.id,
      name: 'One more',
      slug: 'one-more',
    });
  });

  it('holds for drops, ended ones included', async ({ service, db }) => {
    const dana = await sellerOf(service);
    const before = (await db.selectFrom('drop_slots').select('id').execute()).length;
    await insertDrops(db, 999 - before);
    const answers = await Promise.all(Array.from({ length: 5 }, () => dana.post(`${COMMUNITY}/drops`, DROP)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(errorsIn(await dana.refused(`${COMMUNITY}/drops`, DROP))).toEqual([
      '#name This community has 1000 drops, ended ones included, which is the maximum. Ask the operator of this service for more.',
    ]);
  });

  it('holds for roles and invitations to roles', async ({ service }) => {
    const { operator } = service.server;
    for (let index = 0; index < 47; index += 1) {
      const { id: userId } = await operator.createUser({ email: `admin-${index}@example.com` });
      await operator.assignRole({ communityId: community.id, userId, role: 'ADMIN' });
    }
    const dana = await sellerOf(service);
    const invite = (name: string) =>
      dana.post(`${COMMUNITY}/roles`, { email: `${name}@example.com`, role: 'ADMIN' });
    const answers = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(invite));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(2);
    const $ = await dana.refused(`${COMMUNITY}/roles`, { email: 'g@example.com', role: 'ADMIN' });
    expect(errorsIn($)).toEqual([
      '#email This community has 50 roles and invitations to roles, which is the maximum. Remove one first.',
    ]);
  });
});

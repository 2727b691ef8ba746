import { randomUUID } from 'node:crypto';
import { sandboxScenario } from '@latchkey/sandbox';
import type { CheerioAPI } from 'cheerio';
import { describe, expect } from 'vitest';
import type { Database } from '../src/platform/database/open-database.js';
import { locationOf } from './browser.js';
import { payFor } from './checkout-world.js';
import { textOf } from './pages/page-document.js';
import { COMMUNITY, errorsIn, type Seller, sellerOf, tableIn } from './seller-area.js';
import { START } from './service-under-test.js';
import { itWithDatabase as it } from './service-with-database.js';

const { community, users, plans } = sandboxScenario;
const PLAN = { name: 'Quarterly', price: '24,50', currency: 'EUR', provider: 'card' };
const PRODUCT = { name: 'Latte Art', slug: 'latte-art', type: '', price: '', currency: 'EUR' };

type Table = 'communities' | 'drop_slots' | 'invitations' | 'pricing_plans' | 'products';

/** Form that creates something: the list that it belongs to, valid values, and the table of what it creates. */
const FORMS: [list: string, fields: Record<string, string>, table: Table][] = [
  ['/seller/communities', { name: 'Tea Club' }, 'communities'],
  ['/seller/products', PRODUCT, 'products'],
  [`${COMMUNITY}/plans`, PLAN, 'pricing_plans'],
  [`${COMMUNITY}/drops`, { name: 'Summer' }, 'drop_slots'],
  [`${COMMUNITY}/members`, { email: 'grace@example.com' }, 'invitations'],
  [`${COMMUNITY}/roles`, { email: 'grace@example.com', role: 'ADMIN' }, 'invitations'],
];

async function countRows(db: Database, table: Table): Promise<number> {
  return (await db.selectFrom(table).select('id').execute()).length;
}

async function submissionOn(seller: Seller, page: string): Promise<string> {
  const submission = submissionIn(await seller.page(page));
  expect(submission).toMatch(/^[0-9a-f-]{36}$/);
  return submission;
}

function submissionIn($: CheerioAPI): string {
  return $('input[name="submission"]').attr('value') ?? '';
}

describe('form that creates something', () => {
  it.for(FORMS)(
    'for %s is on a page of its own and is processed once, however often it is sent',
    async ([list, fields, table], { service, db }) => {
      const dana = await sellerOf(service);
      const submission = await submissionOn(dana, `${list}/new`);
      const before = await countRows(db, table);
      const form = { ...fields, submission };
      const answers = await Promise.all(Array.from({ length: 5 }, () => dana.post(list, form)));
      answers.push(await dana.post(list, form));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 303));
      for (const answer of answers) expect(locationOf(answer)).toMatch(/\?done=(?:\w+-created|invited)$/);
      expect(await countRows(db, table)).toBe(before + 1);
    },
  );

  it.for(FORMS)(
    'for %s keeps its id after an error, so that the corrected form creates the object',
    async ([list, fields, table], { service, db }) => {
      const dana = await sellerOf(service);
      const submission = await submissionOn(dana, `${list}/new`);
      const before = await countRows(db, table);
      const $ = await dana.refused(list, { ...fields, name: '', email: 'grace', submission });
      expect(errorsIn($)).toHaveLength(1);
      expect(submissionIn($)).toBe(submission);
      expect((await dana.post(list, { ...fields, submission })).status).toBe(303);
      expect(await countRows(db, table)).toBe(before + 1);
    },
  );

  it('is not affected by the submission of another user', async ({ service, db }) => {
    const [dana, ben] = [await sellerOf(service), await sellerOf(service, users.ben.email)];
    const before = await countRows(db, 'communities');
    const form = { name: 'Tea Club', submission: randomUUID() };
    for (const seller of [dana, ben]) await seller.submit('/seller/communities', form);
    expect(await countRows(db, 'communities')).toBe(before + 2);
  });

  it('of a role is for owners only', async ({ service }) => {
    const role = { communityId: community.id, userId: users.ada.id, role: 'ADMIN' } as const;
    await service.server.operator.assignRole(role);
    const ada = await sellerOf(service, users.ada.email);
    expect((await ada.get(`${COMMUNITY}/roles/new`)).status).toBe(403);
  });

  it('of a drop starts it now if the start is blank', async ({ service, db }) => {
    const dana = await sellerOf(service);
    await dana.submit(`${COMMUNITY}/drops`, { name: 'Summer', startsAt: '', endsAt: '' });
    const drop = await db
      .selectFrom('drop_slots')
      .selectAll()
      .where('name', '=', 'Summer')
      .executeTakeFirst();
    expect([drop?.starts_at, drop?.ends_at]).toEqual([START, null]);
  });
});

describe('figures of a community', () => {
  it('are active members, plans for sale and the successful payments of the month, by currency', async ({
    service,
    db,
  }) => {
    const dana = await sellerOf(service);
    const row = async () => tableIn(await dana.page('/seller'), 'Communities');
    expect(await row()).toEqual([`${community.name} | Owner | 1 | 2 | None`]);
    await payFor(service);
    const payment = (status: 'failed' | 'succeeded', createdAt: number, currency = 'EUR') => ({
      ...{ id: randomUUID(), reservation_id: null, user_id: users.ada.id, community_id: community.id },
      ...{ product_id: null, pricing_plan_id: plans.monthly.id, status, reason: null, utm_source: null },
      ...{ amount_minor: 1234, currency, created_at: createdAt },
    });
    const may = Date.UTC(2026, 4, 31, 23, 59, 59, 999);
    await db
      .insertInto('payments')
      .values([
        payment('succeeded', may),
        payment('succeeded', may + 1),
        payment('failed', START),
        payment('succeeded', START, 'JPY'),
      ])
      .execute();
    expect(await row()).toEqual([`${community.name} | Owner | 2 | 2 | €21.34, JP¥1,234`]);
    const $ = await dana.page(COMMUNITY);
    expect(textOf($, '.stats')).toBe('Active members2Plans for sale2Revenue in June€21.34, JP¥1,234');
    expect($('#next-steps')).toHaveLength(0);
  });

  it('lead a new seller to the first plan and the first member', async ({ service }) => {
    const ben = await sellerOf(service, users.ben.email);
    expect((await ben.page('/seller'))('a[href="/seller/communities/new"]')).toHaveLength(1);
    const $ = await ben.submit('/seller/communities', { name: 'Tea Club' });
    const steps = $('#next-steps a')
      .toArray()
      .map((link) => $(link).text());
    expect(steps).toEqual(['New plan', 'Invite a member']);
  });
});

describe('name of a community', () => {
  it.for(['Latchkey', 'L\u0430tchkey', 'Latch-Key Payments'])(
    'cannot be like that of the service, on whose origin its pages are: %s',
    async (name, { service, db }) => {
      const dana = await sellerOf(service);
      for (const path of ['/seller/communities', `${COMMUNITY}/name`]) {
        const before = await db.selectFrom('communities').select(['id', 'name']).orderBy('id').execute();
        expect((await dana.post(path, { name, submission: randomUUID() })).status).toBe(400);
        expect(await db.selectFrom('communities').select(['id', 'name']).orderBy('id').execute()).toEqual(
          before,
        );
      }
    },
  );

  it('can stay as the operator chose it', async ({ service, db }) => {
    await db
      .updateTable('communities')
      .set({ name: 'Latchkey Club' })
      .where('id', '=', community.id)
      .execute();
    const dana = await sellerOf(service);
    expect((await dana.post(`${COMMUNITY}/name`, { name: 'Latchkey Club' })).status).toBe(303);
  });
});

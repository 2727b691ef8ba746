import { randomUUID } from 'node:crypto';
import { sandboxScenario } from '@latchkey/sandbox';
import type { CheerioAPI } from 'cheerio';
import { describe, expect } from 'vitest';
import { listMemberships } from '../src/features/memberships/membership-list.js';
import { callResource, publicTokens } from './authorization-flow.js';
import { textOf } from './pages/page-document.js';
import {
  acceptInvitation,
  COMMUNITY,
  createAccount,
  emptyIn,
  errorsIn,
  factsIn,
  fieldIn,
  noticeIn,
  sellerOf,
  statusIn,
  tableIn,
} from './seller-area.js';
import { START } from './service-under-test.js';
import { itWithDatabase as it, membershipEventsOf } from './service-with-database.js';

const { users, community, memberships, plans } = sandboxScenario;
const MEMBERS = `${COMMUNITY}/members`;
const ADAS = `${MEMBERS}/${memberships.adaCommunity.id}`;
const CLEOS = `${MEMBERS}/${memberships.cleoCommunity.id}`;
/** Between two changes, so that their events have an order. */
const SECOND = 1000;
const DAY = 24 * 3600 * SECOND;
const ADA = 'Ada Member ada@example.com | None | Active | 14 Mar 2026 | Never';
const CLEO = 'Cleo Lapsed cleo@example.com | None | Ended | 6 May 2026 | 5 Jun 2026';

/** Status and end on the page of a membership. */
function endOf($: CheerioAPI): string {
  return `${statusIn($)}, ${factsIn($).Ends}`;
}

describe('members of a community', () => {
  it('are listed newest first, with plan, status, start and end', async ({ service }) => {
    const dana = await sellerOf(service);
    expect(tableIn(await dana.page(MEMBERS), 'Members')).toEqual([CLEO, ADA]);
  });

  it('are found by the complete email address in any case or by messenger id, and no others are', async ({
    service,
  }) => {
    const dana = await sellerOf(service);
    const found = async (q: string) => {
      const $ = await dana.page(`${MEMBERS}?${new URLSearchParams({ q })}`);
      expect(fieldIn($, 'q')).toBe(q.trim());
      return tableIn($, 'Search results').map((row) => row.split(' | ')[0]);
    };
    expect(await found(' Ada@Example.com ')).toEqual(['Ada Member ada@example.com']);
    expect(await found('1001')).toEqual(['Ada Member ada@example.com']);
    for (const search of [
      'ada',
      'ada@',
      '%',
      '1002',
      'ben@example.com',
      '0',
      '9'.repeat(20),
      "' or 1=1 --",
    ]) {
      expect(await found(search)).toEqual([]);
    }
  });

  it('are paginated without gaps or repeats while others join and several began at the same instant', async ({
    service,
    db,
  }) => {
    const { operator } = service.server;
    const join = async (validFrom: number) => {
      const { id: userId } = await operator.createUser({ email: `${randomUUID()}@example.com` });
      const membership = { userId, productType: 'community', communityId: community.id, validFrom } as const;
      return (await operator.grantMembership(membership)).id;
    };
    const joined: string[] = [];
    for (let member = 0; member < 120; member += 1) joined.push(await join(START - (member % 7) * DAY));
    const seen: string[] = [];
    let after: Parameters<typeof listMemberships>[2];
    do {
      const page = await listMemberships(db, { communityId: community.id }, after);
      seen.push(...page.rows.map(({ id }) => id));
      const last = page.rows.at(-1);
      after = page.next === undefined || last === undefined ? undefined : { at: last.validFrom, id: last.id };
      await join(START + DAY);
    } while (after !== undefined);
    expect(new Set(seen).size).toBe(seen.length);
    expect([...seen].sort()).toEqual(
      [...joined, memberships.adaCommunity.id, memberships.cleoCommunity.id].sort(),
    );

    const dana = await sellerOf(service);
    const first = await dana.page(MEMBERS);
    expect(tableIn(first, 'Members')).toHaveLength(50);
    const next = await dana.page(first('nav[aria-label="Pages"] a').attr('href') ?? '');
    expect(tableIn(next, 'Members')).toHaveLength(50);
    expect(textOf(next, 'nav[aria-label="Pages"]')).toContain('Back to the newest');
    for (const after of ['', 'x', '~', `${START}~`, `9e9~${randomUUID()}`]) {
      const $ = await dana.page(`${MEMBERS}?${new URLSearchParams({ after })}`);
      expect(tableIn($, 'Members')).toEqual(tableIn(first, 'Members'));
    }
  });
});

describe('filter of members by status', () => {
  it('lists the members with the status, shows the count of each, and links to the others', async ({
    service,
    db,
  }) => {
    const { id: userId } = await service.server.operator.createUser({ email: 'soon@example.com' });
    const soon = { validFrom: START - DAY, validUntil: START + DAY };
    await service.server.operator.grantMembership({
      ...{ userId, productType: 'community', communityId: community.id },
      ...soon,
    });
    const SOON = 'soon@example.com | None | Ends soon | 11 Jun 2026 | 13 Jun 2026';
    const dana = await sellerOf(service);
    const filter = async (query: string) => {
      const $ = await dana.page(`${MEMBERS}${query}`);
      const links = $('nav[aria-label="Members by status"] a').toArray();
      return { links: links.map((link) => $(link).text()), members: tableIn($, 'Members') };
    };
    const links = ['All3', 'Active2', 'Ending soon1', 'Ended1'];
    expect(await filter('')).toEqual({ links, members: [SOON, CLEO, ADA] });
    expect(await filter('?status=active')).toEqual({ links, members: [ADA, SOON] });
    expect(await filter('?status=ending')).toEqual({ links, members: [SOON] });
    expect(await filter('?status=ended')).toEqual({ links, members: [CLEO] });
    expect(await filter('?status=ENDED&status=x')).toEqual({ links, members: [SOON, CLEO, ADA] });
    await db.deleteFrom('memberships').where('user_id', '=', userId).execute();
    expect(emptyIn(await dana.page(`${MEMBERS}?status=ending`))).toBe('No membership ends soon');
  });

  it('works with the search: the filter keeps the search, and the search keeps the filter', async ({
    service,
  }) => {
    const dana = await sellerOf(service);
    const search = (status: string) =>
      dana.page(`${MEMBERS}?${new URLSearchParams({ q: users.ada.email, status })}`);
    const $ = await search('active');
    expect(tableIn($, 'Search results')).toEqual([ADA]);
    expect($('input[type="hidden"][name="status"]').attr('value')).toBe('active');
    const ended = $('nav[aria-label="Members by status"] a').last().attr('href') ?? '';
    expect(ended).toBe(`${MEMBERS}?status=ended&q=ada%40example.com`);
    expect(emptyIn(await dana.page(ended))).toBe('No member found');
  });

  it('stays on the next pages of the list', async ({ service, db }) => {
    const ids = Array.from({ length: 60 }, () => randomUUID());
    await db
      .insertInto('users')
      .values(ids.map((id) => ({ id, email: `${id}@example.com`, created_at: START })))
      .execute();
    const stored = ids.map((id, index) => ({
      ...{
        id,
        user_id: id,
        product_type: 'community' as const,
        community_id: community.id,
        product_id: null,
      },
      ...{ valid_from: START - 9 * DAY, valid_until: START - index * 1000 },
    }));
    await db.insertInto('memberships').values(stored).execute();
    const dana = await sellerOf(service);
    const first = await dana.page(`${MEMBERS}?status=ended`);
    expect(tableIn(first, 'Members')).toHaveLength(50);
    const next = await dana.page(first('nav[aria-label="Pages"] a').attr('href') ?? '');
    expect(tableIn(next, 'Members')).toHaveLength(11);
    expect(next('nav[aria-label="Members by status"] a[aria-current]').text()).toContain('Ended');
    const back = next('nav[aria-label="Pages"] a').attr('href') ?? '';
    expect(tableIn(await dana.page(back), 'Members')).toEqual(tableIn(first, 'Members'));
  });
});

describe('invitation', () => {
  it('makes a new user a member once they accept, and only then is visible to apps and webhooks', async ({
    service,
    db,
  }) => {
    const dana = await sellerOf(service);
    const $ = await dana.submit(MEMBERS, {
      email: ' Grace@Example.com ',
      validFrom: '',
      validUntil: '2026-07-12',
      'validUntil-time': '16:05',
      zone: 'Europe/Berlin',
    });
    expect(noticeIn($)).toBe(
      'Invitation saved. We e-mail the address once, unless its holder or our limits prevent it.',
    );
    expect(tableIn($, 'Members')).toHaveLength(2);
    expect(tableIn($, 'Invitations')).toEqual([
      'grace@example.com | Until 12 Jul 2026 | Pending | 12 Jun 2026 | Withdraw the invitation of grace@example.com',
    ]);
    const graces = db.selectFrom('users').select('id').where('email', '=', 'grace@example.com');
    expect(await graces.execute()).toEqual([]);
    await createAccount(service, 'grace@example.com');
    const { access_token } = await publicTokens(service, { email: 'grace@example.com' });
    const listed = async () => await (await callResource(service, access_token, '/oauth/memberships')).json();
    expect(await listed()).toEqual({ memberships: [] });
    expect(await membershipEventsOf(db, (await graces.executeTakeFirstOrThrow()).id)).toEqual([]);
    service.clock.advance(1800_000);
    expect(noticeIn(await acceptInvitation(service, 'grace@example.com'))).toBe('Invitation accepted.');
    expect(tableIn(await dana.page(MEMBERS), 'Members')[0]).toBe(
      'grace@example.com | None | Active | 12 Jun 2026 | 12 Jul 2026',
    );
    expect(tableIn(await dana.page(MEMBERS), 'Invitations')).toEqual([]);
    expect(await listed()).toMatchObject({
      memberships: [
        {
          productType: 'community',
          validFrom: '2026-06-12T14:35:00.000Z',
          validUntil: '2026-07-12T14:05:00.000Z',
        },
      ],
    });
    const { id } = await graces.executeTakeFirstOrThrow();
    expect((await membershipEventsOf(db, id)).map(({ type }) => type)).toEqual(['membership.created']);
  });

  it('is rejected for an active member, and restores an expired membership', async ({ service, db }) => {
    const dana = await sellerOf(service);
    const $ = await dana.refused(MEMBERS, {
      email: users.ada.email,
      validFrom: '',
      validUntil: '2026-07-01',
    });
    expect(errorsIn($)).toEqual([
      '#email This user is already a member. Find the membership in the list to change its end.',
    ]);
    expect([fieldIn($, 'email'), fieldIn($, 'validUntil')]).toEqual([users.ada.email, '2026-07-01']);
    await dana.submit(MEMBERS, { email: users.cleo.email, validFrom: '', validUntil: '' });
    expect(statusIn(await dana.page(CLEOS))).toBe('Ended');
    service.clock.advance(SECOND);
    await acceptInvitation(service, users.cleo.email);
    expect(endOf(await dana.page(CLEOS))).toBe('Active, Never');
    const events = await membershipEventsOf(db, users.cleo.id);
    expect(events.at(-1)).toMatchObject({
      type: 'membership.updated',
      data: { membership: { id: memberships.cleoCommunity.id, isActive: true, validUntil: null } },
    });
  });

  it('creates nothing from an invalid form, which shows each error and keeps the typed text', async ({
    service,
  }) => {
    const dana = await sellerOf(service);
    const typed = { email: 'grace', validFrom: 'now', validUntil: '2026-13-01' };
    const $ = await dana.refused(MEMBERS, typed);
    expect(errorsIn($)).toEqual([
      '#email Enter an e-mail address such as name@example.com.',
      '#validFrom Enter a date that exists, such as 2026-07-01.',
      '#validUntil Enter a date that exists, such as 2026-07-01.',
    ]);
    expect(fieldIn($, 'email')).toBe('grace');
    const backwards = { email: 'grace@example.com', validUntil: '2026-06-12', 'validUntil-time': '14:05' };
    expect(errorsIn(await dana.refused(MEMBERS, backwards))).toEqual([
      '#validUntil Enter an end after the start.',
    ]);
    const past = { email: 'grace@example.com', validFrom: '2026-01-01', validUntil: '2026-06-12' };
    expect(errorsIn(await dana.refused(MEMBERS, past))).toEqual(['#validUntil Enter an end in the future.']);
    expect(tableIn(await dana.page(MEMBERS), 'Members')).toHaveLength(2);
  });
});

describe('membership', () => {
  it('gets another end, also for life, and emits an event for each real change', async ({ service, db }) => {
    const dana = await sellerOf(service);
    const before = (await membershipEventsOf(db, users.ada.id)).length;
    const end = { endsAt: '2026-06-30', 'endsAt-time': '12:00' };
    service.clock.advance(SECOND);
    const $ = await dana.submit(`${ADAS}/end`, end);
    expect(noticeIn($)).toBe('End date saved.');
    expect(endOf($)).toBe('Active, 30 Jun 2026, 12:00 UTC');
    service.clock.advance(SECOND);
    await dana.submit(`${ADAS}/end`, end);
    expect(endOf(await dana.submit(`${ADAS}/end`, { forLife: 'on' }))).toBe('Active, Never');
    const events = (await membershipEventsOf(db, users.ada.id)).slice(before);
    expect(events).toMatchObject([
      { type: 'membership.updated', data: { membership: { validUntil: '2026-06-30T12:00:00.000Z' } } },
      { type: 'membership.updated', data: { membership: { validUntil: null } } },
    ]);
  });

  it('keeps its end when the new one is ambiguous or leaves no time', async ({ service }) => {
    const dana = await sellerOf(service);
    for (const [fields, error] of [
      [{ endsAt: '' }, 'Enter an end, or choose lifetime.'],
      [{ endsAt: '2026-06-30', forLife: 'on' }, 'Enter an end or choose lifetime, not both.'],
      [{ endsAt: '2026-06-31' }, 'Enter a date that exists, such as 2026-07-01.'],
      [{ 'endsAt-time': '12:00' }, 'Enter a date too, or clear the time.'],
      [{ endsAt: '2026-01-01' }, 'Enter an end after the start.'],
    ] as [Record<string, string>, string][]) {
      const $ = await dana.refused(`${ADAS}/end`, fields);
      expect(errorsIn($)).toEqual([`#endsAt ${error}`]);
      expect(fieldIn($, 'endsAt')).toBe(fields.endsAt === '2026-06-31' ? '' : (fields.endsAt ?? ''));
    }
    expect(endOf(await dana.page(ADAS))).toBe('Active, Never');
  });

  it('ends at once, also for apps, and emits one event', async ({ service, db }) => {
    const dana = await sellerOf(service);
    const { access_token } = await publicTokens(service);
    const $ = await dana.submit(`${ADAS}/end-now`);
    expect(noticeIn($)).toBe('Membership ended.');
    await dana.submit(`${ADAS}/end-now`);
    const response = await callResource(service, access_token, '/oauth/memberships');
    const listed = (await response.json()) as { memberships: { productType: string }[] };
    expect(listed.memberships.map(({ productType }) => productType)).toEqual(['digital_product']);
    const row = await db
      .selectFrom('memberships')
      .selectAll()
      .where('id', '=', memberships.adaCommunity.id)
      .executeTakeFirst();
    expect(row).toMatchObject({ valid_until: START, lapse_announced_at: START });
    const ended = (await membershipEventsOf(db, users.ada.id)).filter(
      ({ data }) => 'membership' in data && !data.membership.isActive,
    );
    expect(ended).toHaveLength(1);
  });

  it('with a cancelled subscription keeps the paid period, and only then accepts another end', async ({
    service,
    db,
  }) => {
    // Without periods, the membership's own time is the only one.
    await db.deleteFrom('membership_periods').execute();
    await db
      .updateTable('memberships')
      .set({ subscription_id: 'sub_1', valid_until: START + DAY, pricing_plan_id: plans.monthly.id })
      .where('id', '=', memberships.adaCommunity.id)
      .execute();
    const dana = await sellerOf(service);
    const $ = await dana.page(ADAS);
    expect(factsIn($)).toMatchObject({
      Plan: 'Monthly',
      Renews: '13 Jun 2026, 14:05 UTC',
      Subscription: 'Active, renews automatically',
    });
    expect($('#endsAt')).toHaveLength(0);
    expect(errorsIn(await dana.refused(`${ADAS}/end`, { endsAt: '2026-12-01' }))).toEqual([
      '#endsAt Cancel the subscription first. It renews this membership.',
    ]);
    const cancelled = await dana.submit(`${ADAS}/cancel-subscription`);
    expect(noticeIn(cancelled)).toBe(
      'Subscription cancelled. The membership stays active until the end of the paid period.',
    );
    expect(factsIn(cancelled).Subscription).toBe('Cancelled on 12 Jun 2026, 14:05 UTC');
    expect(endOf(cancelled)).toBe('Ends soon, 13 Jun 2026, 14:05 UTC');
    expect(tableIn(cancelled, 'History')[0]).toBe('Subscription cancelled | 12 Jun 2026, 14:05 UTC | ');
    const events = await membershipEventsOf(db, users.ada.id);
    await dana.submit(`${ADAS}/cancel-subscription`);
    expect(await membershipEventsOf(db, users.ada.id)).toEqual(events);
    expect(endOf(await dana.submit(`${ADAS}/end`, { forLife: 'on' }))).toBe('Active, Never');
  });

  it('with a subscription ends at once together with it', async ({ service, db }) => {
    const stored = db.selectFrom('memberships').selectAll().where('id', '=', memberships.adaCommunity.id);
    // Without periods, the membership's own time is the only one.
    await db.deleteFrom('membership_periods').execute();
    await db
      .updateTable('memberships')
      .set({ subscription_id: 'sub_1', valid_until: START + DAY })
      .where('id', '=', memberships.adaCommunity.id)
      .execute();
    await (await sellerOf(service)).submit(`${ADAS}/end-now`);
    expect(await stored.executeTakeFirst()).toMatchObject({
      valid_until: START,
      subscription_cancelled_at: START,
    });
  });
});

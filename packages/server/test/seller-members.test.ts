import { randomUUID } from 'node:crypto';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { listMemberships } from '../src/domain/memberships/membership-list.js';
import { callResource, publicTokens } from './authorization-flow.js';
import { textOf } from './pages/page-document.js';
import {
  acceptInvitation,
  COMMUNITY,
  createAccount,
  errorsIn,
  fieldIn,
  noticeIn,
  rowsIn,
  sellerOf,
} from './seller-area.js';
import { START } from './service-under-test.js';
import { itWithDatabase as it, membershipEventsOf } from './service-with-database.js';

const { users, community, memberships, plans } = sandboxScenario;
const MEMBERS = `${COMMUNITY}/members`;
const ADAS = `${MEMBERS}/${memberships.adaCommunity.id}`;
const CLEOS = `${MEMBERS}/${memberships.cleoCommunity.id}`;
const DAY = 24 * 3600_000;

describe('members of a community', () => {
  it('are listed newest first, with name and end', async ({ service }) => {
    const dana = await sellerOf(service);
    expect(rowsIn(await dana.page(MEMBERS), 'list')).toEqual([
      'Cleo Lapsed | cleo@example.com | Since 6 May 2026 | Ended 5 June 2026',
      'Ada Member | ada@example.com | Since 14 March 2026 | Lifetime',
    ]);
  });

  it('are found by the complete email address in any case or by messenger id, and no others are', async ({
    service,
  }) => {
    const dana = await sellerOf(service);
    const found = async (q: string) => {
      const $ = await dana.page(`${MEMBERS}?${new URLSearchParams({ q })}`);
      expect(fieldIn($, 'q')).toBe(q.trim());
      return rowsIn($, 'list').map((row) => row.split(' | ')[0]);
    };
    expect(await found(' Ada@Example.com ')).toEqual(['Ada Member']);
    expect(await found('1001')).toEqual(['Ada Member']);
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
    expect(rowsIn(first, 'list')).toHaveLength(50);
    const next = await dana.page(first('nav[aria-label="Pages"] a').attr('href') ?? '');
    expect(rowsIn(next, 'list')).toHaveLength(50);
    expect(textOf(next, 'nav[aria-label="Pages"]')).toContain('Back to the newest');
    for (const after of ['', 'x', '~', `${START}~`, `9e9~${randomUUID()}`]) {
      const $ = await dana.page(`${MEMBERS}?${new URLSearchParams({ after })}`);
      expect(rowsIn($, 'list')).toEqual(rowsIn(first, 'list'));
    }
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
      startsAt: '',
      endsAt: '2026-07-12T14:05',
    });
    expect(noticeIn($)).toBe('Invitation saved. No e-mail is sent: tell the person where to accept it.');
    expect(rowsIn($, 'list')).toHaveLength(2);
    expect(rowsIn($, 'invited')).toEqual([
      'grace@example.com | Until 12 July 2026, since 12 June 2026 | Invited',
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
    expect(rowsIn(await dana.page(MEMBERS), 'list')[0]).toBe(
      'grace@example.com | Since 12 June 2026 | Until 12 July 2026',
    );
    expect(rowsIn(await dana.page(MEMBERS), 'invited')).toEqual([]);
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
      startsAt: '',
      endsAt: '2026-07-01T00:00',
    });
    expect(errorsIn($)).toEqual([
      '#email This user is already a member. Find the membership above to change its end.',
    ]);
    expect([fieldIn($, 'email'), fieldIn($, 'endsAt')]).toEqual([users.ada.email, '2026-07-01T00:00']);
    await dana.submit(MEMBERS, { email: users.cleo.email, startsAt: '', endsAt: '' });
    expect(textOf(await dana.page(CLEOS), '.panel-heading .tag')).toBe('Ended 5 June 2026');
    await acceptInvitation(service, users.cleo.email);
    expect(textOf(await dana.page(CLEOS), '.panel-heading .tag')).toBe('Lifetime');
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
    const typed = { email: 'grace', startsAt: 'now', endsAt: '2026-13-01T00:00' };
    const $ = await dana.refused(MEMBERS, typed);
    expect(errorsIn($)).toEqual([
      '#email Enter an e-mail address such as name@example.com.',
      '#startsAt Enter a day and a time that exist, such as 2026-07-01T18:00.',
      '#endsAt Enter a day and a time that exist, such as 2026-07-01T18:00.',
    ]);
    expect(Object.keys(typed).map((name) => fieldIn($, name))).toEqual(Object.values(typed));
    const backwards = { email: 'grace@example.com', startsAt: '', endsAt: '2026-06-12T14:05' };
    expect(errorsIn(await dana.refused(MEMBERS, backwards))).toEqual([
      '#endsAt Enter an end after the start.',
    ]);
    const past = { email: 'grace@example.com', startsAt: '2026-01-01T00:00', endsAt: '2026-06-12T14:05' };
    expect(errorsIn(await dana.refused(MEMBERS, past))).toEqual(['#endsAt Enter an end in the future.']);
    expect(rowsIn(await dana.page(MEMBERS), 'list')).toHaveLength(2);
  });

  it('to the same address, sent twenty times at once, is stored once', async ({ service, db }) => {
    const dana = await sellerOf(service);
    const fields = { email: 'grace@example.com', startsAt: '', endsAt: '' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => dana.post(MEMBERS, fields)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      303,
      ...Array.from({ length: 19 }, () => 400),
    ]);
    expect(await db.selectFrom('invitations').selectAll().execute()).toHaveLength(1);
  });
});

describe('membership', () => {
  it('gets another end, also for life, and emits an event for each real change', async ({ service, db }) => {
    const dana = await sellerOf(service);
    const before = (await membershipEventsOf(db, users.ada.id)).length;
    const $ = await dana.submit(`${ADAS}/end`, { endsAt: '2026-06-30T12:00' });
    expect(noticeIn($)).toBe('End date saved.');
    expect(textOf($, '.panel-heading .tag')).toBe('Until 30 June 2026');
    await dana.submit(`${ADAS}/end`, { endsAt: '2026-06-30T12:00' });
    expect(textOf(await dana.submit(`${ADAS}/end`, { forLife: 'on' }), '.panel-heading .tag')).toBe(
      'Lifetime',
    );
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
      [{ endsAt: '2026-06-30T12:00', forLife: 'on' }, 'Enter an end or choose lifetime, not both.'],
      [{ endsAt: '2026-06-31T12:00' }, 'Enter a day and a time that exist, such as 2026-07-01T18:00.'],
      [{ endsAt: '2026-01-01T00:00' }, 'Enter an end after the start.'],
    ] as [Record<string, string>, string][]) {
      const $ = await dana.refused(`${ADAS}/end`, fields);
      expect(errorsIn($)).toEqual([`#endsAt ${error}`]);
      expect(fieldIn($, 'endsAt')).toBe(fields.endsAt);
    }
    expect(textOf(await dana.page(ADAS), '.panel-heading .tag')).toBe('Lifetime');
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
    await db
      .updateTable('memberships')
      .set({ subscription_id: 'sub_1', valid_until: START + DAY, pricing_plan_id: plans.monthly.id })
      .where('id', '=', memberships.adaCommunity.id)
      .execute();
    const dana = await sellerOf(service);
    const $ = await dana.page(ADAS);
    expect(textOf($, '.facts')).toContain('PlanMonthlySubscriptionActive, renews automatically');
    expect($('#endsAt')).toHaveLength(0);
    expect(errorsIn(await dana.refused(`${ADAS}/end`, { endsAt: '2026-12-01T00:00' }))).toEqual([
      '#endsAt Cancel the subscription first. It renews this membership.',
    ]);
    const cancelled = await dana.submit(`${ADAS}/cancel-subscription`);
    expect(noticeIn(cancelled)).toBe(
      'Subscription cancelled. The membership stays active until the end of the paid period.',
    );
    expect(textOf(cancelled, '.facts')).toContain('Cancelled on 12 June 2026, 14:05 UTC');
    expect(textOf(cancelled, '.panel-heading .tag')).toBe('Until 13 June 2026');
    const events = await membershipEventsOf(db, users.ada.id);
    await dana.submit(`${ADAS}/cancel-subscription`);
    expect(await membershipEventsOf(db, users.ada.id)).toEqual(events);
    expect(textOf(await dana.submit(`${ADAS}/end`, { forLife: 'on' }), '.panel-heading .tag')).toBe(
      'Lifetime',
    );
  });

  it('with a subscription ends at once together with it', async ({ service, db }) => {
    const stored = db.selectFrom('memberships').selectAll().where('id', '=', memberships.adaCommunity.id);
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

import { PATHS } from '@latchkey/contract/constants';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { assignRole } from '../src/features/communities/roles.js';
import type { Database } from '../src/platform/database/open-database.js';
import { callWithKey, keyWith } from './api-key-requests.js';
import { callResource, publicTokens } from './authorization-flow.js';
import { tableRows, textOf } from './pages/page-document.js';
import {
  acceptInvitation,
  answerInvitation,
  COMMUNITY,
  createAccount,
  emptyIn,
  errorsIn,
  invitationsIn,
  noticeIn,
  type Seller,
  sellerOf,
  statusIn,
  tableIn,
} from './seller-area.js';
import { type ServiceUnderTest, START } from './service-under-test.js';
import { itWithDatabase as it, membershipEventsOf } from './service-with-database.js';

const { users, community, memberships } = sandboxScenario;
const MEMBERS = `${COMMUNITY}/members`;
const ROLES = `${COMMUNITY}/roles`;
const DAY = 24 * 3600_000;

const grant = (email: string, validUntil = '') => ({ email, validFrom: '', validUntil });

/** Creates a community of the seller and returns the path of its members. */
async function foundCommunity(seller: Seller, name: string): Promise<string> {
  const response = await seller.post('/seller/communities', { name });
  const path = (response.headers.get('location') ?? '').split('?')[0];
  return `${path}/members`;
}

async function membershipsOf(service: ServiceUnderTest, email: string): Promise<unknown[]> {
  const { access_token } = await publicTokens(service, { email });
  const response = await callResource(service, access_token, PATHS.memberships);
  return ((await response.json()) as { memberships: unknown[] }).memberships;
}

async function events(db: Database): Promise<number> {
  return (await db.selectFrom('webhook_events').select('id').execute()).length;
}

describe('invitation to a membership', () => {
  it('is not a membership until it is accepted: not in the OAuth list, check-messenger, access or events', async ({
    service,
    db,
  }) => {
    const { operator } = service.server;
    await operator.createUser({ email: 'max@example.com', messengerUserId: 7007 });
    const before = await events(db);
    const dana = await sellerOf(service);
    await dana.submit(MEMBERS, grant('max@example.com'));
    const key = await keyWith(service, ['MEMBERSHIP_READ'], users.dana.id);
    const path = PATHS.checkMessenger
      .replace('{communityId}', community.id)
      .replace('{messengerUserId}', '7007');
    const check = async () => (await callWithKey(service, { path, key })).body;
    expect(await check()).toMatchObject({ data: { isActive: false, membershipId: null } });
    expect(await membershipsOf(service, 'max@example.com')).toEqual([]);
    expect(await events(db)).toBe(before);
    expect(emptyIn(await dana.page(`${MEMBERS}?q=7007`))).toBe('No member found');

    await acceptInvitation(service, 'max@example.com');
    expect(await check()).toMatchObject({ data: { isActive: true } });
    expect(await membershipsOf(service, 'max@example.com')).toHaveLength(1);
    expect(await events(db)).toBe(before + 1);
  });

  it('is withdrawn when the seller ends the membership of its address', async ({ service }) => {
    const dana = await sellerOf(service);
    const { id: userId } = await service.server.operator.createUser({ email: 'max@example.com' });
    await dana.submit(MEMBERS, grant('max@example.com'));
    const { id } = await service.server.operator.grantMembership({ userId, communityId: community.id });
    await dana.submit(`${MEMBERS}/${id}/end-now`);
    expect(invitationsIn(await (await sellerOf(service, 'max@example.com')).page('/account'))).toEqual([]);
  });

  it('looks the same for an address with and without an account, and creates no user', async ({
    service,
    db,
  }) => {
    const { operator } = service.server;
    await operator.createUser({
      email: 'known@example.com',
      name: 'Kim Known',
      messengerUserId: 7_007_007_007,
    });
    const usersBefore = await db.selectFrom('users').select('id').execute();
    const seen: string[] = [];
    for (const name of ['known', 'unknown']) {
      const dana = await sellerOf(service);
      for (const path of [MEMBERS, ROLES]) {
        const response = await dana.post(path, { ...grant(`${name}@example.com`), role: 'ADMIN' });
        const list = await (await dana.get(response.headers.get('location') ?? '')).text();
        expect(list).toContain(`${name}@example.com`);
        expect(list).not.toMatch(/Kim Known|7007007007/);
        const again = await dana.post(path, { ...grant(`${name}@example.com`), role: 'ADMIN' });
        const pages = [response.headers.get('location'), list, again.status, await again.text()];
        seen.push(
          JSON.stringify(pages)
            .replaceAll(`${name}@`, '@')
            .replaceAll(/[0-9a-f-]{36}/g, 'id'),
        );
        await db.deleteFrom('invitations').execute();
      }
    }
    expect(seen.slice(2)).toEqual(seen.slice(0, 2));
    expect(await db.selectFrom('users').select('id').execute()).toEqual(usersBefore);
  });

  it('shows the quoted name as plain text and the proven address of its sender', async ({ service }) => {
    const ben = await sellerOf(service, users.ben.email);
    const members = await foundCommunity(ben, 'Your account is locked');
    await ben.submit(members, grant(users.ada.email, '2026-07-12'));
    const account = await (await sellerOf(service, users.ada.email)).page('/account');
    const [row] = tableRows(account, 'invitations');
    expect(row).toContain('“Your account is locked” | Membership until 12 Jul 2026 | ben@example.com');
    expect(account('#invitations a')).toHaveLength(0);
    expect(textOf(account, '#invitations .muted')).toContain('wrote the names in quotation marks');
    expect(tableRows(account, 'memberships').join()).not.toContain('locked');
  });

  it('to the own address counts at once', async ({ service }) => {
    const ben = await sellerOf(service, users.ben.email);
    const members = await foundCommunity(ben, 'Tea Club');
    const $ = await ben.submit(members, grant(users.ben.email));
    expect(noticeIn($)).toBe('Membership granted.');
    expect(await membershipsOf(service, users.ben.email)).toHaveLength(1);
  });

  it('can be answered only by the holder of the address, once', async ({ service, db }) => {
    const dana = await sellerOf(service);
    await dana.submit(MEMBERS, grant('grace@example.com'));
    const { id } = await db.selectFrom('invitations').select('id').executeTakeFirstOrThrow();
    const ben = await sellerOf(service, users.ben.email);
    for (const answer of ['accept', 'decline']) {
      for (const invitation of [id, '', 'x', community.id]) {
        const response = await ben.post(`/account/invitations/${answer}`, { invitation });
        expect(response.status).toBe(404);
      }
    }
    await createAccount(service, 'grace@example.com');
    const grace = await sellerOf(service, 'grace@example.com');
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => grace.post('/account/invitations/accept', { invitation: id })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      303,
      ...Array.from({ length: 9 }, () => 404),
    ]);
    const rows = await db.selectFrom('memberships').selectAll().where('valid_from', '=', START).execute();
    expect(rows).toHaveLength(1);
  });

  it('that is declined blocks the community for 90 days, and cannot be withdrawn', async ({
    service,
    db,
  }) => {
    const dana = await sellerOf(service);
    await dana.submit(MEMBERS, grant('grace@example.com'));
    const { id } = await db.selectFrom('invitations').select('id').executeTakeFirstOrThrow();
    await createAccount(service, 'grace@example.com');
    const account = await answerInvitation(service, { email: 'grace@example.com', answer: 'decline' });
    expect(noticeIn(account)).toContain("can't invite you again for 90 days");
    expect(invitationsIn(account)).toEqual([]);
    expect(tableIn(await dana.page(MEMBERS), 'Invitations')).toEqual([
      'grace@example.com | Lifetime | Declined Blocked until 10 Sept 2026 | 12 Jun 2026 | ',
    ]);
    const withdrawal = { invitation: id, section: 'members' };
    expect((await dana.post(`${COMMUNITY}/invitations/withdraw`, withdrawal)).status).toBe(404);
    expect(errorsIn(await dana.refused(MEMBERS, grant('grace@example.com')))).toEqual([
      '#email This address declined your invitation. You can invite it again from 10 Sept 2026 on.',
    ]);
    service.clock.advance(90 * DAY);
    const later = await sellerOf(service);
    expect(tableIn(await later.page(MEMBERS), 'Invitations')).toEqual([]);
    await later.submit(MEMBERS, grant('grace@example.com'));
    expect(tableIn(await later.page(MEMBERS), 'Invitations')).toHaveLength(1);
  });

  it('can be seen and withdrawn by its own community only', async ({ service, db }) => {
    await (await sellerOf(service)).submit(MEMBERS, grant('grace@example.com'));
    const invited = await db.selectFrom('invitations').select('id').executeTakeFirstOrThrow();
    const withdrawal = { invitation: invited.id, section: 'members' };
    const ben = await sellerOf(service, users.ben.email);
    const members = await foundCommunity(ben, 'Next door');
    for (const own of [members.replace('/members', ''), COMMUNITY]) {
      expect((await ben.post(`${own}/invitations/withdraw`, withdrawal)).status).toBe(404);
    }
    expect((await ben.get(MEMBERS)).status).toBe(404);
    expect(tableIn(await ben.page(members), 'Invitations')).toEqual([]);
    expect(await db.selectFrom('invitations').select('id').execute()).toEqual([invited]);
  });

  it('can be withdrawn until it is accepted, and expires after 90 days or with the offered period', async ({
    service,
    db,
  }) => {
    const dana = await sellerOf(service);
    await dana.submit(MEMBERS, grant('grace@example.com'));
    const { id } = await db.selectFrom('invitations').select('id').executeTakeFirstOrThrow();
    const $ = await dana.submit(`${COMMUNITY}/invitations/withdraw`, { invitation: id, section: 'members' });
    expect(noticeIn($)).toBe('Invitation withdrawn.');
    expect(tableIn($, 'Invitations')).toEqual([]);
    await createAccount(service, 'grace@example.com');
    await createAccount(service, 'heidi@example.com');
    const grace = await sellerOf(service, 'grace@example.com');
    expect((await grace.post('/account/invitations/accept', { invitation: id })).status).toBe(404);

    await dana.submit(MEMBERS, grant('grace@example.com', '2026-06-13'));
    await dana.submit(MEMBERS, grant('heidi@example.com'));
    service.clock.advance(DAY);
    expect(invitationsIn(await grace.page('/account'))).toEqual([]);
    expect(invitationsIn(await (await sellerOf(service, 'heidi@example.com')).page('/account'))).toHaveLength(
      1,
    );
    service.clock.advance(89 * DAY);
    expect(invitationsIn(await (await sellerOf(service, 'heidi@example.com')).page('/account'))).toEqual([]);
    await service.server.runBackgroundWork();
    expect(await db.selectFrom('invitations').selectAll().execute()).toEqual([]);
  });

  it('extends a membership that was bought meanwhile, and waits for the end of a subscription', async ({
    service,
    db,
  }) => {
    const { operator } = service.server;
    const { id: userId } = await operator.createUser({ email: 'max@example.com' });
    await (await sellerOf(service)).submit(MEMBERS, grant('max@example.com'));
    const { id } = await operator.grantMembership({
      userId,
      productType: 'community',
      communityId: community.id,
      validUntil: START + DAY,
    });
    const max = await sellerOf(service, 'max@example.com');
    const invitation = invitationsIn(await max.page('/account'))[0] ?? '';
    const stored = db.selectFrom('memberships').selectAll().where('id', '=', id);
    await db.updateTable('memberships').set({ subscription_id: 'sub_1' }).where('id', '=', id).execute();
    const $ = await max.refused('/account/invitations/accept', { invitation }, 409);
    expect(textOf($, 'h1')).toBe('Cancel your subscription first');
    expect(await stored.executeTakeFirst()).toMatchObject({ valid_until: START + DAY });
    await max.submit(`/account/memberships/${id}/cancel`);
    await max.submit('/account/invitations/accept', { invitation });
    expect(await stored.executeTakeFirst()).toMatchObject({ valid_from: START, valid_until: null });
  });
});

describe('number of invitations', () => {
  it('of one sender to one address is at most three, declined ones included', async ({ service }) => {
    const ben = await sellerOf(service, users.ben.email);
    for (const name of ['One', 'Two', 'Three']) {
      await ben.submit(await foundCommunity(ben, name), grant(users.ada.email));
    }
    await answerInvitation(service, { email: users.ada.email, answer: 'decline' });
    const $ = await ben.refused(await foundCommunity(ben, 'Four'), grant(users.ada.email));
    expect(errorsIn($)[0]).toContain('You have invited this address 3 times');
    expect(invitationsIn(await (await sellerOf(service, users.ada.email)).page('/account'))).toHaveLength(2);
  });

  it('to one address and of one community is limited in the transaction that stores it', async ({
    service,
    db,
  }) => {
    const dana = await sellerOf(service);
    const rows = (count: number, row: (index: number) => { email: string; communityId: string }) =>
      Array.from({ length: count }, (_, index) => {
        const { email, communityId } = row(index);
        return {
          id: crypto.randomUUID(),
          community_id: communityId,
          email,
          kind: 'membership' as const,
          role: null,
          valid_from: START,
          valid_until: null,
          invited_by: users.ben.id,
          created_at: START,
          expires_at: START + DAY,
          declined_at: null,
        };
      });
    for (let index = 0; index < 29; index += 1) {
      const { id } = await service.server.operator.createCommunity({
        name: `Club ${index}`,
        ownerId: users.ben.id,
      });
      await db
        .insertInto('invitations')
        .values(rows(1, () => ({ email: 'grace@example.com', communityId: id })))
        .execute();
    }
    const other = await foundCommunity(dana, 'Tea Club');
    const answers = await Promise.all(
      [MEMBERS, other].map((path) => dana.post(path, grant('grace@example.com'))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400]);

    const ofCommunity = rows(499, (index) => ({ email: `${index}@example.com`, communityId: community.id }));
    await db.deleteFrom('invitations').execute();
    await db.insertInto('invitations').values(ofCommunity).execute();
    await dana.submit(MEMBERS, grant('heidi@example.com'));
    expect(errorsIn(await dana.refused(MEMBERS, grant('ivan@example.com')))).toEqual([
      '#email This community has 500 invitations, which is the maximum. Withdraw some first.',
    ]);
    const page = await dana.page(`${COMMUNITY}/members`);
    expect(tableIn(page, 'Invitations')).toHaveLength(50);
    const next = await dana.page(page('nav[aria-label="Pages: Invitations"] a').attr('href') ?? '');
    expect(tableIn(next, 'Invitations')).toHaveLength(50);
  });
});

describe('invitation to a role', () => {
  it('that its sender can no longer offer does not count towards the limit of the address', async ({
    service,
    db,
  }) => {
    const { operator } = service.server;
    for (let index = 0; index < 30; index += 1) {
      const { id } = await operator.createCommunity({ name: `Club ${index}`, ownerId: users.ben.id });
      await db
        .insertInto('invitations')
        .values({
          ...{ id: crypto.randomUUID(), community_id: id, email: 'grace@example.com' },
          ...{ kind: 'role', role: 'ADMIN', valid_from: null, valid_until: null, invited_by: users.ben.id },
          ...{ created_at: START, expires_at: START + DAY, declined_at: null },
        })
        .execute();
    }
    const dana = await sellerOf(service);
    expect(errorsIn(await dana.refused(MEMBERS, grant('grace@example.com')))[0]).toContain(
      'too many open invitations',
    );
    // Grace sees none of them from here on, so she cannot make room by an answer.
    await db
      .updateTable('community_roles')
      .set({ role: 'ADMIN' })
      .where('user_id', '=', users.ben.id)
      .execute();
    await dana.submit(MEMBERS, grant('grace@example.com'));
    await createAccount(service, 'grace@example.com');
    const grace = await sellerOf(service, 'grace@example.com');
    expect(invitationsIn(await grace.page('/account'))).toHaveLength(1);
  });

  it('gives no role until it is accepted, and none from a sender who is no longer an owner', async ({
    service,
    db,
  }) => {
    const dana = await sellerOf(service);
    await dana.submit(ROLES, { email: users.ada.email, role: 'OWNER' });
    const ada = await sellerOf(service, users.ada.email);
    expect((await ada.get(COMMUNITY)).status).toBe(404);
    const account = await ada.page('/account');
    expect(tableRows(account, 'invitations')).toEqual([
      expect.stringContaining(`“${community.name}” | Role of an owner`),
    ]);
    const { operator } = service.server;
    await assignRole(db, { communityId: community.id, userId: users.ben.id, role: 'OWNER', isActive: true });
    await operator.assignRole({ communityId: community.id, userId: users.dana.id, role: 'ADMIN' });
    expect(tableRows(await ada.page('/account'), 'invitations')).toEqual([]);
    const { id } = await db.selectFrom('invitations').select('id').executeTakeFirstOrThrow();
    expect((await ada.post('/account/invitations/accept', { invitation: id })).status).toBe(404);
    const withdrawal = { invitation: id, section: 'roles' };
    expect((await dana.post(`${COMMUNITY}/invitations/withdraw`, withdrawal)).status).toBe(403);
    const ben = await sellerOf(service, users.ben.email);
    await ben.submit(`${COMMUNITY}/invitations/withdraw`, withdrawal);
  });
});

describe('leaving', () => {
  it('a membership ends access and its subscription at once, after a confirmation that says so', async ({
    service,
    db,
  }) => {
    await db
      .updateTable('memberships')
      .set({ subscription_id: 'sub_1', valid_until: START + DAY })
      .where('id', '=', memberships.adaCommunity.id)
      .execute();
    const ada = await sellerOf(service, users.ada.email);
    const path = `/account/memberships/${memberships.adaCommunity.id}/leave`;
    expect((await ada.page('/account'))(`a[href="${path}"]`)).toHaveLength(1);
    const confirm = textOf(await ada.page(path), '.notes');
    expect(confirm).toContain('Your subscription is cancelled too.');
    expect(confirm).toContain('You lose access at once');
    const $ = await ada.submit(path);
    expect(noticeIn($)).toBe('You left. Your access has ended.');
    expect(tableRows($, 'expired').join()).toContain(community.name);
    const row = await db
      .selectFrom('memberships')
      .selectAll()
      .where('id', '=', memberships.adaCommunity.id)
      .executeTakeFirst();
    expect(row).toMatchObject({ valid_until: START, subscription_cancelled_at: START });
    expect((await membershipEventsOf(db, users.ada.id)).at(-1)).toMatchObject({
      type: 'membership.updated',
      data: { membership: { id: memberships.adaCommunity.id, isActive: false } },
    });
    expect((await ada.get(path)).status).toBe(404);
    expect((await ada.post(path)).status).toBe(404);
    // The seller cannot bring the person back without their consent.
    const dana = await sellerOf(service);
    const own = `${MEMBERS}/${memberships.adaCommunity.id}`;
    expect((await dana.page(own))('#endsAt')).toHaveLength(0);
    expect(errorsIn(await dana.refused(`${own}/end`, { forLife: 'on' }))).toEqual([
      '#endsAt This membership has ended. Invite the person again.',
    ]);
    await dana.submit(MEMBERS, grant(users.ada.email));
    expect(statusIn(await dana.page(own))).toBe('Ended');
  });

  it("another user's membership or an unknown one returns 404", async ({ service }) => {
    const ben = await sellerOf(service, users.ben.email);
    for (const id of [memberships.adaCommunity.id, community.id, 'x']) {
      expect((await ben.get(`/account/memberships/${id}/leave`)).status).toBe(404);
      expect((await ben.post(`/account/memberships/${id}/leave`)).status).toBe(404);
    }
  });

  it('a role is possible for everybody except the last active owner', async ({ service }) => {
    const { operator } = service.server;
    const resign = `/account/roles/${community.id}/resign`;
    const dana = await sellerOf(service);
    expect(tableRows(await dana.page('/account'), 'roles')).toEqual([
      expect.stringContaining(`${community.name} | Owner`),
    ]);
    expect(textOf(await dana.page(resign), '.notes')).toContain('An owner must invite you again'.slice(3));
    expect(textOf(await dana.refused(resign, {}, 409), 'h1')).toBe('You are the only active owner');
    await operator.assignRole({ communityId: community.id, userId: users.ada.id, role: 'ADMIN' });
    await operator.assignRole({
      communityId: community.id,
      userId: users.ben.id,
      role: 'OWNER',
      isActive: false,
    });
    for (const email of [users.ada.email, users.ben.email]) {
      const $ = await (await sellerOf(service, email)).submit(resign);
      expect(noticeIn($)).toContain('You gave up the role.');
      expect(tableRows($, 'roles')).toEqual([]);
    }
    expect(tableIn(await dana.page(ROLES), 'Roles')).toHaveLength(1);
    expect((await (await sellerOf(service, users.ada.email)).post(resign)).status).toBe(404);
  });

  it('a role by both owners at once leaves one of them', async ({ service, db }) => {
    for (let round = 0; round < 5; round += 1) {
      const { operator } = service.server;
      const { id } = await operator.createCommunity({ name: `Club ${round}`, ownerId: users.dana.id });
      await assignRole(db, { communityId: id, userId: users.ada.id, role: 'OWNER', isActive: true });
      const [dana, ada] = [await sellerOf(service), await sellerOf(service, users.ada.email)];
      const path = `/account/roles/${id}/resign`;
      const answers = await Promise.all([dana.post(path), ada.post(path)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    }
  });
});

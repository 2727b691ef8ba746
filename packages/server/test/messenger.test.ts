import { PATHS } from '@latchkey/contract/constants';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { callWithKey, keyWith } from './api-key-requests.js';
import { signedIn } from './authorization-flow.js';
import { locationOf } from './browser.js';
import { it, METHODS, openCheckout, pay } from './checkout-world.js';
import { buy, linkOf, requestInviteLink } from './messenger-world.js';
import { formOf, parsePage, textOf } from './pages/page-document.js';
import { provision } from './provision-requests.js';
import { type ServiceUnderTest, START } from './service-under-test.js';

const { users, community } = sandboxScenario;
const ADA = users.ada.messengerUserId;
const BEN = users.ben.messengerUserId;
const HOUR = 3600_000;
const DAY = 24 * HOUR;

/** Sends a join request as the page does, and returns the page's message. */
async function joinWith(service: ServiceUnderTest, link: string, messengerUserId: number): Promise<string> {
  const browser = service.browser();
  const { pathname } = new URL(link);
  const answer = await browser.post(pathname, { messengerUserId: String(messengerUserId) });
  expect(answer.status).toBe(303);
  return textOf(parsePage(await (await browser.get(locationOf(answer))).text()), '[role="status"]');
}

/** Returns the response of check-messenger for an account in the community. */
async function isActive(service: ServiceUnderTest, messengerUserId: number): Promise<unknown> {
  const path = PATHS.checkMessenger
    .replace('{communityId}', community.id)
    .replace('{messengerUserId}', String(messengerUserId));
  const { body } = await callWithKey(service, { path });
  return (body as { data: { isActive: unknown } }).data.isActive;
}

describe('join request with an invite link', () => {
  it('is approved for the buyer’s account, repeatedly, and rejected for any other', {
    tags: ['invite-link.bound-to-account'],
  }, async ({ service, db }) => {
    await buy(service, db, { email: users.ben.email });
    const { link } = linkOf(await requestInviteLink(service));
    expect(await joinWith(service, link, ADA)).toContain(
      'refused. This link is for another messenger account',
    );
    expect(await joinWith(service, link, 4711)).toContain('refused. This link is for another');
    expect(await joinWith(service, link, BEN)).toContain('was let in');
    expect(await joinWith(service, link, BEN)).toContain('was let in');
    const requests = await db.selectFrom('messenger_join_requests').selectAll().execute();
    expect(requests.map(({ messenger_user_id, accepted }) => [messenger_user_id, accepted]).sort()).toEqual([
      [ADA, 0],
      [BEN, 1],
      [BEN, 1],
      [4711, 0],
    ]);
  });

  it('is rejected from the instant at which the link expires', { tags: ['invite-link.lifetime'] }, async ({
    service,
    db,
  }) => {
    await buy(service, db, { email: users.ben.email });
    const { link } = linkOf(await requestInviteLink(service));
    service.clock.advance(DAY - 1);
    expect(await joinWith(service, link, BEN)).toContain('was let in');
    service.clock.advance(1);
    expect(await joinWith(service, link, BEN)).toContain('refused. This invite link has expired');
  });

  it('is rejected when the membership has expired', async ({ service, db }) => {
    const userId = await buy(service, db, { email: users.ben.email });
    const grant = { userId, productType: 'community' as const, communityId: community.id };
    await service.server.operator.grantMembership({ ...grant, validFrom: START, validUntil: START + HOUR });
    const { link } = linkOf(await requestInviteLink(service));
    service.clock.advance(HOUR);
    expect(await joinWith(service, link, BEN)).toContain('refused. The membership');
  });

  it('links the account to a buyer who has none, and rejects other accounts from then on', {
    tags: ['invite-link.bound-to-account'],
  }, async ({ service, db }) => {
    await buy(service, db);
    const { link } = linkOf(await requestInviteLink(service));
    expect(await isActive(service, 4711)).toBe(false);
    expect(await joinWith(service, link, 4711)).toContain('Account 4711 asked to join and was let in');
    expect(await isActive(service, 4711)).toBe(true);
    expect(await joinWith(service, link, 4712)).toContain('refused');
    const next = linkOf(await requestInviteLink(service));
    expect(await joinWith(service, next.link, 4712)).toContain('refused');
    expect(await joinWith(service, next.link, 4711)).toContain('was let in');
  });

  it('never links an account of another user', { tags: ['invite-link.bound-to-account'] }, async ({
    service,
    db,
  }) => {
    await buy(service, db);
    const { link } = linkOf(await requestInviteLink(service));
    expect(await joinWith(service, link, ADA)).toContain(
      'refused. This messenger account belongs to another person',
    );
    expect(await joinWith(service, link, 4711)).toContain('was let in');
  });

  it('links no account when the link comes from a caller without a role in the community', async ({
    service,
    db,
  }) => {
    await buy(service, db);
    const stranger = await keyWith(service, ['MEMBERSHIP_WRITE'], users.cleo.id);
    const { link } = linkOf(await requestInviteLink(service, 'buyer-7', stranger));
    expect(await joinWith(service, link, 4711)).toContain('refused. The buyer has no messenger account yet');
    expect(await isActive(service, 4711)).toBe(false);
    // An administrator of the community may, even if another user opened the checkout.
    await service.server.operator.assignRole({
      communityId: community.id,
      userId: users.cleo.id,
      role: 'ADMIN',
    });
    const admins = linkOf(await requestInviteLink(service, 'buyer-7', stranger));
    expect(await joinWith(service, admins.link, 4711)).toContain('was let in');
  });

  it('links no account when the caller who opened the checkout has lost the role', async ({
    service,
    db,
  }) => {
    const former = { communityId: community.id, userId: users.cleo.id, role: 'ADMIN' } as const;
    await buy(service, db, { callerId: former.userId });
    await service.server.operator.assignRole({ ...former, isActive: false });
    const key = await keyWith(service, ['MEMBERSHIP_WRITE'], former.userId);
    const { link } = linkOf(await requestInviteLink(service, 'buyer-7', key));
    expect(await joinWith(service, link, 4711)).toContain('refused. The buyer has no messenger account yet');
  });

  it('links no account once the caller who created the link has lost the role', async ({ service, db }) => {
    await buy(service, db);
    const role = { communityId: community.id, userId: users.cleo.id, role: 'ADMIN' } as const;
    await service.server.operator.assignRole(role);
    const key = await keyWith(service, ['MEMBERSHIP_WRITE'], role.userId);
    const { link } = linkOf(await requestInviteLink(service, 'buyer-7', key));
    await service.server.operator.assignRole({ ...role, isActive: false });
    expect(await joinWith(service, link, 4711)).toContain('refused. The buyer has no messenger account yet');
    await service.server.operator.assignRole(role);
    expect(await joinWith(service, link, 4711)).toContain('was let in');
  });

  it("links the account in the link's community only, whatever its owner does in the buyer's name", {
    tags: ['invite-link.bound-to-account'],
  }, async ({ service, db }) => {
    // Cleo owns a community and buys there with another user's email address.
    const { operator } = service.server;
    const own = await operator.createCommunity({ name: 'Lure', ownerId: users.cleo.id });
    await operator.change('communities', own.id, { messengerBot: 'lure_bot' });
    const plan = await operator.createPricingPlan({
      communityId: own.id,
      name: 'Cheap',
      priceMinor: 1,
      currency: 'EUR',
      provider: 'card',
    });
    const key = await keyWith(service, ['CHECKOUT_WRITE', 'MEMBERSHIP_WRITE'], users.cleo.id);
    const victim = {
      email: 'grace@example.com',
      communityId: own.id,
      pricingPlanId: plan.id,
      externalId: 'lure-1',
    };
    const path = await openCheckout(service, victim, key);
    expect((await pay(service.browser(), path, METHODS.card)).status).toBe(303);
    const lure = linkOf(await requestInviteLink(service, 'lure-1', key));
    expect(await joinWith(service, lure.link, 6666)).toContain('was let in');

    await buy(service, db);
    expect(await isActive(service, 6666)).toBe(false);
    const { link } = linkOf(await requestInviteLink(service));
    expect(await joinWith(service, link, 4711)).toContain('was let in');
    expect(await isActive(service, 4711)).toBe(true);
    expect(await joinWith(service, link, 6666)).toContain('refused');
    expect(await isActive(service, 6666)).toBe(false);
  });

  it('keeps the linked account in the community, whatever a provisioning names later', async ({
    service,
    db,
  }) => {
    await buy(service, db);
    const { link } = linkOf(await requestInviteLink(service));
    expect(await joinWith(service, link, 4711)).toContain('was let in');
    // The list of members and a provisioning find the buyer by the account of this community.
    const dana = await signedIn(service, 'dana@example.com');
    const members = await dana.get(`/seller/communities/${community.id}/members?q=4711`);
    expect(textOf(parsePage(await members.text()), 'main')).toContain('grace@example.com');
    const order = { externalOrderId: 'order-1', messengerUserId: 4711 };
    const found = await provision(service, order);
    expect(found.status).toBe('extended');
    expect(
      await provision(service, { externalOrderId: 'order-1', email: 'grace@example.com' }),
    ).toMatchObject({
      status: 'idempotent_return',
      userId: found.userId,
    });
    await provision(service, {
      externalOrderId: 'order-2',
      email: 'grace@example.com',
      messengerUserId: 4800,
    });
    expect(await isActive(service, 4800)).toBe(false);
    expect(await isActive(service, 4711)).toBe(true);
  });

  it('links exactly one account when many are sent concurrently', async ({ service, db }) => {
    const buyerId = await buy(service, db);
    const { link } = linkOf(await requestInviteLink(service));
    const messenger = service.server.messenger;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => messenger?.askToJoin(link, 5000 + index)),
    );
    const accepted = answers.flatMap((answer, index) => (answer?.kind === 'accepted' ? [5000 + index] : []));
    expect(accepted).toHaveLength(1);
    const { messenger_user_id } = await db
      .selectFrom('messenger_accounts')
      .select('messenger_user_id')
      .where('user_id', '=', buyerId)
      .executeTakeFirstOrThrow();
    expect([messenger_user_id]).toEqual(accepted);
  });
});

describe('page of an invite link', () => {
  it('offers the users with messenger accounts, and any number', async ({ service, db }) => {
    await buy(service, db);
    const { link } = linkOf(await requestInviteLink(service));
    const page = await service.request(new URL(link).pathname);
    const $ = parsePage(await page.text());
    expect(textOf($, 'h1')).toBe(`Join ${community.name}`);
    const accounts = $('button[name="messengerUserId"]')
      .toArray()
      .map((button) => $(button).attr('value'));
    expect(accounts).toEqual([String(ADA), String(BEN)]);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(formOf($, new URL(link).pathname)).toBeDefined();
  });

  it.for(['0', '-1', '1.5', 'ada', '', '9007199254740992', '01', '1e3'])(
    'rejects the account number %j',
    async (messengerUserId, { service, db }) => {
      await buy(service, db);
      const { link } = linkOf(await requestInviteLink(service));
      const answer = await service.browser().post(new URL(link).pathname, { messengerUserId });
      expect(answer.status).toBe(400);
      const $ = parsePage(await answer.text());
      expect(textOf($, '[role="alert"]')).toContain('whole number');
      expect($('#messengerUserId').attr('value')).toBe(messengerUserId);
      expect(await db.selectFrom('messenger_join_requests').selectAll().execute()).toEqual([]);
    },
  );

  it('is 404 for an unknown link, and rejects forms of other sites', async ({ service, db }) => {
    await buy(service, db);
    const { pathname } = new URL(linkOf(await requestInviteLink(service)).link);
    const browser = service.browser();
    for (const path of ['/sandbox/messenger/unknown', `${pathname}0`]) {
      expect((await browser.get(path)).status).toBe(404);
      expect((await browser.post(path, { messengerUserId: '1' })).status).toBe(404);
      expect((await browser.post(path, { messengerUserId: 'x' })).status).toBe(404);
    }
    const elsewhere = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    expect((await browser.post(pathname, { messengerUserId: '1' }, elsewhere)).status).toBe(403);
    expect(await db.selectFrom('messenger_join_requests').selectAll().execute()).toEqual([]);
  });

  it('shows the results of its own requests only', async ({ service, db }) => {
    await buy(service, db);
    await buy(service, db, { externalId: 'buyer-8', email: 'other@example.com' });
    const one = new URL(linkOf(await requestInviteLink(service)).link).pathname;
    const other = new URL(linkOf(await requestInviteLink(service, 'buyer-8')).link).pathname;
    const answer = await service.browser().post(one, { messengerUserId: '4711' });
    const { search } = new URL(locationOf(answer), service.baseUrl);
    expect(await (await service.request(`${one}${search}`)).text()).toContain('was let in');
    expect(await (await service.request(`${other}${search}`)).text()).not.toContain('was let in');
  });
});

describe('messenger of the sandbox', () => {
  it('shows a community’s chat members, their membership state and the join requests', async ({
    service,
    db,
  }) => {
    const userId = await buy(service, db, { email: users.ben.email });
    const grant = { userId, productType: 'community' as const, communityId: community.id };
    await service.server.operator.grantMembership({ ...grant, validFrom: START, validUntil: START + HOUR });
    const messengerText = async () =>
      textOf(parsePage(await (await service.request('/sandbox/messenger')).text()), 'main');
    expect(await messengerText()).toContain('Empty chat');
    const { link } = linkOf(await requestInviteLink(service));
    await joinWith(service, link, BEN);
    await joinWith(service, link, ADA);
    const text = await messengerText();
    expect(text).toContain(community.name);
    expect(text).toContain('Ben Visitor');
    expect(text).toContain('This link is for another messenger account');
    expect(text).not.toContain('Ended');
    service.clock.advance(HOUR);
    expect(await messengerText()).toContain('Ended');
  });
});

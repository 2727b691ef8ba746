import { PATHS } from '@latchkey/contract/constants';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { callWithKey, keyWith } from './api-key-requests.js';
import type { Browser } from './browser.js';
import { it, METHODS, openCheckout, pay } from './checkout-world.js';
import { buy, linkOf, requestInviteLink } from './messenger-world.js';
import { parsePage, textOf } from './pages/page-document.js';
import { postProvision } from './provision-requests.js';
import type { ServiceUnderTest } from './service-under-test.js';

const { users, community } = sandboxScenario;
const MALLORY = 'mallory@evil.example';
const MEMBER = 70_001;
const MALLORYS_ACCOUNT = 66_666;

/** Community of another partner with its key. */
interface Partner {
  communityId: string;
  key: string;
}

/** Creates a community of Cleo, who is an ordinary partner of the service. */
async function otherPartner({ server, ...service }: ServiceUnderTest): Promise<Partner> {
  const { id } = await server.operator.createCommunity({ name: 'Lure', ownerId: users.cleo.id });
  await server.operator.change('communities', id, { messengerBot: 'lure_bot' });
  await server.operator.change('users', users.cleo.id, { mayProvision: true });
  const key = await keyWith(
    { server, ...service },
    ['MEMBERSHIP_READ', 'MEMBERSHIP_WRITE', 'MEMBERSHIP_PROVISION', 'CHECKOUT_WRITE'],
    users.cleo.id,
  );
  return { communityId: id, key };
}

interface Order {
  email?: string;
  messengerUserId?: number;
  externalOrderId?: string;
}

/** Provisions, in the seeded community or in the partner's, and returns the user's id and the status. */
async function provisionIn(service: ServiceUnderTest, order: Order, partner?: Partner) {
  const { communityId = community.id, key } = partner ?? {};
  const answer = await postProvision(service, { ...order, communityId }, key);
  expect(answer.status, answer.text).toBe(200);
  return (answer.body as { data: { userId: string; status: string; membershipId: string } }).data;
}

async function isActive(service: ServiceUnderTest, messengerUserId: number, partner?: Partner) {
  const path = PATHS.checkMessenger
    .replace('{communityId}', partner?.communityId ?? community.id)
    .replace('{messengerUserId}', String(messengerUserId));
  const { body } = await callWithKey(service, { path, ...(partner && { key: partner.key }) });
  return (body as { data: { isActive: boolean } }).data.isActive;
}

/** Signs in with an emailed code, and returns the user's id. */
async function signInByCode(service: ServiceUnderTest, email: string): Promise<string> {
  const browser = service.browser();
  await browser.post('/sign-in/code', { email });
  const code = service.server.mailbox?.latestFor(email)?.code ?? '';
  expect((await browser.post('/sign-in/verify', { code })).status).toBe(303);
  return await accountId(browser);
}

async function accountId(browser: Browser): Promise<string> {
  const account = await browser.get('/account/profile');
  return String(
    parsePage(await account.text())('input[name="account"]')
      .first()
      .attr('value'),
  );
}

describe('email address from a partner', () => {
  it('does not open the account of a user that another partner knows by messenger', async ({ service }) => {
    const member = await provisionIn(service, { messengerUserId: MEMBER });
    const partner = await otherPartner(service);
    await provisionIn(service, { email: MALLORY, messengerUserId: MEMBER }, partner);
    expect(await signInByCode(service, MALLORY)).not.toBe(member.userId);
    expect(await isActive(service, MEMBER)).toBe(true);
  });

  it('does not open the account of a user that has an address, also in the community of the address', async ({
    service,
  }) => {
    const order = { email: 'grace@example.com', messengerUserId: MEMBER };
    const member = await provisionIn(service, order);
    const again = await provisionIn(service, { email: MALLORY, messengerUserId: MEMBER });
    expect(again.userId).toBe(member.userId);
    expect(await signInByCode(service, MALLORY)).not.toBe(member.userId);
    expect(await signInByCode(service, order.email)).toBe(member.userId);
  });

  it('makes its holder the user that the same partner created by messenger', async ({ service }) => {
    const member = await provisionIn(service, { messengerUserId: MEMBER });
    const named = await provisionIn(service, { email: 'grace@example.com', messengerUserId: MEMBER });
    expect(named).toMatchObject({ userId: member.userId, status: 'idempotent_return' });
    expect(await signInByCode(service, 'grace@example.com')).toBe(member.userId);
    expect(await isActive(service, MEMBER)).toBe(true);
  });

  it('does not open what a third community granted to the user', async ({ service, db }) => {
    // Such users exist after the operator's grants.
    const partner = await otherPartner(service);
    const member = await provisionIn(service, { messengerUserId: MEMBER }, partner);
    const grant = { userId: member.userId, productType: 'community' as const, communityId: community.id };
    await service.server.operator.grantMembership(grant);
    const order = { email: MALLORY, messengerUserId: MEMBER };
    expect((await provisionIn(service, order, partner)).userId).toBe(member.userId);
    expect(await provisionIn(service, { email: MALLORY }, partner)).toMatchObject({
      userId: member.userId,
      status: 'idempotent_return',
    });
    // In other communities the address has no account, so it can sign up for their drops.
    const signup = await callWithKey(service, {
      path: '/api/drop-notification/signup',
      json: { communityId: community.id, email: MALLORY },
    });
    expect(signup.body).toMatchObject({ data: { signedUp: true, hasExistingAccount: false } });
    expect(await signInByCode(service, MALLORY)).not.toBe(member.userId);
    const stored = db.selectFrom('users').select('email').where('id', '=', member.userId);
    expect(await stored.executeTakeFirst()).toEqual({ email: null });
  });

  it('does not let a stranger’s payment for a renewing plan reject the partner’s next order', async ({
    service,
  }) => {
    const member = { email: 'grace@example.com', messengerUserId: MEMBER };
    for (const known of [member, { messengerUserId: MEMBER + 1 }]) {
      await provisionIn(service, known);
      const email = known === member ? member.email : 'heidi@example.com';
      const path = await openCheckout(service, { email, externalId: email });
      expect((await pay(service.browser(), path, METHODS.card)).status).toBe(303);
      for (const externalOrderId of ['order-2', 'order-3']) {
        const next = { ...known, email, externalOrderId };
        expect(await provisionIn(service, next)).toMatchObject({ status: 'extended' });
      }
    }
  });

  it('of two partners for one messenger account leads to two users, each with the own membership', async ({
    service,
  }) => {
    const partner = await otherPartner(service);
    const here = await provisionIn(service, { email: 'one@example.com', messengerUserId: MEMBER });
    const there = await provisionIn(service, { email: 'two@example.com', messengerUserId: MEMBER }, partner);
    expect(there.userId).not.toBe(here.userId);
    expect(await signInByCode(service, 'one@example.com')).toBe(here.userId);
    expect(await signInByCode(service, 'two@example.com')).toBe(there.userId);
    expect(await provisionIn(service, { messengerUserId: MEMBER })).toMatchObject({ userId: here.userId });
    expect(await provisionIn(service, { messengerUserId: MEMBER }, partner)).toMatchObject({
      userId: there.userId,
    });
  });

  it('is one user in all communities once its holder signs in, who finds every membership', async ({
    service,
    db,
  }) => {
    const partner = await otherPartner(service);
    const here = await provisionIn(service, { email: 'one@example.com' });
    service.clock.advance(1000);
    const there = await provisionIn(service, { email: 'one@example.com' }, partner);
    expect(there.userId).not.toBe(here.userId);
    expect(await signInByCode(service, 'one@example.com')).toBe(here.userId);
    const held = db.selectFrom('memberships').select('id').where('user_id', '=', here.userId).orderBy('id');
    const ids = [here.membershipId, there.membershipId].sort();
    expect((await held.execute()).map(({ id }) => id)).toEqual(ids);
    // From now on, both partners are told the same.
    const later = await provisionIn(service, { email: 'one@example.com', externalOrderId: 'later' }, partner);
    expect(later.userId).toBe(here.userId);
  });
});

describe('messenger account from a partner', () => {
  it('counts in the community of that partner only', async ({ service }) => {
    const partner = await otherPartner(service);
    await provisionIn(service, { email: 'grace@example.com' });
    const order = { email: 'grace@example.com', messengerUserId: MALLORYS_ACCOUNT };
    await provisionIn(service, order, partner);
    expect(await isActive(service, MALLORYS_ACCOUNT)).toBe(false);
    expect(await isActive(service, MALLORYS_ACCOUNT, partner)).toBe(true);
  });

  it('admits to no chat of another community', async ({ service, db }) => {
    const partner = await otherPartner(service);
    await buy(service, db);
    const order = { email: 'grace@example.com', messengerUserId: MALLORYS_ACCOUNT };
    await provisionIn(service, order, partner);
    const { link } = linkOf(await requestInviteLink(service));
    const messenger = service.server.messenger;
    expect(await messenger?.askToJoin(link, 4711)).toMatchObject({ kind: 'accepted' });
    expect(await messenger?.askToJoin(link, MALLORYS_ACCOUNT)).toMatchObject({ kind: 'rejected' });
  });

  it('does not shut the real holder out of another community', async ({ service, db }) => {
    // The partner claims the victim's account for its own address.
    const partner = await otherPartner(service);
    await provisionIn(service, { email: MALLORY, messengerUserId: MEMBER }, partner);
    await buy(service, db);
    const { link } = linkOf(await requestInviteLink(service));
    expect(await service.server.messenger?.askToJoin(link, MEMBER)).toMatchObject({ kind: 'accepted' });
    expect(await isActive(service, MEMBER)).toBe(true);
  });

  it('that joins by the link of a partner counts in that community only, also for a user without sign-in', async ({
    service,
  }) => {
    const member = await provisionIn(service, { email: 'grace@example.com' });
    const partner = await otherPartner(service);
    const { operator } = service.server;
    const plan = await operator.createPricingPlan({
      communityId: partner.communityId,
      name: 'Cheap',
      priceMinor: 1,
      currency: 'EUR',
      provider: 'card',
    });
    const order = { email: 'grace@example.com', externalId: 'lure-1', pricingPlanId: plan.id };
    const path = await openCheckout(service, { ...order, communityId: partner.communityId }, partner.key);
    expect((await pay(service.browser(), path, METHODS.card)).status).toBe(303);
    const lure = linkOf(await requestInviteLink(service, 'lure-1', partner.key));
    const joined = await service.server.messenger?.askToJoin(lure.link, MALLORYS_ACCOUNT);
    expect(joined).toMatchObject({ kind: 'accepted' });
    expect(await isActive(service, MALLORYS_ACCOUNT, partner)).toBe(true);
    expect(await isActive(service, MALLORYS_ACCOUNT)).toBe(false);
    const byAccount = await provisionIn(service, { messengerUserId: MALLORYS_ACCOUNT });
    expect(byAccount.userId).not.toBe(member.userId);
  });

  it('that the operator entered counts in all communities, and is never replaced', async ({ service }) => {
    const partner = await otherPartner(service);
    const byAccount = await provisionIn(service, { messengerUserId: users.ada.messengerUserId }, partner);
    expect(byAccount.userId).toBe(users.ada.id);
    const order = { email: users.ada.email, messengerUserId: MALLORYS_ACCOUNT };
    await provisionIn(service, order, partner);
    expect(await isActive(service, MALLORYS_ACCOUNT, partner)).toBe(false);
    expect(await isActive(service, users.ada.messengerUserId, partner)).toBe(true);
  });

  it('keeps leading to one user for the same partner', async ({ service }) => {
    const both = { email: 'grace@example.com', messengerUserId: MEMBER };
    const made = await provisionIn(service, both);
    for (const identifiers of [both, { messengerUserId: MEMBER }, { email: both.email }]) {
      expect(await provisionIn(service, identifiers)).toEqual({ ...made, status: 'idempotent_return' });
    }
    const later = await provisionIn(service, { messengerUserId: MEMBER, externalOrderId: 'order-2' });
    expect(later).toMatchObject({ userId: made.userId, status: 'extended' });
  });

  it('is found in the list of members of its community', async ({ service }) => {
    await provisionIn(service, { email: 'grace@example.com', messengerUserId: MEMBER });
    const dana = service.browser();
    await dana.post('/sandbox/sign-in', { email: users.dana.email });
    const page = await dana.get(`/seller/communities/${community.id}/members?q=${MEMBER}`);
    expect(textOf(parsePage(await page.text()), 'main')).toContain('grace@example.com');
  });
});

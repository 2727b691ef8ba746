import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { startCharge } from '../src/features/charges/charges.js';
import { insertUser } from '../src/features/memberships/claims.js';
import { deletedUserIdOf } from '../src/features/users/users.js';
import { callWithKey, checkPath } from './api-key-requests.js';
import {
  allow,
  callResource,
  confidentialRedemption,
  confidentialRequest,
  errorOf,
  postToken,
  publicTokens,
  refreshPublic,
  signedIn,
} from './authorization-flow.js';
import {
  buyersBrowser,
  eventsOf,
  METHODS,
  membershipOf,
  openCheckout,
  pay,
  payFor,
} from './checkout-world.js';
import { provision } from './provision-requests.js';
import {
  acceptInvitation,
  COMMUNITY,
  createAccount,
  factsIn,
  firstIdIn,
  sellerOf,
  statusIn,
  tableIn,
} from './seller-area.js';
import { type ServiceUnderTest, START } from './service-under-test.js';
import { itWithDatabase as it, membershipEventsOf } from './service-with-database.js';

const { users, community, products } = sandboxScenario;
const DAY = 24 * 3600_000;
const BEN = users.ben.email;

const deleteUser = (service: ServiceUnderTest, user: { id: string } | { email: string }) =>
  service.server.operator.deleteUser(user);

async function idOf(service: ServiceUnderTest, email: string): Promise<string> {
  return (await service.server.operator.findUser(email)).id;
}

describe('deletion of an account', () => {
  it('ends tokens, codes and sessions at once', async ({ service }) => {
    const browser = await signedIn(service, BEN);
    const pair = await publicTokens(service, { email: BEN });
    const code = await allow(browser, confidentialRequest());
    await deleteUser(service, { id: users.ben.id });
    const failure = { status: 401, error: 'invalid_token' };
    expect(await errorOf(await callResource(service, pair.access_token))).toEqual(failure);
    const memberships = await callResource(service, pair.access_token, '/oauth/memberships');
    expect(await errorOf(memberships)).toEqual(failure);
    const grant = { status: 400, error: 'invalid_grant' };
    expect(await errorOf(await refreshPublic(service, pair.refresh_token))).toEqual(grant);
    expect(await errorOf(await postToken(service, confidentialRedemption(code)))).toEqual(grant);
    expect((await browser.get('/account')).status).toBe(302);
  });

  it('answers the same when it is repeated, and never ends the next account of the address', async ({
    service,
  }) => {
    const { id } = users.ben;
    expect(await deleteUser(service, { id })).toEqual({ id });
    expect(await deleteUser(service, { id: id.toUpperCase() })).toEqual({ id });
    await expect(deleteUser(service, { email: BEN })).rejects.toMatchObject({ code: 'not_found' });
    await createAccount(service, BEN);
    const next = await idOf(service, BEN);
    expect(await deleteUser(service, { id })).toEqual({ id });
    expect(await idOf(service, BEN)).toBe(next);
  });

  it('frees the address for a new, empty account, which partners find from then on', async ({
    service,
    db,
  }) => {
    const before = await provision(service, { email: BEN, externalOrderId: 'order-1' });
    expect(before.userId).toBe(users.ben.id);
    await deleteUser(service, { email: BEN });
    await createAccount(service, BEN);
    const next = await idOf(service, BEN);
    expect([users.ben.id, deletedUserIdOf(users.ben.id)]).not.toContain(next);
    const account = await (await sellerOf(service, BEN)).page('/account');
    expect(account('#memberships table')).toHaveLength(0);
    // The same order is a new one for the new account.
    const after = await provision(service, { email: BEN, externalOrderId: 'order-1' });
    expect(after).toMatchObject({ status: 'created', userId: next });
    expect(after.membershipId).not.toBe(before.membershipId);
    expect(await membershipOf(db, BEN)).toMatchObject({ id: after.membershipId });
  });

  it('lets a partner create a new user for the address and the messenger account', async ({ service }) => {
    const { email, messengerUserId } = users.ben;
    await provision(service, { email, messengerUserId, externalOrderId: 'order-1' });
    expect(
      (await callWithKey(service, { path: checkPath(undefined, `${messengerUserId}`) })).body,
    ).toMatchObject({
      data: { isActive: true },
    });
    await deleteUser(service, { email });
    const check = await callWithKey(service, { path: checkPath(undefined, `${messengerUserId}`) });
    expect(check.body).toMatchObject({ data: { isActive: false } });
    const { userId } = await provision(service, { email, messengerUserId, externalOrderId: 'order-2' });
    expect([users.ben.id, deletedUserIdOf(users.ben.id)]).not.toContain(userId);
  });

  it('ends active memberships with their events, and cancels subscriptions', async ({ service, db }) => {
    await payFor(service, {}, METHODS.card, await buyersBrowser(service, BEN));
    const membership = await membershipOf(db, BEN);
    service.clock.advance(DAY);
    await deleteUser(service, { email: BEN });
    const events = await membershipEventsOf(db, users.ben.id);
    expect(events.at(-1)).toMatchObject({
      type: 'membership.updated',
      createdAt: new Date(START + DAY).toISOString(),
      data: {
        user: { sub: users.ben.id, email: BEN },
        membership: { id: membership?.id, isActive: false, validUntil: new Date(START + DAY).toISOString() },
      },
    });
    const count = (await eventsOf(db)).length;
    service.clock.advance(60 * DAY);
    await service.server.runBackgroundWork();
    // Nothing renews it, no expiry is announced again, and older events expire.
    expect((await eventsOf(db)).length).toBeLessThanOrEqual(count);
    expect(await db.selectFrom('payments').select('user_id').execute()).toEqual([
      { user_id: deletedUserIdOf(users.ben.id) },
    ]);
  });

  it('ends roles in communities of others, and invitations', async ({ service, db }) => {
    const dana = await sellerOf(service);
    await dana.submit(`${COMMUNITY}/roles`, { email: 'kim@example.com', role: 'ADMIN' });
    await createAccount(service, 'kim@example.com');
    await acceptInvitation(service, 'kim@example.com');
    const kim = await sellerOf(service, 'kim@example.com');
    await kim.page(COMMUNITY);
    await dana.submit(`${COMMUNITY}/members`, { email: 'kim@example.com', validFrom: '', validUntil: '' });
    await deleteUser(service, { email: 'kim@example.com' });
    expect(tableIn(await dana.page(`${COMMUNITY}/roles`), 'Roles').join()).not.toContain('kim');
    expect(await db.selectFrom('invitations').selectAll().execute()).toEqual([]);
  });
});

describe('deletion by the operator', () => {
  it('needs either the id or the address, so that they cannot name two users', async ({ service }) => {
    const { operator } = service.server;
    const { id } = users.ben;
    for (const user of [{ id, email: users.ada.email }, {}, { id: undefined, email: undefined }]) {
      await expect(operator.deleteUser(user as { id: string })).rejects.toMatchObject({
        code: 'invalid_input',
        message: 'Pass either the id or the email address of the user.',
      });
    }
    expect(await idOf(service, BEN)).toBe(id);
    expect(await operator.deleteUser({ id: undefined, email: BEN })).toEqual({ id });
  });
});

describe('id of a deleted account', () => {
  it('is never given to another user by the operator', async ({ service }) => {
    const { id, email } = users.ben;
    await deleteUser(service, { id });
    await expect(service.server.operator.createUser({ id, email })).rejects.toMatchObject({
      code: 'already_exists',
      message: expect.stringContaining(`The account with the id ${id} was deleted.`),
    });
    await expect(service.server.operator.createUser({ email })).resolves.toBeDefined();
  });

  it('can come back with restored rows, which are deleted again and kept apart', async ({ service, db }) => {
    const { id, email } = users.ben;
    for (const externalId of ['order-7', 'order-8']) {
      await payFor(service, { externalId });
      await deleteUser(service, { id });
      await insertUser(db, { id, email, name: null, messengerUserId: null }, START);
    }
    const buyers = await db.selectFrom('payments').select('user_id').execute();
    expect(buyers.map(({ user_id }) => user_id).toSorted()).toEqual(
      [deletedUserIdOf(id), deletedUserIdOf(id, 1)].toSorted(),
    );
  });
});

describe('obstacles to a deletion', () => {
  it('are communities, products, clients and API keys of the user, and the error lists them', async ({
    service,
    db,
  }) => {
    const { id } = users.dana;
    const error = await deleteUser(service, { id }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(
        /^The account can't be deleted yet\. Hand over the communities first: ".*\. Delete or hand over the products first: ".*\. Delete the OAuth clients first: ".*\. Revoke the API keys first: ".*\.$/s,
      ),
    });
    for (const name of [community.name, products.brewGuide.name])
      expect(error).toHaveProperty('message', expect.stringContaining(`"${name}"`));
    expect(await db.selectFrom('users').select('email').where('id', '=', id).execute()).toHaveLength(1);
  });

  it('end when a community is handed over, a client is deleted and a key is revoked', async ({ service }) => {
    const { operator } = service.server;
    const { id } = await operator.createUser({ email: 'olive@example.com' });
    const { id: communityId } = await operator.createCommunity({ name: 'Tea Club', ownerId: id });
    const key = await operator.createApiKey({ ownerId: id, name: 'Bot', permissions: ['MEMBERSHIP_READ'] });
    await expect(deleteUser(service, { id })).rejects.toThrow(/Tea Club.*Bot/);
    await operator.end('keys', key.id);
    await operator.assignRole({ communityId, userId: users.dana.id, role: 'OWNER' });
    await acceptInvitation(service, users.dana.email);
    await expect(deleteUser(service, { id })).rejects.toThrow(/Tea Club/);
    await operator.assignRole({ communityId, userId: id, role: 'ADMIN' });
    await expect(deleteUser(service, { id })).resolves.toEqual({ id });
  });

  it('end when a sold product is handed over', async ({ service, db }) => {
    const { operator } = service.server;
    const { id } = await operator.createUser({ email: 'olive@example.com' });
    const product = { ownerId: id, name: 'Leaflet', slug: 'leaflet' };
    const { id: productId } = await operator.createProduct(product);
    const sold = { userId: users.ben.id, productType: 'digital_product', productId } as const;
    const { id: membershipId } = await operator.grantMembership(sold);
    await expect(deleteUser(service, { id })).rejects.toThrow(
      /Delete or hand over the products first: "Leaflet"/,
    );
    await operator.change('products', productId, { ownerId: users.dana.id });
    await expect(deleteUser(service, { id })).resolves.toEqual({ id });
    const kept = db.selectFrom('memberships').select('valid_until').where('id', '=', membershipId);
    expect(await kept.execute()).toEqual([{ valid_until: null }]);
  });

  it('are charges without a stored result', async ({ service, db }) => {
    await payFor(service);
    const { id: reservationId } = await db
      .selectFrom('checkout_reservations')
      .select('id')
      .executeTakeFirstOrThrow();
    const charge = { order_id: 'order-9', reservation_id: reservationId, user_id: users.ben.id };
    await startCharge(db, charge, START);
    // The checkout is opened again for another buyer.
    await db.updateTable('checkout_reservations').set({ user_id: users.ada.id }).execute();
    await expect(deleteUser(service, { email: BEN })).rejects.toMatchObject({
      code: 'conflict',
      message: "The account can't be deleted yet. A charge is running. Wait until its result is stored.",
    });
    await db.deleteFrom('charges').execute();
    await expect(deleteUser(service, { email: BEN })).resolves.toEqual({ id: users.ben.id });
  });

  it('leave an address that nobody proved as unproven as it was', async ({ service, db }) => {
    const email = 'typed@example.com';
    await payFor(service, { email });
    const { id: reservationId, user_id: buyerId } = await db
      .selectFrom('checkout_reservations')
      .select(['id', 'user_id'])
      .executeTakeFirstOrThrow();
    const charge = { order_id: 'order-9', reservation_id: reservationId, user_id: buyerId };
    await startCharge(db, charge, START);
    await expect(deleteUser(service, { email })).rejects.toThrow(/A charge is running/);
    expect(await db.selectFrom('users').select('id').where('email', '=', email).execute()).toEqual([]);
    await db.deleteFrom('charges').execute();
    await expect(deleteUser(service, { email })).resolves.toEqual({ id: buyerId });
  });

  it('are not invalid and unknown ids, which have errors of their own', async ({ service }) => {
    await expect(deleteUser(service, { id: 'ben' })).rejects.toMatchObject({ code: 'invalid_input' });
    const unknown = '5eed0000-0000-4000-8000-0000000000ff';
    await expect(deleteUser(service, { id: unknown })).rejects.toMatchObject({ code: 'not_found' });
    // The row that keeps the payments is no user.
    await deleteUser(service, { email: BEN });
    await expect(deleteUser(service, { id: deletedUserIdOf(users.ben.id) })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('deleted account on the pages of a seller', () => {
  it('is "Deleted account" among members and sales, without a link to invite it', async ({ service }) => {
    await payFor(service, { utmSource: 'newsletter' });
    await deleteUser(service, { email: BEN });
    const dana = await sellerOf(service);
    expect(tableIn(await dana.page(`${COMMUNITY}/sales`), 'Payments')).toEqual([
      'Deleted account | Monthly | Paid | newsletter | 12 Jun 2026, 14:05 UTC | €9.00',
    ]);
    const members = await dana.page(`${COMMUNITY}/members?status=ended`);
    expect(tableIn(members, 'Members')).toContainEqual(
      expect.stringMatching(/^Deleted account \| Monthly \| Ended/),
    );
    const $ = await dana.page(`${COMMUNITY}/members/${firstIdIn(members)}`);
    expect($('h1').text()).toBe('Deleted account');
    expect(statusIn($)).toBe('Ended');
    expect(factsIn($)).toMatchObject({ 'E-mail address': 'None', 'Messenger ID': 'None' });
    expect($('#again')).toHaveLength(0);
    expect($('main form')).toHaveLength(0);
  });

  it('has rows in the export of the memberships, which name no person', async ({ service, db }) => {
    await payFor(service);
    const membership = await membershipOf(db, BEN);
    await deleteUser(service, { email: BEN });
    const dana = await sellerOf(service);
    const csv = await (await dana.get(`${COMMUNITY}/members.csv`)).text();
    expect(csv).toContain(`${membership?.id},`);
    expect(csv).not.toContain('ben');
  });

  it('is gone from a product that it bought, and keeps its sale', async ({ service }) => {
    const path = await openCheckout(service, { email: BEN });
    await pay(service.browser(), path, METHODS.declined);
    await deleteUser(service, { email: BEN });
    expect((await service.browser().get(path)).status).toBe(404);
    const dana = await sellerOf(service);
    expect(tableIn(await dana.page(`${COMMUNITY}/sales`), 'Payments')).toEqual([
      expect.stringMatching(/^Deleted account \| Monthly \| Failed card declined/),
    ]);
  });
});

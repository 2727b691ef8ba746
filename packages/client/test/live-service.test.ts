import { fakeUser, startFakeService } from '@latchkey/conformance/scripted-service';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { LatchkeyClient } from '../src/index.js';

const SERVICE_NAMES = { apiKeyPrefix: 'acme_', messenger: 'telegram' };
const START = Date.UTC(2030, 0, 1);
const DAY = 24 * 3_600_000;
const EMAIL = 'ada@example.com';

let now: number;
beforeEach(() => {
  now = START;
});

/** A service with state, under its own names, and a client of its seller. */
async function open() {
  const clock = { now: () => now };
  const service = await startFakeService({ clock, serviceNames: SERVICE_NAMES });
  onTestFinished(service.close);
  const { id: communityId } = service.addCommunity();
  const options = { serviceUrl: service.url, serviceNames: SERVICE_NAMES, clock, maxRetries: 0 };
  const client = new LatchkeyClient({ ...options, apiKey: `acme_${'k'.repeat(43)}` });
  const ada = service.addUser({ ...fakeUser(EMAIL), messengerUserId: 7 });
  const provision = (externalOrderId: string, fields: object = {}) =>
    client.provisionExternal({ communityId, externalOrderId, email: EMAIL, ...fields });
  return { service, client, communityId, ada, provision };
}

const day = (days: number) => new Date(START + days * DAY).toISOString();

describe('a service with state', () => {
  it('provisions by the table of the spec [assumes clock-agreement]', async () => {
    const { service, ada, communityId, provision } = await open();
    const first = await provision('order-1', { validUntil: day(10) });
    expect(first).toMatchObject({ status: 'created', validFrom: day(0), validUntil: day(10) });
    expect(first.userId?.toLowerCase()).toBe(service.userIdOf(ada).toLowerCase());
    expect(await provision('order-1')).toMatchObject({ status: 'idempotent_return', validUntil: day(10) });
    expect(await provision('order-2', { validUntil: day(5) })).toMatchObject({
      ...{ status: 'extended', validUntil: day(10) },
    });
    const replaced = await provision('order-3', { validUntil: day(5), onOverlap: 'replace' });
    expect(replaced).toMatchObject({ status: 'extended', validUntil: day(5) });
    await expect(provision('order-4', { onOverlap: 'error' })).rejects.toMatchObject({ status: 409 });
    now += 5 * DAY;
    expect(await provision('order-5', { validUntil: day(9), onOverlap: 'error' })).toMatchObject({
      status: 'replaced',
    });
    expect((await provision('order-6')).validUntil).toBeNull();
    service.renew(ada, communityId, 30);
    await expect(provision('order-7')).rejects.toMatchObject({ status: 409 });
  });

  it('keeps the membership id over extensions [assumes membership-id-stable]', async () => {
    const { provision } = await open();
    const first = await provision('order-1', { validUntil: day(10) });
    expect((await provision('order-2', { validUntil: day(20) })).membershipId).toBe(first.membershipId);
  });

  it('sells a plan, then checks and invites the buyer', async () => {
    const { service, client, communityId } = await open();
    const check = () => client.checkMessenger({ communityId, messengerUserId: 7 });
    expect(await check()).toMatchObject({ isActive: false, membershipId: null });
    const { id: pricingPlanId } = service.addPlan({ communityId, days: 30 });
    const order = { pricingPlanId, communityId, externalId: 'buyer-1', email: EMAIL };
    const urls = { successUrl: 'https://shop.example/done', cancelUrl: 'https://shop.example/no' };
    const { checkoutUrl } = await client.buyPlan({ ...order, ...urls });
    await expect(client.inviteLink({ externalId: 'buyer-1' })).rejects.toMatchObject({ status: 404 });
    service.pay(checkoutUrl);
    expect(await check()).toMatchObject({ isActive: true, membershipId: expect.any(String) });
    expect(await client.inviteLink({ externalId: 'buyer-1' })).toMatchObject({ expiresAt: day(1) });
    now += 30 * DAY;
    expect(await check()).toMatchObject({ isActive: false });
    await expect(client.inviteLink({ externalId: 'buyer-1' })).rejects.toMatchObject({ status: 401 });
  });

  it('signs up for a drop once, and no address of an account', async () => {
    const { service, client, communityId } = await open();
    service.addDrop({ communityId });
    const signUp = (email: string) => client.dropSignup({ communityId, email });
    expect(await signUp('new@example.com')).toMatchObject({ signedUp: true, hasExistingAccount: false });
    await expect(signUp('new@example.com')).rejects.toMatchObject({ status: 409 });
    expect(await signUp(EMAIL)).toMatchObject({ signedUp: false, hasExistingAccount: true });
  });

  it('rejects other keys, missing permissions and communities of others', async () => {
    const { service, client, communityId } = await open();
    service.addApiKey({ key: `acme_${'k'.repeat(43)}`, permissions: ['MEMBERSHIP_READ'] });
    const check = (id: string, by = client) => by.checkMessenger({ communityId: id, messengerUserId: 7 });
    expect(await check(communityId)).toMatchObject({ isActive: false });
    await expect(client.dropSignup({ communityId, email: EMAIL })).rejects.toMatchObject({ status: 403 });
    const { id: foreign } = service.addCommunity({ ownerId: 'another seller' });
    await expect(check(foreign)).rejects.toMatchObject({ status: 403 });
    const options = {
      serviceUrl: service.url,
      serviceNames: SERVICE_NAMES,
      apiKey: 'acme_unknown-key-0123456789',
    };
    await expect(check(communityId, new LatchkeyClient(options))).rejects.toMatchObject({ status: 401 });
  });
});

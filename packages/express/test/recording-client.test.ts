import { LatchkeyClient } from '@latchkey/client';
import { type RunningSandbox, sandboxScenario, seedSandbox, startSandbox } from '@latchkey/sandbox';
import { createManualClock } from '@latchkey/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MembershipNotRecordedError, memoryDirectory, recordingClient } from '../src/index.js';

const { apiKey, community, memberships, plans, users } = sandboxScenario;
const DAY = 24 * 3600_000;
const silent = { info: () => {}, warn: () => {}, error: () => {} };

let sandbox: RunningSandbox;
const clock = createManualClock(Date.now());
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, clock, logger: silent, backgroundWork: false });
  await seedSandbox(sandbox, { scriptTagShop: 'http://localhost:1', backendShop: 'http://localhost:2' });
});
afterAll(() => sandbox.close());

let orders = 0;
/** A client that records, its directory, and an order of a new buyer. */
function start() {
  const directory = memoryDirectory({ clock });
  const client = new LatchkeyClient({ serviceUrl: sandbox.baseUrl, apiKey, clock, maxRetries: 0 });
  orders += 1;
  const order = {
    communityId: community.id,
    externalOrderId: `order-${orders}`,
    email: `buyer-${orders}@example.com`,
  };
  const entry = async (id: string) => (await directory.find([id])).get(id);
  return { directory, client, recording: recordingClient(client, directory, { clock }), order, entry };
}

const ofClub = (membershipId: string, pricingPlanId: string | null) => ({
  membershipId,
  communityId: community.id,
  productId: null,
  pricingPlanId,
});

describe('recordingClient', () => {
  it('records a provisioned membership before it resolves', async () => {
    const { recording, order, entry } = start();
    const { membershipId } = await recording.provisionExternal({ ...order, pricingPlanId: plans.monthly.id });
    expect(await entry(membershipId)).toEqual(ofClub(membershipId, plans.monthly.id));
  });

  it('records the membership of a messenger account, without a plan', async () => {
    const { recording, entry } = start();
    const id = memberships.adaCommunity.id;
    const account = { communityId: community.id, messengerUserId: users.ada.messengerUserId ?? 0 };
    expect(await recording.checkMessenger(account)).toMatchObject({ membershipId: id });
    expect(await entry(id)).toEqual(ofClub(id, null));
    expect(await recording.checkMessenger({ ...account, messengerUserId: 987_654 })).toMatchObject({
      membershipId: null,
    });
  });

  it('fails if the record fails, and records when the same order is sent again', async () => {
    const { client, directory, order, entry } = start();
    let fails = true;
    const recording = recordingClient(client, {
      record: async (records) => {
        if (fails) throw new Error('The disk is full.');
        await directory.record(records);
      },
    });
    const request = { ...order, pricingPlanId: plans.monthly.id };
    const error = await recording.provisionExternal(request).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(MembershipNotRecordedError);
    const { membershipId, message } = error as MembershipNotRecordedError;
    expect(message).toContain('The disk is full.');
    expect(message).toContain('same order id');
    expect(await entry(membershipId)).toBeUndefined();
    fails = false;
    expect(await recording.provisionExternal(request)).toMatchObject({
      membershipId,
      status: 'idempotent_return',
    });
    expect(await entry(membershipId)).toEqual(ofClub(membershipId, plans.monthly.id));
  });

  it('does not return to an older plan when an order is repeated', async () => {
    const { recording, directory, order, entry } = start();
    const request = { ...order, pricingPlanId: plans.monthly.id };
    const { membershipId } = await recording.provisionExternal(request);
    await directory.record({
      ...{ membershipId, communityId: community.id, pricingPlanId: plans.lifetime.id },
      observedAt: clock.now() + 1,
    });
    clock.advance(DAY);
    await recording.provisionExternal(request);
    expect(await entry(membershipId)).toEqual(ofClub(membershipId, plans.lifetime.id));
  });

  it('keeps the plan of an extended membership, and drops that of a replaced one', async () => {
    const { recording, order, entry } = start();
    const first = await recording.provisionExternal({ ...order, pricingPlanId: plans.monthly.id });
    clock.advance(1000);
    await recording.provisionExternal({ ...order, externalOrderId: `${order.externalOrderId}-b` });
    expect(await entry(first.membershipId)).toEqual(ofClub(first.membershipId, plans.monthly.id));
    clock.advance(1000);
    const replacing = {
      ...order,
      externalOrderId: `${order.externalOrderId}-c`,
      onOverlap: 'replace',
    } as const;
    await recording.provisionExternal(replacing);
    expect(await entry(first.membershipId)).toEqual(ofClub(first.membershipId, null));
  });

  it('loses to the event of a change that happened during the call', async () => {
    const { client, directory, order, entry } = start();
    const slow: Pick<LatchkeyClient, 'provisionExternal' | 'checkMessenger'> = {
      checkMessenger: (...args) => client.checkMessenger(...args),
      async provisionExternal(...args) {
        const membership = await client.provisionExternal(...args);
        const { membershipId } = membership;
        const changed = { membershipId, communityId: community.id, pricingPlanId: plans.lifetime.id };
        clock.advance(1);
        await directory.record({ ...changed, observedAt: clock.now() });
        clock.advance(1000);
        return membership;
      },
    };
    const recording = recordingClient(slow, directory, { clock });
    const { membershipId } = await recording.provisionExternal({ ...order, pricingPlanId: plans.monthly.id });
    expect(await entry(membershipId)).toEqual(ofClub(membershipId, plans.lifetime.id));
  });

  it('passes on errors of the service, and records nothing', async () => {
    const { recording, order, directory } = start();
    const records: unknown[] = [];
    const spied = recordingClient(recording, {
      record: async (given) => {
        records.push(given);
        await directory.record(given);
      },
    });
    const unknown = { ...order, communityId: '00000000-0000-4000-8000-000000000000' };
    await expect(spied.provisionExternal(unknown)).rejects.toMatchObject({ name: 'LatchkeyApiError' });
    expect(records).toEqual([]);
  });

  it('keeps the serviceNames of the client', async () => {
    const urls: string[] = [];
    const client = new LatchkeyClient({
      serviceUrl: 'https://service.example',
      apiKey: 'acme_key',
      serviceNames: { apiKeyPrefix: 'acme_', messenger: 'telegram' },
      fetch: async (url) => {
        urls.push(String(url));
        return Response.json({ data: { isActive: true, membershipId: 'm', link: 'https://chat.example' } });
      },
    });
    const directory = memoryDirectory({ clock });
    const recording = recordingClient(client, directory);
    await recording.checkMessenger({ communityId: community.id, messengerUserId: 1001 });
    await recording.inviteLink({ externalId: 'x' });
    expect(urls).toEqual([
      `https://service.example/membership/check-telegram/${community.id}/1001`,
      'https://service.example/membership/join-telegram-community-external/x',
    ]);
    expect(await directory.find(['m'])).toHaveProperty('size', 1);
  });

  it('keeps all other calls of the client, and its text without the API key', async () => {
    const { recording, client, order } = start();
    const { communityId, email, externalOrderId: externalId } = order;
    const urls = { successUrl: 'https://shop.example/welcome', cancelUrl: 'https://shop.example/' };
    const bought = await recording.buyPlan({
      ...{ communityId, email, externalId, pricingPlanId: plans.monthly.id },
      ...urls,
    });
    expect(bought.checkoutUrl).toContain('/checkout/');
    expect(recording).toBeInstanceOf(LatchkeyClient);
    expect(JSON.stringify(recording)).toBe(JSON.stringify(client));
  });
});

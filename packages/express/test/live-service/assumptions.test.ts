import { fakeUser } from '@latchkey/conformance/scripted-service';
import { afterEach, expect, it } from 'vitest';
import { memoryDirectory } from '../../src/index.js';
import { DAY, HOUR, MINUTE } from '../manual-clock.js';
import { type LiveShop, type LiveShopSetup, openLiveShop, PLAN_DAYS } from './live-shop.js';

// Each test relies on the assumptions in its name: it fails at a service that does otherwise. `docs/live-service.md`
// describes them.

const shops: LiveShop[] = [];
afterEach(async () => {
  for (const shop of shops.splice(0).reverse()) await shop.close();
});

async function open(setup: LiveShopSetup = {}): Promise<LiveShop> {
  const shop = await openLiveShop(setup);
  shops.push(shop);
  return shop;
}

const ada = () => fakeUser('ada@example.com');

/** A purchase without a browser. Returns the id of the membership at the service. */
async function buy(shop: LiveShop, email: string): Promise<void> {
  const { community, otherCommunity, otherPlan, client, service } = shop;
  const isOther = email.startsWith('other');
  const plan = isOther ? otherPlan : service.addPlan({ communityId: community.id, days: PLAN_DAYS });
  const { checkoutUrl } = await client.buyPlan({
    ...{ pricingPlanId: plan.id, communityId: (isOther ? otherCommunity : community).id, email },
    ...{ externalId: `buyer-${email}`, successUrl: `${shop.url}/`, cancelUrl: `${shop.url}/` },
  });
  service.pay(checkoutUrl);
  await service.settled();
}

it('accepts every delivery [assumes webhook-secret-owner] [assumes webhook-signature-encoding] [assumes webhook-event-id-in-body] [assumes body-size]', async () => {
  const shop = await open();
  await buy(shop, 'ada@example.com');
  const statuses = shop.service.deliveries
    .filter(({ communityId }) => communityId === shop.community.id)
    .map(({ status }) => status);
  expect(statuses).not.toHaveLength(0);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(shop.events.map(({ type }) => type).toSorted()).toEqual(['membership.created', 'payment.success']);
});

it('reads the membership of a delivery without an option [assumes webhook-membership-place] [assumes webhook-signature-encoding] [assumes body-size] [assumes membership-id-shared] [assumes membership-visible]', async () => {
  const shop = await open({ service: { reading: 'first' } });
  const user = shop.service.addUser(ada());
  await buy(shop, 'ada@example.com');
  await shop.signIn(user);
  expect(await shop.status('/members')).toBe(200);
});

it('records no purchase of one community as one of another [assumes webhook-secret-owner]', async () => {
  const shop = await open();
  await buy(shop, 'other@example.com');
  // A body that names another community is rejected. Without one, the directory has a conflict.
  expect(JSON.stringify(shop.log)).not.toMatch(/source_mismatch|belongs to community/);
});

it('records a membership when the directory is back [assumes webhook-redelivery] [assumes webhook-membership-place] [assumes webhook-signature-encoding] [assumes body-size]', async () => {
  const directory = memoryDirectory();
  let failures = 2;
  const shop = await open({
    service: { reading: 'first' },
    directory: {
      ...directory,
      async record(records) {
        failures -= 1;
        if (failures >= 0) throw new Error('connect ECONNREFUSED');
        await directory.record(records);
      },
    },
  });
  shop.service.addUser(ada());
  await buy(shop, 'ada@example.com');
  expect(await recordedCommunities(shop)).toEqual([shop.community.id]);
});

it('admits a buyer that was provisioned [assumes membership-id-shared] [assumes membership-visible]', async () => {
  const shop = await open();
  const user = shop.service.addUser(ada());
  await provision(shop, 'order-1');
  await shop.signIn(user);
  expect(await shop.status('/members')).toBe(200);
});

it('admits a renewed member that was recorded once [assumes membership-id-stable] [assumes membership-id-shared]', async () => {
  const shop = await open({ directory: memoryDirectory() });
  const user = shop.service.addUser(ada());
  await provision(shop, 'order-1', shop.clock.now() + HOUR);
  // The webhooks of the seller go elsewhere.
  shop.service.stop();
  shop.clock.advance(2 * HOUR);
  shop.service.renew(user, shop.community.id, PLAN_DAYS);
  await shop.signIn(user);
  expect(await shop.status('/members')).toBe(200);
});

it('admits a buyer within the minute of the return [assumes membership-visible] [assumes membership-id-shared]', async () => {
  const shop = await open();
  const user = shop.service.addUser(ada());
  const { membershipId } = await provision(shop, 'order-1');
  await shop.directory.record({ membershipId, communityId: shop.community.id });
  shop.clock.advance(MINUTE);
  await shop.signIn(user);
  expect(await shop.status('/members')).toBe(200);
});

it('returns a buyer to the page that offered the plan [assumes checkout-return]', async () => {
  const shop = await open();
  await shop.signIn(ada());
  const returned = await shop.browser.request(await returnUrlOf(shop, '/members?page=2'));
  const target = new URL(returned.headers.get('location') ?? returned.url, shop.url);
  expect(`${target.pathname}${target.search}`).toMatch(
    /^\/(members\?page=2|auth\/checkout\/return\?.*page%3D2)/,
  );
});

it('keeps the session of a process that refreshed first [assumes refresh-token-reuse]', async () => {
  const shop = await open();
  const other = await open({ beside: shop });
  await shop.signIn(ada());
  const cookies = new Map(shop.browser.cookies);
  shop.clock.advance(HOUR);
  expect((await shop.open('/token')).text).toBe('A live token');
  // The other process receives a request that was sent before the browser had the new cookie.
  for (const [name, cookie] of cookies) other.browser.cookies.set(name, cookie);
  await other.open('/token');
  expect(shop.service.count('POST /oauth/token')).toBe(3);
  shop.clock.advance(HOUR);
  expect((await shop.open('/token')).text).toBe('A live token');
});

it('ends a membership when the service ends it [assumes clock-agreement] [assumes membership-id-shared]', async () => {
  const shop = await open();
  const user = shop.service.addUser(ada());
  await provision(shop, 'order-1', shop.clock.now() + DAY);
  shop.clock.advance(DAY - 10 * MINUTE);
  await shop.signIn(user);
  expect(await shop.status('/members')).toBe(200);
  shop.clock.advance(10 * MINUTE);
  expect(await shop.status('/members')).toBe(403);
});

/** Provisions a membership of the shop's community, and records it in the directory. */
async function provision(shop: LiveShop, externalOrderId: string, until?: number) {
  return shop.client.provisionExternal({
    ...{ communityId: shop.community.id, externalOrderId, email: 'ada@example.com' },
    ...(until === undefined ? {} : { validUntil: new Date(until).toISOString() }),
  });
}

async function returnUrlOf(shop: LiveShop, returnTo: string): Promise<string> {
  return shop.service.pay(await shop.order(returnTo));
}

/** The communities of the memberships that the directory has recorded. */
async function recordedCommunities({ service, directory }: LiveShop) {
  const ids = service.memberships().map(({ id }) => id);
  return [...(await directory.find(ids)).values()].map(({ communityId }) => communityId);
}

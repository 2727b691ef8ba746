import { type FakeUser, fakeUser } from '@latchkey/conformance/scripted-service';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR } from '../manual-clock.js';
import { type LiveShop, type LiveShopSetup, openLiveShop, PLAN_DAYS } from './live-shop.js';

const OTHER_NAMES = { apiKeyPrefix: 'acme_', headerPrefix: 'X-Acme-', messenger: 'telegram' };

/**
 * Under the second reading, the event of a renewal has no body: the id of the membership is that of the purchase. No body names the
 * community at a known place, so the secret alone says whose event it is.
 */
const SECOND = ' [assumes membership-id-stable] [assumes webhook-secret-owner]';

const SERVICES: readonly [string, LiveShopSetup['service'], string][] = [
  ['the first reading', { reading: 'first' }, ''],
  ['the second reading', { reading: 'second' }, SECOND],
  ['the first reading under other names', { reading: 'first', serviceNames: OTHER_NAMES }, ''],
  ['the second reading under other names', { reading: 'second', serviceNames: OTHER_NAMES }, SECOND],
];

describe.each(SERVICES)('a service of %s', (_name, service, more) => {
  let shop: LiveShop;
  let ada: FakeUser;
  beforeEach(async () => {
    shop = await openLiveShop({ service: { ...service } });
    ada = fakeUser('ada@example.com');
  });
  afterEach(() => shop.close());

  it('sells, admits, refreshes and signs out [assumes webhook-signature-encoding] [assumes webhook-event-id-in-body] [assumes webhook-membership-place] [assumes webhook-secret-owner] [assumes membership-id-shared] [assumes membership-visible] [assumes checkout-return] [assumes clock-agreement] [assumes body-size]', async () => {
    await shop.signIn(ada);
    expect((await shop.open('/')).text).toBe(`Hello ${shop.service.subOf(ada)}`);
    expect(await shop.status('/members')).toBe(403);

    const bought = await shop.pay(await shop.order('/members?page=2'));
    expect([bought.text, bought.url]).toEqual(['The table is set', `${shop.url}/members?page=2`]);
    await shop.service.settled();
    // Each event is handled once, however often it is delivered.
    expect(shop.events.map(({ type }) => type).toSorted()).toEqual(['membership.created', 'payment.success']);
    expect(await shop.status('/other')).toBe(403);

    shop.clock.advance(PLAN_DAYS * DAY - HOUR);
    expect(await shop.status('/members')).toBe(200);
    shop.clock.advance(HOUR);
    expect(await shop.status('/members')).toBe(403);

    await signOut();
    expect((await shop.open('/')).text).toBe('Hello stranger');
    expect(shop.service.hasLiveRefreshToken(ada)).toBe(false);
    expect(shop.log).toEqual([]);
  });

  it(`keeps a renewed member, whatever the event of the renewal says [assumes webhook-signature-encoding] [assumes webhook-event-id-in-body] [assumes webhook-membership-place] [assumes membership-id-shared] [assumes body-size]${more}`, async () => {
    await shop.signIn(ada);
    await shop.pay(await shop.order());
    await shop.service.settled();
    shop.clock.advance((PLAN_DAYS - 1) * DAY);
    expect(await shop.status('/members')).toBe(200);
    shop.service.renew(ada, shop.community.id, PLAN_DAYS);
    await shop.service.settled();
    expect(shop.events.map(({ type }) => type)).toContain('membership.updated');
    shop.clock.advance(DAY + HOUR);
    expect(await shop.status('/members')).toBe(200);
  });

  async function signOut() {
    await shop.browser.request(`${shop.url}/auth/logout`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
    });
  }
});

import { DAY_MS } from '@latchkey/contract/constants';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { createPurge } from '../src/features/retention/purge.js';
import { createManualClock } from '../src/index.js';
import type { Database } from '../src/platform/database/open-database.js';
import { callWithKey, keyWith } from './api-key-requests.js';
import { allow, publicRequest } from './authorization-flow.js';
import { type Browser, locationOf } from './browser.js';
import { callBuyPlan, eventsOf, it, METHODS, openCheckout, pay } from './checkout-world.js';
import { linkOf, requestInviteLink } from './messenger-world.js';
import { parsePage, textOf } from './pages/page-document.js';
import { postProvision } from './provision-requests.js';
import type { ServiceUnderTest } from './service-under-test.js';

const { users, community } = sandboxScenario;
const PRIVATE = { email: 'victoria@example.com', name: 'Victoria Private', messengerUserId: 77_001_234 };
const NEW = 'fan@customer.example';

/** A seller of their own community, who knows nobody: Cleo. */
interface Seller {
  communityId: string;
  planId: string;
  key: string;
  browser: Browser;
}

async function sellerOf(service: ServiceUnderTest, ownerId: string = users.cleo.id): Promise<Seller> {
  const { operator } = service.server;
  const { id: communityId } = await operator.createCommunity({ name: 'Own club', ownerId });
  await operator.change('communities', communityId, { messengerBot: 'club_bot' });
  await operator.change('users', ownerId, { mayProvision: true });
  const plan = { communityId, name: 'Cheap', priceMinor: 1, currency: 'EUR', provider: 'card' } as const;
  const { id: planId } = await operator.createPricingPlan({ ...plan, periodDays: 30 });
  const permissions = [
    'MEMBERSHIP_READ',
    'MEMBERSHIP_WRITE',
    'CHECKOUT_WRITE',
    'MEMBERSHIP_PROVISION',
  ] as const;
  const key = await keyWith(service, [...permissions, 'DROP_NOTIFICATION_WRITE'], ownerId);
  const browser = service.browser();
  await browser.post('/sandbox/sign-in', {
    email: ownerId === users.cleo.id ? users.cleo.email : users.dana.email,
  });
  return { communityId, planId, key, browser };
}

const orderOf = ({ communityId, planId }: Seller, email = PRIVATE.email, externalId = 'typed-1') => ({
  ...{ communityId, pricingPlanId: planId, externalId, email },
});

async function buyFor(service: ServiceUnderTest, seller: Seller, email?: string, payer = service.browser()) {
  const path = await openCheckout(service, orderOf(seller, email), seller.key);
  expect((await pay(payer, path, METHODS.card)).status).toBe(303);
  return path;
}

/** Everything that the seller can read about the people of the community: pages, CSV, events, checks. */
async function seenBy(service: ServiceUnderTest, { browser, communityId, key }: Seller): Promise<string> {
  const area = `/seller/communities/${communityId}`;
  const pages = [
    `${area}/sales`,
    `${area}/members`,
    `${area}/members/export`,
    `${area}/members?q=${PRIVATE.messengerUserId}`,
  ];
  const members = await (await browser.get(`${area}/members`)).text();
  const ids = [...members.matchAll(/members\/([0-9a-f-]{36})/g)].map(([, id]) => `${area}/members/${id}`);
  const texts = await Promise.all(
    [...pages, ...new Set(ids)].map(async (path) => await (await browser.get(path)).text()),
  );
  const check = await checkMessenger(service, { communityId, key }, PRIVATE.messengerUserId);
  return [...texts, JSON.stringify(check)].join('\n');
}

async function checkMessenger(
  service: ServiceUnderTest,
  { communityId, key }: Pick<Seller, 'communityId' | 'key'>,
  messengerUserId: number,
) {
  const { body } = await callWithKey(service, {
    path: `/membership/check-messenger/${communityId}/${messengerUserId}`,
    key,
  });
  return (body as { data: { isActive: boolean } }).data.isActive;
}

async function signIn(service: ServiceUnderTest, email: string): Promise<{ browser: Browser; id: string }> {
  const browser = service.browser();
  await browser.post('/sign-in/code', { email });
  const code = service.server.mailbox?.latestFor(email)?.code ?? '';
  expect((await browser.post('/sign-in/verify', { code })).status).toBe(303);
  const profile = parsePage(await (await browser.get('/account/profile')).text());
  return { browser, id: String(profile('input[name="account"]').first().attr('value')) };
}

describe('what a seller sees of a person who did nothing', () => {
  const ways = {
    'a declined payment': async (service: ServiceUnderTest, seller: Seller) => {
      const path = await openCheckout(service, orderOf(seller), seller.key);
      await pay(service.browser(), path, METHODS.declined);
    },
    'a payment': async (service: ServiceUnderTest, seller: Seller) => {
      await buyFor(service, seller);
    },
    'a payment by somebody who is signed in': async (service: ServiceUnderTest, seller: Seller) => {
      await buyFor(service, seller, PRIVATE.email, seller.browser);
    },
    'a provisioning by email address': async (service: ServiceUnderTest, { communityId, key }: Seller) => {
      expect((await postProvision(service, { communityId, email: PRIVATE.email }, key)).status).toBe(200);
    },
  };
  for (const [way, act] of Object.entries(ways)) {
    it(`is the typed address after ${way}`, async ({ service, db }) => {
      const { id } = await service.server.operator.createUser(PRIVATE);
      const seller = await sellerOf(service);
      await act(service, seller);
      const seen = await seenBy(service, seller);
      expect(seen).toContain(PRIVATE.email);
      const events = JSON.stringify(await eventsOf(db));
      expect(events).toContain(PRIVATE.email);
      for (const text of [seen, events]) {
        expect(text).not.toContain(PRIVATE.name);
        expect(text).not.toContain(`>${PRIVATE.messengerUserId}`);
      }
      expect(await checkMessenger(service, seller, PRIVATE.messengerUserId)).toBe(false);
      if (!way.includes('provisioning')) expect(events).not.toContain(id);
    });
  }

  it('is the typed messenger account after a provisioning by it', async ({ service, db }) => {
    await service.server.operator.createUser(PRIVATE);
    const seller = await sellerOf(service);
    const { communityId, key } = seller;
    const { messengerUserId } = PRIVATE;
    expect((await postProvision(service, { communityId, messengerUserId }, key)).status).toBe(200);
    const seen = await seenBy(service, seller);
    expect(seen).not.toContain(PRIVATE.email);
    expect(seen).not.toContain(PRIVATE.name);
    expect(JSON.stringify(await eventsOf(db))).not.toContain(PRIVATE.email);
    expect(await checkMessenger(service, seller, messengerUserId)).toBe(true);
    const found = await seller.browser.get(`/seller/communities/${communityId}/members?q=${PRIVATE.email}`);
    expect(await found.text()).not.toContain(String(messengerUserId));
  });

  it('is not the address that the person has changed to since, not even masked', async ({ service }) => {
    const seller = await sellerOf(service);
    const { browser, id: account } = await signIn(service, 'victoria@old.example');
    const paid = await buyFor(service, seller, 'victoria@old.example', seller.browser);
    const open = await openCheckout(service, orderOf(seller, 'victoria@old.example', 'open'), seller.key);
    await browser.post('/account/email', { account, email: NEW });
    const { code } = service.server.mailbox?.latestFor(NEW) ?? {};
    const changed = await browser.post('/account/email/confirm', { account, code: code ?? '' });
    expect(locationOf(changed)).toBe('/account/profile?done=email');
    for (const path of [open, `${paid}?paid`])
      expect(await (await seller.browser.get(path)).text()).not.toContain('customer.example');
  });

  it('does not tell by an invite link whether the person has a messenger account', async ({ service }) => {
    await service.server.operator.createUser(PRIVATE);
    const seller = await sellerOf(service);
    const answers = [];
    for (const email of [PRIVATE.email, NEW]) {
      const path = await openCheckout(service, orderOf(seller, email, email), seller.key);
      await pay(service.browser(), path, METHODS.card);
      const { link } = linkOf(await requestInviteLink(service, email, seller.key));
      answers.push(await service.server.messenger?.askToJoin(link, 500 + answers.length));
    }
    expect(answers.map((answer) => answer?.kind)).toEqual(['accepted', 'accepted']);
  });

  it('is the person once they pay while signed in, also for what others paid', async ({ service, db }) => {
    const { id } = await service.server.operator.createUser(PRIVATE);
    const seller = await sellerOf(service);
    await buyFor(service, seller);
    const person = await signIn(service, PRIVATE.email);
    expect(person.id).toBe(id);
    expect(await seenBy(service, seller)).not.toContain(PRIVATE.name);
    const path = await openCheckout(service, orderOf(seller, PRIVATE.email, 'own'), seller.key);
    await pay(person.browser, path, METHODS.card);
    const seen = await seenBy(service, seller);
    expect(seen).toContain(PRIVATE.name);
    expect(await checkMessenger(service, seller, PRIVATE.messengerUserId)).toBe(true);
    const events = (await eventsOf(db)).map(({ data }) => data);
    expect(events).toContainEqual(expect.objectContaining({ user: { sub: id, email: PRIVATE.email } }));
  });

  it('is no more than the id and the typed address once they allow an app of an administrator', async ({
    service,
    db,
  }) => {
    const { id } = await service.server.operator.createUser(PRIVATE);
    const seller = await sellerOf(service, users.dana.id);
    await buyFor(service, seller);
    const person = await signIn(service, PRIVATE.email);
    expect(JSON.stringify(await eventsOf(db))).not.toContain(id);
    await allow(person.browser, publicRequest(service));
    // Also in a community to which somebody names the person only now.
    const other = await sellerOf(service, users.dana.id);
    await buyFor(service, other);
    for (const { communityId, key, browser, planId } of [seller, other]) {
      const seen = await seenBy(service, { communityId, key, browser, planId });
      expect(seen).toContain(PRIVATE.email);
      expect(seen).not.toContain(PRIVATE.name);
      expect(seen).not.toContain(`>${PRIVATE.messengerUserId}`);
      expect(await checkMessenger(service, { communityId, key }, PRIVATE.messengerUserId)).toBe(false);
      const last = (await eventsOf(db)).filter(
        ({ type, data }) =>
          type.startsWith('membership.') && 'communityId' in data && data.communityId === communityId,
      );
      // The app finds the member by the id that it learned.
      expect(last.at(-1)?.data).toMatchObject({ user: { sub: id, email: PRIVATE.email } });
    }
  });

  it('is the person once they accept an invitation', async ({ service, db }) => {
    await service.server.operator.createUser(PRIVATE);
    const seller = await sellerOf(service);
    await buyFor(service, seller);
    const person = await signIn(service, PRIVATE.email);
    const account = await accountOf(seller.browser);
    const role = { account, email: PRIVATE.email, role: 'ADMIN' };
    const answer = await seller.browser.post(`/seller/communities/${seller.communityId}/roles`, role);
    expect(answer.status).toBe(303);
    const { id } = await db.selectFrom('invitations').select('id').executeTakeFirstOrThrow();
    const accept = { account: person.id, invitation: id };
    expect((await person.browser.post('/account/invitations/accept', accept)).status).toBe(303);
    expect(await seenBy(service, seller)).toContain(PRIVATE.name);
  });
});

async function purgeOnce(db: Database, now: number): Promise<void> {
  await createPurge({ db, clock: createManualClock(now) }).runOnce(new AbortController().signal);
}

async function accountOf(browser: Browser): Promise<string> {
  const profile = parsePage(await (await browser.get('/account/profile')).text());
  return String(profile('input[name="account"]').first().attr('value'));
}

describe('a claim', () => {
  it('becomes the person who proves the address, with the id that provisioning returned', async ({
    service,
  }) => {
    const { communityId, key } = await sellerOf(service);
    const answer = await postProvision(service, { communityId, email: NEW }, key);
    const { userId } = (answer.body as { data: { userId: string } }).data;
    const person = await signIn(service, NEW);
    expect(person.id).toBe(userId);
    expect(textOf(parsePage(await (await person.browser.get('/account')).text()), 'main')).toContain(
      'Own club',
    );
  });

  it('of each community goes to that person, who finds every membership', async ({ service, db }) => {
    const one = await sellerOf(service);
    const other = await sellerOf(service, users.dana.id);
    await buyFor(service, one, NEW);
    await buyFor(service, other, NEW);
    const person = await signIn(service, NEW);
    const rows = await db
      .selectFrom('memberships')
      .select('user_id')
      .where('user_id', '=', person.id)
      .execute();
    expect(rows).toHaveLength(2);
    const left = await db.selectFrom('users').select('id').where('email', 'is', null).execute();
    expect(left).toEqual([]);
    const payments = await db.selectFrom('payments').select('id').where('user_id', '=', person.id).execute();
    expect(payments).toHaveLength(2);
    for (const seller of [one, other]) {
      const check = await callBuyPlan(service, orderOf(seller, NEW, 'again'), seller.key);
      expect(check.status).toBe(201);
    }
  });

  it('counts in its community only', async ({ service, db }) => {
    const seller = await sellerOf(service);
    await openCheckout(service, orderOf(seller, NEW), seller.key);
    const before = await db.selectFrom('users').select('id').where('email', '=', NEW).execute();
    expect(before).toEqual([]);
    const signup = await callWithKey(service, {
      path: '/api/drop-notification/signup',
      json: { communityId: community.id, email: NEW },
    });
    expect(signup.body).toMatchObject({ data: { signedUp: true, hasExistingAccount: false } });
  });

  it('that nobody paid for is purged with its checkout', async ({ service, db }) => {
    const seller = await sellerOf(service);
    await service.server.operator.createUser(PRIVATE);
    await openCheckout(service, orderOf(seller, NEW), seller.key);
    await openCheckout(service, orderOf(seller, PRIVATE.email, 'typed-2'), seller.key);
    const links = db
      .selectFrom('community_emails')
      .select('id')
      .where('community_id', '=', seller.communityId);
    expect(await links.execute()).toHaveLength(2);
    await purgeOnce(db, service.clock.now() + 33 * DAY_MS);
    expect(await links.execute()).toEqual([]);
    expect(await db.selectFrom('users').select('id').where('email', 'is', null).execute()).toEqual([]);
  });

  it('that nobody paid for is purged even if somebody has tried', async ({ service, db }) => {
    const seller = await sellerOf(service);
    const path = await openCheckout(service, orderOf(seller, NEW), seller.key);
    await pay(service.browser(), path, METHODS.declined);
    const links = db.selectFrom('community_emails').select('id').where('email', '=', NEW);
    await purgeOnce(db, service.clock.now() + 20 * DAY_MS);
    expect(await links.execute()).toHaveLength(1);
    await purgeOnce(db, service.clock.now() + 33 * DAY_MS);
    expect(await links.execute()).toEqual([]);
    const payments = db
      .selectFrom('payments')
      .select('status')
      .where('community_id', '=', seller.communityId);
    expect(await payments.execute()).toEqual([{ status: 'failed' }]);
  });

  it('that somebody paid for is kept', async ({ service, db }) => {
    const seller = await sellerOf(service);
    await buyFor(service, seller, NEW);
    await purgeOnce(db, service.clock.now() + 400 * DAY_MS);
    expect((await signIn(service, NEW)).id).not.toBe('');
    const mine = db.selectFrom('memberships').where('community_id', '=', seller.communityId);
    expect(await mine.select('id').execute()).toHaveLength(1);
  });
});

describe('a partner who knows a buyer by messenger account', () => {
  const renewal = { messengerUserId: 4242, email: NEW };

  for (const [what, isPaid] of [
    ['an unpaid', false],
    ['a paid', true],
  ] as const) {
    it(`renews that buyer in spite of ${what} checkout of a stranger in the same community`, async ({
      service,
    }) => {
      const seller = await sellerOf(service);
      const { communityId, key } = seller;
      const first = { communityId, messengerUserId: 4242, externalOrderId: 'o1' };
      const day = new Date(service.clock.now() + DAY_MS).toISOString();
      const later = new Date(service.clock.now() + 90 * DAY_MS).toISOString();
      const a = await postProvision(service, { ...first, validUntil: day }, key);
      const path = await openCheckout(service, orderOf(seller, NEW), key);
      if (isPaid) await pay(service.browser(), path, METHODS.card);
      const b = await postProvision(
        service,
        { communityId, ...renewal, externalOrderId: 'o2', validUntil: later },
        key,
      );
      const idOf = ({ body }: typeof a) => (body as { data: { userId: string } }).data.userId;
      expect(idOf(b)).toBe(idOf(a));
      await service.clock.advance(2 * DAY_MS);
      expect(await checkMessenger(service, seller, 4242)).toBe(true);
      expect((await signIn(service, NEW)).id).toBe(idOf(a));
    });
  }
});

describe('a checkout for a typed address', () => {
  it('looks the same for a stranger whatever the buyer has bought', async ({ service }) => {
    const { operator } = service.server;
    const seller = await sellerOf(service);
    const forLife = {
      communityId: seller.communityId,
      name: 'Life',
      priceMinor: 100,
      currency: 'EUR',
      provider: 'card',
    } as const;
    const { id: pricingPlanId } = await operator.createPricingPlan(forLife);
    const order = { ...orderOf(seller, NEW), pricingPlanId };
    const link = await openCheckout(service, order, seller.key);
    const pageOf = async (path: string) => {
      const response = await service.browser().get(path);
      return [response.status, textOf(parsePage(await response.text()), 'body')];
    };
    const before = await pageOf(link);
    service.clock.advance(1000);
    const bought = await openCheckout(service, { ...order, externalId: 'own' }, seller.key);
    await pay(service.browser(), bought, METHODS.card);
    expect(await pageOf(link)).toEqual(before);
    const attempt = await pay(service.browser(), link, METHODS.card);
    expect(attempt.status).toBe(409);
    expect(await attempt.text()).not.toMatch(/already|bought|another checkout/i);
    const { browser } = await signIn(service, NEW);
    expect((await browser.get(link)).status).toBe(409);
  });

  it('shows no end of the access to whoever paid it without being the buyer', async ({ service }) => {
    const seller = await sellerOf(service);
    await buyFor(service, seller, NEW);
    const browser = service.browser();
    const path = await openCheckout(service, orderOf(seller, NEW, 'second'), seller.key);
    await pay(browser, path, METHODS.card);
    const receipt = textOf(parsePage(await (await browser.get(`${path}?paid`)).text()), 'main');
    expect(receipt).toContain('30 days');
    expect(receipt).not.toContain('until');
  });
});

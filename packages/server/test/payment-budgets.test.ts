import { sandboxScenario } from '@latchkey/sandbox';
import { test as base, describe, expect, onTestFinished } from 'vitest';
import { DEFAULT_PAYMENT_LIMITS as LIMITS } from '../src/features/checkout/payment-budgets.js';
import { signedIn } from './authorization-flow.js';
import { type Browser, locationOf } from './browser.js';
import { checkoutFields, METHODS, openCheckout } from './checkout-world.js';
import { parsePage, textOf } from './pages/page-document.js';
import { type ServiceUnderTest, startService } from './service-under-test.js';

const { users, plans } = sandboxScenario;
const BEN = users.ben.email;
const MINUTE = 60_000;
const HOME = '198.51.100.7';

/** `it` with a sandbox that has the limits of a real service. */
const it = base.extend<{ service: ServiceUnderTest }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixture's needs from this pattern.
  service: async ({}, use) => {
    const service = await startService({ paymentLimits: LIMITS, trustProxy: 'loopback' });
    await use(service);
    await service.server.close();
  },
});

/** Client address number `index` of an attacker with many addresses. */
const clientAt = (index: number) => `203.0.${Math.floor(index / 250)}.${(index % 250) + 1}`;

interface Attempt {
  path: string;
  client?: string;
  method?: string;
  browser?: Browser;
}

/** Presses "Pay" and returns the response to the form. */
async function pay(service: ServiceUnderTest, { path, client = HOME, ...attempt }: Attempt) {
  const { method = METHODS.declined, browser = service.browser() } = attempt;
  const fields = { ...(await checkoutFields(service.browser(), path)), method };
  return await browser.post(`${path}/pay`, fields, {
    ...{ origin: service.baseUrl, 'sec-fetch-site': 'same-origin', 'x-forwarded-for': client },
  });
}

/** Pays until an attempt is refused, and returns the number of attempts that weren't. */
async function payUntilRefused(service: ServiceUnderTest, attemptOf: (index: number) => Promise<Attempt>) {
  for (let made = 0; made < 300; made += 1) {
    const answer = await pay(service, await attemptOf(made));
    if (answer.status === 429) return { made, answer };
  }
  throw new Error('None of 300 attempts was refused.');
}

async function wordsOf(response: Response) {
  const $ = parsePage(await response.text());
  return { text: textOf($, 'main'), link: $('main a').last().attr('href') };
}

const checkoutFor = (service: ServiceUnderTest, email: string, externalId = email) =>
  openCheckout(service, { email, externalId });

describe('failed payments', () => {
  it('of one client in a checkout are limited, and the page says until when', async ({ service }) => {
    const path = await openCheckout(service);
    const { made, answer } = await payUntilRefused(service, async () => ({ path }));
    expect(made).toBe(LIMITS.failuresPerClientAndCheckout);
    expect(answer.headers.get('retry-after')).toBe(`${15 * 60}`);
    const { text, link } = await wordsOf(answer);
    expect(text).toContain('Too many failed payments');
    expect(text).toContain(
      'Nothing was charged. Sign in as b•••@example.com to pay now, or try again in 15 minutes.',
    );
    expect(link).toBe(`/sign-in?${new URLSearchParams({ continue: path })}`);
    service.clock.advance(15 * MINUTE);
    expect(locationOf(await pay(service, { path, method: METHODS.card }))).toBe(`${path}?paid`);
  });

  it('include those that tell a stranger that the buyer has the plan already', async ({ service }) => {
    const { id: communityId } = sandboxScenario.community;
    const forLife = { communityId, name: 'For life', priceMinor: 100, currency: 'EUR' } as const;
    const { id: pricingPlanId } = await service.server.operator.createPricingPlan(forLife);
    const own = await openCheckout(service, { pricingPlanId });
    const typed = await openCheckout(service, { pricingPlanId, externalId: 'typed' });
    await pay(service, { path: own, method: METHODS.card });
    expect((await pay(service, { path: typed })).status).toBe(409);
    const { made } = await payUntilRefused(service, async () => ({ path: typed }));
    expect(made).toBe(LIMITS.failuresPerClientAndCheckout - 1);
  });

  it('stop no guest of a shop if they only tell a stranger that somebody has the plan already', async () => {
    const paymentLimits = { ...LIMITS, failuresPerShop: 2 };
    const service = await startService({ paymentLimits, trustProxy: 'loopback' });
    onTestFinished(() => service.server.close());
    const { id: communityId } = sandboxScenario.community;
    const forLife = { communityId, name: 'For life', priceMinor: 100, currency: 'EUR' } as const;
    const { id: pricingPlanId } = await service.server.operator.createPricingPlan(forLife);
    const own = await openCheckout(service, { pricingPlanId });
    const typed = await openCheckout(service, { pricingPlanId, externalId: 'typed' });
    await pay(service, { path: own, method: METHODS.card });
    for (const client of [clientAt(0), clientAt(1), clientAt(2)])
      expect((await pay(service, { path: typed, client })).status).toBe(409);
    const path = await checkoutFor(service, 'guest@example.com');
    expect(locationOf(await pay(service, { path, method: METHODS.card }))).toBe(`${path}?paid`);
  });

  it('made at the same time are limited too', async ({ service }) => {
    const path = await openCheckout(service);
    const answers = await Promise.all(Array.from({ length: 40 }, () => pay(service, { path })));
    const made = answers.filter(({ status }) => status === 303);
    expect(made).toHaveLength(LIMITS.failuresPerClientAndCheckout);
  });

  it('of a stranger leave the buyer everything: on another client, and when signed in on the same one', async ({
    service,
  }) => {
    const path = await openCheckout(service);
    await payUntilRefused(service, async () => ({ path }));
    expect(locationOf(await pay(service, { path, client: '198.51.100.8' }))).toContain('declined=');

    const buyer = await signedIn(service, BEN);
    expect(locationOf(await pay(service, { path, browser: buyer }))).toContain('declined=');
    const paid = await pay(service, { path, browser: buyer, method: METHODS.card });
    expect(locationOf(paid)).toBe(`${path}?paid`);
  });

  it('of one client are limited in all checkouts together', async ({ service }) => {
    const { made } = await payUntilRefused(service, async (index) => ({
      path: await checkoutFor(service, `buyer${index}@example.com`),
    }));
    expect(made).toBe(LIMITS.failuresPerClient);
    const other = await checkoutFor(service, 'other@example.com');
    expect(
      locationOf(await pay(service, { path: other, client: '198.51.100.8', method: METHODS.card })),
    ).toBe(`${other}?paid`);
  });

  it('of many clients for one address stop clients, and not the buyer', async ({ service }) => {
    const { made } = await payUntilRefused(service, async (index) => ({
      path: await checkoutFor(service, BEN, `order-${index}`),
      client: clientAt(index),
    }));
    expect(made).toBe(LIMITS.failuresPerMailbox);
    const alias = await checkoutFor(service, BEN.replace('@', '+tag@'), 'alias');
    expect((await pay(service, { path: alias })).status).toBe(429);

    const path = await openCheckout(service);
    expect((await pay(service, { path, method: METHODS.card })).status).toBe(429);
    const buyer = await signedIn(service, BEN);
    expect(locationOf(await pay(service, { path, browser: buyer, method: METHODS.card }))).toBe(
      `${path}?paid`,
    );
  });

  it('of many clients at one community stop no signed-in buyer', async ({ service }) => {
    const { made } = await payUntilRefused(service, async (index) => ({
      path: await checkoutFor(service, `buyer${index}@example.com`),
      client: clientAt(index),
    }));
    expect(made).toBe(LIMITS.failuresPerShop);
    const path = await openCheckout(service);
    const refused = await pay(service, { path, method: METHODS.card });
    expect((await wordsOf(refused)).text).toContain('or try again in 60 minutes.');
    const buyer = await signedIn(service, BEN);
    expect(locationOf(await pay(service, { path, browser: buyer, method: METHODS.card }))).toBe(
      `${path}?paid`,
    );
  });

  it('of a signed-in buyer are limited in all checkouts together', async ({ service }) => {
    const buyer = await signedIn(service, BEN);
    const { made, answer } = await payUntilRefused(service, async (index) => ({
      ...{ path: await checkoutFor(service, BEN, `order-${index}`), browser: buyer },
      client: clientAt(index),
    }));
    expect(made).toBe(LIMITS.failuresPerBuyer);
    expect((await wordsOf(answer)).text).toContain('Nothing was charged. Try again in 24 hours.');
  });

  it('of one client are limited, however many mailboxes it signs in with', async () => {
    const paymentLimits = { ...LIMITS, failuresPerBuyer: 3, failuresPerClient: 2 };
    const service = await startService({ paymentLimits, trustProxy: 'loopback' });
    onTestFinished(() => service.server.close());
    const buyers: Browser[] = [];
    const { made } = await payUntilRefused(service, async (index) => {
      const email = `buyer${Math.floor(index / 3)}@example.com`;
      if (index % 3 === 0) {
        await service.server.operator.createUser({ email });
        buyers.push(await signedIn(service, email));
      }
      return { path: await checkoutFor(service, email), browser: buyers.at(-1) ?? service.browser() };
    });
    expect(made).toBe(4 * 2);
    const paying = { path: await openCheckout(service), browser: await signedIn(service, BEN) };
    const elsewhere = { ...paying, method: METHODS.card, client: '198.51.100.8' };
    expect(locationOf(await pay(service, elsewhere))).toBe(`${paying.path}?paid`);
  });

  it('of somebody else who is signed in count as those of a stranger', async ({ service }) => {
    const path = await openCheckout(service);
    const browser = await signedIn(service, users.ada.email);
    const { made, answer } = await payUntilRefused(service, async () => ({ path, browser }));
    expect(made).toBe(LIMITS.failuresPerClientAndCheckout);
    expect((await wordsOf(answer)).text).toContain(
      'sign out, then open the order again and sign in as b•••@example.com',
    );
  });

  it('are all that counts: successful payments of one client are not limited', async ({ service }) => {
    for (let index = 0; index <= LIMITS.failuresPerClient; index += 1) {
      const path = await openCheckout(service, {
        ...{ email: `buyer${index}@example.com`, externalId: `order-${index}` },
        pricingPlanId: plans.monthly.id,
      });
      expect(locationOf(await pay(service, { path, method: METHODS.card }))).toBe(`${path}?paid`);
    }
  });
});

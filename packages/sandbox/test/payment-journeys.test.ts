import { load } from 'cheerio';
import { describe, expect } from 'vitest';
import { type PaymentEntry, sandboxScenario } from '../src/index.js';
import { locationOf } from './browser.js';
import { it, type SandboxUnderTest } from './sandbox-under-test.js';

const { apiKey, community, plans } = sandboxScenario;
const EMAIL = 'gus@example.com';
const EXTERNAL_ID = 'order-of-gus';

/** Opens a checkout of the monthly plan, and chooses a card on its page. */
async function choose(service: SandboxUnderTest, method: string) {
  const opened = await service.request('/api/checkout/buy-plan', {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      ...{ communityId: community.id, pricingPlanId: plans.monthly.id, externalId: EXTERNAL_ID },
      ...{ email: EMAIL, successUrl: 'http://localhost:4401/paid', cancelUrl: 'http://localhost:4401/' },
    }),
  });
  const { data } = (await opened.json()) as { data: { checkoutUrl: string } };
  const path = data.checkoutUrl.replace(service.baseUrl, '');
  const browser = service.browser();
  const $ = load(await (await browser.get(path)).text());
  const terms = String($('input[name="terms"]').attr('value'));
  const chosen = await browser.post(`${path}/pay`, { terms, method });
  return { browser, path, page: locationOf(chosen).replace(service.baseUrl, '') };
}

/** Answers on the page of the bank, and returns where the buyer goes. */
async function answer(
  service: SandboxUnderTest,
  { browser, page }: Awaited<ReturnType<typeof choose>>,
  given: string,
) {
  const back = locationOf(await browser.post(page, { answer: given })).replace(service.baseUrl, '');
  await service.server.bank.settled();
  return back;
}

async function newest({ server }: SandboxUnderTest): Promise<PaymentEntry> {
  const { payments } = await server.control.payments.list({ limit: 1 });
  if (payments[0] === undefined) throw new Error('There is no payment.');
  return payments[0];
}

/** True if the membership of the order is active now. */
async function hasAccess({ server }: SandboxUnderTest): Promise<boolean> {
  const { tables } = await snapshotOf(server);
  const order = tables.checkout_reservations?.find((row) => row.external_id === EXTERNAL_ID);
  const membership = tables.memberships?.find(({ id }) => id === order?.membership_id);
  return Number(membership?.valid_until ?? 0) > server.clock.now();
}

describe('a purchase with a card that the bank asks about', () => {
  it('settles by the webhook, and the buyer comes back to a paid checkout', async ({ service }) => {
    const visit = await choose(service, 'card-3220');
    expect(visit.page).toMatch(/^\/sandbox\/pay\//);
    expect(await hasAccess(service)).toBe(false);
    const back = await answer(service, visit, 'approve');
    expect((await newest(service)).webhooks[0]).toMatchObject({
      kind: 'paid',
      state: 'delivered',
      answer: 200,
    });
    expect(await hasAccess(service)).toBe(true);
    expect((await visit.browser.get(back)).status).toBe(200);
  });

  it('settles by the return of the buyer if the webhook is late, and once if it comes then', async ({
    service,
  }) => {
    service.server.control.payments.set({ webhooks: 'withhold' });
    const visit = await choose(service, 'card-3220');
    const back = await answer(service, visit, 'approve');
    expect(await hasAccess(service)).toBe(false);
    await visit.browser.get(back);
    expect(await hasAccess(service)).toBe(true);
    const { id, webhooks } = await newest(service);
    const sent = await service.server.control.payments.sendWebhook(id, webhooks[0]?.id ?? '');
    expect(sent.webhooks[0]).toMatchObject({ state: 'delivered', answer: 200 });
    const { body } = await payments(service);
    expect(body.filter(({ status }) => status === 'succeeded')).toHaveLength(1);
  });

  it('settles once if the webhook comes twice', async ({ service }) => {
    service.server.control.payments.set({ webhooks: 'double' });
    await answer(service, await choose(service, 'card-3220'), 'approve');
    const { body } = await payments(service);
    expect(body.filter(({ status }) => status === 'succeeded')).toHaveLength(1);
  });

  it('gives nothing if the check fails, and the checkout can be paid with another card', async ({
    service,
  }) => {
    const visit = await choose(service, 'card-3220');
    await visit.browser.get(await answer(service, visit, 'fail'));
    expect(await hasAccess(service)).toBe(false);
    const again = await choose(service, 'card-4242');
    expect(again.page).toContain('?paid');
    expect(await hasAccess(service)).toBe(true);
  });
});

describe('money that goes back', () => {
  it('a whole refund at the provider ends the access by its webhook', async ({ service }) => {
    await choose(service, 'card-4242');
    expect(await hasAccess(service)).toBe(true);
    const { id } = await newest(service);
    await service.server.control.payments.refund(id);
    expect((await newest(service)).webhooks[0]).toMatchObject({ kind: 'refunded', state: 'delivered' });
    expect(await hasAccess(service)).toBe(false);
  });

  it('a lost dispute ends the access, and a won one does not', async ({ service }) => {
    await choose(service, 'card-4242');
    const { id } = await newest(service);
    await service.server.control.payments.dispute(id, 'open');
    await service.server.control.payments.dispute(id, 'lose');
    expect(await hasAccess(service)).toBe(false);
  });
});

/** Reads the stored payments of the community. */
async function payments({ server }: SandboxUnderTest) {
  const { tables } = await snapshotOf(server);
  return { body: (tables.payments ?? []).filter((row) => row.community_id === community.id) };
}

async function snapshotOf(server: SandboxUnderTest['server']) {
  await server.control.snapshots.save('now');
  return server.control.snapshots.export('now');
}

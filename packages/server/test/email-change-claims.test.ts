import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { withdrawPayment } from '../src/features/checkout/reversals.js';
import { inTransaction } from '../src/platform/database/transaction.js';
import { hiddenFields } from './area-forms.js';
import { allow, publicRequest } from './authorization-flow.js';
import { type Browser, locationOf } from './browser.js';
import { eventsOf, METHODS, payFor } from './checkout-world.js';
import { postProvision, provision } from './provision-requests.js';
import type { ServiceUnderTest } from './service-under-test.js';
import { itWithDatabase as it } from './service-with-database.js';

const { plans } = sandboxScenario;
const PAGE = '/account/email';
const CONFIRM = `${PAGE}/confirm`;
const OLD = 'eve.before@example.com';
const NEW = 'eve.after@example.com';

/** Signs in with the old address, does something, and changes to the new one. Returns the account's id. */
async function changeAddress(
  service: ServiceUnderTest,
  before: (browser: Browser) => Promise<unknown> = async () => undefined,
): Promise<string> {
  const browser = service.browser();
  const enter = async (path: string, email: string, fields: Record<string, string> = {}) =>
    await browser.post(path, { ...fields, code: service.server.mailbox?.latestFor(email)?.code ?? '' });
  await browser.post('/sign-in/code', { email: OLD });
  await enter('/sign-in/verify', OLD);
  await before(browser);
  const { account = '' } = await hiddenFields(browser, '/account/profile', '/account/profile');
  await browser.post(PAGE, { account, email: NEW });
  expect(locationOf(await enter(CONFIRM, NEW, { account }))).toBe('/account/profile?done=email');
  return account;
}

describe('what partners hold', () => {
  it('for the new address becomes the user’s, and the earlier one stops counting', async ({ service }) => {
    const provisioned = async (email: string, order: string) => {
      const { body } = await postProvision(service, { email, externalOrderId: order });
      return (body as { data: { userId: string; status: string } }).data;
    };
    const enter = async (path: string, email: string, fields: Record<string, string> = {}) => {
      const code = service.server.mailbox?.latestFor(email)?.code ?? '';
      return await browser.post(path, { ...fields, code });
    };
    const first = await provisioned(OLD, 'order-old');
    const claimed = await provisioned(NEW, 'order-new');
    expect(claimed.userId).not.toBe(first.userId);
    const browser = service.browser();
    await browser.post('/sign-in/code', { email: OLD });
    await enter('/sign-in/verify', OLD);
    const { account = '' } = await hiddenFields(browser, '/account/profile', '/account/profile');
    expect(account).toBe(first.userId);
    await browser.post(PAGE, { account, email: NEW });
    expect(locationOf(await enter(CONFIRM, NEW, { account }))).toBe('/account/profile?done=email');
    expect((await provisioned(NEW, 'order-next')).userId).toBe(account);
    const later = await provisioned(OLD, 'order-later');
    expect(later.userId).not.toBe(account);
    expect(later.status).toBe('created');
  });

  it('merges a dearer plan for life without making it wait behind the user’s', async ({ service, db }) => {
    const buy = async (name: string, priceMinor: number, email: string) => {
      const plan = { communityId: sandboxScenario.community.id, name, priceMinor, currency: 'USD' };
      const { id } = await service.server.operator.createPricingPlan({ ...plan, periodDays: null });
      await payFor(service, { pricingPlanId: id, email, externalId: name });
      return id;
    };
    await buy('Basic', 500, OLD);
    const pro = await buy('Pro', 50_000, NEW);
    const account = await changeAddress(service);
    const own = db.selectFrom('memberships').select(['pricing_plan_id', 'valid_until']);
    expect(await own.where('user_id', '=', account).execute()).toEqual([
      { pricing_plan_id: pro, valid_until: null },
    ]);
  });

  it('is reported with the id of a person whom an app of the seller knows, once it is theirs', async ({
    service,
    db,
  }) => {
    const { userId } = await provision(service, { email: NEW });
    const account = await changeAddress(service, (browser) => allow(browser, publicRequest(service)));
    expect(account).not.toBe(userId);
    expect((await eventsOf(db)).at(-1)).toMatchObject({
      type: 'membership.updated',
      data: { user: { sub: account, email: NEW }, membership: { isActive: true } },
    });
  });

  it('keeps its order, so a repeat changes nothing', async ({ service }) => {
    await payFor(
      service,
      { email: OLD, externalId: 'own', pricingPlanId: plans.lifetime.id },
      METHODS.transfer,
    );
    const order = { email: NEW, validUntil: '2026-12-01T00:00:00Z' };
    await provision(service, { ...order, externalOrderId: 'order-1' });
    await changeAddress(service);
    const repeat = await provision(service, { ...order, externalOrderId: 'order-1' });
    expect(repeat.status).toBe('idempotent_return');
  });

  it('still takes orders if a stranger paid for a subscription of the new address', async ({ service }) => {
    const validUntil = '2026-12-01T00:00:00Z';
    await provision(service, { email: OLD, externalOrderId: 'order-1', validUntil });
    await payFor(service, { email: NEW, externalId: 'gift' });
    await changeAddress(service);
    const next = await provision(service, { email: NEW, externalOrderId: 'order-2', validUntil });
    expect(next.status).toBe('extended');
  });

  it('still takes orders if a stranger paid for a subscription of the earlier address', async ({
    service,
  }) => {
    const validUntil = '2026-12-01T00:00:00Z';
    await payFor(service, { email: OLD, externalId: 'gift' });
    await provision(service, { email: NEW, externalOrderId: 'order-1', validUntil });
    await changeAddress(service);
    const next = await provision(service, { email: NEW, externalOrderId: 'order-2', validUntil });
    expect(next.status).toBe('extended');
  });

  it('ends no subscription that the user began', async ({ service }) => {
    const order = { email: NEW, validUntil: '2026-12-01T00:00:00Z' };
    await provision(service, { ...order, externalOrderId: 'order-1' });
    await changeAddress(service, (browser) =>
      payFor(service, { email: OLD, externalId: 'own' }, METHODS.card, browser),
    );
    expect((await postProvision(service, { ...order, externalOrderId: 'order-2' })).status).toBe(409);
  });

  it('keeps the periods that have ended, so a refund of one still ends its subscription', async ({
    service,
    db,
  }) => {
    const settings = { communityId: sandboxScenario.community.id, priceMinor: 500, currency: 'EUR' };
    const quarter = await service.server.operator.createPricingPlan({
      ...settings,
      name: 'Quarter',
      periodDays: 90,
    });
    await payFor(service, { email: OLD, externalId: 'own', pricingPlanId: quarter.id });
    await payFor(service, { email: NEW, externalId: 'gift' });
    service.clock.advance(31 * 24 * 3600_000);
    await service.server.runBackgroundWork();
    const account = await changeAddress(service);
    const now = service.clock.now();
    const monthly = db.selectFrom('payments').select('id').where('pricing_plan_id', '=', plans.monthly.id);
    const [first, renewal] = await monthly.orderBy('created_at').execute();
    expect(renewal).toBeDefined();
    await inTransaction(db, (transaction) =>
      withdrawPayment(transaction, { paymentId: first?.id ?? '', now }),
    );
    const own = db.selectFrom('memberships').select('subscription_cancelled_at');
    expect(await own.where('user_id', '=', account).execute()).toEqual([{ subscription_cancelled_at: now }]);
  });
});

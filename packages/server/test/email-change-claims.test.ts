import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { hiddenFields } from './area-forms.js';
import { locationOf } from './browser.js';
import { payFor } from './checkout-world.js';
import { postProvision } from './provision-requests.js';
import { itWithDatabase as it } from './service-with-database.js';

const PAGE = '/account/email';
const CONFIRM = `${PAGE}/confirm`;
const OLD = 'eve.before@example.com';
const NEW = 'eve.after@example.com';

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
    const enter = async (path: string, email: string, fields: Record<string, string> = {}) =>
      await browser.post(path, { ...fields, code: service.server.mailbox?.latestFor(email)?.code ?? '' });
    await buy('Basic', 500, OLD);
    const pro = await buy('Pro', 50_000, NEW);
    const browser = service.browser();
    await browser.post('/sign-in/code', { email: OLD });
    await enter('/sign-in/verify', OLD);
    const { account = '' } = await hiddenFields(browser, '/account/profile', '/account/profile');
    await browser.post(PAGE, { account, email: NEW });
    await enter(CONFIRM, NEW, { account });
    const own = db.selectFrom('memberships').select(['pricing_plan_id', 'valid_until']);
    expect(await own.where('user_id', '=', account).execute()).toEqual([
      { pricing_plan_id: pro, valid_until: null },
    ]);
  });
});

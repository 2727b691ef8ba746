import { describe, expect } from 'vitest';
import { hiddenFields } from './area-forms.js';
import { locationOf } from './browser.js';
import { postProvision } from './provision-requests.js';
import { it } from './service-under-test.js';

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
});

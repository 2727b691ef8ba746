import { describe, expect } from 'vitest';
import { sandboxScenario } from '../src/index.js';
import { parsePage, textOf } from './page-document.js';
import { it, type SandboxUnderTest } from './sandbox-under-test.js';

const { ada, ben } = sandboxScenario.users;

async function pageAt(service: SandboxUnderTest, path: string) {
  const response = await service.request(path);
  expect(response.headers.get('Content-Security-Policy')).toMatch(/script-src 'self'/);
  return parsePage(await response.text());
}

describe('mailbox and messenger', () => {
  it('search the mail by address, subject and code', async ({ service }) => {
    for (const email of [ada.email, ben.email]) await service.browser().post('/sign-in/code', { email });
    const code = service.server.mailbox.latestFor(ben.email)?.code ?? '';
    for (const text of ['BEN@', code]) {
      const $ = await pageAt(service, `/sandbox/mailbox?text=${text}`);
      expect(textOf($, 'main tbody')).toContain(ben.email);
      expect(textOf($, 'main tbody')).not.toContain(ada.email);
      expect($('input[name="text"]').attr('value')).toBe(text);
    }
    const of = await pageAt(service, `/sandbox/mailbox?to=${ada.email}&text=ben`);
    expect(textOf(of, '.empty-title')).toContain('No mail contains this text');
    expect(of('input[name="to"]').attr('value')).toBe(ada.email);
  });

  it('link from a message to its user, and show its code apart', async ({ service }) => {
    await service.browser().post('/sign-in/code', { email: ada.email });
    const { id = '', code = '' } = service.server.mailbox.latestFor(ada.email) ?? {};
    const $ = await pageAt(service, `/sandbox/mailbox/${id}`);
    expect(textOf($, '.mail-code .copy-value')).toBe(code);
    expect($(`a[href="/sandbox/data?kind=users&id=${ada.id}"]`)).toHaveLength(1);
    await service.browser().post('/sign-in/code', { email: 'stranger@example.com' });
    const unknown = service.server.mailbox.latestFor('stranger@example.com')?.id ?? '';
    expect((await pageAt(service, `/sandbox/mailbox/${unknown}`))('a[href^="/sandbox/data?"]')).toHaveLength(
      0,
    );
  });

  it('mark the parts that the script keeps up to date', async ({ service }) => {
    expect((await pageAt(service, '/sandbox/mailbox'))('#mail[data-live]')).toHaveLength(1);
    expect((await pageAt(service, '/sandbox/messenger'))('#chats[data-live]')).toHaveLength(1);
  });
});

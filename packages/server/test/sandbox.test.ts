import { describe, expect } from 'vitest';
import { sandboxScenario, seedSandbox } from '../src/index.js';
import { signedIn } from './authorization-flow.js';
import { locationOf } from './browser.js';
import { parsePage, textOf } from './pages/page-document.js';
import { it, SHOP, startService } from './service-under-test.js';

const HOUR = 3600_000;

describe('sandbox', () => {
  it('opens at its start page with users, clients, shops and the time', async ({ service }) => {
    const browser = service.browser();
    expect(locationOf(await browser.get('/'))).toBe('/sandbox');
    const text = textOf(parsePage(await (await browser.get('/sandbox')).text()), 'main');
    for (const fact of ['Ada Member', 'Ben Visitor', 'Membership ended a week ago', SHOP])
      expect(text).toContain(fact);
    expect(text).toContain(sandboxScenario.publicClient.clientId);
  });

  it('advances its clock by an hour and by 31 days, and by nothing else', async ({ service }) => {
    const browser = service.browser();
    const advanced = await browser.post('/sandbox/clock', { advance: '1h' });
    expect(advanced.status).toBe(303);
    expect(service.server.clock.now() - service.clock.now()).toBe(HOUR);
    expect(await (await browser.get(locationOf(advanced))).text()).toContain('ahead by an hour');
    await browser.post('/sandbox/clock', { advance: '31d' });
    expect(service.server.clock.now() - service.clock.now()).toBe(HOUR + 31 * 24 * HOUR);
    for (const advance of ['', '99d', 'constructor']) await browser.post('/sandbox/clock', { advance });
    expect(service.server.clock.now() - service.clock.now()).toBe(HOUR + 31 * 24 * HOUR);
  });

  it('signs in as a seeded user, not as an unknown one', async ({ service }) => {
    const page = parsePage(await (await service.request('/sign-in')).text());
    const picks = page('form[action="/sandbox/sign-in"]');
    expect(picks.text()).toContain('ada@example.com');
    const browser = await signedIn(service, 'dana@example.com');
    expect(textOf(parsePage(await (await browser.get('/account')).text()), '.signed-in-person')).toContain(
      'Dana Owner',
    );
    const home = parsePage(await (await browser.get('/sandbox')).text());
    expect(home('form[action="/sandbox/sign-in"] [value="dana@example.com"]')).toHaveLength(0);
    const next = await browser.post('/sandbox/sign-in', { email: 'ben@example.com', continue: '/sandbox' });
    expect(locationOf(next)).toBe('/sandbox');
    expect(textOf(parsePage(await (await browser.get('/account')).text()), '.signed-in-person')).toContain(
      'Ben Visitor',
    );
    const unknown = await service.browser().post('/sandbox/sign-in', { email: 'unknown@example.com' });
    expect(unknown.status).toBe(400);
  });

  it('shows all mail, the mail of one address, and one message', async ({ service }) => {
    for (const email of ['ada@example.com', 'ben@example.com']) {
      await service.browser().post('/sign-in/code', { email });
    }
    const all = textOf(parsePage(await (await service.request('/sandbox/mailbox')).text()), 'main');
    expect(all).toContain('ada@example.com');
    expect(all).toContain('ben@example.com');
    const hers = textOf(
      parsePage(await (await service.request('/sandbox/mailbox?to=ada@example.com')).text()),
      'main',
    );
    expect(hers).toContain('ada@example.com');
    expect(hers).not.toContain('ben@example.com');
    const message = service.server.mailbox?.latestFor('ada@example.com');
    const shown = await service.request(`/sandbox/mailbox/${message?.id}`);
    expect(await shown.text()).toContain(message?.code);
    expect((await service.request('/sandbox/mailbox/unknown')).status).toBe(404);
  });

  it('keeps the newest two hundred messages', async ({ service }) => {
    const { mailbox } = service.server;
    for (let index = 0; index < 201; index += 1) {
      await mailbox?.send({ to: `${index}@example.com`, subject: 'Hello', text: 'Hello' });
    }
    expect(mailbox?.list()).toHaveLength(200);
    expect(mailbox?.latestFor('0@example.com')).toBeUndefined();
    expect(mailbox?.latestFor('200@example.com')).toBeDefined();
  });

  it("can be seeded again: it creates no duplicates and updates the clients' origins", async ({
    service,
  }) => {
    await seedSandbox(service.server, {
      scriptTagShop: 'http://localhost:5001',
      backendShop: 'http://localhost:5002',
    });
    const { clientId } = sandboxScenario.publicClient;
    const ask = async (origin: string) =>
      await (await service.request(`/oauth/client/${clientId}?widget_origin=${origin}`)).json();
    expect(await ask('http://localhost:5001')).toMatchObject({ data: { widgetOriginAllowed: true } });
    expect(await ask(SHOP)).toMatchObject({ data: { widgetOriginAllowed: false } });
    const picks = parsePage(await (await service.request('/sign-in')).text());
    expect(picks('form[action="/sandbox/sign-in"] button')).toHaveLength(4);
  });
});

describe('outside of the sandbox', () => {
  it('no sandbox page exists, no user is offered, and seeding is rejected', async ({ onTestFinished }) => {
    const service = await startService({
      sandbox: false,
      mailer: { send: async () => undefined },
    });
    onTestFinished(() => service.server.close());
    await service.server.operator.createUser({ email: 'ada@example.com' });
    const browser = service.browser();
    expect(locationOf(await browser.get('/'))).toBe('/account');
    for (const path of ['/sandbox', '/sandbox/mailbox']) expect((await browser.get(path)).status).toBe(404);
    for (const path of ['/sandbox/sign-in', '/sandbox/clock']) {
      expect((await browser.post(path, { email: 'ada@example.com', advance: '1h' })).status).toBe(404);
    }
    const page = await (await browser.get('/sign-in')).text();
    expect(page).not.toContain('ada@example.com');
    expect(page).not.toContain('/sandbox');
    expect(service.server.mailbox).toBeUndefined();
    await expect(seedSandbox(service.server, { scriptTagShop: SHOP, backendShop: SHOP })).rejects.toThrow(
      'sandbox: true',
    );
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '@latchkey/server';
import { describe, expect } from 'vitest';
import { sandboxScenario, seedSandbox, startSandbox } from '../src/index.js';
import { createBrowser, locationOf } from './browser.js';
import { parsePage, textOf } from './page-document.js';
import { it, SHOP, signedIn } from './sandbox-under-test.js';

const HOUR = 3600_000;

describe('the sandbox', () => {
  it('redirects / to the home page, which shows people, clients and shops', async ({ service }) => {
    const browser = service.browser();
    expect(locationOf(await browser.get('/'))).toBe('/sandbox');
    const text = textOf(parsePage(await (await browser.get('/sandbox')).text()), 'main');
    for (const fact of [
      'Ada Member',
      'Ben Visitor',
      'Membership of Ember & Oak Coffee Club ended on 2026-06-05',
      SHOP,
    ])
      expect(text).toContain(fact);
    expect(text).toContain(sandboxScenario.publicClient.clientId);
  });

  it('moves its clock by an hour and by 31 days, and by no other step', async ({ service }) => {
    const browser = service.browser();
    const advanced = await browser.post('/sandbox/clock', { advance: '1h' });
    expect(advanced.status).toBe(303);
    expect(service.server.clock.now() - service.clock.now()).toBe(HOUR);
    expect(await (await browser.get(locationOf(advanced))).text()).toContain('The clock moved');
    await browser.post('/sandbox/clock', { advance: '31d' });
    expect(service.server.clock.now() - service.clock.now()).toBe(HOUR + 31 * 24 * HOUR);
    for (const advance of ['', '99d', 'constructor']) await browser.post('/sandbox/clock', { advance });
    expect(service.server.clock.now() - service.clock.now()).toBe(HOUR + 31 * 24 * HOUR);
  });

  it('signs in as a picked person, and rejects an unknown address', async ({ service }) => {
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

  it('finds a person by every spelling of the address', async ({ service }) => {
    const { id } = await service.server.operator.create('users', { email: 'ann@m\u00fcnchen.example' });
    for (const email of [
      'ann@xn--mnchen-3ya.example',
      'ANN@M\u00dcNCHEN.example',
      'ann\uff20m\u00fcnchen\u3002example',
    ]) {
      expect(await service.server.operator.findUser(email)).toMatchObject({ id });
      const browser = service.browser();
      expect((await browser.post('/sandbox/sign-in', { email })).status).toBe(303);
      await service.browser().post('/sign-in/code', { email });
      expect(service.server.mailbox.latestFor(email)).toMatchObject({ to: 'ann@xn--mnchen-3ya.example' });
    }
  });

  it('shows all mail, the mail for one address, and one message', async ({ service }) => {
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
    const message = service.server.mailbox.latestFor('ada@example.com');
    const shown = await service.request(`/sandbox/mailbox/${message?.id}`);
    expect(await shown.text()).toContain(message?.code);
    expect((await service.request('/sandbox/mailbox/unknown')).status).toBe(404);
  });

  it('keeps the newest 200 messages', async ({ service }) => {
    const { mailbox } = service.server;
    for (let index = 0; index < 201; index += 1) {
      await mailbox.send({ to: `${index}@example.com`, subject: 'Hello', text: 'Hello' });
    }
    expect(mailbox.list()).toHaveLength(200);
    expect(mailbox.latestFor('0@example.com')).toBeUndefined();
    expect(mailbox.latestFor('200@example.com')).toBeDefined();
  });

  it('can be seeded again: creates no duplicates, and gives the clients the new origins', async ({
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
    expect(picks('form[action="/sandbox/sign-in"] button')).toHaveLength(6);
  });

  it('can be seeded again: keeps what became of the memberships, and sends no events', async ({
    service,
  }) => {
    const { control, operator } = service.server;
    const { adaCommunity, adaProduct } = sandboxScenario.memberships;
    await operator.end('memberships', adaCommunity.id);
    const seen = async () => [
      (await operator.find('memberships', adaCommunity.id)).record,
      (await operator.find('memberships', adaProduct.id)).record,
      (await control.deliveries.list({})).events.length,
    ];
    const before = await seen();
    await service.server.clock.advance(HOUR);
    await seedSandbox(service.server, { scriptTagShop: SHOP, backendShop: 'http://localhost:5002' });
    expect(await seen()).toEqual(before);
  });

  it('can be seeded again after people deleted their accounts, and does not restore them', async ({
    service,
  }) => {
    const { operator } = service.server;
    const { ada, ben, cleo } = sandboxScenario.users;
    for (const { id } of [ada, ben, cleo]) await operator.deleteUser({ id });
    await operator.createUser({ email: ada.email });
    await seedSandbox(service.server, { scriptTagShop: SHOP, backendShop: 'http://localhost:5002' });
    expect((await operator.findUser(ada.email)).id).not.toBe(ada.id);
    await expect(operator.findUser(ben.email)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a server that is not a sandbox', () => {
  const mailer = { send: async () => undefined };
  const logger = { info() {}, warn() {}, error() {} };
  const production = { port: 0, mailer, logger, database: 'sqlite::memory:' };

  it('has no sandbox page, offers no people, and cannot be seeded', async ({ onTestFinished }) => {
    const server = await startServer(production);
    onTestFinished(() => server.close());
    await server.operator.createUser({ email: 'ada@example.com' });
    const browser = createBrowser(server.baseUrl, server.baseUrl);
    expect(locationOf(await browser.get('/'))).toBe('/account');
    for (const path of ['/sandbox', '/sandbox/mailbox']) expect((await browser.get(path)).status).toBe(404);
    for (const path of ['/sandbox/sign-in', '/sandbox/clock']) {
      expect((await browser.post(path, { email: 'ada@example.com', advance: '1h' })).status).toBe(404);
    }
    const page = await (await browser.get('/sign-in')).text();
    expect(page).not.toContain('ada@example.com');
    expect(page).not.toContain('/sandbox');
    // @ts-expect-error: a caller without types can pass it.
    await expect(seedSandbox(server, { scriptTagShop: SHOP, backendShop: SHOP })).rejects.toThrow(
      'startSandbox',
    );
  });

  it('rejects the database of a sandbox, and a sandbox rejects the database of a server', async ({
    onTestFinished,
  }) => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-sandbox-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [ours, theirs] = [
      `sqlite:${join(folder, 'ours.sqlite')}`,
      `sqlite:${join(folder, 'theirs.sqlite')}`,
    ];
    await (await startSandbox({ database: ours, logger })).close();
    await (await startServer({ ...production, database: theirs })).close();
    await expect(startServer({ ...production, database: ours })).rejects.toThrow(
      'Option "database" names a database whose purpose is "sandbox"',
    );
    await expect(startSandbox({ database: theirs, logger })).rejects.toThrow(
      'Option "database" names a database whose purpose is "service"',
    );
  });
});

describe('startSandbox', () => {
  it.for(['smtpUrl', 'mailer', 'messengerBot', 'payments', 'databasePurpose'])(
    'rejects the option %s, which belongs to a production service',
    async (name) => {
      await expect(startSandbox({ [name]: {} })).rejects.toThrow(`Option "${name}"`);
    },
  );

  it('rejects an option that does not exist', async () => {
    const misspelt = { databaseUrl: 'sqlite:./sandbox.sqlite' } as Parameters<typeof startSandbox>[0];
    await expect(startSandbox(misspelt)).rejects.toThrow(
      'Option "databaseUrl" is not an option of a sandbox. Check the spelling.',
    );
  });

  it('starts on a free port, without data', async ({ onTestFinished }) => {
    const sandboxes = [await startSandbox(), await startSandbox()];
    onTestFinished(async () => {
      for (const sandbox of sandboxes) await sandbox.close();
    });
    expect(new Set(sandboxes.map(({ port }) => port)).size).toBe(2);
    const page = parsePage(await (await fetch(`${sandboxes[0]?.baseUrl}/sign-in`)).text());
    expect(page('form[action="/sandbox/sign-in"]')).toHaveLength(0);
  });

  it('uses the defaults for options that are undefined, as from unset variables', async ({
    onTestFinished,
  }) => {
    const unset = { database: undefined, port: undefined } as unknown as Parameters<typeof startSandbox>[0];
    const sandboxes = [await startSandbox(unset)];
    onTestFinished(async () => {
      for (const sandbox of sandboxes) await sandbox.close();
    });
    sandboxes.push(await startSandbox(unset));
    expect(new Set(sandboxes.map(({ port }) => port)).size).toBe(2);
  });

  it('shows the banner, the people and the link to the mailbox on the sign-in page', async ({ service }) => {
    const $ = parsePage(await (await service.request('/sign-in')).text());
    expect(textOf($, '.ribbon')).toContain('Nothing here is real.');
    expect(textOf($, '#pick-user')).toBe('or pick a test person');
    expect(textOf($, 'button[value="ben@example.com"] .person-note')).toBe('No membership');
    const link = $('a[href="/sandbox/mailbox"]');
    expect(link.attr()).toMatchObject({ target: '_blank', rel: 'noopener' });
    expect(link.text()).toContain('sandbox mailbox');
    expect($('a[href="/account"]')).toHaveLength(0);
  });

  it('links from the page that asks for the code to the mail for that address', async ({ service }) => {
    const browser = service.browser();
    const sent = await browser.post('/sign-in/code', { email: 'new@example.com', continue: '/account' });
    const $ = parsePage(await (await browser.get(locationOf(sent))).text());
    expect($('a[href="/sandbox/mailbox?to=new%40example.com"]')).toHaveLength(1);
  });

  it('makes browsers revalidate the widget’s scripts, which change during development', async ({
    onTestFinished,
  }) => {
    const directory = mkdtempSync(join(tmpdir(), 'latchkey-sandbox-'));
    writeFileSync(join(directory, 'latchkey.js'), '/* built */');
    const sandbox = await startSandbox({ widgetAssets: { directory } });
    onTestFinished(async () => {
      await sandbox.close();
      rmSync(directory, { recursive: true });
    });
    const response = await fetch(`${sandbox.baseUrl}/widget/latchkey.js`);
    expect(response.headers.get('cache-control')).toBe('no-cache');
  });

  it('offers requests with the public key of the sample data in the API reference', async ({ service }) => {
    const reference = parsePage(await (await service.request('/reference')).text());
    expect(reference('[data-can-try]').attr('data-api-key')).toBe(sandboxScenario.apiKey);
  });
});

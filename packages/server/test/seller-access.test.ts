import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { signedIn } from './authorization-flow.js';
import { locationOf } from './browser.js';
import { parsePage, textOf } from './pages/page-document.js';
import { COMMUNITY, emptyIn, noticeIn, sellerOf, tableIn } from './seller-area.js';
import { it } from './service-under-test.js';

const { plans, dropSlot, memberships, products, users, community } = sandboxScenario;
const PLAN = `${COMMUNITY}/plans/${plans.monthly.id}`;
const DROP = `${COMMUNITY}/drops/${dropSlot.id}`;
const MEMBER = `${COMMUNITY}/members/${memberships.adaCommunity.id}`;
const PRODUCT = `/seller/products/${products.brewGuide.id}`;

/** Every page about an owned community or product. */
const PAGES = [
  ...[
    '',
    '/roles',
    '/plans',
    '/drops',
    '/members',
    '/members?q=ada%40example.com',
    '/members?status=active',
    '/members.csv',
    '/sales',
    ...['/roles', '/plans', '/drops', '/members'].map((list) => `${list}/new`),
  ].map((path) => `${COMMUNITY}${path}`),
  ...[PLAN, DROP, `${DROP}/signups.csv`, MEMBER],
  ...[PRODUCT, `${PRODUCT}/buyers`, `${PRODUCT}/buyers.csv`, `${PRODUCT}/sales`],
];

const PLAN_FIELDS = { name: 'Taken', price: '1', currency: 'EUR', provider: 'card' };
const DROP_FIELDS = { name: 'Taken', startsAt: '2026-07-01' };

/** Every form of these pages, filled in with valid values. */
const FORMS: [path: string, fields: Record<string, string>][] = [
  [`${COMMUNITY}/name`, { name: 'Taken' }],
  [`${COMMUNITY}/bot`, { botName: 'taken_bot' }],
  [`${COMMUNITY}/roles`, { email: users.ben.email, role: 'OWNER' }],
  [`${COMMUNITY}/roles/change`, { userId: users.dana.id, change: 'remove' }],
  [`${COMMUNITY}/plans`, PLAN_FIELDS],
  [PLAN, PLAN_FIELDS],
  [`${PLAN}/archive`, { archive: 'yes' }],
  [`${COMMUNITY}/drops`, DROP_FIELDS],
  [DROP, DROP_FIELDS],
  [`${DROP}/end`, {}],
  [`${COMMUNITY}/members`, { email: users.ben.email }],
  [`${MEMBER}/end`, { endsAt: '2030-01-01' }],
  [`${MEMBER}/end-now`, {}],
  [`${MEMBER}/cancel-subscription`, {}],
  [PRODUCT, { name: 'Taken', slug: 'taken', type: '', price: '', currency: 'EUR' }],
  [`${PRODUCT}/delete`, {}],
];

describe('seller area', () => {
  it('redirects a visitor to the sign-in page and back', async ({ service }) => {
    for (const path of ['/seller', '/seller/products/new', '/seller/communities/new', ...PAGES]) {
      const response = await service.browser().get(path);
      expect(response.status).toBe(302);
      expect(locationOf(response)).toBe(`/sign-in?${new URLSearchParams({ continue: path })}`);
    }
  });

  it('hides the communities and products of other owners: their addresses return 404', async ({
    service,
  }) => {
    const ada = await sellerOf(service, 'ada@example.com');
    const answers = await Promise.all(PAGES.map(async (path) => [path, (await ada.get(path)).status]));
    expect(answers.filter(([, status]) => status !== 404)).toEqual([]);
    const $ = await ada.page('/seller');
    expect(textOf($, '#communities h2')).toBe('Sell memberships');
    expect(emptyIn($)).toBe('No products yet');
  });

  it('rejects changes to what another user owns', async ({ service }) => {
    const [ada, dana] = [await sellerOf(service, 'ada@example.com'), await sellerOf(service)];
    const withoutIds = (html: string) => html.replace(/(name="submission" value=)"[^"]*"/, '$1');
    const contents = async () =>
      await Promise.all(PAGES.map(async (path) => withoutIds(await (await dana.get(path)).text())));
    const before = await contents();
    for (const [path, fields] of FORMS)
      expect([path, (await ada.post(path, fields)).status]).toEqual([path, 404]);
    expect(await contents()).toEqual(before);
  });

  it("returns 404 for another community's path, an unknown id and a malformed id", async ({ service }) => {
    const { operator } = service.server;
    const { id } = await operator.createCommunity({ name: 'Tea Club', ownerId: users.dana.id });
    const dana = await sellerOf(service);
    for (const path of [PLAN, DROP, `${DROP}/signups.csv`, MEMBER]) {
      expect((await dana.get(path.replace(community.id, id))).status).toBe(404);
    }
    for (const [path, fields] of FORMS.filter(([form]) => /\/(plans|drops|members)\//.test(form))) {
      expect((await dana.post(path.replace(community.id, id), fields)).status).toBe(404);
    }
    for (const wrong of ['00000000-0000-4000-8000-000000000000', 'none', '..%2f..']) {
      expect((await dana.get(`/seller/communities/${wrong}`)).status).toBe(404);
      expect((await dana.get(`${COMMUNITY}/plans/${wrong}`)).status).toBe(404);
      expect((await dana.get(`${COMMUNITY}/drops/${wrong}`)).status).toBe(404);
      expect((await dana.get(`${COMMUNITY}/members/${wrong}`)).status).toBe(404);
      expect((await dana.get(`/seller/products/${wrong}`)).status).toBe(404);
    }
  });

  it('accepts ids in any case', async ({ service }) => {
    const dana = await sellerOf(service);
    expect((await dana.get(COMMUNITY.replace(community.id, community.id.toUpperCase()))).status).toBe(200);
  });

  it('accepts forms from its own pages only, and only from the user on the page', async ({ service }) => {
    const browser = await signedIn(service, 'dana@example.com');
    for (const [path, fields] of FORMS) {
      const own = { account: users.dana.id, ...fields };
      const elsewhere = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
      expect((await browser.post(path, own, elsewhere)).status).toBe(403);
      expect((await browser.post(path, { ...own, account: users.ada.id })).status).toBe(409);
      expect((await browser.post(path, fields)).status).toBe(409);
    }
    const $ = parsePage(await (await browser.get(COMMUNITY)).text());
    expect(textOf($, 'h1')).toBe(community.name);
  });

  it('requires the current role: pages and forms that an admin opened before stop working', async ({
    service,
  }) => {
    const { operator } = service.server;
    const role = { communityId: community.id, userId: users.ada.id, role: 'ADMIN' } as const;
    await operator.assignRole(role);
    const ada = await sellerOf(service, 'ada@example.com');
    expect((await ada.get(`${COMMUNITY}/plans`)).status).toBe(200);
    await operator.assignRole({ ...role, isActive: false });
    expect((await ada.get(`${COMMUNITY}/plans`)).status).toBe(404);
    expect((await ada.post(`${COMMUNITY}/plans`, PLAN_FIELDS)).status).toBe(404);
    expect(textOf(await ada.page('/seller'), '#communities h2')).toBe('Sell memberships');
  });

  it('returns 405 for other methods', async ({ service }) => {
    const browser = await signedIn(service, 'dana@example.com');
    const readOnly = [`${DROP}/signups.csv`, `${COMMUNITY}/members.csv`, `${COMMUNITY}/plans/new`];
    for (const path of ['/seller', COMMUNITY, MEMBER, ...readOnly, '/seller/communities/new']) {
      const response = await browser.post(path, {});
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
    }
    for (const [path] of FORMS.filter(([form]) =>
      /\/(name|bot|change|end|end-now|archive|delete)$/.test(form),
    )) {
      expect((await browser.get(path)).status).toBe(405);
    }
  });

  it('never shows text that another user wrote into an address', async ({ service }) => {
    const dana = await sellerOf(service);
    for (const done of ['Send money to Eve', 'toString', '__proto__', '']) {
      const $ = await dana.page(`/seller?${new URLSearchParams({ done })}`);
      expect(noticeIn($)).toBe('');
      expect($('main').text()).not.toContain('Eve');
    }
    expect(noticeIn(await dana.page('/seller?done=product-deleted'))).toBe('Product deleted.');
  });
});

describe('community', () => {
  it('is created with its name, and its creator is the owner', async ({ service }) => {
    const ben = await sellerOf(service, 'ben@example.com');
    const $ = await ben.submit('/seller/communities', { name: '  Tea Club  ' });
    expect(textOf($, 'h1')).toBe('Tea Club');
    expect(noticeIn($)).toBe('Community created. You are its owner.');
    expect(tableIn(await ben.page('/seller'), 'Communities')).toEqual(['Tea Club | Owner | 0 | 0 | None']);
  });

  it('needs a visible name, and its form keeps the typed text', async ({ service }) => {
    const ben = await sellerOf(service, 'ben@example.com');
    for (const name of ['', '   ', '\u200b', 'a'.repeat(201), 'two\nlines']) {
      const $ = await ben.refused('/seller/communities', { name });
      expect($('.error-summary a').attr('href')).toBe('#name');
      expect($('#name').attr('aria-invalid')).toBe('true');
      if (!/\p{Cc}/u.test(name)) expect($('#name').attr('value')).toBe(name);
    }
    expect(tableIn(await ben.page('/seller'), 'Communities')).toEqual([]);
  });

  it('is renamed by an administrator, and members see the new name', async ({ service }) => {
    const dana = await sellerOf(service);
    const $ = await dana.submit(`${COMMUNITY}/name`, { name: 'Tea & Biscuits <Club>' });
    expect(textOf($, 'h1')).toBe('Tea & Biscuits <Club>');
    const ada = await signedIn(service, 'ada@example.com');
    const account = parsePage(await (await ada.get('/account')).text());
    expect(textOf(account, 'main')).toContain('Tea & Biscuits <Club>');
    expect((await dana.refused(`${COMMUNITY}/name`, { name: ' ' }))('#name').attr('value')).toBe(' ');
  });

  it('has a messenger bot while one is named', async ({ service }) => {
    const dana = await sellerOf(service);
    expect((await dana.page(COMMUNITY))('#botName').attr('value')).toBe(sandboxScenario.messengerBot);
    expect((await dana.submit(`${COMMUNITY}/bot`, { botName: ' @tea_bot ' }))('#botName').attr('value')).toBe(
      'tea_bot',
    );
    for (const botName of ['te', 'tea bot', 'tea/bot', 'a'.repeat(65)]) {
      const $ = await dana.refused(`${COMMUNITY}/bot`, { botName });
      expect($('#botName').attr('value')).toBe(botName);
    }
    const without = await dana.submit(`${COMMUNITY}/bot`, { botName: '' });
    expect(noticeIn(without)).toContain('Bot removed');
    expect(without('#botName').attr('value')).toBe('');
  });
});

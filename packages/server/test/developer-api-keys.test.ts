import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { errorsOn, fillIn, hiddenFields } from './area-forms.js';
import { signedIn } from './authorization-flow.js';
import { type Browser, type FormFields, locationOf } from './browser.js';
import { parsePage, textOf } from './pages/page-document.js';
import { it, type ServiceUnderTest } from './service-under-test.js';

const { community } = sandboxScenario;
const LIST = '/developer/api-keys';
const NEW = { path: '/developer/api-keys/new', action: LIST };

async function create(browser: Browser, typed: FormFields): Promise<string> {
  const response = await fillIn(browser, NEW, typed);
  expect(response.status).toBe(200);
  return textOf(parsePage(await response.text()), '.copy-secret .copy-value');
}

/** Returns the status of a call that needs MEMBERSHIP_READ, with a key. */
async function check({ request }: ServiceUnderTest, key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  return (await request(`/membership/check-messenger/${community.id}/1001`, { headers })).status;
}

async function listText(browser: Browser): Promise<string> {
  return textOf(parsePage(await (await browser.get(LIST)).text()), 'main');
}

/** Names of the permissions offered in the form of a new key. */
async function offered(browser: Browser): Promise<(string | undefined)[]> {
  const $ = parsePage(await (await browser.get(NEW.path)).text());
  return $('input[name="permissions"]')
    .toArray()
    .map((box) => $(box).attr('value'));
}

describe('creation of an API key', () => {
  it('creates a working key for its owner in the developer area', { tags: ['api-key.prefix'] }, async ({
    service,
  }) => {
    const browser = await signedIn(service, 'dana@example.com');
    const key = await create(browser, { name: 'Bot', permissions: ['MEMBERSHIP_READ'] });
    expect(key).toMatch(/^svc_[A-Za-z0-9_-]{43}$/);
    expect(await check(service, key)).toBe(200);
  });

  it('shows the key in one uncached response only: never in an address, a cookie, a log or a later page', {
    tags: ['api-key.shown-once'],
  }, async ({ service }) => {
    const browser = await signedIn(service, 'dana@example.com');
    const fields = await hiddenFields(browser, NEW.path, LIST);
    const response = await browser.post(LIST, { ...fields, name: 'Bot', permissions: 'MEMBERSHIP_READ' });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.getSetCookie()).toEqual([]);
    const key = textOf(parsePage(await response.text()), '.copy-secret .copy-value');
    expect(key).toMatch(/^svc_/);
    for (const path of [LIST, NEW.path, '/developer']) {
      expect(await (await browser.get(path)).text()).not.toContain(key);
    }
    expect(service.log.join()).not.toContain(key);
    expect(await listText(browser)).toContain(`svc_…${key.slice(-4)}`);
  });

  it('happens once per form: a reload creates no second key and shows none', async ({ service }) => {
    const browser = await signedIn(service, 'dana@example.com');
    const fields = await hiddenFields(browser, NEW.path, LIST);
    const typed = { ...fields, name: 'Twice', permissions: 'MEMBERSHIP_READ' };
    expect((await browser.post(LIST, typed)).status).toBe(200);
    const again = await browser.post(LIST, typed);
    expect(again.status).toBe(303);
    const $ = parsePage(await (await browser.get(locationOf(again))).text());
    expect(textOf($, '[role="status"]')).toContain('This key was already created');
    expect($('#keys tbody th:contains("Twice")')).toHaveLength(1);
  });

  it('stores the chosen permissions, explains each one and offers no way to change them', {
    tags: ['api-key.permissions-fixed', 'api-key.selectable-permissions'],
  }, async ({ service }) => {
    const browser = await signedIn(service, 'dana@example.com');
    const writeOnly = await create(browser, { name: 'Writer', permissions: 'CHECKOUT_WRITE' });
    expect(await check(service, writeOnly)).toBe(403);
    const form = parsePage(await (await browser.get(NEW.path)).text());
    expect(form('input[name="permissions"][aria-describedby]')).toHaveLength(5);
    const list = parsePage(await (await browser.get(LIST)).text());
    const changes = list('form, a')
      .toArray()
      .map((way) => list(way).attr('action') ?? list(way).attr('href') ?? '')
      .filter((address) => /^\/developer\/api-keys\/./.test(address));
    expect(changes.filter((address) => !/\/(?:new|revoke)$/.test(address))).toEqual([]);
  });

  it('offers MEMBERSHIP_PROVISION to vetted partners only, and rejects it from other users', {
    tags: ['api-key.private-permission'],
  }, async ({ service }) => {
    const ben = await signedIn(service, 'ben@example.com');
    expect(await offered(ben)).toEqual([
      'MEMBERSHIP_READ',
      'MEMBERSHIP_WRITE',
      'CHECKOUT_WRITE',
      'DROP_NOTIFICATION_WRITE',
    ]);
    const refused = await fillIn(ben, NEW, { name: 'Sly', permissions: 'MEMBERSHIP_PROVISION' });
    expect(refused.status).toBe(400);
    expect((await errorsOn(refused)).permissions).toContain('approved partners only');
    expect(await listText(ben)).toContain('You have no active API keys.');

    const dana = await signedIn(service, 'dana@example.com');
    expect(await offered(dana)).toContain('MEMBERSHIP_PROVISION');
    await create(dana, { name: 'Partner', permissions: ['MEMBERSHIP_WRITE', 'MEMBERSHIP_PROVISION'] });
    expect(await listText(dana)).toContain('Partner');
  });

  it('shows an error next to each invalid field and keeps the typed text', async ({ service }) => {
    const browser = await signedIn(service, 'dana@example.com');
    const unnamed = await fillIn(browser, NEW, { name: ' ', permissions: 'CHECKOUT_WRITE' });
    expect(unnamed.status).toBe(400);
    const $ = parsePage(await unnamed.text());
    expect($('#name').attr('aria-invalid')).toBe('true');
    expect($(`#${$('#name').attr('aria-describedby')?.split(' ').at(-1)}`).text()).toContain('Enter a name');
    expect($('input[value="CHECKOUT_WRITE"]').attr('checked')).toBeDefined();
    expect($('.error-summary').attr('autofocus')).toBeDefined();

    const bare = await fillIn(browser, NEW, { name: 'Bot' });
    expect(Object.keys(await errorsOn(bare))).toEqual(['permissions']);
    const unknown = await fillIn(browser, NEW, { name: 'Bot', permissions: 'EVERYTHING' });
    expect(Object.keys(await errorsOn(unknown))).toEqual(['permissions']);
  });

  it('is limited to 50 active keys, and a revocation frees one', async ({ service }) => {
    const { operator } = service.server;
    const ownerId = sandboxScenario.users.ben.id;
    const permissions = ['MEMBERSHIP_READ'] as const;
    const keys: string[] = [];
    for (let n = 1; n <= 50; n += 1) {
      keys.push((await operator.createApiKey({ ownerId, name: `Key ${n}`, permissions })).id);
    }
    const ben = await signedIn(service, 'ben@example.com');
    const full = await fillIn(ben, NEW, { name: 'One more', permissions });
    expect(full.status).toBe(400);
    expect((await errorsOn(full)).name).toContain('50 active keys');
    await fillIn(ben, { path: `${LIST}/${keys[0]}/revoke` }, {});
    await create(ben, { name: 'One more', permissions });
  });
});

describe('revocation of an API key', () => {
  it('asks for confirmation, takes effect at once and lists the key as revoked', {
    tags: ['api-key.revocation-immediate'],
  }, async ({ service }) => {
    const browser = await signedIn(service, 'dana@example.com');
    const key = await create(browser, { name: 'Lost', permissions: 'MEMBERSHIP_READ' });
    const $ = parsePage(await (await browser.get(LIST)).text());
    const path = $('#keys tr:contains("Lost") a').attr('href') ?? '';
    expect(textOf(parsePage(await (await browser.get(path)).text()), 'h1')).toBe('Revoke this API key?');
    expect(await check(service, key)).toBe(200);

    const revoked = await fillIn(browser, { path }, {});
    expect(revoked.status).toBe(303);
    expect(await check(service, key)).toBe(401);
    const after = parsePage(await (await browser.get(locationOf(revoked))).text());
    expect(textOf(after, '[role="status"]')).toContain('revoked');
    expect(textOf(after, '#revoked')).toContain('Lost');
    expect(after(`a[href="${path}"]`)).toHaveLength(0);
    expect(locationOf(await browser.get(path))).toBe(LIST);
  });

  it('is possible for its owner only: other users get 404', async ({ service }) => {
    const dana = await signedIn(service, 'dana@example.com');
    const $ = parsePage(await (await dana.get(LIST)).text());
    const path = $('a[href$="/revoke"]').attr('href') ?? '';
    const ben = await signedIn(service, 'ben@example.com');
    expect((await ben.get(path)).status).toBe(404);
    const account = (await hiddenFields(ben, NEW.path, LIST)).account ?? '';
    expect((await ben.post(path, { account })).status).toBe(404);
    expect(await check(service, sandboxScenario.apiKey)).toBe(200);
    expect((await ben.get('/developer/api-keys/no-such-key/revoke')).status).toBe(404);
  });
});

import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { errorsOn, fillIn, hiddenFields } from './area-forms.js';
import { authorizePath, callResource, publicTokens, signedIn } from './authorization-flow.js';
import { type Browser, type FormFields, locationOf, redirectQuery } from './browser.js';
import { parsePage, textOf } from './pages/page-document.js';
import { acceptInvitation } from './seller-area.js';
import { CODE_CHALLENGE, CONFIDENTIAL, it, PUBLIC, type ServiceUnderTest } from './service-under-test.js';

const { users, community } = sandboxScenario;
const LIST = '/developer/clients';
const NEW = { path: '/developer/clients/new', action: LIST };

const WIDGET_APP = {
  name: 'Tea House',
  type: 'public',
  description: 'Tea, poured slowly.',
  scopes: 'memberships.read',
  hostedCallback: 'on',
  widgetOrigins: 'https://tea.example\r\n http://localhost:3000 \r\n\r\n',
};

const SERVER_APP = {
  name: 'Tea Office',
  type: 'confidential',
  scopes: ['memberships.read', 'products.read'],
  redirectUris: 'https://office.example/auth/callback\nhttps://staging.example/auth/callback',
};

/** Registers a public app and returns its client id. */
async function registerPublic(browser: Browser, typed: FormFields = WIDGET_APP): Promise<string> {
  const response = await fillIn(browser, NEW, typed);
  expect(response.status).toBe(303);
  return /oac_[0-9a-f]{24}/.exec(locationOf(response))?.[0] ?? '';
}

/** Registers a confidential app and returns its id and secret. */
async function registerConfidential(browser: Browser): Promise<{ clientId: string; secret: string }> {
  const response = await fillIn(browser, NEW, SERVER_APP);
  const $ = parsePage(await response.text());
  const clientId = /oac_[0-9a-f]{24}/.exec($('main').text())?.[0] ?? '';
  return { clientId, secret: textOf($, '.copy-secret .copy-value') };
}

/** Returns the status of an authorization request: 302 if accepted, 400 if a value is not registered. */
async function authorizeStatus({ request }: ServiceUnderTest, changes: Record<string, string>) {
  const query = { code_challenge: CODE_CHALLENGE, scope: 'memberships.read', ...changes };
  return (await request(authorizePath(query))).status;
}

async function pageOf(browser: Browser, path: string) {
  return parsePage(await (await browser.get(path)).text());
}

describe('registration of an app', () => {
  it('issues a client id and accepts redirect URIs, scopes and web origins, one per line', {
    tags: [
      'credentials.client-id-format',
      'credentials.registered-redirect-uris',
      'credentials.registered-scopes',
      'credentials.registered-widget-origins',
    ],
  }, async ({ service }) => {
    const browser = await signedIn(service, 'dana@example.com');
    const clientId = await registerPublic(browser);
    const redirect_uri = `${service.baseUrl}/widget/callback/${clientId}`;
    expect(await authorizeStatus(service, { client_id: clientId, redirect_uri })).toBe(302);
    const more = { client_id: clientId, redirect_uri, scope: 'products.read' };
    const tooMuch = await service.request(authorizePath({ ...more, code_challenge: CODE_CHALLENGE }));
    expect(redirectQuery(tooMuch).error).toBe('invalid_scope');
    for (const origin of ['https://tea.example', 'http://localhost:3000']) {
      const identity = await service.request(`/oauth/client/${clientId}?widget_origin=${origin}`);
      expect(await identity.json()).toMatchObject({ data: { name: 'Tea House', widgetOriginAllowed: true } });
    }
  });

  it('shows the secret of a confidential app once, in an uncached response', {
    tags: ['credentials.client-secret-issued', 'credentials.client-secret-format'],
  }, async ({ service }) => {
    const browser = await signedIn(service, 'dana@example.com');
    const response = await fillIn(browser, NEW, SERVER_APP);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const $ = parsePage(await response.text());
    const secret = textOf($, '.copy-secret .copy-value');
    expect(secret).toMatch(/^ocs_[0-9a-f]{48}$/);
    const path = $('a:contains("Continue to the")').attr('href') ?? '';
    for (const later of [path, `${path}/edit`, LIST]) {
      expect(await (await browser.get(later)).text()).not.toContain(secret);
    }
    expect(service.log.join()).not.toContain(secret);
  });

  it('happens once per form, however often it is sent', async ({ service }) => {
    const browser = await signedIn(service, 'ben@example.com');
    const fields = { ...(await hiddenFields(browser, NEW.path, LIST)), ...SERVER_APP };
    const answers = await Promise.all([browser.post(LIST, fields), browser.post(LIST, fields)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 303]);
    const again = await browser.post(LIST, fields);
    const $ = await pageOf(browser, locationOf(again));
    expect(textOf($, '[role="status"]')).toContain('already processed');
    expect($('#clients tbody tr')).toHaveLength(1);
  });

  it('shows every error next to its field and keeps the typed text', async ({ service }) => {
    const browser = await signedIn(service, 'dana@example.com');
    const typed = {
      name: '',
      type: 'other',
      description: 'x'.repeat(501),
      logoUrl: 'javascript:alert(1)',
      redirectUris: 'http://tea.example/callback\nhttps://tea.example/#top\nhttps://ok.example/',
      widgetOrigins: 'https://tea.example/shop',
    };
    const response = await fillIn(browser, NEW, typed);
    expect(response.status).toBe(400);
    const $ = parsePage(await response.text());
    const invalid = $('[aria-invalid="true"]')
      .toArray()
      .map((field) => $(field).attr('id'));
    expect(invalid.sort()).toEqual(
      ['description', 'logoUrl', 'name', 'redirectUris', 'scopes', 'type', 'widgetOrigins'].sort(),
    );
    expect(textOf($, '#redirectUris-errors')).toContain('“http://tea.example/callback”: Use https');
    expect(textOf($, '#redirectUris-errors')).toContain('“https://tea.example/#top”');
    expect($('#redirectUris').text()).toBe(typed.redirectUris);
    expect($('#description').text()).toBe(typed.description);
    expect($('#logoUrl').attr('value')).toBe(typed.logoUrl);
    for (const link of $('.error-summary a').toArray()) {
      expect($($(link).attr('href') ?? '')).toHaveLength(1);
    }
  });

  it('accepts a rejected form once it is corrected', async ({ service }) => {
    const browser = await signedIn(service, 'dana@example.com');
    const fields = { ...(await hiddenFields(browser, NEW.path, LIST)), ...WIDGET_APP };
    expect((await browser.post(LIST, { ...fields, name: '' })).status).toBe(400);
    expect((await browser.post(LIST, fields)).status).toBe(303);
  });

  it("rejects another client's callback and every other URL of the service", async ({ service }) => {
    const browser = await signedIn(service, 'ben@example.com');
    for (const redirectUris of [
      `${service.baseUrl}/widget/callback/${PUBLIC}`,
      `${service.baseUrl}/account`,
    ]) {
      const response = await fillIn(browser, NEW, { ...WIDGET_APP, redirectUris });
      expect(response.status).toBe(400);
      expect((await errorsOn(response)).redirectUris).toContain('its own hosted callback');
    }
  });

  it('is limited to 50 apps', async ({ service }) => {
    const { operator } = service.server;
    for (let n = 1; n <= 50; n += 1) {
      const app = { name: `App ${n}`, scopes: [], redirectUris: [], widgetOrigins: [] };
      await operator.registerClient({ ...app, type: 'public', ownerId: sandboxScenario.users.ben.id });
    }
    const response = await fillIn(await signedIn(service, 'ben@example.com'), NEW, WIDGET_APP);
    expect((await errorsOn(response)).name).toContain('50 apps');
  });
});

describe('page of an app', () => {
  it("shows the tags to paste, with the app's own id", async ({ service }) => {
    const browser = await signedIn(service, 'dana@example.com');
    const clientId = await registerPublic(browser);
    const $ = await pageOf(browser, `${LIST}/${clientId}`);
    const snippet = $('.code-block code').text();
    expect(snippet).toContain(`<script src="${service.baseUrl}/widget/latchkey.js" defer></script>`);
    expect(snippet).toContain(`<latchkey-login client-id="${clientId}"></latchkey-login>`);
    expect($('.warning')).toHaveLength(0);
  });

  it('names the community that its owner owns, never one that somebody else could choose', async ({
    service,
  }) => {
    const { operator } = service.server;
    const dana = await signedIn(service, 'dana@example.com');
    const { clientId } = await registerConfidential(dana);
    const code = async () => (await pageOf(dana, `${LIST}/${clientId}`))('.code-block code').text();
    const bens = await operator.createCommunity({
      id: '00000000-0000-4000-8000-000000000001',
      name: 'A club of Ben',
      ownerId: users.ben.id,
    });
    // Another seller has made Dana an admin of a community that comes first in every order.
    await operator.assignRole({ communityId: bens.id, userId: users.dana.id, role: 'ADMIN' });
    expect(await code()).toContain(community.id);
    expect(await code()).not.toContain(bens.id);
    // As an owner of both, Dana has to choose. A gate with this text stays shut.
    await operator.assignRole({ communityId: bens.id, userId: users.dana.id, role: 'OWNER' });
    await acceptInvitation(service, users.dana.email);
    expect(await code()).toContain('id of your community');
    expect(await code()).not.toContain(community.id);
  });

  it('shows the code for an Express app, with the registered address', async ({ service }) => {
    const browser = await signedIn(service, 'dana@example.com');
    const { clientId } = await registerConfidential(browser);
    const snippet = (await pageOf(browser, `${LIST}/${clientId}`))('.code-block code').text();
    for (const line of [
      `serviceUrl: '${service.baseUrl}'`,
      `clientId: '${clientId}'`,
      "appUrl: 'https://office.example'",
    ]) {
      expect(snippet).toContain(line);
    }
  });

  it('warns about settings that prevent a sign-in', async ({ service }) => {
    const browser = await signedIn(service, 'dana@example.com');
    const bare = { name: 'Bare', type: 'public', scopes: 'memberships.read' };
    const warnings = async (typed: FormFields) =>
      textOf(await pageOf(browser, `${LIST}/${await registerPublic(browser, typed)}`), '.warning');
    expect(await warnings(bare)).toContain('no redirect URI');
    expect(await warnings({ ...bare, hostedCallback: 'on' })).toContain('refuses every page');
    const originsOnly = { redirectUris: 'https://a.example/', widgetOrigins: 'https://a.example' };
    expect(await warnings({ ...bare, ...originsOnly })).toContain('have no effect');
    expect((await pageOf(browser, LIST))('tr:contains("Bare") .pill-warn')).toHaveLength(3);
  });
});

describe('edit form of an app', () => {
  it('shows the stored settings, with the hosted callback as a switch, and keeps them when saved unchanged', async ({
    service,
  }) => {
    const browser = await signedIn(service, 'dana@example.com');
    const clientId = await registerPublic(browser);
    const $ = await pageOf(browser, `${LIST}/${clientId}/edit`);
    expect($('#redirectUris').text().trim()).toBe('');
    expect($('#hostedCallback').attr('checked')).toBeDefined();
    expect($('#widgetOrigins').text().trim()).toBe('https://tea.example\nhttp://localhost:3000');
    expect($('input[name="type"]')).toHaveLength(0);
    const facts = async () => textOf(await pageOf(browser, `${LIST}/${clientId}`), '.facts');
    const before = await facts();
    const path = `${LIST}/${clientId}`;
    await fillIn(browser, { path: `${path}/edit`, action: path }, WIDGET_APP);
    expect(await facts()).toBe(before);
  });

  it('takes effect at once: removed addresses are rejected, and the secret stays', async ({ service }) => {
    const browser = await signedIn(service, 'dana@example.com');
    const { clientId, secret } = await registerConfidential(browser);
    const path = `${LIST}/${clientId}`;
    const changed = { ...SERVER_APP, redirectUris: 'https://new.example/auth/callback' };
    const saved = await fillIn(browser, { path: `${path}/edit`, action: path }, changed);
    expect(locationOf(saved)).toBe(`${path}?done=saved`);
    const status = (redirect_uri: string) => authorizeStatus(service, { client_id: clientId, redirect_uri });
    expect(await status('https://office.example/auth/callback')).toBe(400);
    expect(await status('https://new.example/auth/callback')).toBe(302);
    const token = await service.request('/oauth/token', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: 'none',
        client_id: clientId,
        client_secret: secret,
      }),
    });
    expect(await token.json()).toMatchObject({ error: 'invalid_grant' });
  });

  it('rejects invalid settings, keeps the typed text and changes nothing', async ({ service }) => {
    const browser = await signedIn(service, 'dana@example.com');
    const clientId = await registerPublic(browser);
    const path = `${LIST}/${clientId}`;
    const typed = { ...WIDGET_APP, widgetOrigins: 'http://tea.example', name: 'Renamed' };
    const response = await fillIn(browser, { path: `${path}/edit`, action: path }, typed);
    expect(response.status).toBe(400);
    const $ = parsePage(await response.text());
    expect($('#name').attr('value')).toBe('Renamed');
    expect(textOf($, '#widgetOrigins-errors')).toContain('Use https');
    expect(textOf(await pageOf(browser, path), 'h1')).toContain('Tea House');
  });
});

describe('app of another owner', () => {
  it.for([
    ['', 'get'],
    ['/edit', 'get'],
    ['/type/public', 'get'],
    ['/type/confidential', 'get'],
    ['/secret', 'get'],
    ['/delete', 'get'],
    ['', 'post'],
    ['/type/public', 'post'],
    ['/type/confidential', 'post'],
    ['/secret', 'post'],
    ['/delete', 'post'],
  ] as const)('is not found: %s by %s', async ([suffix, method], { service }) => {
    const ben = await signedIn(service, 'ben@example.com');
    const { account = '' } = await hiddenFields(ben, NEW.path, LIST);
    const path = `${LIST}/${CONFIDENTIAL}${suffix}`;
    const form = { account, ...SERVER_APP, confirmation: CONFIDENTIAL };
    const response = method === 'get' ? await ben.get(path) : await ben.post(path, form);
    expect(response.status).toBe(404);
    const dana = await signedIn(service, 'dana@example.com');
    expect(textOf(await pageOf(dana, `${LIST}/${CONFIDENTIAL}`), '.facts')).toContain('Confidential');
  });

  it("is missing from every other owner's list", async ({ service }) => {
    const ben = await signedIn(service, 'ben@example.com');
    expect(textOf(await pageOf(ben, LIST), 'main')).toContain('You have no apps.');
    expect((await ben.get(`${LIST}/oac_unknown`)).status).toBe(404);
  });
});

describe('deletion of an app', () => {
  it('requires its typed name or id, and revokes its tokens', async ({ service }) => {
    const tokens = await publicTokens(service);
    const dana = await signedIn(service, 'dana@example.com');
    const path = `${LIST}/${PUBLIC}/delete`;
    expect(textOf(await pageOf(dana, path), '.notes')).toContain('One user has allowed the app');
    const wrong = await fillIn(dana, { path }, { confirmation: 'Ember' });
    expect(wrong.status).toBe(400);
    expect((await errorsOn(wrong)).confirmation).toContain('Enter the name of the app');
    expect((await callResource(service, tokens.access_token)).status).toBe(200);

    const deleted = await fillIn(dana, { path }, { confirmation: '  Ember & Oak ' });
    expect(deleted.status).toBe(303);
    expect((await callResource(service, tokens.access_token)).status).toBe(401);
    expect((await service.request(`/oauth/client/${PUBLIC}`)).status).toBe(404);
    expect((await dana.get(`${LIST}/${PUBLIC}`)).status).toBe(404);
  });
});

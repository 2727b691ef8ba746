import { once } from 'node:events';
import { connect } from 'node:net';
import { PATHS } from '@latchkey/contract/constants';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import type { Database } from '../src/platform/database/open-database.js';
import { authorizePath, publicRequest, signedIn } from './authorization-flow.js';
import { locationOf } from './browser.js';
import { parsePage } from './pages/page-document.js';
import { type ServiceUnderTest, SHOP, startService } from './service-under-test.js';
import { itWithDatabase as it } from './service-with-database.js';

const { community, users } = sandboxScenario;

/** Name that no form accepts. A database of another origin can contain it. */
const NAME = 'Tea\r\nX-Injected: 1\r\n\r\n<b>日本 “é” ; , " \u202e';

/** Gives every text that its owner chooses the same hostile value. */
async function nameEverything(db: Database): Promise<void> {
  for (const table of [
    'communities',
    'products',
    'pricing_plans',
    'drop_slots',
    'webhooks',
    'api_keys',
  ] as const) {
    const columns = await db.selectFrom(table).selectAll().limit(1).execute();
    if (columns[0] !== undefined && 'name' in columns[0]) {
      await db
        .updateTable(table as 'communities')
        .set({ name: NAME })
        .execute();
    }
  }
  await db.updateTable('oauth_clients').set({ name: NAME, description: NAME }).execute();
  await db.updateTable('users').set({ name: NAME }).execute();
}

/** Path of a page: ids and secrets are replaced, so that lists are followed once. */
const kindOf = (path: string) =>
  path
    .split('?')[0]
    ?.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|oac_[0-9a-f]{24}/g, '{id}')
    .replace(/\/(docs|assets)\/.*/, '/$1');

/** Follows the links of the service's own pages, one page of each kind. */
async function crawl(service: ServiceUnderTest, email: string): Promise<Map<string, Response>> {
  const browser = await signedIn(service, email);
  const found = new Map<string, Response>();
  const queue = [
    '/',
    '/account',
    '/developer',
    '/seller',
    `/seller/communities/${community.id}/members`,
    `/seller/communities/${community.id}/drops`,
    `/communities/${community.id}`,
    '/sandbox',
    '/sandbox/mailbox',
    '/sign-in',
    '/signed-out',
    '/no-such-page',
    authorizePath(publicRequest(service)),
    PATHS.userinfo,
  ];
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const kind = kindOf(path) ?? '';
    if (found.has(kind)) continue;
    const response = await browser.get(path);
    found.set(kind, response);
    const type = response.headers.get('content-type') ?? '';
    const text = type.startsWith('text/html') ? await response.clone().text() : '';
    const links = text === '' ? [] : parsePage(text)('a[href]').toArray();
    const addresses = [...links.map((link) => link.attribs.href ?? ''), locationOf(response)];
    for (const address of addresses) {
      const url = URL.canParse(address, service.baseUrl) ? new URL(address, service.baseUrl) : undefined;
      if (url?.origin === service.baseUrl) queue.push(`${url.pathname}${url.search}`);
    }
  }
  return found;
}

function directivesOf(policy: string): Map<string, string> {
  return new Map(
    policy.split(';').map((each) => {
      const [name = '', ...values] = each.trim().split(/\s+/);
      return [name, values.join(' ')];
    }),
  );
}

describe('every page that links lead to, with hostile names in the database', { timeout: 120_000 }, () => {
  it('has headers of one line of ASCII, and a policy that allows no foreign script, form, base or frame', async ({
    service,
    db,
  }) => {
    await nameEverything(db);
    const pages = await crawl(service, users.dana.email);
    const kinds = [...pages.keys()];
    for (const each of ['/seller/communities/{id}', '/developer', '/account', '/sandbox', '/oauth/consent']) {
      expect(kinds).toContain(each);
    }
    expect(kinds.length).toBeGreaterThan(40);
    for (const [kind, response] of pages) {
      expect(response.status, kind).toBeLessThan(500);
      expect(response.headers.has('x-injected'), kind).toBe(false);
      for (const [name, value] of response.headers)
        expect(value, `${kind} ${name}`).toMatch(/^[\x20-\x7e]*$/);
      const policies = (response.headers.get('content-security-policy') ?? '').split(',');
      expect(policies, kind).toHaveLength(1);
      expect(policies[0], kind).not.toContain('unsafe');
      const policy = directivesOf(policies[0] ?? '');
      expect(policy.get('default-src'), kind).toBe("'none'");
      expect(policy.get('base-uri'), kind).toBe("'none'");
      expect(policy.get('frame-ancestors'), kind).toMatch(/^'(?:none|self)'$/);
      // The page for consent may also redirect to the client.
      const targets = (policy.get('form-action') ?? '*').replace(/^'self' (?=http)/, '');
      expect(["'none'", "'self'", service.baseUrl, SHOP], kind).toContain(targets);
      expect(policy.get('script-src') ?? "'none'", kind).toMatch(/^'(?:none|self)'$/);
      const location = response.headers.get('location');
      if (location !== null) {
        expect([service.baseUrl, SHOP], kind).toContain(new URL(location, service.baseUrl).origin);
      }
    }
  });
});

describe('a request that names another host in headers of proxies', () => {
  const SPOOFED: Record<string, string> = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    'x-forwarded-port': '444',
    'x-forwarded-prefix': '/evil.example',
    'x-forwarded-server': 'evil.example',
    'x-forwarded-for': 'evil.example',
    forwarded: 'host=evil.example;proto=https',
    'x-host': 'evil.example',
    'x-original-host': 'evil.example',
    'x-http-host-override': 'evil.example',
    'x-original-url': '//evil.example/',
    'x-rewrite-url': '//evil.example/',
    referer: 'https://evil.example/',
  };

  it.for(Object.entries(SPOOFED))(
    '%s changes no redirect, page, cookie or mail',
    async ([name, value], { service }) => {
      const browser = service.browser();
      const own = { origin: service.baseUrl, 'sec-fetch-site': 'same-origin', [name]: value };
      const responses = [
        await browser.get('/account', own),
        await browser.get(authorizePath(publicRequest(service)), own),
        await browser.get('/no-such-page', own),
        await browser.get('/sign-in', own),
        await browser.get('/openapi.json', own),
        await browser.post('/sign-in/code', { email: users.ada.email, continue: '/account' }, own),
      ];
      for (const response of responses) {
        const text = await response.text();
        for (const part of [text, ...response.headers.values()]) expect(part).not.toContain('evil.example');
        expect(response.headers.get('location') ?? '/').toMatch(/^\/(?!\/)/);
        expect(response.headers.getSetCookie().join()).not.toMatch(/domain=/i);
      }
      const mail = service.server.mailbox?.latestFor(users.ada.email);
      expect(mail?.code).toMatch(/^\d{6}$/);
      for (const text of [mail?.text, mail?.html, mail?.subject]) expect(text).not.toContain('evil.example');
      for (const [, link = ''] of (mail?.html ?? '').matchAll(/href="([^"]*)"/g)) {
        expect(new URL(link).origin).toBe(service.baseUrl);
      }
    },
  );
});

describe('a cookie of a sibling domain', () => {
  // A sibling domain cannot set the name of the session cookie, because of its prefix. It can set similar names.
  const tossed: Record<string, (name: string, value: string) => string> = {
    'the name without its prefix': (name, value) => `${name.replace('__Host-', '')}=${value}`,
    'another letter case': (name, value) => `${name.replace('__Host-', '__HOST-')}=${value}`,
    'no name, and the name in the value': (name, value) => `=${name}=${value}`,
    'a no-break space before the name': (name, value) => `\u00a0${name}=${value}`,
    'a next-line character before the name': (name, value) => `\u0085${name}=${value}`,
    'a Unicode space before the name': (name, value) => `\u00e2\u0080\u0080${name}=${value}`,
    'quotation marks': (name, value) => `"${name}"=${value}`,
    'a comma in another cookie': (name, value) => `a=b, ${name}=${value}`,
    'an encoded name': (name, value) => `${name.replace('_', '%5F')}=${value}`,
    'a name of objects': (_name, value) => `__proto__=${value}`,
  };

  it('signs nobody in, and does not hide the real one', async ({ onTestFinished }) => {
    const service = await startService({ baseUrl: 'https://service.example' });
    onTestFinished(() => service.server.close());
    const cookieOf = async (email: string) => [...(await signedIn(service, email)).cookies][0] ?? ['', ''];
    const [name, value] = await cookieOf(users.ben.email);
    const [, real] = await cookieOf(users.ada.email);
    expect(name).toMatch(/^__Host-/);
    const shownFor = async (cookie: string) => {
      const text = await getProfile(service.server.port, cookie);
      return [users.ada.email, users.ben.email].filter((email) => text.includes(email));
    };
    expect(await shownFor(`${name}=${value}`)).toEqual([users.ben.email]);
    for (const [what, header] of Object.entries(tossed)) {
      const foreign = header(name, value);
      expect(await shownFor(foreign), what).toEqual([]);
      for (const cookie of [`${foreign}; ${name}=${real}`, `${name}=${real}; ${foreign}`]) {
        expect(await shownFor(cookie), what).toEqual([users.ada.email]);
      }
    }
  });
});

describe('the cookie of a session', () => {
  it('signs in in one spelling only', async ({ onTestFinished }) => {
    const service = await startService({ baseUrl: 'https://service.example' });
    onTestFinished(() => service.server.close());
    const [[name, value] = ['', '']] = (await signedIn(service, users.ada.email)).cookies;
    const isSignedIn = async (text: string) =>
      (await getProfile(service.server.port, `${name}=${text}`)).includes(users.ada.email);
    expect(await isSignedIn(value)).toBe(true);
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const spellings = [
      ...[...letters].map((letter) => `${value.slice(0, -1)}${letter}`).filter((text) => text !== value),
      ...[
        `${value}=`,
        `"${value}"`,
        `${value}%20`,
        `${value}\u00a0`,
        value.toUpperCase(),
        value.toLowerCase(),
      ],
      value.replace(/./, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
      value.replaceAll(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    ];
    for (const text of spellings) expect(await isSignedIn(text), text).toBe(false);
  });
});

/** Requests a page with the profile of the signed-in user. The cookie is sent with one byte for each character. */
async function getProfile(port: number, cookie: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  const closed = once(socket, 'close');
  const head = ['GET /account HTTP/1.1', 'Host: service.example', 'Connection: close', `Cookie: ${cookie}`];
  socket.write(`${head.join('\r\n')}\r\n\r\n`, 'latin1');
  await closed;
  return text;
}

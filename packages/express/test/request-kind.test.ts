import { createServer } from 'node:http';
import { Socket } from 'node:net';
import { fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import type { Request } from 'express';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hostWarning } from '../src/http/app-url.js';
import { Browser, NAVIGATION } from './browser.js';
import { SHOP_MEMBERS } from './community-directory.js';
import { listen } from './listen.js';
import { getRaw } from './raw-request.js';
import { type Shop, startShop } from './shop.js';

let shop: Shop;
beforeEach(async () => {
  shop = await startShop({
    routes: (app, auth) => {
      app.use(auth.router);
      app.get(
        [
          '/article',
          '/article.data',
          '/article/__data.json',
          '/article/_payload.json',
          '/_next/data/b1/article.json',
        ],
        auth.requireMembership(SHOP_MEMBERS, { teaser: (_request, response) => response.send('Teaser') }),
        (_request, response) => response.send('The whole article'),
      );
      app.get('/members', auth.requireMembership(SHOP_MEMBERS));
    },
  });
});
afterEach(() => shop.close());

const SCRIPT = { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty', accept: '*/*' };
/** Scripts of a page that is not on https or localhost, where browsers send no Sec-Fetch. */
const PLAIN_HTTP = { accept: '*/*' };
/** Requests, and the status of a page behind a gate with a teaser and without one. */
const REQUESTS: readonly [string, Record<string, string>, { teaser: number; plain: number }][] = [
  ['a navigation', { ...NAVIGATION, 'sec-fetch-dest': 'document' }, { teaser: 200, plain: 302 }],
  [
    'a navigation that names no type',
    { 'sec-fetch-dest': 'document', accept: '*/*' },
    { teaser: 200, plain: 302 },
  ],
  ['a browser on plain http', NAVIGATION, { teaser: 200, plain: 302 }],
  [
    'the link preview of a messenger',
    { accept: '*/*', 'user-agent': 'TelegramBot' },
    { teaser: 200, plain: 401 },
  ],
  ['a crawler without Accept', { accept: '' }, { teaser: 200, plain: 401 }],
  ['a preview that wants a picture', { accept: 'image/*, */*;q=0.1' }, { teaser: 200, plain: 401 }],
  ['fetch of a page', SCRIPT, { teaser: 401, plain: 401 }],
  [
    'fetch of a page that prefers HTML (a router)',
    { ...SCRIPT, accept: 'text/html' },
    { teaser: 401, plain: 401 },
  ],
  ['an old script', { 'x-requested-with': 'XMLHttpRequest', accept: '*/*' }, { teaser: 401, plain: 401 }],
  [
    'an image of a page',
    { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    { teaser: 401, plain: 401 },
  ],
  ['a server component of Next.js', { ...PLAIN_HTTP, rsc: '1' }, { teaser: 401, plain: 401 }],
  ['the data of a page of Next.js', { ...PLAIN_HTTP, 'x-nextjs-data': '1' }, { teaser: 401, plain: 401 }],
  ['htmx', { ...PLAIN_HTTP, 'hx-request': 'true' }, { teaser: 401, plain: 401 }],
  [
    'Turbo, which asks for HTML',
    { accept: 'text/html, application/xhtml+xml', 'x-turbo-request-id': '1' },
    { teaser: 401, plain: 401 },
  ],
  ['a frame of Turbo', { accept: 'text/html', 'turbo-frame': 'cart' }, { teaser: 401, plain: 401 }],
  [
    'Inertia',
    { accept: 'text/html, application/xhtml+xml', 'x-inertia': 'true' },
    { teaser: 401, plain: 401 },
  ],
  ['EventSource without Sec-Fetch', { accept: 'text/event-stream' }, { teaser: 401, plain: 401 }],
  [
    'a feed reader',
    { accept: 'application/rss+xml, application/atom+xml;q=0.8, text/xml;q=0.4' },
    { teaser: 401, plain: 401 },
  ],
  [
    'an image of a page on plain http',
    { accept: 'image/avif,*/*;q=0.8', referer: 'own' },
    { teaser: 401, plain: 401 },
  ],
  [
    'a person who follows a link from another site',
    { ...NAVIGATION, referer: 'https://news.example/' },
    { teaser: 200, plain: 302 },
  ],
  [
    'a crawler with a Referer',
    { accept: '*/*', referer: 'https://news.example/' },
    { teaser: 200, plain: 401 },
  ],
  ['curl', { accept: '*/*', 'user-agent': 'curl/8.5.0' }, { teaser: 200, plain: 401 }],
  ['fetch of Node.js', { accept: '*/*', 'sec-fetch-mode': 'cors' }, { teaser: 200, plain: 401 }],
  [
    'a WebView of Android',
    { ...NAVIGATION, 'x-requested-with': 'com.example.app' },
    { teaser: 200, plain: 302 },
  ],
  ['a client that asks for JSON', { accept: 'application/json' }, { teaser: 401, plain: 401 }],
  [
    'a client that asks for JSON of its own type',
    { accept: 'application/vnd.api+json, */*' },
    { teaser: 401, plain: 401 },
  ],
];

it.each(REQUESTS)(
  '%s receives its kind of response from a gate',
  async (_name, headers, { teaser, plain }) => {
    const own = headers.referer === 'own' && { referer: `${shop.url}/` };
    const ask = (path: string) =>
      shop.browser.request(`${shop.url}${path}`, { headers: { ...headers, ...own } });
    expect(await ask('/article')).toMatchObject(
      teaser === 200 ? { status: 200, text: 'Teaser' } : { status: teaser },
    );
    expect(await ask('/members')).toMatchObject({ status: plain });
  },
);

it.each([
  '/article.data',
  '/article/__data.json?x=1',
  '/article/_payload.json',
  '/_next/data/b1/article.json',
])('a router that loads %s receives JSON, and a person who opens it the teaser', async (path) => {
  const ask = (headers: Record<string, string>) => shop.browser.request(`${shop.url}${path}`, { headers });
  expect(await ask(PLAIN_HTTP)).toMatchObject({ status: 401, json: { error: 'sign_in_required' } });
  expect(await ask(NAVIGATION)).toMatchObject({ status: 200, text: 'Teaser' });
  expect(await ask({ 'sec-fetch-dest': 'document' })).toMatchObject({ status: 200, text: 'Teaser' });
});

describe('a request that nobody has opened', () => {
  const SPECULATIVE: readonly [string, { method?: string; headers: Record<string, string> }, number][] = [
    ['Sec-Purpose: prefetch', { headers: { ...NAVIGATION, 'sec-purpose': 'prefetch' } }, 503],
    [
      'Sec-Purpose: prefetch;prerender',
      { headers: { ...NAVIGATION, 'sec-purpose': 'prefetch;prerender' } },
      503,
    ],
    ['Purpose: prefetch', { headers: { ...NAVIGATION, purpose: 'prefetch' } }, 503],
    ['X-Purpose: preview', { headers: { ...NAVIGATION, 'x-purpose': 'preview' } }, 503],
    ['X-Sec-Purpose: prefetch of Turbo', { headers: { ...SCRIPT, 'x-sec-purpose': 'prefetch' } }, 503],
    ['htmx without Sec-Fetch', { headers: { ...PLAIN_HTTP, 'hx-request': 'true' } }, 503],
    ['X-Moz: prefetch', { headers: { ...NAVIGATION, 'x-moz': 'prefetch' } }, 503],
    ['fetch by a router', { headers: SCRIPT }, 503],
    ['HEAD', { method: 'HEAD', headers: NAVIGATION }, 204],
  ];

  it.each(SPECULATIVE)('%s starts no sign-in and redeems no code', async (_name, request, status) => {
    const login = await shop.browser.request(`${shop.url}/auth/login?returnTo=/article`, request);
    expect(login).toMatchObject({ status });
    expect(login.headers.getSetCookie()).toEqual([]);
    shop.service.visitor = fakeUser('ada@example.com', [fakeMembership()]);
    const away = await shop.browser.request(`${shop.url}/auth/login?returnTo=/article`);
    const back = await shop.browser.request(away.headers.get('location') ?? '');
    const callback = back.headers.get('location') ?? '';
    expect(await shop.browser.request(callback, request)).toMatchObject({ status });
    expect(shop.service.count('POST /oauth/token')).toBe(0);
    expect(await shop.browser.open(callback)).toMatchObject({ status: 200, text: 'The whole article' });
  });

  it('adds no cookie, however many links a page prefetches', async () => {
    for (let link = 0; link < 20; link += 1) {
      const headers = { ...NAVIGATION, 'sec-purpose': 'prefetch' };
      await shop.browser.request(`${shop.url}/members?link=${link}`, { headers, follow: true });
      await shop.browser.request(`${shop.url}/auth/login?returnTo=/members`, { headers });
    }
    expect(shop.browser.cookies.size).toBe(0);
  });
});

it('endpoints accept one trailing slash', async () => {
  shop.service.visitor = fakeUser('ada@example.com', [fakeMembership()]);
  const away = await shop.browser.request(`${shop.url}/auth/login/?returnTo=/article`);
  expect(away.status).toBe(302);
  const back = await shop.browser.request(away.headers.get('location') ?? '');
  const callback = new URL(back.headers.get('location') ?? '');
  callback.pathname += '/';
  expect(await shop.browser.open(callback.href)).toMatchObject({ status: 200, text: 'The whole article' });
  expect(await shop.browser.request(`${shop.url}/auth/session/`)).toMatchObject({ json: { signedIn: true } });
  expect(await shop.browser.request(`${shop.url}/auth/session//`)).toMatchObject({ status: 404 });
  expect(await shop.browser.request(`${shop.url}/auth/`)).toMatchObject({ status: 404 });
});

it('endpoints are found like routes of Express: in any letter case, and with the origin in the request line', async () => {
  const json = { accept: 'application/json' };
  for (const path of ['/AUTH/Session', '/auth/SESSION/?fresh', `${shop.url}/auth/session`])
    expect(await getRaw(shop.url, path, json)).toMatchObject({ status: 200, text: '{"signedIn":false}' });
  expect(await getRaw(shop.url, `${shop.url}/auth/other`, json)).toMatchObject({ status: 404 });
});

it('two apps on ports of one host share neither cookies nor sessions', async () => {
  const other = await startShop({ beside: shop });
  const browser = new Browser();
  const ada = fakeUser('ada@example.com', [fakeMembership()]);
  const ben = fakeUser('ben@example.com', []);
  await shop.signIn(ada, { browser });
  await other.signIn(ben, { browser });
  const subOf = async (url: string) => (await browser.request(`${url}/auth/session`)).json.user;
  expect(await subOf(shop.url)).toMatchObject({ email: 'ada@example.com' });
  expect(await subOf(other.url)).toMatchObject({ email: 'ben@example.com' });
  const sessions = [...browser.cookies].filter(([name]) => /^latchkey_[0-9a-f]{8}$/.test(name));
  expect(sessions).toHaveLength(2);
  const [[, one] = [], [name] = []] = sessions;
  const mixed = await new Browser().request(`${other.url}/auth/session`, {
    headers: { cookie: `${name}=${one?.value}` },
  });
  expect(mixed.json).toMatchObject({ signedIn: false });
  await other.close();
});

it('a host in another spelling is the host of appUrl', async () => {
  for (const [appUrl, host] of [
    ['https://shop.example', 'SHOP.Example:443'],
    ['https://münchen.example', 'xn--mnchen-3ya.example'],
  ] as const) {
    const log: string[] = [];
    const logger = { warn: (message: string) => void log.push(message), error: () => {} };
    const { hostname, port, protocol } = new URL(appUrl);
    const warn = hostWarning(
      { appOrigin: `${protocol}//${hostname}${port}`, appPath: '', mountPath: '/auth' },
      logger,
    );
    warn({ headers: { host }, socket: new Socket() });
    expect(log).toEqual([]);
  }
});

it('a host without the port of appUrl, as nginx has it in $host, is reported with the variable that has it', () => {
  const log: string[] = [];
  const logger = { warn: (_code: string, message: string) => void log.push(message), error: () => {} };
  const warn = hostWarning(
    { appOrigin: 'https://shop.example:8443', appPath: '', mountPath: '/auth' },
    logger,
  );
  warn({ headers: { host: 'shop.example' }, socket: new Socket() });
  expect(log).toEqual([expect.stringContaining('(nginx: $http_host, not $host)')]);
});

it('an appUrl with https is reported once if the process itself answers http on its port', async () => {
  let warn: ReturnType<typeof hostWarning> | undefined;
  const server = createServer((request, response) => {
    warn?.(request as Request);
    response.end();
  });
  const { url, close } = await listen(server);
  const { host, hostname } = new URL(url);
  const warnings = async (appOrigin: string, headers: Record<string, string> = {}) => {
    const log: string[] = [];
    const app = { appOrigin, appPath: '', mountPath: '/auth' };
    warn = hostWarning(app, { warn: (_code, message) => void log.push(message), error: () => {} });
    for (const _ of [1, 2]) await new Browser().request(url, { headers });
    return log;
  };
  const [message, ...others] = await warnings(`https://${host}`);
  expect(message).toContain(`Requests arrive at http://${host}, but appUrl is https://${host}.`);
  expect(others).toEqual([]);
  expect(await warnings(`http://${host}`)).toEqual([]);
  expect(await warnings(`https://${host}`, { 'x-forwarded-proto': 'https' })).toEqual([]);
  // A proxy that ends TLS has another port.
  expect(await warnings(`https://${hostname}:9`, { 'x-forwarded-host': `${hostname}:9` })).toEqual([]);
  await close();
});

it('a wrong port in appUrl is reported once', async () => {
  const wrong = await startShop({ beside: shop, options: { appUrl: 'http://127.0.0.1:9' } });
  for (const path of ['/', '/members']) await wrong.browser.request(`${wrong.url}${path}`);
  const warnings = wrong.log.filter(({ message }) => message.includes('app_url_mismatch'));
  expect(warnings).toHaveLength(1);
  expect(warnings[0]?.message).toMatch(
    new RegExp(`arrive at ${new URL(wrong.url).host}, but appUrl is http://127\\.0\\.0\\.1:9`),
  );
  await wrong.close();
});

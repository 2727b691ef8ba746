import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningSandbox, sandboxScenario } from '@latchkey/sandbox';
import express, { type NextFunction, type Response } from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { latchkey } from '../call.js';
import { type ControlSandbox, startControlSandbox } from '../control/control-sandbox.js';
import { type Plant, type SiteParts, startSite } from './planted-site.js';
import { siteDoctor } from './site-doctor.js';

let sandbox: ControlSandbox;
beforeAll(async () => {
  sandbox = await startControlSandbox();
});
afterAll(() => sandbox.close());

/** Returns a change of the page that replaces a text, which must be there. */
const replaced =
  (text: string | RegExp, by: string | ((parts: SiteParts) => string)): NonNullable<Plant['page']> =>
  (html, parts) => {
    const changed = html.replace(text, typeof by === 'string' ? by : by(parts));
    if (changed === html) throw new Error(`The page does not contain ${text}.`);
    return changed;
  };
const policy = (directives: (parts: SiteParts) => string): Plant => ({
  headers: (parts) => ({ 'Content-Security-Policy': `${directives(parts)}; frame-ancestors 'none'` }),
});
const asScript =
  (text: string, type = 'text/javascript'): NonNullable<Plant['before']> =>
  (app) => {
    app.get(
      /\/latchkey(-plans)?\.js$/,
      (_request, response) => void response.set('Content-Type', type).send(text),
    );
  };
const fromSite = replaced(/http:\/\/[^"]+\/widget\/latchkey\.js/, '/latchkey.js');
const withoutBackend = (html: string) =>
  html.replaceAll(' backend="/auth"', '').replace(/<latchkey-gate[\s\S]*<\/latchkey-gate>/, '');
const standalone =
  (attributes: string): NonNullable<Plant['page']> =>
  (html) =>
    withoutBackend(html)
      .replace(/<latchkey-plans[\s\S]*<\/latchkey-plans>/, '')
      .replace('<latchkey-login ', `<latchkey-login ${attributes} `);
const toService = policy(({ serviceUrl }) => `script-src 'self' ${serviceUrl}; connect-src ${serviceUrl}`);
const WIDGET = join(import.meta.dirname, '../../../widget/dist');
const otherHost = ({ origin }: SiteParts) => origin.replace('localhost', '127.0.0.1');

/** A site that serves the built widget itself, but answers differently for the module of a sign-in. */
const ownCopy = (
  answer: (response: Response, next: NextFunction) => unknown,
  { scripts = () => '', sources = "'self'" }: { scripts?(parts: SiteParts): string; sources?: string } = {},
): Plant => ({
  page: (html, parts) =>
    html
      .replaceAll(`${parts.serviceUrl}/widget/`, `${scripts(parts)}/latchkey/`)
      .replace('<latchkey-login ', `<latchkey-login service-url="${parts.serviceUrl}" `),
  before(app) {
    app.get('/latchkey/latchkey-sign-in.js', (_request, response, next) => void answer(response, next));
    app.use('/latchkey', express.static(WIDGET));
  },
  client: ({ origin }) => ({
    redirectUris: ['/latchkey/callback.html', '/auth/callback'].map((path) => origin + path),
  }),
  ...policy((parts) => `script-src ${sources} ${scripts(parts)}; connect-src 'self'`),
});
const missing = (response: Response) => response.sendStatus(404);
/** A page that contains latchkey.js. */
const inlined: Plant['page'] = (html, parts) =>
  (ownCopy(missing).page?.(html, parts) ?? '').replace(
    /<script src="[^"]*latchkey\.js" defer>/,
    () => `<script>${readFileSync(join(WIDGET, 'latchkey.js'), 'utf8')}`,
  );

async function examine(plant: Plant, running: RunningSandbox = sandbox) {
  const site = await startSite(running, plant);
  return await siteDoctor(['--site', `${site.origin}/`, '--service', running.baseUrl], sandbox.env);
}

it('finds nothing on a good site, with and without the token of the sandbox', async () => {
  const site = await startSite(sandbox);
  for (const env of [{}, sandbox.env]) {
    const { code, out } = await latchkey(
      ['doctor', '--site', site.origin, '--service', sandbox.baseUrl],
      env,
    );
    expect(out).toMatch(/\nAll fine\.$/);
    expect(code).toBe(0);
  }
});

it.for<[string, Plant]>([
  ['a public client without a backend', { page: standalone(''), ...toService }],
  [
    'a redirect without a popup',
    {
      page: standalone('mode="redirect" return-url="/"'),
      client: ({ origin }) => ({ redirectUris: [`${origin}/`] }),
      ...toService,
    },
  ],
  [
    'a policy with a nonce',
    {
      page: (html) => html.replaceAll('<script ', '<script nonce="abc" '),
      ...policy(() => "script-src 'nonce-abc' 'strict-dynamic'; connect-src 'self'"),
    },
  ],
  ['a page without a policy', { headers: () => ({ 'Content-Security-Policy': "frame-ancestors 'none'" }) }],
  [
    'a script as a module, and an inline script with data',
    {
      page: (html) =>
        html
          .replaceAll(' defer', ' type="module"')
          .replace('</head>', '<script type="application/json">{"a":"ocs_"}</script></head>'),
    },
  ],
  [
    'a link to the kit in place of elements',
    {
      page: () => '<a href="/auth/login?returnTo=/members">Sign in</a>',
    },
  ],
  ['its own copy of the widget', ownCopy((_response, next) => next())],
  [
    'its own copy of the widget in one file',
    {
      ...ownCopy(missing),
      page: (html, parts) =>
        (ownCopy(missing).page?.(html, parts) ?? '').replace('latchkey.js', 'latchkey-all.js'),
    },
  ],
  [
    'a loader that the policy allows',
    {
      page: (html) => html.replaceAll('<script ', '<script integrity="sha256-abc" '),
      ...policy(() => "script-src 'sha256-abc' 'strict-dynamic'; connect-src 'self'"),
    },
  ],
  [
    'a popup policy that keeps the popup',
    { headers: () => ({ 'Cross-Origin-Opener-Policy': 'same-origin-allow-popups' }) },
  ],
  [
    'a preview at the address of the content, for people who open it as a page',
    {
      before: (app) =>
        void app.get('/members', ({ headers }, response, next) =>
          headers['sec-fetch-dest'] === 'empty' ? next() : void response.send('<p>How it begins</p>'),
        ),
    },
  ],
])('finds nothing on a good site with %s', async ([, plant]) => {
  const { findings, code } = await examine(plant);
  expect(findings).toEqual([]);
  expect(code).toBe(0);
});

it.for<[string, Plant]>([
  ['script-missing', { page: replaced(/<script src="[^"]*latchkey\.js" defer><\/script>/, '') }],
  ['plans-script-missing', { page: replaced(/<script src="[^"]*latchkey-plans\.js" defer><\/script>/, '') }],
  [
    'script-unreachable',
    {
      page: replaced(/http:\/\/[^"]+\/widget\/latchkey-plans\.js/, '/latchkey-plans.js'),
      before: (app) =>
        void app.get('/latchkey-plans.js', (_request, response) => void response.sendStatus(503)),
    },
  ],
  ['script-wrong-url', { page: replaced('/widget/latchkey.js', '/latchkey.js') }],
  [
    'script-wrong-url service-url-wrong',
    { page: fromSite, before: asScript('<!doctype html>', 'text/html') },
  ],
  [
    'script-twice',
    {
      page: replaced(
        '<script src="/app.js"',
        ({ serviceUrl }) => `<script src="${serviceUrl}/widget/latchkey.js"></script><script src="/app.js"`,
      ),
    },
  ],
  ['sign-in-script-missing', ownCopy(missing)],
  ['sign-in-script-missing', { ...ownCopy(missing), page: inlined }],
  ['sign-in-script-elsewhere', ownCopy(missing, { sources: '*' })],
  ['coop-severs-popup', { headers: () => ({ 'Cross-Origin-Opener-Policy': 'same-origin' }) }],
  ['csp-script-src', policy(() => "script-src 'self'; connect-src 'self'")],
  ['csp-script-src', policy(() => "require-trusted-types-for 'script'; trusted-types 'none'")],
  [
    'csp-script-src',
    policy(({ serviceUrl }) => `script-src 'nonce-abc' 'strict-dynamic' ${serviceUrl}; connect-src 'self'`),
  ],
  ['csp-connect-src', policy(({ serviceUrl }) => `default-src 'none'; script-src 'self' ${serviceUrl}`)],
  [
    'csp-connect-src',
    {
      page: standalone(''),
      ...policy(({ serviceUrl }) => `script-src 'self' ${serviceUrl}; connect-src 'self'`),
    },
  ],
  [
    'csp-connect-src',
    {
      page: replaced(
        '<head>',
        '<head><meta http-equiv="content-security-policy" content="connect-src \'none\'">',
      ),
    },
  ],
  [
    'csp-style-src',
    {
      page: replaced('</head>', '<style>latchkey-gate:not(:defined) { display: none; }</style></head>'),
      ...policy(({ serviceUrl }) => `script-src 'self' ${serviceUrl}; connect-src 'self'; style-src 'self'`),
    },
  ],
  [
    'csp-sandbox',
    policy(
      ({ serviceUrl }) =>
        `script-src 'self' ${serviceUrl}; connect-src 'self'; sandbox allow-scripts allow-same-origin`,
    ),
  ],
  ['referrer-policy', { headers: () => ({ 'Referrer-Policy': 'unsafe-url' }) }],
  ['page-framable', { headers: () => ({ 'Content-Security-Policy': undefined }) }],
  [
    'clock-skew',
    {
      before: (app) =>
        void app.use((_request, response, next) => {
          response.set('Date', new Date(Date.now() - 600_000).toUTCString());
          next();
        }),
    },
  ],
  ['client-id-missing', { page: replaced(/ client-id="[^"]*"/, '') }],
  ['client-id-invalid', { page: replaced(/client-id="[^"]*"/, 'client-id="my-shop"') }],
  ['client-confidential', { page: standalone(''), client: () => ({ type: 'confidential' }), ...toService }],
  [
    'scope-not-registered',
    { page: replaced('<latchkey-login ', '<latchkey-login scope="memberships.read products.read" ') },
  ],
  ['origin-not-allowed', { client: () => ({ widgetOrigins: [] }) }],
  [
    'origin-not-allowed',
    { client: ({ origin }) => ({ widgetOrigins: [origin.replace('localhost', '127.0.0.1')] }) },
  ],
  ['redirect-uri-not-registered', { client: () => ({ redirectUris: [] }) }],
  [
    'redirect-uri-not-registered',
    { client: ({ origin }) => ({ redirectUris: [`${origin}/auth/callback/`] }) },
  ],
  ['redirect-uri-not-registered', { client: () => ({ hostedCallback: false }) }],
  ['return-url-missing', { page: standalone('mode="redirect"'), ...toService }],
  [
    'attributes-differ',
    {
      page: replaced(
        '</body>',
        ({ clientId }) =>
          `<latchkey-login client-id="${clientId}" backend="/auth" mode="redirect"></latchkey-login><latchkey-login client-id="${clientId}" backend="/auth" mode="popup"></latchkey-login></body>`,
      ),
    },
  ],
  [
    'gate-without-rule',
    { page: replaced('</body>', '<latchkey-gate backend="/auth"></latchkey-gate></body>') },
  ],
  [
    'gate-without-backend',
    {
      page: (html, parts) =>
        standalone('')(html, parts).replace(
          '</body>',
          '<latchkey-gate community="5eed0000-0000-4000-8000-0000000000c0"></latchkey-gate></body>',
        ),
      ...toService,
    },
  ],
  ...['undefined', 'my-club', ''].map((id): [string, Plant] => [
    'gate-without-backend',
    { page: replaced(/ community="[^"]*"/, ` community="${id}"`) },
  ]),
  [
    'backend-other-site gate-content-missing',
    { page: replaced('<head>', '<head><base href="https://cdn.example/">') },
  ],
  ['gate-content-in-page', { page: replaced('<p slot="locked">', '<p>The recipe</p><p slot="locked">') }],
  [
    'gate-content-public',
    { before: (app) => void app.get('/members', (_request, response) => void response.send('The recipe')) },
  ],
  ['gate-content-missing', { page: replaced('src="/members"', 'src="/no-such-page"') }],
  [
    'gate-content-missing',
    {
      before: (app) =>
        void app.get(
          '/members',
          (_request, response) => void response.send('<latchkey-gate></latchkey-gate>'),
        ),
    },
  ],
  [
    'secret-in-page',
    {
      page: replaced(
        '</head>',
        `<script>const secret = '${sandboxScenario.confidentialClient.clientSecret}';</script></head>`,
      ),
    },
  ],
  [
    'secret-in-page',
    {
      before: (app) =>
        void app.get(
          '/app.js',
          (_request, response) =>
            void response
              .type('js')
              .send(`fetch('/x', { headers: { a: 'Bearer ${sandboxScenario.apiKey}' } })`),
        ),
    },
  ],
  [
    'env-file-public',
    {
      before: (app) =>
        void app.get(
          '/.env',
          (_request, response) => void response.type('text').send('LATCHKEY_CLIENT_ID=oac_1\n'),
        ),
    },
  ],
  [
    'service-worker-cache',
    {
      page: replaced('</head>', "<script>navigator.serviceWorker.register('/sw.js')</script></head>"),
      before: (app) =>
        void app.get(
          '/sw.js',
          (_request, response) =>
            void response
              .type('js')
              .send("addEventListener('fetch', (e) => caches.open('a').then((c) => c.put(e.request, x)))"),
        ),
    },
  ],
  ['nothing-found', { page: () => '<p>Another page</p>' }],
])('finds only %s on a site with this mistake', async ([code, plant]) => {
  const { codes, findings, text } = await examine(plant);
  expect(codes, JSON.stringify(findings, undefined, 1)).toEqual(code.split(' ').sort());
  expect(text).not.toContain(sandboxScenario.confidentialClient.clientSecret);
  expect(text).not.toContain(sandboxScenario.apiKey);
});

it('names a client that the service does not know', async () => {
  const { codes, code } = await examine({
    page: replaced(/client-id="[^"]*"/, `client-id="oac_${'f'.repeat(24)}"`),
  });
  expect(codes).toEqual(['backend-other-client', 'client-unknown']);
  expect(code).toBe(1);
});

it('names a content type that browsers do not run, and a copy of another version', async () => {
  const script = await (await fetch(`${sandbox.baseUrl}/widget/latchkey.js`)).text();
  const typed = await examine({ page: fromSite, before: asScript(script, 'text/plain') });
  expect(typed.codes).toContain('script-content-type');
  const older = await examine({ page: fromSite, before: asScript(`${script}\n// older`) });
  expect(older.codes).toContain('script-other-version');
});

it.for<[string, Plant]>([
  ['latchkey-sign-in.js.v=[0-9a-f]{16}: status 404; .*/widget/.*: .*script-src', ownCopy(missing)],
  ['another release', ownCopy((response) => response.type('js').send('export default () => ({})'))],
  ['content type text/html', ownCopy((response) => response.send('<!doctype html>'))],
  ['no Access-Control-Allow-Origin', ownCopy((_response, next) => next(), { scripts: otherHost })],
])('says why a page cannot load the module of a sign-in: %s', async ([reason, plant]) => {
  const { codes, finding } = await examine(plant);
  expect(codes).toEqual(['sign-in-script-missing']);
  expect(finding('sign-in-script-missing')?.meaning).toMatch(new RegExp(reason));
});

it('names the callback page that a site without the script of the service needs', async () => {
  const script = await (await fetch(`${sandbox.baseUrl}/widget/latchkey.js`)).text();
  const { finding } = await examine({
    page: (html, parts) =>
      fromSite(html, parts).replace('<latchkey-login ', `<latchkey-login service-url="${parts.serviceUrl}" `),
    before: asScript(script),
  });
  expect(finding('callback-page-missing')?.where).toMatch(/\/latchkey\/callback\.html$/);
  expect(finding('callback-page-missing')?.meaning).toContain('status 404');
});

import { sandboxScenario } from '@latchkey/sandbox';
import express from 'express';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type ControlSandbox, startControlSandbox } from '../control/control-sandbox.js';
import { type Plant, startSite, WEBHOOK_SECRET } from './planted-site.js';
import { siteDoctor } from './site-doctor.js';

const WEBHOOK = { id: '5eed0000-0000-4000-8000-00000000dddd', ownerId: sandboxScenario.users.dana.id };

let sandbox: ControlSandbox;
beforeAll(async () => {
  sandbox = await startControlSandbox();
  await sandbox.operator.createWebhook({
    ...WEBHOOK,
    communityId: sandboxScenario.community.id,
    secret: WEBHOOK_SECRET,
    url: `${sandbox.baseUrl}/sandbox/receiver`,
  });
});
afterAll(() => sandbox.close());
afterEach(() => vi.restoreAllMocks());

async function examine(plant: Plant, ...args: string[]) {
  const { origin } = await startSite(sandbox, plant);
  return await siteDoctor(['--site', origin, '--service', sandbox.baseUrl, ...args], sandbox.env);
}

/** Examines a site behind a proxy that ends https. The proxy is a `fetch` that sends the requests on over http. */
async function examineBehindProxy(plant: Plant) {
  const origin = 'https://shop.example';
  const { behind = '' } = await startSite(sandbox, { origin, ...plant });
  const send = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const url = String(input);
    return send(url.startsWith(`${origin}/`) ? behind + url.slice(origin.length) : url, init);
  });
  return await siteDoctor(['--site', origin, '--service', sandbox.baseUrl], sandbox.env);
}

/** A proxy that rewrites a header of the backend. */
const rewriting = (name: string, rewrite: (value: string) => string): Plant => ({
  before: (app) =>
    void app.use('/auth', (_request, response, next) => {
      const { writeHead } = response;
      response.writeHead = function rewritten(this: typeof response, ...args: unknown[]) {
        const value = [response.getHeader(name) ?? []].flat().map(String).map(rewrite);
        response.removeHeader(name);
        if (value.some((each) => each !== '')) response.setHeader(name, value);
        return Reflect.apply(writeHead, this, args);
      } as typeof writeHead;
      next();
    }),
});

it('finds nothing on a good site behind a proxy that ends https', async () => {
  const { findings } = await examineBehindProxy({});
  expect(findings).toEqual([]);
});

it.for<[string, Plant]>([
  [
    'backend-not-mounted',
    {
      kit: false,
      before: (app) => void app.get('/members', (_request, response) => void response.sendStatus(403)),
    },
  ],
  [
    'backend-not-mounted',
    {
      before: (app) =>
        void app.get('/auth/session', (_request, response) => void response.redirect('/account/login')),
    },
  ],
  [
    'backend-not-mounted',
    {
      before: (app) =>
        void app.get('/auth/session', (_request, response) => void response.send('<!doctype html>')),
    },
  ],
  [
    'backend-failing',
    { before: (app) => void app.get('/auth/session', (_request, response) => void response.sendStatus(502)) },
  ],
  [
    'backend-other-site',
    { page: (html) => html.replace('backend="/auth"', 'backend="https://api.shop.example/auth"') },
  ],
  ['backend-other-client', { kit: () => ({ clientId: sandboxScenario.publicClient.clientId }) }],
  ['backend-other-service', { kit: () => ({ serviceUrl: 'http://127.0.0.1:9' }) }],
  ['app-url-mismatch', { kit: ({ origin }) => ({ appUrl: origin.replace('localhost', '127.0.0.1') }) }],
  ['session-cacheable', rewriting('Cache-Control', () => 'public, max-age=60')],
  [
    'cors-wide-open',
    {
      before: (app) =>
        void app.use((request, response, next) => {
          response.set('Access-Control-Allow-Origin', request.headers.origin ?? '*');
          response.set('Access-Control-Allow-Credentials', 'true');
          next();
        }),
    },
  ],
  ['cookie-missing', rewriting('Set-Cookie', () => '')],
  ['cookie-not-http-only', rewriting('Set-Cookie', (cookie) => cookie.replace('; HttpOnly', ''))],
  [
    'cookie-same-site',
    rewriting('Set-Cookie', (cookie) => cookie.replace('SameSite=Lax', 'SameSite=Strict')),
  ],
  ['cookie-domain', rewriting('Set-Cookie', (cookie) => `${cookie}; Domain=internal.example`)],
])('finds only %s with this backend', async ([code, plant]) => {
  const { codes, findings } = await examine(plant);
  expect(codes, JSON.stringify(findings, undefined, 1)).toEqual([code]);
});

it.for<[string, Plant]>([
  ['app-url-mismatch', { kit: () => ({ appUrl: 'http://localhost:3000' }) }],
  ['cookie-host-prefix', rewriting('Set-Cookie', (cookie) => cookie.replace('Path=/', 'Path=/auth'))],
  [
    'cookie-host-prefix cookie-not-secure',
    rewriting('Set-Cookie', (cookie) => cookie.replace('; Secure', '')),
  ],
  ['cookie-host-prefix', rewriting('Set-Cookie', (cookie) => cookie.replace('__Host-', ''))],
  [
    'mixed-content',
    { page: (html) => html.replace('</head>', '<script src="http://cdn.example/app.js"></script></head>') },
  ],
])('finds %s behind a proxy that ends https', async ([code, plant]) => {
  const { codes, findings } = await examineBehindProxy(plant);
  expect(codes, JSON.stringify(findings, undefined, 1)).toEqual(code.split(' '));
});

it('names a page on plain http of another machine', async () => {
  const { behind = '' } = await startSite(sandbox, { origin: 'https://shop.example' });
  const send = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) =>
    send(String(input).replace('http://shop.example', behind), init),
  );
  const { codes } = await siteDoctor(['--site', 'http://shop.example', '--service', sandbox.baseUrl]);
  expect(codes).toContain('insecure-page');
  expect(codes).toContain('app-url-mismatch');
  // The sandbox accepts no origin on plain http.
  const fixed = await siteDoctor(['--site', 'http://shop.example', '--fix'], sandbox.env);
  expect(fixed.changes).toEqual([]);
  expect(fixed.rejected).toEqual([expect.stringContaining('https')]);
  expect(fixed.codes).toContain('origin-not-allowed');
});

it('examines several sites in one run', async () => {
  const good = await startSite(sandbox);
  const bad = await startSite(sandbox, { client: () => ({ widgetOrigins: [] }) });
  const { sites, findings } = await siteDoctor(['--site', good.origin, '--site', bad.origin], sandbox.env);
  expect(sites).toEqual([`${good.origin}/`, `${bad.origin}/`]);
  expect(findings.map(({ code, where }) => [code, where])).toEqual([
    ['origin-not-allowed', `${bad.origin}/`],
  ]);
});

it('registers the origin and the redirect URIs with --fix, and then finds nothing', async () => {
  const plant: Plant = { client: () => ({ redirectUris: [], widgetOrigins: [], hostedCallback: false }) };
  const { origin, clientId, serviceUrl } = await startSite(sandbox, plant);
  const args = ['--site', origin, '--service', sandbox.baseUrl];
  const before = await siteDoctor(args, sandbox.env);
  expect(before.codes).toEqual(['origin-not-allowed', 'redirect-uri-not-registered']);
  expect(before.findings.every(({ isFixable }) => isFixable)).toBe(true);
  expect(before.changes).toEqual([]);
  const fixed = await siteDoctor([...args, '--fix'], sandbox.env);
  expect(fixed.changes.map(({ text }) => text)).toEqual([
    `Added the allowed web origin ${origin} to the client ${clientId}.`,
    `Added the redirect URI ${serviceUrl}/widget/callback/${clientId} to the client ${clientId}.`,
    `Added the redirect URI ${origin}/auth/callback to the client ${clientId}.`,
  ]);
  expect(fixed.findings).toEqual([]);
  expect(fixed.code).toBe(0);
});

it('never registers a redirect URI of another site', async () => {
  const plant: Plant = { kit: () => ({ appUrl: 'https://attacker.example' }) };
  const { codes, changes } = await examine(plant, '--fix');
  expect(codes).toEqual(['app-url-mismatch']);
  expect(changes).toEqual([]);
});

it('finds nothing at a webhook endpoint that verifies a signed event', async () => {
  const { origin } = await startSite(sandbox);
  await sandbox.operator.change('webhooks', WEBHOOK.id, { url: `${origin}/webhooks`, isActive: true });
  const { findings } = await siteDoctor(['--site', origin, '--send-event'], sandbox.env);
  expect(findings).toEqual([]);
});

it.for<[string, Plant]>([
  ['webhook-wrong-secret', { webhookSecret: 'cd'.repeat(32) }],
  ['webhook-body-parsed', { before: (app) => void app.use(express.json()) }],
  [
    'webhook-not-found',
    { before: (app) => void app.all('/webhooks', (_request, response) => void response.sendStatus(404)) },
  ],
  [
    'webhook-failing',
    { before: (app) => void app.all('/webhooks', (_request, response) => void response.redirect('/hooks')) },
  ],
  [
    'webhook-unreachable',
    { before: (app) => void app.all('/webhooks', (request) => void request.socket.destroy()) },
  ],
])('finds only %s with this webhook endpoint', async ([code, plant]) => {
  const { origin } = await startSite(sandbox, plant);
  await sandbox.operator.change('webhooks', WEBHOOK.id, { url: `${origin}/webhooks`, isActive: true });
  const { codes, findings } = await siteDoctor(['--site', origin, '--send-event'], sandbox.env);
  expect(codes, JSON.stringify(findings, undefined, 1)).toEqual([code]);
});

it('enables a webhook with --fix', async () => {
  const { origin } = await startSite(sandbox);
  await sandbox.operator.change('webhooks', WEBHOOK.id, { url: `${origin}/webhooks`, isActive: false });
  expect((await siteDoctor(['--site', origin], sandbox.env)).codes).toEqual(['webhook-paused']);
  const { findings, changes } = await siteDoctor(['--site', origin, '--fix'], sandbox.env);
  expect(changes.map(({ kind }) => kind)).toEqual(['enable-webhook']);
  expect(findings).toEqual([]);
});

it('finds the webhook by its secret, and changes its URL with --fix', async () => {
  const { origin } = await startSite(sandbox);
  await sandbox.operator.change('webhooks', WEBHOOK.id, {
    url: `${sandbox.baseUrl}/sandbox/receiver`,
    isActive: true,
  });
  const args = ['--site', origin, '--webhook', `${origin}/webhooks`];
  expect((await siteDoctor(args, sandbox.env)).codes).toEqual(['webhook-not-registered']);
  const env = { ...sandbox.env, LATCHKEY_WEBHOOK_SECRET: WEBHOOK_SECRET };
  const { codes, text } = await siteDoctor(args, env);
  expect(codes).toEqual(['webhook-elsewhere']);
  expect(text).not.toContain(WEBHOOK_SECRET);
  const fixed = await siteDoctor([...args, '--fix'], env);
  expect(fixed.changes.map(({ kind }) => kind)).toEqual(['set-webhook-url']);
  expect(fixed.findings).toEqual([]);
  const wrong = await siteDoctor(args, { ...env, LATCHKEY_WEBHOOK_SECRET: 'ef'.repeat(32) });
  expect(wrong.codes).toEqual(['webhook-wrong-secret']);
});

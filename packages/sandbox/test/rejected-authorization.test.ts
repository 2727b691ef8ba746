import { describe, expect } from 'vitest';
import { sandboxScenario, startSandbox } from '../src/index.js';
import { createBrowser, locationOf } from './browser.js';
import { parsePage, textOf } from './page-document.js';
import { it, type SandboxUnderTest } from './sandbox-under-test.js';

const { clientId } = sandboxScenario.confidentialClient;
const UNREGISTERED = 'http://localhost:3000/auth/callback?shop=1';
const SCRIPT = { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty', accept: 'text/html' };
const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', accept: '*/*' };

function requestOf(changes: Record<string, string> = {}): string {
  const query = {
    ...{ response_type: 'code', client_id: clientId, scope: 'memberships.read', state: 'abc' },
    ...changes,
  };
  return String(new URLSearchParams(query));
}
const unregistered = requestOf({ redirect_uri: UNREGISTERED });
const register = (service: SandboxUnderTest, request: string, headers?: Record<string, string>) =>
  service.browser().post('/sandbox/redirect-uris', { request }, headers);
const redirectUris = async ({ server }: SandboxUnderTest) =>
  (await server.operator.find('clients', clientId)).record.redirectUris as string[];

describe('a browser with an unregistered redirect address', () => {
  it('gets a page with the address, and a button that registers it and continues', async ({ service }) => {
    const before = await redirectUris(service);
    const response = await service.browser().get(`/oauth/authorize?${unregistered}`, NAVIGATION);
    expect(response.status).toBe(400);
    const $ = parsePage(await response.text());
    expect(textOf($, 'main')).toContain(UNREGISTERED);
    expect(textOf($, 'main')).toContain(
      'redirect_uri is not registered for this client; it must match exactly.',
    );
    for (const uri of before) expect(textOf($, 'main')).toContain(uri);
    const form = $('form[action="/sandbox/redirect-uris"]');
    // The page script lets a form without this attribute be sent by a calm press only.
    expect(form.attr('data-at-once')).toBeUndefined();
    const sent = await register(service, String(form.find('[name=request]').val()));
    expect(sent.status).toBe(303);
    expect(await redirectUris(service)).toEqual([...before, UNREGISTERED]);
    expect(locationOf(sent)).toBe(`/oauth/authorize?${unregistered}`);
    expect(locationOf(await service.browser().get(locationOf(sent)))).toMatch(/^\/sign-in\?/);
  });

  it.for([
    ['a program', { accept: '*/*' }],
    ['a script of a page', SCRIPT],
    ['a client that asks for JSON', { accept: 'application/json' }],
  ] as const)('%s gets the JSON of the specification', async ([, headers], { service }) => {
    const response = await service.request(`/oauth/authorize?${unregistered}`, { headers });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: 'invalid_request',
      error_description: 'redirect_uri is not registered for this client; it must match exactly.',
    });
  });

  it.for([
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a page of the same site', { origin: 'http://localhost:1', 'sec-fetch-site': 'same-site' }],
    ['a program without these headers', {}],
  ] as const)('is not registered by %s', async ([, headers], { service }) => {
    const before = await redirectUris(service);
    expect((await register(service, unregistered, headers)).status).toBe(403);
    expect(await redirectUris(service)).toEqual(before);
  });

  it('learns why an address cannot be registered', async ({ service }) => {
    const before = await redirectUris(service);
    const response = await register(service, requestOf({ redirect_uri: 'http://shop.example/callback' }));
    expect(response.status).toBe(400);
    expect(textOf(parsePage(await response.text()), '[role=alert]')).toContain('Use https');
    expect(await redirectUris(service)).toEqual(before);
  });

  it('registers nothing for another kind of error', async ({ service }) => {
    const before = await redirectUris(service);
    for (const request of [
      '',
      requestOf({ redirect_uri: UNREGISTERED, client_id: 'oac_000000000000000000000000' }),
      requestOf(),
    ]) {
      expect((await register(service, request)).status).toBe(303);
    }
    expect(await redirectUris(service)).toEqual(before);
  });
});

it('a browser with an unknown client id gets a page without a button', async ({ service }) => {
  const request = requestOf({ client_id: 'oac_000000000000000000000000', redirect_uri: UNREGISTERED });
  const response = await service.browser().get(`/oauth/authorize?${request}`);
  expect(response.status).toBe(400);
  const $ = parsePage(await response.text());
  expect(textOf($, 'main')).toContain('client_id names no registered client.');
  expect($('main form')).toHaveLength(0);
});

it('a sandbox that others reach offers no button and registers nothing', async ({ onTestFinished }) => {
  const logger = { info: () => {}, warn: () => {}, error: () => {} };
  // The base URL must be known before the start.
  const { port, close } = await startSandbox({ logger });
  await close();
  const baseUrl = `http://127.0.0.1:${port}`;
  const server = await startSandbox({ logger, allowPublic: true, hostname: '0.0.0.0', port, baseUrl });
  onTestFinished(() => server.close());
  const owner = await server.operator.create('users', { email: 'owner@shop.example' });
  const { id } = await server.operator.create('clients', {
    ownerId: owner.id,
    type: 'confidential',
    name: 'Shop',
  });
  const browser = createBrowser(server.baseUrl, server.baseUrl);
  const query = requestOf({ client_id: id, redirect_uri: UNREGISTERED });
  const page = await browser.get(`/oauth/authorize?${query}`);
  const text = await page.text();
  expect(textOf(parsePage(text), 'main')).toContain(UNREGISTERED);
  expect(parsePage(text)('main form')).toHaveLength(0);
  await browser.post('/sandbox/redirect-uris', { request: query });
  const { record } = await server.operator.find('clients', id);
  expect(record.redirectUris).not.toContain(UNREGISTERED);
});

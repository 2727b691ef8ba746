import { describe, expect } from 'vitest';
import { sandboxScenario } from '../src/index.js';
import { it, type SandboxUnderTest } from './sandbox-under-test.js';

const { community, publicClient } = sandboxScenario;
const BACKEND = `/sandbox/preview/${publicClient.clientId}`;

function page(service: SandboxUnderTest, settings: unknown): Promise<Response> {
  const text = typeof settings === 'string' ? settings : JSON.stringify(settings);
  return service.request(`/sandbox/preview?${new URLSearchParams({ settings: text })}`);
}

describe('the preview of the configurator', () => {
  it('shows the elements under a policy of its own, which allows frames of this origin only', async ({
    service,
  }) => {
    const response = await page(service, {
      elements: {
        'latchkey-login': { 'client-id': publicClient.clientId, label: '"><script>alert(1)</script>' },
      },
      theme: { '--latchkey-accent': 'teal' },
      scheme: 'dark',
      dir: 'rtl',
    });
    const html = await response.text();
    expect(html).toContain('label="&quot;>&lt;script>alert(1)&lt;/script>"');
    expect(html).toContain('color-scheme: dark; --latchkey-accent: teal;');
    expect(html).toContain('dir="rtl"');
    const policy = response.headers.get('content-security-policy') ?? '';
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'self'",
      "base-uri 'none'",
    ]) {
      expect(policy.split('; ')).toContain(part);
    }
    expect(policy).not.toContain('unsafe');
  });

  it('lets attributes name no other address than its own backend', async ({ service }) => {
    const elements = {
      'latchkey-login': {
        'client-id': publicClient.clientId,
        'service-url': 'https://attacker.example',
        'callback-url': 'https://attacker.example',
        backend: '//attacker.example',
      },
      'latchkey-gate': { backend: '/auth', src: '/account', community: community.id },
    };
    const html = await (await page(service, { elements })).text();
    expect(html).not.toContain('attacker');
    expect(html).toContain(`backend="${BACKEND}"`);
    expect(html).toContain(`src="${BACKEND}/content"`);
  });

  it('is a sample site too, whose sign-in works for the client of the sample data', async ({ service }) => {
    const response = await service.request('/sandbox/site');
    const html = await response.text();
    expect(html).toContain(`<latchkey-login client-id="${publicClient.clientId}" backend="${BACKEND}">`);
    expect(html).toContain(`<latchkey-gate backend="${BACKEND}" community="${community.id}">`);
    expect(response.headers.get('content-security-policy')).toContain(
      "script-src 'self'; style-src 'self' 'nonce-",
    );
    const origin = encodeURIComponent(service.baseUrl);
    const client = await service.request(`/oauth/client/${publicClient.clientId}?widget_origin=${origin}`);
    expect(await client.json()).toMatchObject({ data: { widgetOriginAllowed: true } });
  });

  it('rejects settings that are not valid', async ({ service }) => {
    for (const settings of [
      'no json',
      { elements: { script: {} } },
      { theme: { '--latchkey-accent': 'red; } </style><script>' } },
      { theme: { background: 'red' } },
      { scheme: 'sepia' },
      { more: 1 },
    ]) {
      expect((await page(service, settings)).status, JSON.stringify(settings)).toBe(400);
    }
  });

  it('answers as the Express kit to visitors who are signed out', async ({ service }) => {
    expect(await (await service.request(`${BACKEND}/session`)).json()).toEqual({ signedIn: false });
    const { plans } = (await (await service.request(`${BACKEND}/plans`)).json()) as { plans: object[] };
    expect(plans).toContainEqual(
      expect.objectContaining({ name: 'Monthly', price: '€9.00', term: 'every 30 days' }),
    );
    expect((await service.request(`${BACKEND}/content`)).status).toBe(401);
    const own = { Origin: service.baseUrl, 'Content-Type': 'application/json' };
    const checkout = await service.request(`${BACKEND}/checkout`, {
      method: 'POST',
      headers: own,
      body: '{}',
    });
    expect(checkout.status).toBe(401);
    const body = JSON.stringify({ code: 'x', codeVerifier: 'y', redirectUri: 'z' });
    const exchange = await service.request(`${BACKEND}/exchange`, { method: 'POST', headers: own, body });
    expect(exchange.status).toBe(400);
    expect(await exchange.json()).toMatchObject({ error: 'invalid_grant' });
  });

  it('accepts no sign-in from pages of other sites', async ({ service }) => {
    const headers = { Origin: 'https://attacker.example', 'Content-Type': 'application/json' };
    for (const path of ['exchange', 'logout', 'checkout']) {
      const response = await service.request(`${BACKEND}/${path}`, { method: 'POST', headers, body: '{}' });
      expect(response.status, path).toBe(403);
    }
  });
});

import { ENDPOINTS, envelopeFailureSchemas } from '@latchkey/contract';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { it, PUBLIC, type ServiceUnderTest, SHOP } from './service-under-test.js';

const UNKNOWN = `oac_${'0'.repeat(24)}`;

async function identityOf(service: ServiceUnderTest, clientId: string, query = '') {
  const response = await service.request(`/oauth/client/${clientId}${query}`);
  expect(response.status).toBe(200);
  return ENDPOINTS.clientIdentity.success.body.strict.parse(await response.json()).data;
}

async function isAllowed(service: ServiceUnderTest, ...origins: string[]) {
  const query = new URLSearchParams(origins.map((origin) => ['widget_origin', origin]));
  return (await identityOf(service, PUBLIC, `?${query}`)).widgetOriginAllowed;
}

describe('client identity', () => {
  it('is public, in an envelope without errorCode', {
    tags: [
      'client-identity.public',
      'client-identity.envelope',
      'client-identity.success-envelope',
      'client-identity.client-id',
      'client-identity.name',
      'client-identity.description',
      'envelope.success-true',
      'envelope.error-code-absent-on-success',
    ],
  }, async ({ service }) => {
    expect(await identityOf(service, PUBLIC)).toEqual({
      clientId: PUBLIC,
      name: 'Ember & Oak',
      description: expect.stringContaining('coffee'),
      logoUrl: expect.stringMatching(/^data:image\/svg/),
    });
  });

  it('has a logoUrl when one is set, and omits it otherwise', {
    tags: ['client-identity.logo-url', 'client-identity.unset-keys-omitted'],
  }, async ({ service }) => {
    const { operator } = service.server;
    await operator.change('clients', PUBLIC, { logoUrl: 'https://shop.example/logo.png' });
    expect(await identityOf(service, PUBLIC)).toMatchObject({ logoUrl: 'https://shop.example/logo.png' });
    const { clientId } = await operator.registerClient({
      type: 'public',
      name: 'Bare',
      scopes: [],
      redirectUris: [],
      widgetOrigins: [],
      ownerId: sandboxScenario.users.dana.id,
    });
    expect(await identityOf(service, clientId)).toEqual({ clientId, name: 'Bare' });
  });

  it('omits owner, redirect URIs, scopes and secret', async ({ service }) => {
    const text = await (
      await service.request(`/oauth/client/${sandboxScenario.confidentialClient.clientId}`)
    ).text();
    expect(text).not.toMatch(/secret|redirect|scope|owner|origin/i);
  });
});

describe('widget_origin', () => {
  it('adds whether the origin may receive a code, and only when sent', {
    tags: [
      'client-identity.widget-origin',
      'client-identity.widget-origin-allowed-presence',
      'credentials.registered-widget-origins',
    ],
  }, async ({ service }) => {
    expect(await identityOf(service, PUBLIC)).not.toHaveProperty('widgetOriginAllowed');
    expect(await isAllowed(service, SHOP)).toBe(true);
    expect(await isAllowed(service, 'https://evil.example')).toBe(false);
  });

  it('is compared as an origin', async ({ service }) => {
    await service.server.operator.change('clients', PUBLIC, { widgetOrigins: ['https://shop.example'] });
    for (const same of ['https://shop.example', 'https://SHOP.example', 'https://shop.example:443/']) {
      expect(await isAllowed(service, same), same).toBe(true);
    }
    for (const other of [
      'http://shop.example',
      'https://shop.example:444',
      'https://www.shop.example',
      'https://shop.example.evil.example',
      'https://shop.example@evil.example',
      'https://shop.example.',
    ]) {
      expect(await isAllowed(service, other), other).toBe(false);
    }
  });

  it('is not allowed when empty, unreadable, opaque or repeated', async ({ service }) => {
    for (const text of ['', 'null', 'shop', '*', 'javascript:alert(1)', 'file:///', 'data:text/html,x']) {
      expect(await isAllowed(service, text), text).toBe(false);
    }
    expect(await isAllowed(service, SHOP, SHOP)).toBe(false);
    expect(await isAllowed(service, SHOP, 'https://evil.example')).toBe(false);
  });
});

describe('unknown client', () => {
  it('gets a 404 envelope without data', {
    tags: [
      'client-identity.unknown-client',
      'envelope.data-absent-on-failure',
      'envelope.message-on-failure',
      'envelope.error-code-format',
      'envelope.error-code-known-values',
    ],
  }, async ({ service }) => {
    for (const path of [UNKNOWN, `${UNKNOWN}?widget_origin=${SHOP}`, 'x', '..%2f..', "'--"]) {
      const response = await service.request(`/oauth/client/${path}`);
      expect(response.status).toBe(404);
      envelopeFailureSchemas(['not_found']).strict.parse(await response.json());
    }
  });

  it("gets the request's trace id if there is one, and never another", {
    tags: ['envelope.correlation-key-presence', 'envelope.log-url-presence'],
  }, async ({ service }) => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const ask = async (headers: Record<string, string>) =>
      await (await service.request(`/oauth/client/${UNKNOWN}`, { headers })).json();
    expect(await ask({ traceparent: `00-${traceId}-00f067aa0ba902b7-01` })).toMatchObject({
      correlationKey: traceId,
    });
    for (const headers of [
      {},
      { traceparent: 'nonsense' },
      { traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` },
      { traceparent: `ff-${traceId}-00f067aa0ba902b7-01` },
    ]) {
      const body = await ask(headers as Record<string, string>);
      expect(body).not.toHaveProperty('correlationKey');
      expect(body).not.toHaveProperty('logUrl');
    }
  });
});

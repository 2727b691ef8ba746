import { describe, expect, it } from 'vitest';
import { checkClient, fetchClientIdentity } from '../src/index.js';
import { CLIENT_ID, cannedService, onlyRequest } from './canned-service.js';

const IDENTITY = {
  clientId: CLIENT_ID,
  name: 'Ember & Oak',
  description: 'Coffee, roasted on Tuesdays',
  logoUrl: 'https://shop.example/logo.svg',
};
const ORIGIN = 'https://shop.example:8443';

describe('fetchClientIdentity', () => {
  it('sends neither credentials nor an origin by default', {
    tags: ['client-identity.public', 'client-identity.widget-origin-sender'],
  }, async () => {
    const service = await cannedService({ status: 200, body: { success: true, data: IDENTITY } });
    await expect(fetchClientIdentity(service.asConfidential)).resolves.toEqual(IDENTITY);
    const { method, url, headers } = onlyRequest(service);
    expect([method, url]).toEqual(['GET', `/oauth/client/${CLIENT_ID}`]);
    expect(headers.authorization).toBeUndefined();
  });

  it.each([true, false])(
    'returns widgetOriginAllowed: %s',
    { tags: ['client-identity.widget-origin'] },
    async (allowed) => {
      const data = { ...IDENTITY, widgetOriginAllowed: allowed };
      const service = await cannedService({ status: 200, body: { success: true, data } });
      const identity = await fetchClientIdentity(service.asPublic, { widgetOrigin: ORIGIN });
      expect(identity.widgetOriginAllowed).toBe(allowed);
      expect(onlyRequest(service).url).toBe(
        `/oauth/client/${CLIENT_ID}?widget_origin=https%3A%2F%2Fshop.example%3A8443`,
      );
    },
  );

  it('needs only `data` of the envelope and keeps unknown fields', {
    tags: ['envelope.every-key-optional', 'versioning.ignore-unknown-fields'],
  }, async () => {
    const data = { clientId: CLIENT_ID, name: 'Ember & Oak', since: 2019 };
    const service = await cannedService({ status: 200, body: { data } });
    await expect(fetchClientIdentity(service.asPublic)).resolves.toEqual(data);
  });

  it('rejects an unknown client with `invalid_client`', {
    tags: ['client-identity.unknown-client', 'general.branch-on-status'],
  }, async () => {
    const body = { success: false, errorCode: 'not_found', message: 'Client not found.' };
    const service = await cannedService({ status: 404, body });
    await expect(fetchClientIdentity(service.asPublic)).rejects.toMatchObject({
      code: 'invalid_client',
      status: 404,
    });
  });

  it.each([
    ['a rejection body', { success: false, statusCode: 404, message: 'Cannot GET' }],
    ['another error code', { success: false, errorCode: 'bad_request' }],
  ])('does not count a 404 with %s as an unknown client', async (_name, body) => {
    const service = await cannedService({ status: 404, body });
    await expect(fetchClientIdentity(service.asPublic)).rejects.toMatchObject({
      code: 'unreadable_response',
      status: 404,
    });
  });

  it.each([
    [
      'of another client',
      { ...IDENTITY, clientId: 'oac_0123456789abcdef01234567', widgetOriginAllowed: true },
    ],
    ['without a client id', { name: 'Ember & Oak', widgetOriginAllowed: true }],
    ['that is null', null],
    ['that is absent', undefined],
    ['that is an array', [IDENTITY]],
  ])('rejects an identity %s', { tags: ['client-identity.origin-must-be-allowed'] }, async (_name, data) => {
    const service = await cannedService({ status: 200, body: { success: true, data } });
    await expect(fetchClientIdentity(service.asPublic, { widgetOrigin: ORIGIN })).rejects.toMatchObject({
      code: 'unreadable_response',
    });
  });
});

describe('checkClient', () => {
  it.each([
    ['an identity', { success: true, data: IDENTITY }],
    ['anything else', 'ok'],
  ])(
    'accepts a response with %s, and sends no credentials',
    { tags: ['client-identity.public'] },
    async (_name, body) => {
      const service = await cannedService({ status: 200, body });
      await expect(checkClient(service.asConfidential)).resolves.toBeUndefined();
      const { method, url, headers } = onlyRequest(service);
      expect([method, url]).toEqual(['GET', `/oauth/client/${CLIENT_ID}`]);
      expect(headers.authorization).toBeUndefined();
    },
  );

  it('rejects an unknown client with `invalid_client`', {
    tags: ['client-identity.unknown-client'],
  }, async () => {
    const body = { success: false, errorCode: 'not_found', message: 'Client not found.' };
    const service = await cannedService({ status: 404, body });
    await expect(checkClient(service.asPublic)).rejects.toMatchObject({ code: 'invalid_client' });
  });

  it('does not count another 404 as an unknown client', async () => {
    const service = await cannedService({ status: 404, body: 'Cannot GET' });
    await expect(checkClient(service.asPublic)).rejects.toMatchObject({ code: 'unreadable_response' });
  });

  it('ends with the signal of the caller', async () => {
    const service = await cannedService(undefined);
    const signal = AbortSignal.abort();
    await expect(checkClient(service.asPublic, { signal })).rejects.toMatchObject({ code: 'aborted' });
  });
});

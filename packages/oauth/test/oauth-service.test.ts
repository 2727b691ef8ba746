import { describe, expect, it } from 'vitest';
import {
  authorizationUrl,
  createPkcePair,
  exchangeCode,
  fetchClientIdentity,
  hostedCallbackUrl,
  type OAuthService,
} from '../src/index.js';
import { cannedService, onlyRequest, TOKEN_PAIR } from './canned-service.js';

const service: OAuthService = {
  serviceUrl: 'https://service.example',
  clientId: 'oac_a1b2c3d4e5f60718293a4b5c',
};
const misconfigured = expect.objectContaining({ code: 'invalid_configuration' });

describe('serviceUrl', () => {
  it.each([
    'http://localhost:4400',
    'http://shop.localhost:4400',
    'http://127.0.0.1:4400',
    'http://127.8.9.10',
    'http://[::1]:4400',
    'https://service.example',
  ])('can be %s', (serviceUrl) => {
    expect(hostedCallbackUrl({ ...service, serviceUrl })).toBe(
      `${serviceUrl}/widget/callback/oac_a1b2c3d4e5f60718293a4b5c`,
    );
  });

  it.each([
    'http://service.example',
    'http://192.168.1.5:4400',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'http://evillocalhost',
    'http://[::2]',
  ])(
    'must not be %s, because only loopback hosts may use http',
    { tags: ['general.json-over-https'] },
    (serviceUrl) => {
      expect(() => hostedCallbackUrl({ ...service, serviceUrl })).toThrow(misconfigured);
      expect(() => hostedCallbackUrl({ ...service, serviceUrl })).toThrow(/https/);
    },
  );

  it.each([
    '',
    'service.example',
    '/api',
    'ftp://service.example',
    'javascript:alert(1)',
    'https://service.example/?a=b',
    'https://service.example/#a',
  ])('must not be %j', (serviceUrl) => {
    expect(() => hostedCallbackUrl({ ...service, serviceUrl })).toThrow(misconfigured);
  });

  it('must not contain credentials, and the error does not quote them', () => {
    const withPassword = { ...service, serviceUrl: 'https://user:hunter2@service.example' };
    expect(() => hostedCallbackUrl(withPassword)).toThrow(misconfigured);
    expect(() => hostedCallbackUrl(withPassword)).not.toThrow(/hunter2/);
  });

  it.each([
    ['https://service.example/', 'https://service.example'],
    ['https://service.example//', 'https://service.example'],
    ['https://host.example/membership', 'https://host.example/membership'],
    ['https://host.example/membership/', 'https://host.example/membership'],
  ])('keeps the path of %s without trailing slashes', (serviceUrl, base) => {
    expect(hostedCallbackUrl({ ...service, serviceUrl })).toBe(
      `${base}/widget/callback/oac_a1b2c3d4e5f60718293a4b5c`,
    );
  });

  it('keeps its path in requests', async () => {
    const canned = await cannedService({ status: 201, body: TOKEN_PAIR });
    const prefixed = { ...canned.asPublic, serviceUrl: `${canned.baseUrl}/membership/` };
    await exchangeCode(prefixed, { code: 'c', redirectUri: 'r', codeVerifier: 'v' });
    expect(onlyRequest(canned).url).toBe('/membership/oauth/token');
  });
});

describe('clientId', () => {
  it.each(['', '..', '.', 'oac_1/../oac_2', 'oac_1?x=', 'oac_1#', 'oac_%2e', 'oac 1'])(
    'must not be %j, which would change the URL that contains it',
    { tags: ['credentials.client-id-format'] },
    async (clientId) => {
      expect(() => hostedCallbackUrl({ ...service, clientId })).toThrow(misconfigured);
      await expect(fetchClientIdentity({ ...service, clientId })).rejects.toThrow(misconfigured);
    },
  );
});

describe('clientSecret', () => {
  it('must not be empty, because an unset variable would make the client a public one', async () => {
    const { codeVerifier } = await createPkcePair();
    await expect(
      exchangeCode({ ...service, clientSecret: '' }, { code: 'c', redirectUri: 'r', codeVerifier }),
    ).rejects.toThrow(misconfigured);
    expect(() =>
      authorizationUrl(
        { ...service, clientSecret: '' },
        { redirectUri: 'r', scopes: ['memberships.read'], state: 's', codeChallenge: 'c' },
      ),
    ).toThrow(misconfigured);
  });
});

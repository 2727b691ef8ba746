import { describe, expect, it } from 'vitest';
import { authorizationUrl, type OAuthService } from '../src/index.js';

const service: OAuthService = {
  serviceUrl: 'https://service.example',
  clientId: 'oac_a1b2c3d4e5f60718293a4b5c',
};
const request = {
  redirectUri: 'https://shop.example/auth/callback?from=a b',
  scopes: ['memberships.read', 'products.read'],
  state: 'state',
  codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
};
const misconfigured = expect.objectContaining({ code: 'invalid_configuration' });

describe('authorizationUrl', () => {
  it('contains client, redirect URI, scopes, state and challenge in the query', {
    tags: ['authorize.scope-separators'],
  }, () => {
    const url = new URL(authorizationUrl(service, request));
    expect(url.origin + url.pathname).toBe('https://service.example/oauth/authorize');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'oac_a1b2c3d4e5f60718293a4b5c',
      redirect_uri: 'https://shop.example/auth/callback?from=a b',
      scope: 'memberships.read products.read',
      state: 'state',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    });
  });

  it('asks for an account and for a language, if it should', () => {
    const url = new URL(authorizationUrl(service, { ...request, selectAccount: true, lang: 'pt-BR' }));
    expect(url.searchParams.get('prompt')).toBe('select_account');
    expect(url.searchParams.get('ui_locales')).toBe('pt-BR');
  });

  it('never contains the client secret', () => {
    const clientSecret = 'ocs_000102030405060708090a0b0c0d0e0f1011121314151617';
    expect(authorizationUrl({ ...service, clientSecret }, request)).not.toContain('ocs_');
  });

  it('accepts a state of 1024 characters and rejects one of 1025', {
    tags: ['authorize.state-max-length'],
  }, () => {
    expect(authorizationUrl(service, { ...request, state: 's'.repeat(1024) })).toContain('s'.repeat(1024));
    expect(authorizationUrl(service, { ...request, state: '\u{1F511}'.repeat(1024) })).toContain(
      'state=%F0%9F%94%91',
    );
    expect(() => authorizationUrl(service, { ...request, state: 's'.repeat(1025) })).toThrow(misconfigured);
  });

  it('rejects an empty state, which could not expose a forged response', () => {
    expect(() => authorizationUrl(service, { ...request, state: '' })).toThrow(misconfigured);
  });

  it('rejects an empty list of scopes', { tags: ['authorize.scope-required'] }, () => {
    expect(() => authorizationUrl(service, { ...request, scopes: [] })).toThrow(misconfigured);
  });
});

import {
  authorizationErrorQuery,
  clientCredentialsBody,
  revokedTokenBody,
  tokenGrantBody,
} from '@latchkey/contract';
import { formatScopeList, isOAuthScope, parseScopeList } from '@latchkey/contract/constants';
import { describe, expect, it } from 'vitest';
import { authorizationRequestQuery, revokeRequestBody, tokenRequestBody } from '../src/oauth/requests.js';
import { clientIdentityPath, clientIdentityQuery } from '../src/oauth/responses.js';
import { accepts, rejectedPaths, without } from './schema-checks.js';

describe('scopes', () => {
  it('are separated by spaces or commas, without duplicates', {
    tags: ['authorize.scope-separators'],
  }, () => {
    expect(parseScopeList('memberships.read products.read')).toEqual(['memberships.read', 'products.read']);
    expect(parseScopeList('memberships.read,products.read')).toEqual(['memberships.read', 'products.read']);
    expect(parseScopeList(' products.read, memberships.read ,products.read')).toEqual([
      'products.read',
      'memberships.read',
    ]);
    expect(parseScopeList(' , ')).toEqual([]);
  });

  it('keep unknown values, so that the endpoint can reject them', {
    tags: ['authorize.scope-values'],
  }, () => {
    expect(parseScopeList('openid').filter(isOAuthScope)).toEqual([]);
    expect(parseScopeList('openid')).toEqual(['openid']);
    expect(['memberships.read', 'products.read', 'Memberships.Read'].filter(isOAuthScope)).toEqual([
      'memberships.read',
      'products.read',
    ]);
  });

  it('are joined by single spaces', { tags: ['token.pair-scope'] }, () => {
    expect(formatScopeList(['memberships.read', 'products.read'])).toBe('memberships.read products.read');
  });
});

describe('the query of authorize', () => {
  const query = {
    client_id: 'oac_a1b2c3d4e5f60718293a4b5c',
    redirect_uri: 'https://shop.example/callback',
    scope: 'memberships.read',
  };

  it('requires client_id, redirect_uri and scope', {
    tags: ['authorize.client-id-required', 'authorize.redirect-uri-required', 'authorize.scope-required'],
  }, () => {
    expect(rejectedPaths(authorizationRequestQuery, query)).toEqual([]);
    for (const key of Object.keys(query)) {
      expect(rejectedPaths(authorizationRequestQuery, without(query, key))).toEqual([key]);
      expect(rejectedPaths(authorizationRequestQuery, { ...query, [key]: '' })).toEqual([key]);
    }
  });

  it('accepts a state of up to 1024 characters', {
    tags: ['authorize.state-max-length', 'authorize.state-optional'],
  }, () => {
    expect(rejectedPaths(authorizationRequestQuery, { ...query, state: 'x'.repeat(1024) })).toEqual([]);
    expect(rejectedPaths(authorizationRequestQuery, { ...query, state: 'x'.repeat(1025) })).toEqual([
      'state',
    ]);
  });

  it('accepts a challenge of 43 to 128 characters', { tags: ['authorize.challenge-length'] }, () => {
    for (const [length, expected] of [
      [42, ['code_challenge']],
      [43, []],
      [128, []],
      [129, ['code_challenge']],
    ] as const) {
      const code_challenge = 'x'.repeat(length);
      expect(rejectedPaths(authorizationRequestQuery, { ...query, code_challenge })).toEqual(expected);
    }
  });

  it('accepts S256 as the only method, with or without a challenge', {
    tags: ['authorize.method-s256-only'],
  }, () => {
    expect(rejectedPaths(authorizationRequestQuery, { ...query, code_challenge_method: 'S256' })).toEqual([]);
    for (const code_challenge_method of ['plain', 's256']) {
      expect(rejectedPaths(authorizationRequestQuery, { ...query, code_challenge_method })).toEqual([
        'code_challenge_method',
      ]);
    }
  });

  it('treats an empty parameter as omitted (RFC 6749 section 3.1)', () => {
    const empty = { state: '', code_challenge: '', code_challenge_method: '' };
    expect(authorizationRequestQuery.parse({ ...query, ...empty })).toEqual(query);
  });

  it('ignores any response_type', { tags: ['authorize.response-type-ignored'] }, () => {
    const parsed = authorizationRequestQuery.parse({ ...query, response_type: 'token' });
    expect(parsed).toEqual(query);
  });

  it('rejects a repeated parameter', () => {
    expect(rejectedPaths(authorizationRequestQuery, { ...query, state: ['a', 'b'] })).toEqual(['state']);
  });

  it('allows only error and state in a redirected error', {
    tags: ['authorize.error-redirect-parameters'],
  }, () => {
    expect(accepts(authorizationErrorQuery, { error: 'access_denied', state: 's' })).toBe(true);
    expect(accepts(authorizationErrorQuery, { error: 'invalid_scope' })).toBe(true);
    expect(accepts(authorizationErrorQuery, { error: 'invalid_scope', error_description: 'no' })).toBe(false);
  });
});

describe('the body of token', () => {
  const code = {
    grant_type: 'authorization_code',
    client_id: 'oac_a1b2c3d4e5f60718293a4b5c',
    code: 'c',
    redirect_uri: 'https://shop.example/callback',
    code_verifier: 'v'.repeat(43),
  };
  const refresh = { grant_type: 'refresh_token', client_id: code.client_id, refresh_token: 'r' };

  it('requires code and redirect_uri for a code', {
    tags: ['token.code-required', 'token.redirect-uri-required'],
  }, () => {
    expect(rejectedPaths(tokenRequestBody, code)).toEqual([]);
    for (const key of ['code', 'redirect_uri']) {
      expect(rejectedPaths(tokenRequestBody, without(code, key))).toEqual([key]);
      expect(rejectedPaths(tokenGrantBody, without(code, key))).toEqual([key]);
    }
  });

  it('requires refresh_token for a refresh', { tags: ['token.refresh-token-required'] }, () => {
    expect(rejectedPaths(tokenRequestBody, refresh)).toEqual([]);
    expect(rejectedPaths(tokenGrantBody, without(refresh, 'refresh_token'))).toEqual(['refresh_token']);
  });

  it('requires client_id', { tags: ['token.client-id-required'] }, () => {
    expect(rejectedPaths(tokenRequestBody, without(code, 'client_id'))).toEqual(['client_id']);
    expect(rejectedPaths(clientCredentialsBody, without(refresh, 'client_id'))).toEqual(['client_id']);
  });

  it('accepts two values of grant_type', {
    tags: ['token.grant-type-required', 'token.grant-type-values'],
  }, () => {
    expect(rejectedPaths(tokenGrantBody, without(code, 'grant_type'))).toEqual(['grant_type']);
    for (const grant_type of [
      'client_credentials',
      'password',
      'Authorization_Code',
      null,
      ['refresh_token'],
    ]) {
      expect(rejectedPaths(tokenGrantBody, { ...code, grant_type })).toEqual(['grant_type']);
    }
  });

  it('accepts a verifier of 43 to 128 characters, or none', { tags: ['token.verifier-length'] }, () => {
    expect(rejectedPaths(tokenGrantBody, without(code, 'code_verifier'))).toEqual([]);
    for (const [length, expected] of [
      [42, ['code_verifier']],
      [43, []],
      [128, []],
      [129, ['code_verifier']],
    ] as const) {
      expect(rejectedPaths(tokenGrantBody, { ...code, code_verifier: 'v'.repeat(length) })).toEqual(expected);
    }
  });

  it('treats empty parameters as omitted', () => {
    expect(clientCredentialsBody.parse({ client_id: 'a', client_secret: '' })).toEqual({ client_id: 'a' });
    expect(tokenGrantBody.parse({ ...code, code_verifier: '' })).not.toHaveProperty('code_verifier');
    expect(rejectedPaths(tokenGrantBody, { ...code, code: '' })).toEqual(['code']);
    expect(rejectedPaths(clientCredentialsBody, { client_id: '' })).toEqual(['client_id']);
  });

  it('rejects null, numbers and repeated parameters', () => {
    for (const client_secret of [null, 5, ['a', 'b']]) {
      expect(rejectedPaths(clientCredentialsBody, { client_id: 'a', client_secret })).toEqual([
        'client_secret',
      ]);
    }
    expect(rejectedPaths(tokenGrantBody, { ...code, code: ['a', 'b'] })).toEqual(['code']);
  });

  it('accepts the object without prototype that qs parses from a form', () => {
    const form = Object.assign(Object.create(null), refresh);
    expect(tokenGrantBody.parse(form)).toEqual(without(refresh, 'client_id'));
  });

  it.each([undefined, null, [], 'grant_type=refresh_token', 5])('rejects %j', (body) => {
    expect(accepts(tokenRequestBody, body)).toBe(false);
    expect(accepts(clientCredentialsBody, body)).toBe(false);
    expect(accepts(revokeRequestBody, body)).toBe(false);
  });
});

describe('the body of revoke', () => {
  const body = { client_id: 'oac_c0ffee00c0ffee00c0ffee00', client_secret: 'ocs_x', token: 't' };

  it('requires client_id, client_secret and token', {
    tags: ['revoke.client-id-required', 'revoke.client-secret-required', 'revoke.token-required'],
  }, () => {
    expect(rejectedPaths(revokeRequestBody, body)).toEqual([]);
    for (const key of Object.keys(body)) {
      expect(rejectedPaths(revokeRequestBody, without(body, key))).toEqual([key]);
      expect(rejectedPaths(revokeRequestBody, { ...body, [key]: '' })).toEqual([key]);
    }
    expect(rejectedPaths(revokedTokenBody, {})).toEqual(['token']);
  });

  it('accepts any hint', { tags: ['revoke.token-type-hint'] }, () => {
    for (const token_type_hint of ['access_token', 'refresh_token', 'cookie', '']) {
      expect(rejectedPaths(revokedTokenBody, { token: 't', token_type_hint })).toEqual([]);
    }
  });
});

describe('the request for a client identity', () => {
  it('accepts any id and any widget_origin', { tags: ['client-identity.widget-origin'] }, () => {
    expect(clientIdentityPath.parse({ clientId: 'nobody' })).toEqual({ clientId: 'nobody' });
    expect(clientIdentityQuery.parse({ widget_origin: '' })).toEqual({ widget_origin: '' });
    expect(clientIdentityQuery.parse({ widget_origin: 'not an origin' })).toEqual({
      widget_origin: 'not an origin',
    });
    expect(clientIdentityQuery.parse({})).toEqual({});
  });
});

import {
  authorizationErrorQuery,
  clientCredentialsBody,
  revokedTokenBody,
  tokenGrantBody,
} from '@latchkey/contract';
import { formatScopeList, isOAuthScope, parseScopeList } from '@latchkey/contract/constants';
import { describe, expect, it } from 'vitest';
import { authorizationRequestQuery } from '../src/oauth/authorization-request.js';
import { clientIdentityPath, clientIdentityQuery } from '../src/oauth/client-identity.js';
import { revokeRequestBody } from '../src/oauth/revoke-request.js';
import { tokenRequestBody } from '../src/oauth/token-request.js';
import { accepts, refusedPaths, without } from './schema-checks.js';

describe('scopes', () => {
  it('are separated by spaces or commas, and collapse when named twice [authorize.scope-separators]', () => {
    expect(parseScopeList('memberships.read products.read')).toEqual(['memberships.read', 'products.read']);
    expect(parseScopeList('memberships.read,products.read')).toEqual(['memberships.read', 'products.read']);
    expect(parseScopeList(' products.read, memberships.read ,products.read')).toEqual([
      'products.read',
      'memberships.read',
    ]);
    expect(parseScopeList(' , ')).toEqual([]);
  });

  it('are two; others are kept for the endpoint to refuse [authorize.scope-values]', () => {
    expect(parseScopeList('openid').filter(isOAuthScope)).toEqual([]);
    expect(parseScopeList('openid')).toEqual(['openid']);
    expect(['memberships.read', 'products.read', 'Memberships.Read'].filter(isOAuthScope)).toEqual([
      'memberships.read',
      'products.read',
    ]);
  });

  it('are shown separated by single spaces [token.pair-scope]', () => {
    expect(formatScopeList(['memberships.read', 'products.read'])).toBe('memberships.read products.read');
  });
});

describe('the query of authorize', () => {
  const query = {
    client_id: 'oac_a1b2c3d4e5f60718293a4b5c',
    redirect_uri: 'https://shop.example/callback',
    scope: 'memberships.read',
  };

  it('needs client_id, redirect_uri and scope [authorize.client-id-required] [authorize.redirect-uri-required] [authorize.scope-required]', () => {
    expect(refusedPaths(authorizationRequestQuery, query)).toEqual([]);
    for (const key of Object.keys(query)) {
      expect(refusedPaths(authorizationRequestQuery, without(query, key))).toEqual([key]);
      expect(refusedPaths(authorizationRequestQuery, { ...query, [key]: '' })).toEqual([key]);
    }
  });

  it('takes a state of up to 1024 characters [authorize.state-max-length] [authorize.state-optional]', () => {
    expect(refusedPaths(authorizationRequestQuery, { ...query, state: 'x'.repeat(1024) })).toEqual([]);
    expect(refusedPaths(authorizationRequestQuery, { ...query, state: 'x'.repeat(1025) })).toEqual(['state']);
  });

  it('takes a challenge of 43 to 128 characters [authorize.challenge-length]', () => {
    for (const [length, expected] of [
      [42, ['code_challenge']],
      [43, []],
      [128, []],
      [129, ['code_challenge']],
    ] as const) {
      const code_challenge = 'x'.repeat(length);
      expect(refusedPaths(authorizationRequestQuery, { ...query, code_challenge })).toEqual(expected);
    }
  });

  it('takes S256 as the only method, challenge or not [authorize.method-s256-only]', () => {
    expect(refusedPaths(authorizationRequestQuery, { ...query, code_challenge_method: 'S256' })).toEqual([]);
    for (const code_challenge_method of ['plain', 's256']) {
      expect(refusedPaths(authorizationRequestQuery, { ...query, code_challenge_method })).toEqual([
        'code_challenge_method',
      ]);
    }
  });

  it('takes an empty parameter for one that is left out, as the endpoint does (RFC 6749 3.1)', () => {
    const empty = { state: '', code_challenge: '', code_challenge_method: '' };
    expect(authorizationRequestQuery.parse({ ...query, ...empty })).toEqual(query);
  });

  it('may carry any response_type, which is not read [authorize.response-type-ignored]', () => {
    const parsed = authorizationRequestQuery.parse({ ...query, response_type: 'token' });
    expect(parsed).toEqual(query);
  });

  it('refuses a repeated parameter', () => {
    expect(refusedPaths(authorizationRequestQuery, { ...query, state: ['a', 'b'] })).toEqual(['state']);
  });

  it('leads to a redirected error of error and state only [authorize.error-redirect-parameters]', () => {
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

  it('needs code and redirect_uri for a code [token.code-required] [token.redirect-uri-required]', () => {
    expect(refusedPaths(tokenRequestBody, code)).toEqual([]);
    for (const key of ['code', 'redirect_uri']) {
      expect(refusedPaths(tokenRequestBody, without(code, key))).toEqual([key]);
      expect(refusedPaths(tokenGrantBody, without(code, key))).toEqual([key]);
    }
  });

  it('needs refresh_token for a refresh [token.refresh-token-required]', () => {
    expect(refusedPaths(tokenRequestBody, refresh)).toEqual([]);
    expect(refusedPaths(tokenGrantBody, without(refresh, 'refresh_token'))).toEqual(['refresh_token']);
  });

  it('needs client_id [token.client-id-required]', () => {
    expect(refusedPaths(tokenRequestBody, without(code, 'client_id'))).toEqual(['client_id']);
    expect(refusedPaths(clientCredentialsBody, without(refresh, 'client_id'))).toEqual(['client_id']);
  });

  it('takes two values of grant_type [token.grant-type-required] [token.grant-type-values]', () => {
    expect(refusedPaths(tokenGrantBody, without(code, 'grant_type'))).toEqual(['grant_type']);
    for (const grant_type of [
      'client_credentials',
      'password',
      'Authorization_Code',
      null,
      ['refresh_token'],
    ]) {
      expect(refusedPaths(tokenGrantBody, { ...code, grant_type })).toEqual(['grant_type']);
    }
  });

  it('takes a verifier of 43 to 128 characters, or none [token.verifier-length]', () => {
    expect(refusedPaths(tokenGrantBody, without(code, 'code_verifier'))).toEqual([]);
    for (const [length, expected] of [
      [42, ['code_verifier']],
      [43, []],
      [128, []],
      [129, ['code_verifier']],
    ] as const) {
      expect(refusedPaths(tokenGrantBody, { ...code, code_verifier: 'v'.repeat(length) })).toEqual(expected);
    }
  });

  it('counts empty parameters as omitted', () => {
    expect(clientCredentialsBody.parse({ client_id: 'a', client_secret: '' })).toEqual({ client_id: 'a' });
    expect(tokenGrantBody.parse({ ...code, code_verifier: '' })).not.toHaveProperty('code_verifier');
    expect(refusedPaths(tokenGrantBody, { ...code, code: '' })).toEqual(['code']);
    expect(refusedPaths(clientCredentialsBody, { client_id: '' })).toEqual(['client_id']);
  });

  it('refuses null, numbers and repeated parameters', () => {
    for (const client_secret of [null, 5, ['a', 'b']]) {
      expect(refusedPaths(clientCredentialsBody, { client_id: 'a', client_secret })).toEqual([
        'client_secret',
      ]);
    }
    expect(refusedPaths(tokenGrantBody, { ...code, code: ['a', 'b'] })).toEqual(['code']);
  });

  it('reads the parameters of a form as qs parses it, without prototype', () => {
    const form = Object.assign(Object.create(null), refresh);
    expect(tokenGrantBody.parse(form)).toEqual(without(refresh, 'client_id'));
  });

  it.each([undefined, null, [], 'grant_type=refresh_token', 5])('is not %j', (body) => {
    expect(accepts(tokenRequestBody, body)).toBe(false);
    expect(accepts(clientCredentialsBody, body)).toBe(false);
    expect(accepts(revokeRequestBody, body)).toBe(false);
  });
});

describe('the body of revoke', () => {
  const body = { client_id: 'oac_c0ffee00c0ffee00c0ffee00', client_secret: 'ocs_x', token: 't' };

  it('needs client_id, client_secret and token [revoke.client-id-required] [revoke.client-secret-required] [revoke.token-required]', () => {
    expect(refusedPaths(revokeRequestBody, body)).toEqual([]);
    for (const key of Object.keys(body)) {
      expect(refusedPaths(revokeRequestBody, without(body, key))).toEqual([key]);
      expect(refusedPaths(revokeRequestBody, { ...body, [key]: '' })).toEqual([key]);
    }
    expect(refusedPaths(revokedTokenBody, {})).toEqual(['token']);
  });

  it('takes any hint, a wrong one too [revoke.token-type-hint]', () => {
    for (const token_type_hint of ['access_token', 'refresh_token', 'cookie', '']) {
      expect(refusedPaths(revokedTokenBody, { token: 't', token_type_hint })).toEqual([]);
    }
  });
});

describe('the request for a client identity', () => {
  it('takes any id and any widget_origin: the answer judges them [client-identity.widget-origin]', () => {
    expect(clientIdentityPath.parse({ clientId: 'nobody' })).toEqual({ clientId: 'nobody' });
    expect(clientIdentityQuery.parse({ widget_origin: '' })).toEqual({ widget_origin: '' });
    expect(clientIdentityQuery.parse({ widget_origin: 'not an origin' })).toEqual({
      widget_origin: 'not an origin',
    });
    expect(clientIdentityQuery.parse({})).toEqual({});
  });
});

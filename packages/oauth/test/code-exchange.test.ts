import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { exchangeCode } from '../src/index.js';
import {
  type CannedAnswer,
  CLIENT_ID,
  CLIENT_SECRET,
  cannedService,
  onlyRequest,
  TOKEN_PAIR,
} from './canned-service.js';

const exchange = {
  code: 'the-code',
  redirectUri: 'https://shop.example/auth/callback',
  codeVerifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
};
const success: CannedAnswer = { status: 201, body: TOKEN_PAIR };

describe('exchangeCode', () => {
  it('sends the grant as a form, a public client without a secret', {
    tags: ['token.form-body', 'token.public-secret-refused'],
  }, async () => {
    const service = await cannedService(success);
    await exchangeCode(service.asPublic, exchange);
    const { method, url, headers, form } = onlyRequest(service);
    expect([method, url]).toEqual(['POST', '/oauth/token']);
    expect(headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
    expect(form).toEqual({
      grant_type: 'authorization_code',
      client_id: CLIENT_ID,
      code: 'the-code',
      redirect_uri: 'https://shop.example/auth/callback',
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    });
  });

  it('sends the secret of a confidential client in the body', {
    tags: ['token.client-secret-post'],
  }, async () => {
    const service = await cannedService(success);
    await exchangeCode(service.asConfidential, exchange);
    const { headers, form } = onlyRequest(service);
    expect(form.client_secret).toBe(CLIENT_SECRET);
    expect(headers.authorization).toBeUndefined();
  });

  it('accepts a 201 as success', { tags: ['token.accept-created', 'token.success-created'] }, async () => {
    const service = await cannedService(success);
    const tokens = await exchangeCode({ ...service.asPublic, clock: { now: () => 1_000_000 } }, exchange);
    expect(tokens).toEqual({
      accessToken: 'access-token-value',
      refreshToken: 'refresh-token-value',
      expiresAt: 1_000_000 + 3_600_000,
      scopes: ['memberships.read', 'products.read'],
    });
  });

  it('measures the lifetime from before the request, so that a slow response shortens it', {
    tags: ['token.pair-expires-in'],
  }, async () => {
    const service = await cannedService(success);
    let now = 1_000_000;
    const slowFetch: typeof fetch = async (...request) => {
      now += 20_000;
      return fetch(...request);
    };
    const { expiresAt } = await exchangeCode(
      { ...service.asPublic, fetch: slowFetch, clock: { now: () => now } },
      exchange,
    );
    expect(expiresAt).toBe(1_000_000 + 3_600_000);
  });

  it('uses the system clock by default', async () => {
    const service = await cannedService(success);
    const { expiresAt } = await exchangeCode(service.asPublic, exchange);
    expect(Math.abs(expiresAt - 3_600_000 - performance.timeOrigin - performance.now())).toBeLessThan(60_000);
  });

  it('ignores unknown fields, an id_token included', {
    tags: ['versioning.ignore-unknown-fields', 'general.no-openid-connect'],
  }, async () => {
    const service = await cannedService({
      status: 201,
      body: { ...TOKEN_PAIR, id_token: 'no.jwt', more: {} },
    });
    await expect(exchangeCode(service.asPublic, exchange)).resolves.toMatchObject({
      accessToken: 'access-token-value',
    });
  });

  it.each([
    [400, 'invalid_grant', 'The authorization code is invalid or expired.'],
    [400, 'invalid_request', 'code_verifier is required.'],
    [401, 'invalid_client', 'Client authentication failed.'],
  ])(
    'maps a %i %s to its own code and keeps the description',
    { tags: ['oauth-error.branch-on-error'] },
    async (status, error, text) => {
      const service = await cannedService({ status, body: { error, error_description: text } });
      const failure = exchangeCode(service.asConfidential, exchange);
      await expect(failure).rejects.toMatchObject({ code: error, status, error, errorDescription: text });
      await expect(failure).rejects.toThrow(
        `${service.baseUrl}/oauth/token responded with ${status}: ${error}: ${text}`,
      );
    },
  );

  it('maps an error that the spec does not name to `invalid_request`', async () => {
    const service = await cannedService({ status: 400, body: { error: 'unauthorized_client' } });
    await expect(exchangeCode(service.asPublic, exchange)).rejects.toMatchObject({
      code: 'invalid_request',
      error: 'unauthorized_client',
    });
  });

  it.each([
    ['no access token', { access_token: undefined }],
    ['an access token that is not a string', { access_token: 7 }],
    ['another token type', { token_type: 'DPoP' }],
    ['an unknown token type', { token_type: 'mac' }],
  ])('rejects a token pair with %s and keeps the tokens out of the error', async (_name, change) => {
    const service = await cannedService({ status: 201, body: { ...TOKEN_PAIR, ...change } });
    const error = await exchangeCode(service.asPublic, exchange).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'unreadable_response' });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/(access|refresh)-token-value/);
  });

  it('returns no refresh token, the documented lifetime and the requested scopes if the response has only an access token', async () => {
    const service = await cannedService({ status: 200, body: { access_token: 'a' } });
    const clock = { now: () => 1000 };
    const scopes = ['memberships.read'];
    await expect(exchangeCode({ ...service.asPublic, clock }, { ...exchange, scopes })).resolves.toEqual({
      accessToken: 'a',
      refreshToken: undefined,
      expiresAt: 3_601_000,
      scopes,
    });
  });

  it.each(['', 'created', '[]', 'null'])('rejects the body %j in place of a token pair', async (body) => {
    const service = await cannedService({ status: 201, body });
    await expect(exchangeCode(service.asPublic, exchange)).rejects.toMatchObject({
      code: 'unreadable_response',
    });
  });

  it('keeps code, verifier and secret out of every error', async () => {
    for (const answer of [
      { status: 400, body: { error: 'invalid_grant' } },
      { status: 500, body: {} },
      { status: 302, headers: { location: 'https://elsewhere.example' } },
      { status: 201, body: {} },
    ]) {
      const service = await cannedService(answer);
      const error = await exchangeCode(service.asConfidential, exchange).catch((thrown: unknown) => thrown);
      expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/the-code|dBjftJeZ|ocs_/);
    }
  });
});

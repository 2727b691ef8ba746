import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { refreshTokenSet } from '../src/index.js';
import { CLIENT_ID, CLIENT_SECRET, cannedService, onlyRequest, TOKEN_PAIR } from './canned-service.js';

const refresh = { refreshToken: 'old-refresh-token' };

describe('refreshTokenSet', () => {
  it('sends only the refresh token and the client', { tags: ['token.refresh-token-required'] }, async () => {
    const service = await cannedService({ status: 201, body: TOKEN_PAIR });
    await refreshTokenSet(service.asPublic, refresh);
    const { method, url, form } = onlyRequest(service);
    expect([method, url]).toEqual(['POST', '/oauth/token']);
    expect(form).toEqual({
      grant_type: 'refresh_token',
      client_id: CLIENT_ID,
      refresh_token: 'old-refresh-token',
    });
  });

  it('sends the secret of a confidential client in the body', {
    tags: ['token.client-secret-post'],
  }, async () => {
    const service = await cannedService({ status: 201, body: TOKEN_PAIR });
    await refreshTokenSet(service.asConfidential, refresh);
    expect(onlyRequest(service).form.client_secret).toBe(CLIENT_SECRET);
  });

  it('returns the new pair', { tags: ['token.refresh-grant', 'token.accept-created'] }, async () => {
    const service = await cannedService({ status: 201, body: TOKEN_PAIR });
    await expect(refreshTokenSet({ ...service.asPublic, clock: { now: () => 5 } }, refresh)).resolves.toEqual(
      {
        accessToken: 'access-token-value',
        refreshToken: 'refresh-token-value',
        expiresAt: 3_600_005,
        scopes: ['memberships.read', 'products.read'],
      },
    );
  });

  it('keeps the refresh token and the scopes if the response has only an access token', async () => {
    const service = await cannedService({ status: 200, body: { access_token: 'a' } });
    const kept = { ...refresh, scopes: ['products.read'] };
    await expect(refreshTokenSet(service.asPublic, kept)).resolves.toMatchObject({
      accessToken: 'a',
      refreshToken: 'old-refresh-token',
      scopes: ['products.read'],
    });
  });

  it('rejects with `invalid_grant` for a used token, without quoting the token', {
    tags: ['credentials.refresh-replay-invalid-grant'],
  }, async () => {
    const service = await cannedService({ status: 400, body: { error: 'invalid_grant' } });
    const error = await refreshTokenSet(service.asPublic, refresh).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'invalid_grant', status: 400 });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('old-refresh-token');
  });

  it('stops when the caller aborts', async () => {
    const service = await cannedService(undefined);
    const caller = new AbortController();
    const refreshing = refreshTokenSet(service.asPublic, { ...refresh, signal: caller.signal });
    caller.abort();
    await expect(refreshing).rejects.toMatchObject({ code: 'aborted' });
  });
});

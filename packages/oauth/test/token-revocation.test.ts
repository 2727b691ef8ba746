import { describe, expect, it } from 'vitest';
import { revokeToken } from '../src/index.js';
import { CLIENT_ID, CLIENT_SECRET, cannedService, onlyRequest } from './canned-service.js';

describe('revokeToken', () => {
  it('sends the credentials in the body and accepts an empty 200 as success', {
    tags: ['revoke.client-secret-required', 'revoke.success-empty'],
  }, async () => {
    const service = await cannedService({ status: 200, body: '' });
    await expect(revokeToken(service.asConfidential, { token: 'the-token' })).resolves.toBeUndefined();
    const { method, url, headers, form } = onlyRequest(service);
    expect([method, url]).toEqual(['POST', '/oauth/revoke']);
    expect(headers.authorization).toBeUndefined();
    expect(form).toEqual({ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, token: 'the-token' });
  });

  it.each([
    [204, ''],
    [202, '{"revoked":true}'],
    [200, 'OK'],
  ])('accepts a %i with the body %j as success', async (status, body) => {
    const service = await cannedService({ status, body });
    await expect(revokeToken(service.asConfidential, { token: 'the-token' })).resolves.toBeUndefined();
  });

  it.each(['access_token', 'refresh_token'] as const)(
    'sends the hint %s',
    { tags: ['revoke.token-type-hint'] },
    async (hint) => {
      const service = await cannedService({ status: 200, body: '' });
      await revokeToken(service.asConfidential, { token: 'the-token', hint });
      expect(onlyRequest(service).form.token_type_hint).toBe(hint);
    },
  );

  it('rejects a public client without a request', {
    tags: ['revoke.public-never-succeeds', 'revoke.public-forgets-locally'],
  }, async () => {
    const service = await cannedService({ status: 200, body: '' });
    await expect(revokeToken(service.asPublic, { token: 'the-token' })).rejects.toMatchObject({
      code: 'invalid_configuration',
    });
    expect(service.requests).toEqual([]);
  });

  it('rejects with `invalid_client` when the service rejects the credentials', {
    tags: ['revoke.invalid-client-no-description'],
  }, async () => {
    const service = await cannedService({ status: 401, body: { error: 'invalid_client' } });
    const error = await revokeToken(service.asConfidential, { token: 'the-token' }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: 'invalid_client', status: 401 });
    expect(error).not.toHaveProperty('errorDescription');
  });
});

import { ENDPOINTS, oauthErrorSchemas } from '@latchkey/contract';
import { describe, expect } from 'vitest';
import {
  callResource,
  confidentialTokens,
  postToken,
  publicTokens,
  refreshPublic,
  revoke,
} from './authorization-flow.js';
import { CONFIDENTIAL, it, PUBLIC, SECRET, type ServiceUnderTest } from './service-under-test.js';

const credentials = { client_id: CONFIDENTIAL, client_secret: SECRET };

async function refreshConfidential(service: ServiceUnderTest, refresh_token: string): Promise<Response> {
  return await postToken(service, { grant_type: 'refresh_token', ...credentials, refresh_token });
}

async function expectEmptySuccess(response: Response): Promise<void> {
  expect(response.status).toBe(200);
  expect(await response.text()).toBe('');
}

describe('revocation', () => {
  it('of an access token takes effect at once and keeps its refresh token', {
    tags: [
      'revoke.access-token',
      'revoke.success-empty',
      'credentials.revoked-access-token-dies-at-once',
      'oauth-error.invalid-token-revoked',
    ],
  }, async ({ service }) => {
    const pair = await confidentialTokens(service);
    await expectEmptySuccess(await revoke(service, { ...credentials, token: pair.access_token }));
    expect((await callResource(service, pair.access_token)).status).toBe(401);
    expect((await refreshConfidential(service, pair.refresh_token)).status).toBe(201);
  });

  it('of a refresh token includes its access token', {
    tags: ['revoke.refresh-token', 'credentials.revoked-refresh-token', 'oauth-error.invalid-grant-revoked'],
  }, async ({ service }) => {
    const pair = await confidentialTokens(service);
    await expectEmptySuccess(await revoke(service, { ...credentials, token: pair.refresh_token }));
    const refreshed = await refreshConfidential(service, pair.refresh_token);
    expect(refreshed.status).toBe(400);
    expect(await refreshed.json()).toMatchObject({ error: 'invalid_grant' });
    expect((await callResource(service, pair.access_token)).status).toBe(401);
  });

  it('accepts JSON and forms', async ({ service }) => {
    const pair = await confidentialTokens(service);
    const response = await service.request('/oauth/revoke', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...credentials, token: pair.access_token }),
    });
    await expectEmptySuccess(response);
    expect((await callResource(service, pair.access_token)).status).toBe(401);
  });

  it('accepts the right hint, a wrong one and an unknown one', { tags: ['revoke.token-type-hint'] }, async ({
    service,
  }) => {
    for (const token_type_hint of ['access_token', 'refresh_token', 'nonsense', '']) {
      const pair = await confidentialTokens(service);
      await expectEmptySuccess(
        await revoke(service, { ...credentials, token: pair.access_token, token_type_hint }),
      );
      expect((await callResource(service, pair.access_token)).status, token_type_hint).toBe(401);
    }
  });

  it('of an unknown or expired token succeeds', { tags: ['revoke.unknown-token-succeeds'] }, async ({
    service,
  }) => {
    const { access_token } = await confidentialTokens(service);
    for (const token of ['never-issued', access_token, access_token]) {
      await expectEmptySuccess(await revoke(service, { ...credentials, token }));
    }
  });

  it('of another client’s token succeeds and keeps it valid', async ({ service }) => {
    const pair = await publicTokens(service);
    await expectEmptySuccess(await revoke(service, { ...credentials, token: pair.access_token }));
    await expectEmptySuccess(await revoke(service, { ...credentials, token: pair.refresh_token }));
    expect((await callResource(service, pair.access_token)).status).toBe(200);
    expect((await refreshPublic(service, pair.refresh_token)).status).toBe(201);
  });
});

describe('rejected revocation', () => {
  it('has bad or missing credentials, and gets the error alone', {
    tags: [
      'revoke.client-id-required',
      'revoke.client-secret-required',
      'revoke.invalid-client-no-description',
      'oauth-error.invalid-client-unknown',
      'oauth-error.invalid-client-wrong-secret',
    ],
  }, async ({ service }) => {
    const { access_token: token } = await confidentialTokens(service);
    for (const form of [
      { token },
      { token, client_id: CONFIDENTIAL },
      { token, client_id: CONFIDENTIAL, client_secret: '' },
      { token, client_secret: SECRET },
      { token, client_id: `oac_${'0'.repeat(24)}`, client_secret: SECRET },
      { token, client_id: CONFIDENTIAL, client_secret: `ocs_${'0'.repeat(48)}` },
      { client_id: CONFIDENTIAL },
    ]) {
      const response = await revoke(service, form);
      expect(response.status).toBe(401);
      ENDPOINTS.revoke.failures[401].strict.parse(await response.json());
      expect(response.headers.get('www-authenticate')).toBeNull();
    }
    expect((await callResource(service, token)).status).toBe(200);
  });

  it('comes from a public client, whatever secret it sends', {
    tags: ['revoke.public-never-succeeds'],
  }, async ({ service }) => {
    const { access_token: token } = await publicTokens(service);
    for (const secret of [{}, { client_secret: '' }, { client_secret: SECRET }]) {
      const response = await revoke(service, { client_id: PUBLIC, token, ...secret });
      expect(response.status).toBe(401);
      ENDPOINTS.revoke.failures[401].strict.parse(await response.json());
    }
    expect((await callResource(service, token)).status).toBe(200);
  });

  it('has no token', { tags: ['revoke.token-required'] }, async ({ service }) => {
    for (const form of [credentials, { ...credentials, token: '' }]) {
      const response = await revoke(service, form);
      expect(response.status).toBe(400);
      oauthErrorSchemas(['invalid_request']).strict.parse(await response.json());
    }
  });
});

import { describe, expect } from 'vitest';
import {
  confidentialCode,
  confidentialRedemption,
  confidentialTokens,
  errorOf,
  postToken,
  postTokenJson,
  publicCode,
  publicRedemption,
} from './authorization-flow.js';
import { CONFIDENTIAL, it, PUBLIC, SECRET } from './service-under-test.js';

const invalidRequest = { status: 400, error: 'invalid_request' };
const invalidClient = { status: 401, error: 'invalid_client' };

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

describe('client', () => {
  it('is named by client_id', { tags: ['token.client-id-required', 'oauth-error.invalid-request'] }, async ({
    service,
  }) => {
    for (const client_id of [undefined, '']) {
      const redemption = publicRedemption(service, await publicCode(service), { client_id });
      expect(await errorOf(await postToken(service, redemption))).toEqual(invalidRequest);
    }
  });

  it('must be registered', { tags: ['oauth-error.invalid-client-unknown'] }, async ({ service }) => {
    const redemption = publicRedemption(service, 'a-code', { client_id: `oac_${'0'.repeat(24)}` });
    expect(await errorOf(await postToken(service, redemption))).toEqual(invalidClient);
  });

  it('sends its secret when it is confidential', {
    tags: ['token.client-secret-confidential', 'oauth-error.invalid-client-missing-secret'],
  }, async ({ service }) => {
    const code = await confidentialCode(service);
    for (const client_secret of [undefined, '']) {
      const redemption = confidentialRedemption(code, { client_secret });
      expect(await errorOf(await postToken(service, redemption))).toEqual(invalidClient);
    }
    expect((await postToken(service, confidentialRedemption(code))).status).toBe(201);
  });

  it('must send the right secret', { tags: ['oauth-error.invalid-client-wrong-secret'] }, async ({
    service,
  }) => {
    for (const client_secret of [`ocs_${'0'.repeat(48)}`, SECRET.slice(0, -1), SECRET.toUpperCase(), 'x']) {
      const redemption = confidentialRedemption('a-code', { client_secret });
      expect(await errorOf(await postToken(service, redemption))).toEqual(invalidClient);
    }
  });

  it('sends no secret when it is public', {
    tags: ['token.public-secret-refused', 'oauth-error.invalid-client-public-secret'],
  }, async ({ service }) => {
    const redemption = publicRedemption(service, await publicCode(service), { client_secret: SECRET });
    expect(await errorOf(await postToken(service, redemption))).toEqual(invalidClient);
  });

  it('is not read from a Basic header: only its id there is invalid_request', {
    tags: ['token.basic-header-not-read', 'token.basic-client-invalid-request'],
  }, async ({ service }) => {
    const {
      client_id: _,
      client_secret: __,
      ...body
    } = confidentialRedemption(await confidentialCode(service));
    const response = await postTokenJson(service, body, { authorization: basic(CONFIDENTIAL, SECRET) });
    expect(await errorOf(response)).toEqual(invalidRequest);
  });

  it('is not read from a Basic header: only its secret there is invalid_client', {
    tags: ['token.basic-header-not-read', 'token.basic-client-invalid-client'],
  }, async ({ service }) => {
    const { client_secret: _, ...body } = confidentialRedemption(await confidentialCode(service));
    const response = await postTokenJson(service, body, { authorization: basic(CONFIDENTIAL, SECRET) });
    expect(await errorOf(response)).toEqual(invalidClient);
  });

  it('is checked before the grant', async ({ service }) => {
    const nonsense = { grant_type: 'password', client_id: CONFIDENTIAL, client_secret: 'wrong' };
    expect(await errorOf(await postToken(service, nonsense))).toEqual(invalidClient);
  });

  it('keeps its tokens when its type changes, and must authenticate in the new way', {
    tags: ['credentials.client-type-changeable'],
  }, async ({ service }) => {
    const { operator } = service.server;
    const { refresh_token } = await confidentialTokens(service);
    await operator.change('clients', CONFIDENTIAL, { type: 'public' });
    const refresh = { grant_type: 'refresh_token', client_id: CONFIDENTIAL, refresh_token };
    expect(await errorOf(await postToken(service, { ...refresh, client_secret: SECRET }))).toEqual(
      invalidClient,
    );
    const response = await postToken(service, refresh);
    expect(response.status).toBe(201);

    const { clientSecret = '' } = await operator.change('clients', CONFIDENTIAL, { type: 'confidential' });
    expect(clientSecret).toMatch(/^ocs_[0-9a-f]{48}$/);
    const next = { ...refresh, refresh_token: ((await response.json()) as typeof refresh).refresh_token };
    expect(await errorOf(await postToken(service, { ...next, client_secret: SECRET }))).toEqual(
      invalidClient,
    );
    expect((await postToken(service, { ...next, client_secret: clientSecret })).status).toBe(201);
  });

  it('keeps its tokens when its secret is replaced, and cannot use the old secret', async ({ service }) => {
    const { operator } = service.server;
    const { refresh_token } = await confidentialTokens(service);
    const { clientSecret } = await operator.change('clients', CONFIDENTIAL, { replaceSecret: true });
    const refresh = { grant_type: 'refresh_token', client_id: CONFIDENTIAL, refresh_token };
    expect(await errorOf(await postToken(service, { ...refresh, client_secret: SECRET }))).toEqual(
      invalidClient,
    );
    expect((await postToken(service, { ...refresh, client_secret: String(clientSecret) })).status).toBe(201);
    await expect(operator.change('clients', PUBLIC, { replaceSecret: true })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    const unknown = 'oac_000000000000000000000000';
    await expect(operator.change('clients', unknown, { replaceSecret: true })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

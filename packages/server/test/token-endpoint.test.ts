import { oauthErrorSchemas, tokenPairSchemas } from '@latchkey/contract';
import { describe, expect } from 'vitest';
import { errorOf, postToken, postTokenJson, publicCode, publicRedemption } from './authorization-flow.js';
import { it, PUBLIC } from './service-under-test.js';

const invalidRequest = { status: 400, error: 'invalid_request' };

describe('token pair', () => {
  it('is returned with 201 and exactly the five fields', {
    tags: [
      'token.success-created',
      'token.pair-access-token',
      'token.pair-refresh-token',
      'token.pair-token-type',
      'token.pair-expires-in',
      'token.pair-scope',
      'oauth-error.bare-json-endpoints',
    ],
  }, async ({ service }) => {
    const code = await publicCode(service, { scope: 'products.read,memberships.read,products.read' });
    const response = await postToken(service, publicRedemption(service, code));
    expect(response.status).toBe(201);
    const pair = tokenPairSchemas.strict.parse(await response.json());
    expect(pair.scope).toBe('products.read memberships.read');
    expect(pair.access_token).not.toBe(pair.refresh_token);
  });

  it('is never cached', async ({ service }) => {
    const response = await postToken(service, publicRedemption(service, await publicCode(service)));
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('has no id_token, and there is neither a discovery document nor a key set', {
    tags: ['general.no-openid-connect'],
  }, async ({ service }) => {
    const response = await postToken(service, publicRedemption(service, await publicCode(service)));
    expect(await response.json()).not.toHaveProperty('id_token');
    for (const path of [
      '/.well-known/openid-configuration',
      '/.well-known/oauth-authorization-server',
      '/.well-known/jwks.json',
      '/oauth/jwks',
    ]) {
      expect((await service.request(path)).status).toBe(404);
    }
  });
});

describe('request body', () => {
  it('may be JSON', { tags: ['token.json-body'] }, async ({ service }) => {
    const response = await postTokenJson(service, publicRedemption(service, await publicCode(service)));
    expect(response.status).toBe(201);
  });

  it('may be a form, with or without a charset', { tags: ['token.form-body'] }, async ({ service }) => {
    for (const type of [
      'application/x-www-form-urlencoded',
      'application/x-www-form-urlencoded; charset=UTF-8',
    ]) {
      const form = new URLSearchParams(publicRedemption(service, await publicCode(service)));
      const response = await service.request('/oauth/token', {
        method: 'POST',
        headers: { 'content-type': type },
        body: form.toString(),
      });
      expect(response.status).toBe(201);
    }
  });

  it('may contain empty parameters, which count as missing', async ({ service }) => {
    const redemption = publicRedemption(service, await publicCode(service), {
      client_secret: '',
      refresh_token: '',
    });
    expect((await postToken(service, redemption)).status).toBe(201);
  });

  it('may contain unknown parameters', async ({ service }) => {
    const redemption = publicRedemption(service, await publicCode(service), {
      resource: 'x',
      scope: 'admin',
    });
    expect((await postToken(service, redemption)).status).toBe(201);
  });

  it('is rejected with a repeated parameter', async ({ service }) => {
    for (const name of ['client_id', 'grant_type', 'code', 'code_verifier', 'redirect_uri']) {
      const form = new URLSearchParams(publicRedemption(service, await publicCode(service)));
      form.append(name, form.get(name) ?? '');
      const response = await service.request('/oauth/token', { method: 'POST', body: form });
      expect(await errorOf(response), name).toEqual(invalidRequest);
    }
  });

  it('is rejected when it is not an object or cannot be parsed, and is not quoted', async ({ service }) => {
    for (const body of ['[]', '"text"', 'null', '7', '{"client_secret":"ocs_leak', '']) {
      const response = await postTokenJson(service, body);
      const { error, error_description: description } = (await response.json()) as Record<string, string>;
      expect({ status: response.status, error }).toEqual(invalidRequest);
      expect(description).not.toContain('ocs_leak');
    }
  });

  it('is rejected when a parameter is null or not a string', async ({ service }) => {
    const redemption = publicRedemption(service, 'a-code');
    for (const changes of [
      { client_secret: null },
      { client_id: 7 },
      { code: ['x'] },
      { code_verifier: {} },
    ]) {
      expect(await errorOf(await postTokenJson(service, { ...redemption, ...changes }))).toEqual(
        invalidRequest,
      );
    }
  });

  it('is rejected with 415 with another content type or none', async ({ service }) => {
    const body = new TextEncoder().encode('grant_type=refresh_token');
    for (const headers of [{ 'content-type': 'text/plain' }, {}]) {
      const response = await service.request('/oauth/token', { method: 'POST', headers, body });
      expect(await errorOf(response)).toEqual({ status: 415, error: 'invalid_request' });
    }
  });

  it('may have 100 kB, and is rejected with 413 above', async ({ service }) => {
    for (const [type, start, end] of [
      ['application/json', '{"a":"', '"}'],
      ['application/x-www-form-urlencoded', 'a=', ''],
    ] as const) {
      for (const [size, status] of [
        [100_000, 400],
        [100_001, 413],
      ] as const) {
        const body = start + 'x'.repeat(size - start.length - end.length) + end;
        const headers = { 'content-type': type };
        const response = await service.request('/oauth/token', { method: 'POST', headers, body });
        expect(await errorOf(response), type).toEqual({ status, error: 'invalid_request' });
      }
    }
  });

  it('is rejected with an error that names the parameter and the reason, not our validator', async ({
    service,
  }) => {
    const describe = async (body: unknown) =>
      ((await (await postTokenJson(service, body)).json()) as Record<string, string>).error_description;
    const redemption = publicRedemption(service, 'a-code');
    const { code, ...withoutCode } = redemption;
    expect(code).toBe('a-code');
    expect(await describe({})).toBe('client_id is missing or is not a single string.');
    expect(await describe(withoutCode)).toBe('code is missing or is not a single string.');
    expect(await describe({ ...redemption, code_verifier: 'short' })).toBe(
      'code_verifier must have 43 to 128 characters.',
    );
  });

  it('is required: a request without one has no client_id', async ({ service }) => {
    expect(await errorOf(await service.request('/oauth/token', { method: 'POST' }))).toEqual(invalidRequest);
  });
});

describe('grant', () => {
  it('is named by grant_type', { tags: ['token.grant-type-required'] }, async ({ service }) => {
    const redemption = publicRedemption(service, await publicCode(service), { grant_type: undefined });
    expect(await errorOf(await postToken(service, redemption))).toEqual(invalidRequest);
  });

  it('is one of the two', { tags: ['token.grant-type-values', 'general.grants-supported'] }, async ({
    service,
  }) => {
    for (const grant_type of [
      'implicit',
      'password',
      'client_credentials',
      'urn:ietf:params:oauth:grant-type:device_code',
      'constructor',
    ]) {
      const body = { grant_type, client_id: PUBLIC };
      expect(await errorOf(await postToken(service, body)), grant_type).toEqual(invalidRequest);
    }
  });
});

describe('error', () => {
  it('has a body of exactly error and error_description, is not cached, and names no scheme', {
    tags: [
      'oauth-error.bare-body',
      'oauth-error.description',
      'token.error-status',
      'oauth-error.no-www-authenticate',
    ],
  }, async ({ service }) => {
    const cases = [
      [await postToken(service, {}), 400, 'invalid_request'],
      [await postToken(service, { client_id: 'unknown' }), 401, 'invalid_client'],
      [await postToken(service, publicRedemption(service, 'unknown')), 400, 'invalid_grant'],
    ] as const;
    for (const [response, status, error] of cases) {
      expect(response.status).toBe(status);
      oauthErrorSchemas([error]).strict.parse(await response.json());
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('www-authenticate')).toBeNull();
    }
  });
});

import { describe, expect } from 'vitest';
import {
  allow,
  authorize,
  authorizePath,
  callbackOf,
  confidentialRequest,
  expectRejection,
  publicRequest,
  signedIn,
} from './authorization-flow.js';
import { locationOf, redirectQuery } from './browser.js';
import { it } from './service-under-test.js';

describe('valid authorization request', () => {
  it('redirects a signed-in user with consent straight back with code and state', {
    tags: ['authorize.success-redirect', 'authorize.state-echoed'],
  }, async ({ service }) => {
    const state = 'a state / with + signs & ümlauts =';
    const response = await authorize(service, publicRequest(service, { state }));
    expect(response.status).toBe(302);
    expect(locationOf(response)).toMatch(new RegExp(`^${callbackOf(service)}\\?`));
    expect(redirectQuery(response)).toEqual({ code: expect.stringMatching(/^[\w-]{43}$/), state });
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('gets no state in the redirect when it has none', { tags: ['authorize.state-optional'] }, async ({
    service,
  }) => {
    for (const state of [undefined, '']) {
      const response = await authorize(service, publicRequest(service, { state }));
      expect(Object.keys(redirectQuery(response))).toEqual(['code']);
    }
  });

  it('needs no credentials: a visitor gets the sign-in page, which leads back', {
    tags: ['authorize.user-authenticates'],
  }, async ({ service }) => {
    const query = publicRequest(service);
    const response = await service.browser().get(authorizePath(query));
    expect(response.status).toBe(302);
    const target = new URL(locationOf(response), service.baseUrl);
    expect(target.pathname).toBe('/sign-in');
    const back = new URL(target.searchParams.get('continue') ?? '', service.baseUrl);
    expect(back.pathname).toBe('/oauth/authorize');
    expect(Object.fromEntries(back.searchParams)).toEqual(query);
  });

  it('asks a signed-in user for consent with the same parameters', async ({ service }) => {
    const query = publicRequest(service);
    const response = await (await signedIn(service)).get(authorizePath(query));
    expect(response.status).toBe(302);
    expect(new URL(locationOf(response), service.baseUrl).pathname).toBe('/oauth/consent');
    expect(redirectQuery(response)).toEqual(query);
  });

  it.for([['token'], ['code'], ['nonsense'], [undefined]] as const)(
    'may have the response_type %s',
    { tags: ['authorize.response-type-ignored'] },
    async ([responseType], { service }) => {
      const response = await authorize(service, publicRequest(service, { response_type: responseType }));
      expect(redirectQuery(response).code).toBeDefined();
    },
  );

  it('may repeat the response_type, which is not validated', {
    tags: ['authorize.response-type-ignored'],
  }, async ({ service }) => {
    const query = new URLSearchParams(publicRequest(service));
    for (const responseType of ['code', 'token']) query.append('response_type', responseType);
    expect(redirectQuery(await authorize(service, `${query}`)).code).toBeDefined();
  });

  it('may separate scopes by spaces or commas, and repeat a scope', {
    tags: ['authorize.scope-separators', 'authorize.scope-values'],
  }, async ({ service }) => {
    for (const scope of [
      'memberships.read products.read',
      'memberships.read,products.read',
      ' products.read ,  memberships.read products.read',
    ]) {
      const response = await authorize(service, publicRequest(service, { scope }));
      expect(redirectQuery(response).code, scope).toBeDefined();
    }
  });

  it('needs no challenge from a confidential client', {
    tags: ['authorize.challenge-optional-confidential'],
  }, async ({ service }) => {
    expect(redirectQuery(await authorize(service, confidentialRequest())).code).toBeDefined();
  });

  it('may omit the challenge method', { tags: ['authorize.method-assumed-s256'] }, async ({ service }) => {
    const query = publicRequest(service, { code_challenge_method: undefined });
    expect(redirectQuery(await authorize(service, query)).code).toBeDefined();
  });

  it('keeps the query of the redirect URI', async ({ service }) => {
    const redirectUri = 'http://localhost:4402/auth/callback?shop=2';
    await service.server.operator.change('clients', confidentialRequest().client_id ?? '', {
      redirectUris: ['http://localhost:4402/auth/callback', redirectUri],
    });
    const browser = await signedIn(service);
    const query = confidentialRequest({ redirect_uri: redirectUri });
    await allow(browser, query);
    const response = await browser.get(authorizePath(query));
    expect(redirectQuery(response)).toMatchObject({ shop: '2', code: expect.any(String) });
  });
});

describe('length limits', () => {
  it('accepts a state of 1024 characters, also through the sign-in', {
    tags: ['authorize.state-max-length'],
  }, async ({ service }) => {
    const state = 'あ'.repeat(1024);
    expect(redirectQuery(await authorize(service, publicRequest(service, { state }))).state).toBe(state);
    const browser = service.browser();
    const toSignIn = await browser.get(authorizePath(publicRequest(service, { state })));
    expect((await browser.get(locationOf(toSignIn))).status).toBe(200);
  });

  it('counts an emoji as one character of the state', { tags: ['authorize.state-max-length'] }, async ({
    service,
  }) => {
    const state = '\u{1F511}'.repeat(1024);
    expect(redirectQuery(await authorize(service, publicRequest(service, { state }))).state).toBe(state);
    const longer = publicRequest(service, { state: `${state}s` });
    expect((await authorize(service, longer)).status).toBe(400);
  });

  it('rejects a state of 1025 characters', { tags: ['authorize.state-max-length'] }, async ({ service }) => {
    const response = await authorize(service, publicRequest(service, { state: 's'.repeat(1025) }));
    expect(await expectRejection(response)).toContain('state');
  });

  it('accepts a challenge of 43 and of 128 characters', { tags: ['authorize.challenge-length'] }, async ({
    service,
  }) => {
    for (const length of [43, 128]) {
      const query = publicRequest(service, { code_challenge: 'c'.repeat(length) });
      expect(redirectQuery(await authorize(service, query)).code, `${length}`).toBeDefined();
    }
  });

  it('rejects a challenge of 42 and of 129 characters, also from a confidential client', {
    tags: ['authorize.challenge-length'],
  }, async ({ service }) => {
    for (const length of [42, 129]) {
      const code_challenge = 'c'.repeat(length);
      expect(
        await expectRejection(await authorize(service, publicRequest(service, { code_challenge }))),
      ).toContain('code_challenge');
      await expectRejection(await authorize(service, confidentialRequest({ code_challenge })));
    }
  });
});

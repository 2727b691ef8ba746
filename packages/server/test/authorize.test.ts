import { oauthErrorSchemas } from '@latchkey/contract';
import { describe, expect } from 'vitest';
import {
  allow,
  authorizePath,
  callbackOf,
  confidentialRequest,
  publicRequest,
  signedIn,
} from './authorization-flow.js';
import { locationOf, redirectQuery } from './browser.js';
import { CODE_CHALLENGE, it, type ServiceUnderTest } from './service-under-test.js';

const invalidRequest = oauthErrorSchemas(['invalid_request']).strict;

/** Sends a request as a user with an earlier consent to the client, so every valid request gets a code. */
async function authorize(
  service: ServiceUnderTest,
  query: Record<string, string> | string,
): Promise<Response> {
  const browser = await signedIn(service);
  await allow(browser, publicRequest(service, { scope: 'memberships.read products.read' }));
  await allow(browser, confidentialRequest({ scope: 'memberships.read products.read' }));
  return await browser.get(typeof query === 'string' ? `/oauth/authorize?${query}` : authorizePath(query));
}

async function expectRejection(response: Response): Promise<string> {
  expect(response.status).toBe(400);
  expect(response.headers.get('location')).toBeNull();
  return invalidRequest.parse(await response.json()).error_description;
}

describe('valid authorization request', () => {
  it('redirects a signed-in user with consent straight back with code and state [authorize.success-redirect] [authorize.state-echoed]', async ({
    service,
  }) => {
    const state = 'a state / with + signs & ümlauts =';
    const response = await authorize(service, publicRequest(service, { state }));
    expect(response.status).toBe(302);
    expect(locationOf(response)).toMatch(new RegExp(`^${callbackOf(service)}\\?`));
    expect(redirectQuery(response)).toEqual({ code: expect.stringMatching(/^[\w-]{43}$/), state });
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('gets no state in the redirect when it has none [authorize.state-optional]', async ({ service }) => {
    for (const state of [undefined, '']) {
      const response = await authorize(service, publicRequest(service, { state }));
      expect(Object.keys(redirectQuery(response))).toEqual(['code']);
    }
  });

  it('needs no credentials: a visitor gets the sign-in page, which leads back [authorize.user-authenticates]', async ({
    service,
  }) => {
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
    'may have the response_type %s [authorize.response-type-ignored]',
    async ([responseType], { service }) => {
      const response = await authorize(service, publicRequest(service, { response_type: responseType }));
      expect(redirectQuery(response).code).toBeDefined();
    },
  );

  it('may separate scopes by spaces or commas, and repeat a scope [authorize.scope-separators] [authorize.scope-values]', async ({
    service,
  }) => {
    for (const scope of [
      'memberships.read products.read',
      'memberships.read,products.read',
      ' products.read ,  memberships.read products.read',
    ]) {
      const response = await authorize(service, publicRequest(service, { scope }));
      expect(redirectQuery(response).code, scope).toBeDefined();
    }
  });

  it('needs no challenge from a confidential client [authorize.challenge-optional-confidential]', async ({
    service,
  }) => {
    expect(redirectQuery(await authorize(service, confidentialRequest())).code).toBeDefined();
  });

  it('may omit the challenge method [authorize.method-assumed-s256]', async ({ service }) => {
    const query = publicRequest(service, { code_challenge_method: undefined });
    expect(redirectQuery(await authorize(service, query)).code).toBeDefined();
  });

  it('keeps the query of the redirect URI', async ({ service }) => {
    const redirectUri = 'http://localhost:4402/auth/callback?shop=2';
    await service.server.operator.updateClient(confidentialRequest().client_id ?? '', {
      redirectUris: ['http://localhost:4402/auth/callback', redirectUri],
    });
    const response = await authorize(service, confidentialRequest({ redirect_uri: redirectUri }));
    expect(redirectQuery(response)).toMatchObject({ shop: '2', code: expect.any(String) });
  });
});

describe('length limits', () => {
  it('accepts a state of 1024 characters, also through the sign-in [authorize.state-max-length]', async ({
    service,
  }) => {
    const state = 'あ'.repeat(1024);
    expect(redirectQuery(await authorize(service, publicRequest(service, { state }))).state).toBe(state);
    const browser = service.browser();
    const toSignIn = await browser.get(authorizePath(publicRequest(service, { state })));
    expect((await browser.get(locationOf(toSignIn))).status).toBe(200);
  });

  it('rejects a state of 1025 characters [authorize.state-max-length]', async ({ service }) => {
    const response = await authorize(service, publicRequest(service, { state: 's'.repeat(1025) }));
    expect(await expectRejection(response)).toContain('state');
  });

  it('accepts a challenge of 43 and of 128 characters [authorize.challenge-length]', async ({ service }) => {
    for (const length of [43, 128]) {
      const query = publicRequest(service, { code_challenge: 'c'.repeat(length) });
      expect(redirectQuery(await authorize(service, query)).code, `${length}`).toBeDefined();
    }
  });

  it('rejects a challenge of 42 and of 129 characters, also from a confidential client [authorize.challenge-length]', async ({
    service,
  }) => {
    for (const length of [42, 129]) {
      const code_challenge = 'c'.repeat(length);
      expect(
        await expectRejection(await authorize(service, publicRequest(service, { code_challenge }))),
      ).toContain('code_challenge');
      await expectRejection(await authorize(service, confidentialRequest({ code_challenge })));
    }
  });
});

describe('request rejected without a redirect', () => {
  it('has no client_id [authorize.client-id-required] [oauth-error.invalid-request]', async ({ service }) => {
    for (const client_id of [undefined, '']) {
      const response = await authorize(service, publicRequest(service, { client_id }));
      expect(await expectRejection(response)).toContain('client_id');
    }
  });

  it('has an unknown client_id [authorize.unknown-client]', async ({ service }) => {
    await expectRejection(
      await authorize(service, publicRequest(service, { client_id: `oac_${'0'.repeat(24)}` })),
    );
  });

  it('has no redirect_uri [authorize.redirect-uri-required]', async ({ service }) => {
    const response = await authorize(service, publicRequest(service, { redirect_uri: undefined }));
    expect(await expectRejection(response)).toContain('redirect_uri');
  });

  it('has a redirect_uri that differs from every registered one [authorize.redirect-uri-exact] [authorize.unregistered-redirect-uri] [credentials.registered-redirect-uris]', async ({
    service,
  }) => {
    const registered = callbackOf(service);
    for (const redirect_uri of [
      'https://evil.example/',
      `${registered}/`,
      `${registered}?next=https://evil.example`,
      `${registered}#fragment`,
      registered.toUpperCase(),
      registered.replace('/callback/', '/../widget/callback/'),
      registered.replace('http://127.0.0.1', 'http://localhost'),
    ]) {
      await expectRejection(await authorize(service, publicRequest(service, { redirect_uri })));
    }
  });

  it('comes from a public client without a challenge [authorize.challenge-required-public]', async ({
    service,
  }) => {
    for (const code_challenge of [undefined, '']) {
      const response = await authorize(service, publicRequest(service, { code_challenge }));
      expect(await expectRejection(response)).toContain('code_challenge');
    }
  });

  it('gets the error about the missing challenge before the one about the redirect URI [authorize.challenge-checked-before-redirect-uri]', async ({
    service,
  }) => {
    const query = publicRequest(service, {
      code_challenge: undefined,
      redirect_uri: 'https://evil.example/',
    });
    expect(await expectRejection(await authorize(service, query))).toContain('code_challenge');
  });

  it('has another challenge method than S256, with or without a challenge [authorize.method-s256-only]', async ({
    service,
  }) => {
    for (const code_challenge_method of ['plain', 's256', 'S512']) {
      await expectRejection(await authorize(service, publicRequest(service, { code_challenge_method })));
      await expectRejection(await authorize(service, confidentialRequest({ code_challenge_method })));
    }
  });

  it('has no scope [authorize.scope-required]', async ({ service }) => {
    for (const scope of [undefined, '', ' ', ', ,']) {
      expect(await expectRejection(await authorize(service, publicRequest(service, { scope })))).toContain(
        'scope',
      );
    }
  });

  it('repeats a parameter', async ({ service }) => {
    const query = new URLSearchParams(publicRequest(service));
    for (const name of [...query.keys()]) {
      const twice = new URLSearchParams(query);
      twice.append(name, query.get(name) ?? '');
      expect(await expectRejection(await authorize(service, `${twice}`))).toContain(name);
    }
  });
});

describe('order of the checks', () => {
  it('matches the table: fixing one error at a time reveals the next', async ({ service }) => {
    const errors = {
      client_id: 'unknown',
      code_challenge: undefined,
      redirect_uri: 'https://evil.example/',
      state: 's'.repeat(1025),
      code_challenge_method: 'plain',
      scope: '',
    };
    const mended: Record<string, string | undefined>[] = [
      {},
      { client_id: publicRequest(service).client_id },
      { code_challenge: 'too-short' },
      { redirect_uri: callbackOf(service) },
      { state: 'fine' },
      { code_challenge: CODE_CHALLENGE },
      { code_challenge_method: 'S256' },
    ];
    const named: string[] = [];
    let query: Record<string, string | undefined> = errors;
    for (const mend of mended) {
      query = { ...query, ...mend };
      named.push(
        (await expectRejection(await authorize(service, publicRequest(service, query)))).split(' ')[0] ?? '',
      );
    }
    expect(named).toEqual([
      'client_id',
      'code_challenge',
      'redirect_uri',
      'state',
      'code_challenge',
      'code_challenge_method',
      'scope',
    ]);
    const last = await authorize(service, publicRequest(service, { ...query, scope: 'admin' }));
    expect(redirectQuery(last).error).toBe('invalid_scope');
  });

  it('reports a repeated parameter after the redirect URI and before the state', async ({ service }) => {
    const refusedFor = async (errors: Record<string, string>) => {
      const query = new URLSearchParams(publicRequest(service, { response_type: 'code', ...errors }));
      query.append('response_type', 'code');
      return (await expectRejection(await authorize(service, `${query}`))).split(' ')[0];
    };
    expect(await refusedFor({ redirect_uri: 'https://evil.example/' })).toBe('redirect_uri');
    expect(await refusedFor({ state: 's'.repeat(1025) })).toBe('response_type');
  });
});

describe('unavailable scope', () => {
  it('is reported to the client by redirect, before any sign-in, with error and state only [authorize.unknown-scope] [authorize.error-redirect-parameters] [oauth-error.invalid-scope-redirect-only]', async ({
    service,
  }) => {
    for (const scope of ['admin', 'memberships.read admin', 'MEMBERSHIPS.READ', 'openid']) {
      const response = await service.browser().get(authorizePath(publicRequest(service, { scope })));
      expect(response.status).toBe(302);
      expect(locationOf(response)).toMatch(new RegExp(`^${callbackOf(service)}\\?`));
      expect(redirectQuery(response)).toEqual({ error: 'invalid_scope', state: 'state-of-the-client' });
    }
  });

  it('may be known but not registered for the client [credentials.registered-scopes]', async ({
    service,
  }) => {
    const { operator } = service.server;
    await operator.updateClient(publicRequest(service).client_id ?? '', { scopes: ['memberships.read'] });
    const query = publicRequest(service, { scope: 'products.read', state: undefined });
    const response = await service.browser().get(authorizePath(query));
    expect(redirectQuery(response)).toEqual({ error: 'invalid_scope' });
  });
});

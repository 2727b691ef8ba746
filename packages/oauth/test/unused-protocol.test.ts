/**
 * The build of the widget removes parts of oauth4webapi, listed in `packages/widget/vite.config.ts`. These tests prove
 * that @latchkey/oauth never uses them. If one fails, take back the removal that relies on it.
 */
import fc from 'fast-check';
import { allowInsecureRequests, customFetch } from 'oauth4webapi';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OAuthService } from '../src/index.js';
import { CLIENT_ID, TOKEN_PAIR } from './canned-service.js';

// Records the arguments of oauth4webapi and calls it. All test files share their modules, so this one loads its own.
vi.resetModules();
vi.doMock('oauth4webapi', { spy: true });
const { exchangeCode, readAuthorizationResponse, refreshTokenSet } = await import('../src/index.js');
const library = vi.mocked(await import('oauth4webapi'));

beforeEach(() => {
  vi.clearAllMocks();
});

afterAll(() => {
  vi.doUnmock('oauth4webapi');
  vi.resetModules();
});

const publicClient = (body: object, status = 201, headers = {}): OAuthService => ({
  serviceUrl: 'https://service.example',
  clientId: CLIENT_ID,
  fetch: async () => Response.json(body, { status, headers }),
});

const calls = [
  {
    name: 'a code exchange',
    grantRequest: library.authorizationCodeGrantRequest,
    call: (service: OAuthService, signal?: AbortSignal) =>
      exchangeCode(service, {
        code: 'the-code',
        redirectUri: 'https://shop.example/callback',
        codeVerifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
        signal,
      }),
  },
  {
    name: 'a refresh',
    grantRequest: library.refreshTokenGrantRequest,
    call: (service: OAuthService, signal?: AbortSignal) =>
      refreshTokenSet(service, { refreshToken: 'the-refresh-token', signal }),
  },
];

describe.each(calls)(
  'the bundle of the widget relies on $name of a public client',
  ({ grantRequest, call }) => {
    it('passing no DPoP key, header, signal or other option of oauth4webapi', async () => {
      await call(publicClient(TOKEN_PAIR), new AbortController().signal);
      const options = grantRequest.mock.lastCall?.at(-1);
      expect(Reflect.ownKeys(options as object)).toEqual([allowInsecureRequests, customFetch]);
    });

    it('passing no mTLS setting', async () => {
      await call(publicClient(TOKEN_PAIR));
      const [server, client] = grantRequest.mock.lastCall ?? [];
      expect(Object.keys(server ?? {})).toEqual(['issuer', 'token_endpoint', 'revocation_endpoint']);
      expect(client).toEqual({ client_id: CLIENT_ID });
    });

    it('passing the checked endpoint and a new response to the public client’s functions', async () => {
      const { processGenericTokenEndpointResponse: process } = library;
      const { processGenericTokenEndpointResponse: original } =
        await vi.importActual<typeof import('oauth4webapi')>('oauth4webapi');
      let passed: { isResponse: boolean; isUsed: boolean } | undefined;
      process.mockImplementationOnce((server, client, response, options) => {
        passed = { isResponse: response instanceof Response, isUsed: response.bodyUsed };
        return original(server, client, response, options);
      });
      await call(publicClient(TOKEN_PAIR));
      expect(passed).toEqual({ isResponse: true, isUsed: false });
      const [server] = grantRequest.mock.lastCall ?? [];
      expect(server?.issuer).toBe('https://service.example');
      await call({ ...publicClient(TOKEN_PAIR), serviceUrl: 'http://127.0.0.1:1' });
      const options = grantRequest.mock.lastCall?.at(-1) as { [allowInsecureRequests]: boolean };
      expect(options[allowInsecureRequests]).toBe(true);
      grantRequest.mockClear();
      const insecure = call({ ...publicClient(TOKEN_PAIR), serviceUrl: 'http://service.example' });
      await expect(insecure).rejects.toMatchObject({ code: 'invalid_configuration' });
      expect(grantRequest).not.toHaveBeenCalled();
    });

    it('removing an id_token from the response before oauth4webapi reads it', async () => {
      const { processGenericTokenEndpointResponse: process } = library;
      const { processGenericTokenEndpointResponse: original } =
        await vi.importActual<typeof import('oauth4webapi')>('oauth4webapi');
      let body: Promise<unknown> | undefined;
      process.mockImplementationOnce((server, client, response, options) => {
        body = response.clone().json();
        return original(server, client, response, options);
      });
      await call(publicClient({ ...TOKEN_PAIR, id_token: 'a.b.c' }));
      expect(await body).toEqual(TOKEN_PAIR);
      // Neither keys for encrypted tokens nor further token types.
      expect(process.mock.lastCall?.[3]).toBeUndefined();
    });

    it('passing a body that is JSON, in which only access_token can have another type', async () => {
      const { processGenericTokenEndpointResponse: process } = library;
      const values = fc.jsonValue({ maxDepth: 1 });
      const pairs = fc.record(Object.fromEntries(Object.keys(TOKEN_PAIR).map((key) => [key, values])), {
        requiredKeys: [],
      });
      const texts = fc.oneof(
        fc.string(),
        pairs.map((pair) => JSON.stringify(pair)),
        fc.json(),
      );
      await fc.assert(
        fc.asyncProperty(texts, async (text) => {
          let body: Promise<Record<string, unknown>> | undefined;
          process.mockImplementationOnce((_server, _client, response) => {
            body = response.json();
            return Promise.reject(new Error('stop'));
          });
          const service = { ...publicClient({}), fetch: async () => new Response(text, { status: 200 }) };
          await call(service).catch(() => {});
          const {
            access_token: _token,
            token_type: type,
            expires_in,
            refresh_token,
            scope,
            ...others
          } = (await body) ?? {};
          expect([typeof type, typeof expires_in]).toEqual(['string', 'number']);
          expect(expires_in).toBeGreaterThan(0);
          for (const field of [refresh_token, scope]) expect(['string', 'undefined']).toContain(typeof field);
          expect(refresh_token).not.toBe('');
          expect(others).toEqual({});
        }),
      );
    });

    it('rejecting a token type that oauth4webapi would reject, and DPoP', async () => {
      for (const type of ['mac', 'DPoP']) {
        const pair = { ...TOKEN_PAIR, token_type: type };
        library.processGenericTokenEndpointResponse.mockImplementationOnce(async () => ({
          ...pair,
          token_type: type.toLowerCase() as Lowercase<string>,
        }));
        await expect(call(publicClient(pair))).rejects.toMatchObject({ code: 'unreadable_response' });
      }
    });

    it('returning the same error with and without a challenge in a header', async () => {
      const body = { error: 'invalid_client', error_description: 'Client authentication failed.' };
      const failure = (headers: object) =>
        call(publicClient(body, 401, headers)).catch(({ code, message, status }) => ({
          code,
          message,
          status,
        }));
      const expected = await failure({});
      expect(expected).toMatchObject({ code: 'invalid_client', status: 401 });
      expect(await failure({ 'www-authenticate': 'Bearer error="invalid_token"' })).toEqual(expected);
      expect(await failure({ 'www-authenticate': 'DPoP error="use_dpop_nonce"' })).toEqual(expected);
    });
  },
);

describe('the bundle of the widget relies on an authorization response', () => {
  it('passing only state, code and error to oauth4webapi', () => {
    const query = new URLSearchParams(
      'code=the-code&state=s&iss=https://a.example&response=a.b.c&id_token=a.b.c&token=t',
    );
    expect(readAuthorizationResponse(query, { expectedState: 's' })).toBe('the-code');
    const declined = new URLSearchParams('error=access_denied&error_description=No&state=s');
    expect(() => readAuthorizationResponse(declined, { expectedState: 's' })).toThrow();
    const names = library.validateAuthResponse.mock.calls.map(([, , parameters]) => [
      ...(parameters as URLSearchParams).keys(),
    ]);
    expect(names).toEqual([
      ['code', 'state'],
      ['error', 'state'],
    ]);
  });

  it('passing a server without settings, URLSearchParams, and a state that is a text or undefined', async () => {
    expect(readAuthorizationResponse(new URLSearchParams('code=c&state=s'), { expectedState: 's' })).toBe(
      'c',
    );
    const absent = { expectedState: undefined as unknown as string };
    expect(() => readAuthorizationResponse(new URLSearchParams('code=c&state=s'), absent)).toThrow();
    await calls[0]?.call(publicClient(TOKEN_PAIR));
    const seen = library.validateAuthResponse.mock.calls;
    expect(seen.map(([, , , state]) => state)).toEqual(['s', '', undefined]);
    for (const [server, client, parameters] of seen) {
      expect(parameters).toBeInstanceOf(URLSearchParams);
      expect(server).not.toHaveProperty('authorization_response_iss_parameter_supported');
      expect(server.issuer && client.client_id).toBeTruthy();
    }
  });
});

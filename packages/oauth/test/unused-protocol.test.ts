/**
 * The build of the widget removes parts of oauth4webapi, listed in `packages/widget/vite.config.ts`. These tests prove
 * that @latchkey/oauth never uses them. If one fails, take back the removal that relies on it.
 */
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
});

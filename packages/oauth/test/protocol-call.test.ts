import { inspect } from 'node:util';
import { OperationProcessingError, WWWAuthenticateChallengeError } from 'oauth4webapi';
import { describe, expect, it } from 'vitest';
import { exchangeCode, limitAnswers, type OAuthService, refreshTokenSet, revokeToken } from '../src/index.js';
import { ANSWER_MAX_BYTES } from '../src/limited-answers.js';
import { TOKEN_PAIR } from './canned-service.js';

const exchange = {
  code: 'the-code',
  redirectUri: 'https://shop.example/auth/callback',
  codeVerifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
};

/** The calls that oauth4webapi builds and checks. */
const calls: [string, (service: OAuthService) => Promise<unknown>][] = [
  ['a code exchange', (service) => exchangeCode(service, exchange)],
  ['a refresh', (service) => refreshTokenSet(service, { refreshToken: 'the-refresh-token' })],
  ['a revocation', (service) => revokeToken(service, { token: 'the-token' })],
];

/** A confidential client whose `fetch` returns the given response, and the URLs that it requested. */
function serviceReturning(response: () => Response, serviceUrl = 'https://service.example') {
  const urls: string[] = [];
  const service: OAuthService = {
    serviceUrl,
    clientId: 'oac_a1b2c3d4e5f60718293a4b5c',
    clientSecret: 'ocs_secret',
    fetch: async (input) => {
      urls.push(String(input));
      return response();
    },
  };
  return { service, urls };
}

const failureOf = (calling: Promise<unknown>) =>
  calling.then(
    () => {
      throw new Error('The call succeeded.');
    },
    (error: unknown) => error,
  );
const json = (status: number, body: unknown, headers = {}) => Response.json(body, { status, headers });
const tokenPair = (change: object) => () => json(201, { ...TOKEN_PAIR, ...change });

describe.each(calls)('%s', (_name, call) => {
  it.each([200, 201, 202, 206, 299])(
    'accepts status %i as success',
    { tags: ['token.accept-created'] },
    async (status) => {
      const { service } = serviceReturning(() => json(status, TOKEN_PAIR));
      await expect(call(service)).resolves.not.toThrow();
    },
  );

  it('maps a 401 whose body names no known error to `invalid_client`', {
    tags: ['general.branch-on-status'],
  }, async () => {
    for (const body of [{}, { statusCode: 401, message: 'No.', error: 'Unauthorized' }, { error: null }]) {
      const { service } = serviceReturning(() => json(401, body));
      await expect(call(service)).rejects.toMatchObject({ code: 'invalid_client', status: 401 });
    }
  });

  it.each(['http://localhost:4400', 'http://127.0.0.1:4400', 'http://[::1]:4400'])(
    'sends a request to %s, a loopback address, over http',
    async (serviceUrl) => {
      const { service, urls } = serviceReturning(() => json(200, TOKEN_PAIR), serviceUrl);
      await call(service);
      expect(urls).toEqual([expect.stringContaining(`${serviceUrl}/oauth/`)]);
    },
  );

  it.each(['http://service.example', 'http://192.168.1.5', 'http://localhost.evil.example'])(
    'sends nothing to %s over http',
    { tags: ['general.json-over-https'] },
    async (serviceUrl) => {
      const { service, urls } = serviceReturning(() => json(200, TOKEN_PAIR), serviceUrl);
      await expect(call(service)).rejects.toMatchObject({ code: 'invalid_configuration' });
      expect(urls).toEqual([]);
    },
  );

  it.each(['application/json', 'application/json; charset=utf-8'])(
    'reads an error body of type %s',
    { tags: ['oauth-error.branch-on-error'] },
    async (type) => {
      const body = { error: 'invalid_client', error_description: 'Client authentication failed.' };
      const { service } = serviceReturning(() => json(401, body, { 'content-type': type }));
      const error = await failureOf(call(service));
      expect(error).toMatchObject({
        code: 'invalid_client',
        status: 401,
        error: 'invalid_client',
        errorDescription: 'Client authentication failed.',
      });
    },
  );

  it('keeps the secrets of the request out of the error when an error body repeats them', async () => {
    const secrets = ['the-code', exchange.codeVerifier, 'the-refresh-token', 'the-token', 'ocs_secret'];
    const { service } = serviceReturning(() => json(400, { error: 'invalid_grant', request: secrets }));
    const error = await failureOf(call(service));
    expect(error).toMatchObject({ code: 'invalid_grant' });
    const text = inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true });
    for (const secret of secrets) expect(text).not.toContain(secret);
  });

  it.each(['text/plain', 'text/html', 'application/problem+json'])(
    'reads a JSON error body that is declared as %s',
    async (type) => {
      const { service } = serviceReturning(() =>
        json(400, { error: 'invalid_request' }, { 'content-type': type }),
      );
      await expect(call(service)).rejects.toMatchObject({
        code: 'invalid_request',
        status: 400,
        error: 'invalid_request',
        cause: expect.any(OperationProcessingError),
      });
    },
  );

  it('reads an error body beside a WWW-Authenticate header', async () => {
    const { service } = serviceReturning(() =>
      json(401, { error: 'invalid_client' }, { 'www-authenticate': 'Bearer error="invalid_client"' }),
    );
    await expect(call(service)).rejects.toMatchObject({
      code: 'invalid_client',
      status: 401,
      cause: expect.any(WWWAuthenticateChallengeError),
    });
  });

  it.each([
    ['an HTML page', '<h1>Not found</h1>'],
    ['an empty body', null],
    ['null', 'null'],
    ['an empty error', '{"error":""}'],
    ['a null error', '{"error":null}'],
    ['JSON that ends early', '{"error":"invalid_'],
  ])('maps a 400 with %s to `unreadable_response`', async (_body, text) => {
    for (const type of ['application/json', 'text/html']) {
      const { service } = serviceReturning(
        () => new Response(text, { status: 400, headers: { 'content-type': type } }),
      );
      await expect(call(service)).rejects.toMatchObject({ code: 'unreadable_response', status: 400 });
    }
  });

  it('drops an error_description that is not a string', async () => {
    const { service } = serviceReturning(() =>
      json(400, { error: 'invalid_grant', error_description: null }),
    );
    const error = await failureOf(call(service));
    expect(error).toMatchObject({ code: 'invalid_grant' });
    expect(error).not.toHaveProperty('errorDescription');
  });

  it('maps a redirect as browsers report it, with status 0, to `unreadable_response`', async () => {
    const { service } = serviceReturning(() => Response.error());
    await expect(call(service)).rejects.toMatchObject({ code: 'unreadable_response', status: 0 });
  });

  it.each([200, 201, 400, 401, 503])('cancels an endless body with status %i', async (status) => {
    let sent = 0;
    const endless = () =>
      new Response(
        new ReadableStream({
          pull: (controller) => {
            sent += 65_536;
            controller.enqueue(new Uint8Array(65_536).fill(32));
          },
        }),
        { status, headers: { 'content-type': 'application/json' } },
      );
    const { service } = serviceReturning(endless);
    await expect(call({ ...service, fetch: limitAnswers(service.fetch) })).rejects.toMatchObject({
      code: 'service_error',
      error: 'answer_too_large',
    });
    expect(sent).toBeLessThan(2 * ANSWER_MAX_BYTES);
  });

  it('ends with `timeout` when a successful body does not end', async () => {
    const { service } = serviceReturning(() => json(201, TOKEN_PAIR));
    const stalled: typeof fetch = async (_input, init) =>
      new Response(
        new ReadableStream({
          start: (controller) => {
            controller.enqueue(new TextEncoder().encode('{"access_token":'));
            init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
          },
        }),
        { status: 201, headers: { 'content-type': 'application/json' } },
      );
    await expect(call({ ...service, fetch: stalled, timeoutMs: 30 })).rejects.toMatchObject({
      code: 'timeout',
    });
  });
});

describe.each(calls.slice(0, 2))('the token pair of %s', (_name, call) => {
  it('must contain an access token', async () => {
    for (const missing of [null, undefined, '', 7]) {
      const { service } = serviceReturning(tokenPair({ access_token: missing }));
      await expect(call(service)).rejects.toMatchObject({ code: 'unreadable_response' });
    }
  });

  it('must not be empty', async () => {
    const { service } = serviceReturning(() => new Response(null, { status: 204 }));
    await expect(call(service)).rejects.toMatchObject({ code: 'unreadable_response' });
  });

  it.each([
    ['null', null],
    ['malformed', 'not.a.jwt'],
    ['an object', {}],
  ])(
    'can contain an id_token that is %s',
    { tags: ['general.no-openid-connect'] },
    async (_name, idToken) => {
      const { service } = serviceReturning(tokenPair({ id_token: idToken }));
      await expect(call(service)).resolves.toMatchObject({ accessToken: TOKEN_PAIR.access_token });
    },
  );

  it('can be declared as another content type', async () => {
    const { service } = serviceReturning(() =>
      json(201, TOKEN_PAIR, { 'content-type': 'text/plain; charset=utf-8' }),
    );
    await expect(call(service)).resolves.toMatchObject({ accessToken: TOKEN_PAIR.access_token });
  });

  it('does not appear in an error when it ends early', async () => {
    const text = JSON.stringify(TOKEN_PAIR);
    for (let length = 1; length < text.length; length += 1) {
      const { service } = serviceReturning(() => new Response(text.slice(0, length), { status: 201 }));
      const error = await failureOf(call(service));
      expect(error).toMatchObject({ code: 'unreadable_response' });
      expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/(access|refresh)-tok/);
    }
  });
});

describe('an argument that oauth4webapi rejects', () => {
  it.each([
    ['code', { code: '' }],
    ['redirectUri', { redirectUri: '' }],
    ['codeVerifier', { codeVerifier: '' }],
  ])('is reported as `invalid_configuration` before a request: an empty %s', async (name, change) => {
    const { service, urls } = serviceReturning(() => json(201, TOKEN_PAIR));
    const error = await failureOf(exchangeCode(service, { ...exchange, ...change }));
    expect(error).toMatchObject({ code: 'invalid_configuration', message: expect.stringContaining(name) });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/the-code|dBjftJeZ|ocs_/);
    expect(urls).toEqual([]);
  });

  it('is reported for an empty refresh token and an empty token to revoke', async () => {
    const { service, urls } = serviceReturning(() => json(201, TOKEN_PAIR));
    for (const call of [
      refreshTokenSet(service, { refreshToken: '' }),
      revokeToken(service, { token: '' }),
    ]) {
      await expect(call).rejects.toMatchObject({ code: 'invalid_configuration' });
    }
    expect(urls).toEqual([]);
  });
});

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  exchangeCode,
  fetchMemberships,
  fetchUserIdentity,
  type OAuthService,
  refreshTokenSet,
  revokeToken,
} from '../src/index.js';
import { TOKEN_PAIR } from './canned-service.js';

/** Starts a service that breaks the connections of the first requests, and returns the paths of all requests. */
async function breakingService(answer: object, breaks: ((response: ServerResponse) => void)[]) {
  const seen: string[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    seen.push(`${request.method} ${request.url}`);
    request.resume().on('end', () => {
      const broken = breaks.shift();
      if (broken) return broken(response);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const service: OAuthService = {
    serviceUrl: `http://127.0.0.1:${port}`,
    clientId: 'oac_a1b2c3d4e5f60718293a4b5c',
    clientSecret: 'ocs_1',
  };
  return { service, seen };
}

/** The connection breaks before a byte of the response. */
const silently = (response: ServerResponse) => void response.socket?.destroy();
/** The connection breaks within the response. */
const halfway = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{', () => response.socket?.destroy());
};

const code = { code: 'c', redirectUri: 'r', codeVerifier: 'v' };
const ACCOUNT = { sub: 'u1', email: null, memberships: [] };

describe('a connection that breaks before a byte of the response', () => {
  it.each<[string, object, (service: OAuthService) => Promise<unknown>]>([
    ['userinfo', ACCOUNT, (service) => fetchUserIdentity(service, { accessToken: 'a' })],
    ['the memberships', ACCOUNT, (service) => fetchMemberships(service, { accessToken: 'a' })],
    ['a code exchange', TOKEN_PAIR, (service) => exchangeCode(service, code)],
    ['a revocation', {}, (service) => revokeToken(service, { token: 't' })],
  ])('has the request for %s sent once more', async (_, answer, call) => {
    const { service, seen } = await breakingService(answer, [silently]);
    await call(service);
    expect(seen).toHaveLength(2);
    expect(seen[1]).toBe(seen[0]);
  });

  it('twice is a failure of the network', async () => {
    const { service, seen } = await breakingService(ACCOUNT, [silently, silently]);
    await expect(fetchUserIdentity(service, { accessToken: 'a' })).rejects.toMatchObject({ code: 'network' });
    expect(seen).toHaveLength(2);
  });

  it('never repeats a refresh, which could end the session', async () => {
    const { service, seen } = await breakingService(TOKEN_PAIR, [silently]);
    await expect(refreshTokenSet(service, { refreshToken: 'r' })).rejects.toMatchObject({ code: 'network' });
    expect(seen).toHaveLength(1);
  });

  it('is not repeated for a caller who has left', async () => {
    const left = new AbortController();
    const { service, seen } = await breakingService(ACCOUNT, [
      (response) => {
        left.abort();
        silently(response);
      },
    ]);
    const call = fetchUserIdentity(service, { accessToken: 'a', signal: left.signal });
    await expect(call).rejects.toMatchObject({ code: 'aborted' });
    expect(seen).toHaveLength(1);
  });
});

describe('a proxy without a service behind it', () => {
  const unavailable =
    (status: number, headers = {}) =>
    (response: ServerResponse) =>
      void response.writeHead(status, headers).end('<h1>Bad Gateway</h1>');

  it.each([408, 429, 502, 503, 504])(
    'that answers a GET once with %d has it sent once more',
    async (status) => {
      const { service, seen } = await breakingService(ACCOUNT, [unavailable(status)]);
      expect(await fetchUserIdentity(service, { accessToken: 'a' })).toMatchObject({ sub: 'u1' });
      expect(seen).toHaveLength(2);
    },
  );

  it.each([
    ['twice', [unavailable(502), unavailable(503)], 2],
    ['twice with 429', [unavailable(429), unavailable(429)], 2],
    ['and asks for a longer pause', [unavailable(503, { 'retry-after': '60' })], 1],
  ])('that answers %s is a failure of the service', async (_, answers, requests) => {
    const { service, seen } = await breakingService(ACCOUNT, answers);
    await expect(fetchUserIdentity(service, { accessToken: 'a' })).rejects.toMatchObject({
      code: 'service_error',
    });
    expect(seen).toHaveLength(requests);
  });

  it('has no code exchange repeated: the service may have redeemed the code', async () => {
    const { service, seen } = await breakingService(TOKEN_PAIR, [unavailable(502)]);
    await expect(exchangeCode(service, code)).rejects.toMatchObject({ code: 'service_error' });
    expect(seen).toHaveLength(1);
  });
});

it('a connection that breaks within the response is a failure: the code is spent', async () => {
  const { service, seen } = await breakingService(TOKEN_PAIR, [halfway]);
  await expect(exchangeCode(service, code)).rejects.toMatchObject({ code: 'network' });
  expect(seen).toHaveLength(1);
});

import { respondUnfinished, startFakeService, unusedAddress } from '@latchkey/conformance/scripted-service';
import { describe, expect, it, onTestFinished } from 'vitest';
import { exchangeCode, fetchMemberships, type OAuthService, revokeToken } from '../src/index.js';
import { cannedService, TOKEN_PAIR } from './canned-service.js';

const calls: [string, (service: OAuthService, signal?: AbortSignal) => Promise<unknown>][] = [
  [
    'a code exchange',
    (service, signal) => exchangeCode(service, { code: 'c', redirectUri: 'r', codeVerifier: 'v', signal }),
  ],
  ['a resource', (service, signal) => fetchMemberships(service, { accessToken: 'a', signal })],
  ['a revocation', (service, signal) => revokeToken(service, { token: 't', signal })],
];

describe.each(calls)('%s', (_name, call) => {
  it('ends with `timeout` when the service does not respond in time', async () => {
    const service = await cannedService(undefined);
    const failure = call({ ...service.asConfidential, timeoutMs: 30 });
    await expect(failure).rejects.toMatchObject({ code: 'timeout', cause: { name: 'TimeoutError' } });
    await expect(failure).rejects.toThrow('within 30 ms');
  });

  it('ends with `timeout` when the response body never ends', async () => {
    const { url: serviceUrl, replyInOrder, close } = await startFakeService();
    onTestFinished(close);
    replyInOrder(respondUnfinished('{"access_token":'));
    const service = {
      serviceUrl,
      clientId: 'oac_a1b2c3d4e5f60718293a4b5c',
      clientSecret: 'ocs_1',
      timeoutMs: 100,
    };
    await expect(call(service)).rejects.toMatchObject({ code: 'timeout' });
  });

  it('ends with `aborted`, not `timeout`, when the caller aborts it', async () => {
    const service = await cannedService(undefined);
    const caller = new AbortController();
    const calling = call(service.asConfidential, caller.signal);
    const reason = new Error('The user left.');
    caller.abort(reason);
    await expect(calling).rejects.toMatchObject({ code: 'aborted', cause: reason });
  });

  it('is not sent when the caller aborted it before', async () => {
    const service = await cannedService(undefined);
    await expect(call(service.asConfidential, AbortSignal.abort())).rejects.toMatchObject({
      code: 'aborted',
    });
    expect(service.requests).toEqual([]);
  });

  it('ends with `network` and a cause when the connection is refused', async () => {
    const serviceUrl = await unusedAddress();
    const failure = call({ serviceUrl, clientId: 'oac_a1b2c3d4e5f60718293a4b5c', clientSecret: 'ocs_1' });
    await expect(failure).rejects.toMatchObject({ code: 'network', cause: expect.any(TypeError) });
    await expect(failure).rejects.toThrow(serviceUrl);
  });

  it.each([408, 429, 500, 502, 503, 504])(
    'ends with `service_error` on a %i with any body',
    async (status) => {
      const json = await cannedService({
        status,
        body: { error: 'server_error', error_description: 'Try later.' },
      });
      await expect(call(json.asConfidential)).rejects.toMatchObject({
        code: 'service_error',
        status,
        error: 'server_error',
        errorDescription: 'Try later.',
      });
      const page = await cannedService({
        status,
        body: '<h1>Bad gateway</h1>',
        headers: { 'content-type': 'text/html' },
      });
      await expect(call(page.asConfidential)).rejects.toMatchObject({ code: 'service_error', status });
    },
  );

  it.each([
    ['an HTML page', '<h1>Not here</h1>'],
    ['a rejection body', { success: false, message: 'No.', statusCode: 404, timestamp: '', path: '/' }],
    ['an error that is not a string', { error: { code: 1 } }],
  ])('ends with `unreadable_response` on a 404 with %s', async (_body, body) => {
    const service = await cannedService({ status: 404, body });
    const failure = call(service.asConfidential);
    await expect(failure).rejects.toMatchObject({ code: 'unreadable_response', status: 404 });
    await expect(failure).rejects.toThrow(/Check that serviceUrl is the final address/);
  });

  it('follows no redirect, which could carry credentials to another server', async () => {
    const elsewhere = await cannedService({ status: 200, body: TOKEN_PAIR });
    for (const status of [302, 307, 308]) {
      const service = await cannedService({ status, headers: { location: elsewhere.baseUrl } });
      await expect(call(service.asConfidential)).rejects.toMatchObject({
        code: 'unreadable_response',
        status,
      });
    }
    expect(elsewhere.requests).toEqual([]);
  });

  it('calls an injected fetch without a `this`, as browsers require, and without credentials', async () => {
    const service = await cannedService({ status: 500, body: {} });
    let seen: unknown;
    async function strictFetch(this: unknown, ...[input, init]: Parameters<typeof fetch>) {
      seen = { self: this, credentials: init?.credentials };
      return fetch(input, init);
    }
    await expect(call({ ...service.asConfidential, fetch: strictFetch })).rejects.toThrow();
    expect(seen).toEqual({ self: undefined, credentials: 'omit' });
  });
});

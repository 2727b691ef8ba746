import { describe, expect, it, vi } from 'vitest';
import {
  type ClientOptions,
  ClientOptionsError,
  isClientOptionsError,
  LatchkeyClient,
} from '../src/index.js';
import { API_KEY } from './scripted-service.js';

const good: ClientOptions = { serviceUrl: 'https://service.example', apiKey: API_KEY };

/** Returns the error for invalid options, whose types can be wrong. */
function problemsWith(changed: object): ClientOptionsError {
  try {
    new LatchkeyClient({ ...good, ...changed });
  } catch (error) {
    if (isClientOptionsError(error)) return error;
    throw error;
  }
  return expect.unreachable('The options were accepted.');
}

describe('options', () => {
  it.each([
    ['https://service.example'],
    ['https://service.example/api/v1/'],
    ['http://localhost:4400'],
    ['http://service.localhost'],
    ['http://127.0.0.1:4400'],
    ['http://[::1]:4400'],
  ])('can be only serviceUrl and apiKey: %s', (serviceUrl) => {
    expect(() => new LatchkeyClient({ ...good, serviceUrl })).not.toThrow();
  });

  it.each([
    ['serviceUrl', { serviceUrl: undefined }, /is required/],
    ['serviceUrl', { serviceUrl: 'service.example' }, /absolute URL/],
    ['serviceUrl', { serviceUrl: 'http://service.example' }, /got http on service\.example.*Use https/],
    ['serviceUrl', { serviceUrl: 'http://127.0.0.1.evil.example' }, /got http/],
    ['serviceUrl', { serviceUrl: 'ftp://service.example' }, /begin with https/],
    ['serviceUrl', { serviceUrl: 'localhost:4400' }, /https:\/\/, or http:\/\/ on a loopback address/],
    ['serviceUrl', { serviceUrl: 'https://me:hush@service.example' }, /user name or password/],
    ['serviceUrl', { serviceUrl: 'https://service.example?x=1' }, /query/],
    ['apiKey', { apiKey: undefined }, /is required.*environment variable/],
    ['apiKey', { apiKey: '' }, /is empty/],
    ['apiKey', { apiKey: `${API_KEY}\n` }, /white space.*Trim/],
    ['apiKey', { apiKey: `Bearer ${API_KEY}` }, /without "Bearer"/],
    ['apiKey', { apiKey: `ocs_${'5'.repeat(48)}` }, /OAuth client.*svc_/],
    ['apiKey', { apiKey: 'sk_live_5' }, /begin with svc_/],
    ['apiKey', { apiKey: 'svc_a\u0000b' }, /printable ASCII/],
    ['apiKey', { apiKey: 'svc_schlüssel' }, /printable ASCII/],
    ['timeoutMs', { timeoutMs: 0 }, /more than 0/],
    ['timeoutMs', { timeoutMs: '10s' }, /number of milliseconds/],
    ['timeoutMs', { timeoutMs: 2 ** 31 }, /at most 2147483647/],
    ['maxRetries', { maxRetries: 1.5 }, /integer/],
    ['maxRetries', { maxRetries: 100 }, /at most 10/],
    ['retryDelayMs', { retryDelayMs: -1 }, /more than 0/],
    ['retryDelayMs', { retryDelayMs: 9000 }, /9000 > 8000.*raise maxRetryDelayMs/],
    ['fetch', { fetch: 'undici' }, /function/],
    ['clock', { clock: {} }, /now\(\)/],
    ['sleep', { sleep: 5 }, /function/],
    ['random', { random: 0.5 }, /function/],
    ['logger', { logger: {} }, /method warn/],
    ['apikey', { apikey: 'x' }, /not an option of LatchkeyClient/],
  ])('are rejected with the name %s and a fix: %o', (option, changed, message) => {
    const error = problemsWith(changed);
    expect(error.problems.map((problem) => problem.option)).toEqual([option]);
    expect(error.problems[0]?.message).toMatch(message);
    expect(error.message).toContain(`${option}: `);
  });

  it('are rejected all at once, without the key or credentials of the URL', () => {
    const error = problemsWith({
      serviceUrl: 'https://me:hush@service.example',
      apiKey: ' svc_hush ',
      maxRetries: -1,
    });
    expect(error.problems.map(({ option }) => option)).toEqual(['serviceUrl', 'apiKey', 'maxRetries']);
    expect(error.message).not.toContain('hush');
  });

  it('are rejected if they are missing', () => {
    expect(() => new LatchkeyClient(undefined as never)).toThrow(ClientOptionsError);
  });
});

describe('a browser', () => {
  it.each([
    ['page', { window: { document: {} } }],
    ['worker', { WorkerGlobalScope: class {}, importScripts: () => {} }],
  ])('cannot use the client, as a %s', { tags: ['general.api-key-not-in-browser'] }, (_name, globals) => {
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
    try {
      const error = problemsWith({});
      expect(error.message).toMatch(
        /apiKey: must never be used in a browser, where every visitor can read it/,
      );
      expect(error.message).toContain('@latchkey/widget');
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it('is not detected on a server with a window but no document', () => {
    vi.stubGlobal('window', globalThis);
    try {
      expect(() => new LatchkeyClient(good)).not.toThrow();
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

import { inspect } from 'node:util';
import { respond } from '@latchkey/conformance/scripted-service';
import { describe, expect } from 'vitest';
import { isLatchkeyApiError, LatchkeyApiError } from '../src/index.js';
import { failureOf } from './failure-of.js';
import { API_KEY, scriptedService } from './scripted-service.js';
import { it } from './service.js';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`;

describe('a failure', () => {
  it('has a report with all required facts', { tags: ['retry.report-context'] }, async ({ service }) => {
    const client = service.client();
    const error = await failureOf(
      client.inviteLink({ externalId: 'nobody/7' }, { traceparent: TRACEPARENT }),
    );
    expect(error).toMatchObject({
      status: 404,
      errorCode: 'not_found',
      correlationKey: TRACE_ID,
      logUrl: `https://logs.example/trace/${TRACE_ID}`,
      endpoint: 'GET /membership/join-messenger-community-external/{externalId}',
      time: '2026-06-12T14:05:00.000Z',
      traceId: TRACE_ID,
    });
    expect(error.report.split('\n')).toEqual([
      error.message,
      `endpoint: GET ${service.server.baseUrl}/membership/join-messenger-community-external/nobody%2F7`,
      'UTC time: 2026-06-12T14:05:00.000Z',
      'status: 404',
      'errorCode: not_found',
      `message: ${error.serviceMessage}`,
      `correlationKey: ${TRACE_ID}`,
      `logUrl: https://logs.example/trace/${TRACE_ID}`,
      `trace id sent: ${TRACE_ID}`,
      'attempts: 1',
    ]);
  });

  it('has a correlationKey by default, because each call starts a trace', {
    tags: ['retry.report-context'],
  }, async ({ service }) => {
    const client = service.client();
    const errors = [
      await failureOf(client.inviteLink({ externalId: 'nobody' })),
      await failureOf(client.inviteLink({ externalId: 'nobody' })),
    ];
    for (const { correlationKey, traceId } of errors) {
      expect(correlationKey).toMatch(/^[0-9a-f]{32}$/);
      expect(correlationKey).toBe(traceId);
    }
    expect(errors[0]?.traceId).not.toBe(errors[1]?.traceId);
  });

  it('has a report with none for unknown facts', async () => {
    const service = await scriptedService(respond(500));
    const error = await failureOf(service.client({ maxRetries: 0 }).inviteLink({ externalId: 'x' }));
    expect(error.report).toContain('\nerrorCode: none\n');
    expect(error.report).toContain('\ncorrelationKey: none\n');
    expect(Object.keys(error)).not.toContain('errorCode');
  });

  it('contains the given traceparent, or a new one if that is malformed', async () => {
    const service = await scriptedService(respond(200, { data: { link: 'l', expiresAt: '2026-06-12' } }));
    const warned: string[] = [];
    const client = service.client({ logger: { warn: (message) => void warned.push(message) } });
    const malformed = [
      'x',
      '',
      `00-${TRACE_ID}-00f067aa0ba902b7-01\r\nx-evil: 1`,
      `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
      `00-${TRACE_ID}-${'0'.repeat(16)}-01`,
      `ff-${TRACE_ID}-00f067aa0ba902b7-01`,
      TRACEPARENT.toUpperCase(),
      `${TRACEPARENT}-more`,
    ];
    for (const traceparent of [TRACEPARENT, undefined, ...malformed]) {
      await client.inviteLink({ externalId: 'x' }, { traceparent });
    }
    const [given, ...made] = service.seen.map(({ headers }) => headers.traceparent);
    expect(given).toBe(TRACEPARENT);
    expect(new Set(made).size).toBe(malformed.length + 1);
    for (const header of made) expect(header).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    expect(warned).toHaveLength(malformed.length);
  });

  it.for([
    [{ timeoutMs: 0 }, /timeoutMs must be more than 0/],
    [{ timeoutMs: 2 ** 31 }, /timeoutMs must be at most 2147483647/],
    [{ maxRetries: -1 }, /maxRetries must be at least 0/],
    [{ maxRetries: 11 }, /maxRetries must be at most 10/],
    [{ signal: 'now' }, /signal must be an AbortSignal/],
    [{ timeout: 5 }, /timeout is not an option of a call/],
    [7, /options must be an object/],
  ] as const)('is reported for invalid options before a request: %o', async ([options, message]) => {
    const service = await scriptedService(respond(500));
    const call = service.client().inviteLink({ externalId: 'x' }, options as never);
    const error = await failureOf(call);
    expect(error).toMatchObject({ code: 'invalid_request', attempts: 0 });
    expect(error.message).toMatch(message);
    expect(service.seen).toEqual([]);
  });

  it('does not expose the message to end users', { tags: ['envelope.message-for-developers'] }, async ({
    service,
  }) => {
    const error = await failureOf(service.client().inviteLink({ externalId: 'nobody' }));
    expect(error.serviceMessage).toBeTruthy();
    // Express sends the message of an error whose `expose` is true.
    expect(error).not.toHaveProperty('expose');
  });

  it('contains neither line breaks nor long texts of the service', async () => {
    const message = `First\r\n2026 ERROR forged \u202e${'x'.repeat(9000)}`;
    const service = await scriptedService(
      respond(409, { errorCode: 'a\nb', message, logUrl: 'https://x\n.example' }),
    );
    const error = await failureOf(service.client().inviteLink({ externalId: 'x' }));
    expect(error.message).toContain('First 2026 ERROR forged xxx');
    expect(error.message.length).toBeLessThan(800);
    expect(error.message + error.errorCode + error.logUrl).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(error.report.split('\n')).toHaveLength(10);
  });
});

describe('the API key', () => {
  it('is in no error, even if the service or fetch returns it', async () => {
    const echo = {
      errorCode: API_KEY,
      message: `Bearer ${API_KEY}`,
      correlationKey: API_KEY,
      logUrl: API_KEY,
    };
    const service = await scriptedService(respond(409, echo));
    const broken = Object.assign(new TypeError(`bad header Bearer ${API_KEY}`), {
      request: { headers: { authorization: `Bearer ${API_KEY}` } },
      code: API_KEY,
      cause: Object.assign(new Error(API_KEY), { config: API_KEY }),
    });
    broken.name = API_KEY;
    const errors = [
      await failureOf(service.client().inviteLink({ externalId: 'x' })),
      await failureOf(
        service.client({ fetch: () => Promise.reject(broken) }).inviteLink({ externalId: 'x' }),
      ),
      await failureOf(
        service.client({ fetch: () => Promise.reject(API_KEY) }).inviteLink({ externalId: 'x' }),
      ),
      await failureOf(
        service.client().inviteLink({ externalId: 'x' }, { signal: AbortSignal.abort(new Error(API_KEY)) }),
      ),
    ];
    for (const error of errors) {
      const shown = [
        inspect(error, { depth: 20, showHidden: true }),
        JSON.stringify(error),
        String(error.stack),
        error.report,
      ].join('\n');
      expect(shown).not.toContain(API_KEY);
    }
    expect(errors[0]?.serviceMessage).toBe('Bearer [API key]');
    expect(errors[1]?.cause).toMatchObject({ message: 'bad header Bearer [API key]' });
  });

  it('is in no printed form of the client', async () => {
    const { client, url } = await scriptedService();
    const shown = [
      inspect(client(), { depth: 20, showHidden: true, showProxy: true }),
      inspect({ nested: client() }, { depth: 20, getters: true }),
      JSON.stringify(client()),
      JSON.stringify(Object.getOwnPropertyDescriptors(client())),
      `${client()}`,
    ];
    expect(shown.join('\n')).not.toContain('kkkk');
    expect(shown[0]).toBe(`LatchkeyClient { serviceUrl: '${url}' }`);
  });
});

describe('isLatchkeyApiError', () => {
  it('accepts an error of another copy of the package, and its codes', async () => {
    const { vi } = await import('vitest');
    vi.resetModules();
    const copy = await import('../src/index.js');
    expect(copy.LatchkeyApiError).not.toBe(LatchkeyApiError);
    const details = { endpoint: 'GET /', time: '', attempts: 1, outcomeUnknown: false };
    const error: unknown = new copy.LatchkeyApiError('rejected', 'No.', details);
    expect(error).not.toBeInstanceOf(LatchkeyApiError);
    expect(isLatchkeyApiError(error)).toBe(true);
    expect(isLatchkeyApiError(error, 'rejected', 'failed')).toBe(true);
    expect(isLatchkeyApiError(error, 'failed')).toBe(false);
  });

  it('returns false for other values', () => {
    for (const value of [
      undefined,
      null,
      'LatchkeyApiError',
      {},
      new Error('x'),
      { name: 'LatchkeyApiError' },
    ]) {
      expect(isLatchkeyApiError(value)).toBe(false);
    }
  });

  it('accepts an error whose JSON contains its message', () => {
    const details = { endpoint: 'GET /', time: 'T', attempts: 1, outcomeUnknown: false, status: 404 };
    expect(JSON.parse(JSON.stringify(new LatchkeyApiError('failed', 'Gone.', details)))).toEqual({
      name: 'LatchkeyApiError',
      message: 'Gone.',
      docs: 'https://github.com/latchkey/latchkey/blob/main/docs/troubleshooting.md#failed',
      code: 'failed',
      ...details,
    });
  });
});

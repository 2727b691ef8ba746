import { respond, type Script, unusedAddress } from '@latchkey/conformance/scripted-service';
import { describe, expect, it } from 'vitest';
import type { LatchkeyClient } from '../src/index.js';
import { failureOf } from './failure-of.js';
import { scriptedService } from './scripted-service.js';

const ORDER = { communityId: 'c', externalOrderId: 'order-1', email: 'grace@example.com' };
const DONE = {
  success: true,
  data: {
    membershipId: 'm',
    userId: 'u',
    validFrom: '2026-06-12T14:05:00.000Z',
    validUntil: null,
    status: 'idempotent_return',
  },
};
const provision = (client: LatchkeyClient) => client.provisionExternal(ORDER);

describe('a call', () => {
  it.each([500, 501, 502, 503, 504, 599])(
    'is retried after a %i, with growing delays',
    { tags: ['retry.server-errors-backoff', 'general.unlisted-status-by-class'] },
    async (status) => {
      const service = await scriptedService(respond(status), respond(status), respond(200, DONE));
      expect(await provision(service.client())).toMatchObject({ status: 'idempotent_return' });
      expect(service.waits).toEqual([375, 750]);
    },
  );

  it.each<[string, Script]>([
    ['a connection that breaks', 'reset'],
    ['a response that breaks off', 'truncated'],
  ])('is retried after %s', async (_name, script) => {
    const service = await scriptedService(script, respond(200, DONE));
    expect(await provision(service.client())).toMatchObject({ membershipId: 'm' });
    expect(service.seen).toHaveLength(2);
  });

  it('is retried after a timeout', async () => {
    const service = await scriptedService('hang', respond(200, DONE));
    expect(await provision(service.client({ timeoutMs: 1_000 }))).toMatchObject({ membershipId: 'm' });
  });

  it.each([400, 401, 402, 403, 404, 405, 408, 409, 412, 418, 422, 429, 499])(
    'is not retried after a %i with any body',
    { tags: ['retry.not-client-errors', 'general.unlisted-status-by-class'] },
    async (status) => {
      for (const body of [{}, { success: false, errorCode: 'conflict', message: 'No.' }, 'no json']) {
        const service = await scriptedService(respond(status, body, { 'retry-after': '1' }));
        expect(await failureOf(provision(service.client()))).toMatchObject({ status, attempts: 1 });
        expect(service.seen).toHaveLength(1);
      }
    },
  );

  it('sends the same bytes at each attempt, with the same order and trace', {
    tags: ['provision.stable-order-id'],
  }, async () => {
    const service = await scriptedService(respond(500), 'reset', respond(200, DONE));
    await provision(service.client());
    const [first, ...others] = service.seen;
    expect(JSON.parse(first?.body ?? '')).toEqual(ORDER);
    expect(others).toEqual([first, first]);
  });

  it('rejects with the last failure and the number of attempts', async () => {
    const down = await unusedAddress();
    const service = await scriptedService();
    const unreachable = await failureOf(provision(service.client({ serviceUrl: down, maxRetries: 3 })));
    expect(unreachable).toMatchObject({ code: 'network', attempts: 4, outcomeUnknown: true });
    expect(unreachable.message).toContain(
      'nothing accepts connections there (ECONNREFUSED). The client tried 4 times. Check the port',
    );
    expect(service.waits).toEqual([375, 750, 1500]);

    const slow = await scriptedService('hang');
    const timeout = await failureOf(provision(slow.client({ timeoutMs: 40, maxRetries: 1 })));
    expect(timeout).toMatchObject({ code: 'timeout', attempts: 2, outcomeUnknown: true });
    expect(timeout.message).toContain('did not respond within 40 ms. The client tried 2 times.');

    const failing = await scriptedService(
      respond(500, { success: false, errorCode: 'internal_server_error' }),
    );
    expect(await failureOf(provision(failing.client()))).toMatchObject({
      code: 'failed',
      status: 500,
      errorCode: 'internal_server_error',
      attempts: 3,
      outcomeUnknown: true,
    });
  });

  it('accepts maxRetries and timeoutMs as options', async () => {
    const service = await scriptedService(respond(500));
    await failureOf(service.client().provisionExternal(ORDER, { maxRetries: 0 }));
    expect(service.seen).toHaveLength(1);
    const hung = await scriptedService('hang');
    const error = await failureOf(hung.client().provisionExternal(ORDER, { maxRetries: 0, timeoutMs: 30 }));
    expect(error.message).toContain('within 30 ms');
  });

  it('waits for Retry-After, and ends if that is too long', async () => {
    const soon = await scriptedService(respond(503, '', { 'retry-after': '2' }), respond(200, DONE));
    await provision(soon.client());
    expect(soon.waits).toEqual([2000]);

    const later = await scriptedService(respond(503, '', { 'retry-after': '3600' }));
    expect(await failureOf(provision(later.client()))).toMatchObject({
      status: 503,
      attempts: 1,
      retryAfterMs: 3_600_000,
    });
  });

  it('logs each attempt and retry, without identifiers of the buyer', async () => {
    const entries: [string, string, object][] = [];
    const logger = {
      warn: (message: string, details: object) => void entries.push(['warn', message, details]),
      debug: (message: string, details: object) => void entries.push(['debug', message, details]),
    };
    const service = await scriptedService(respond(500), respond(200, { data: { isActive: false } }));
    const client = service.client({ logger });
    await client.checkMessenger({ communityId: 'secret-community', messengerUserId: 4711 });
    const endpoint = 'GET /membership/check-messenger/{communityId}/{messengerUserId}';
    expect(entries).toEqual([
      ['debug', expect.any(String), { endpoint, attempt: 1, result: 'response', status: 500, ms: 0 }],
      ['warn', expect.any(String), { endpoint, attempt: 1, result: 'response', status: 500, delayMs: 375 }],
      ['debug', expect.any(String), { endpoint, attempt: 2, result: 'response', status: 200, ms: 0 }],
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/4711|secret-community/);
  });

  it('succeeds with a logger that throws', async () => {
    const service = await scriptedService(respond(500), respond(200, DONE));
    const logger = {
      warn: () => {
        throw new Error('disk full');
      },
    };
    expect(await provision(service.client({ logger }))).toMatchObject({ membershipId: 'm' });
  });
});

describe('an aborted call', () => {
  it('sends nothing when it was aborted before', async () => {
    const service = await scriptedService(respond(200, DONE));
    const error = await failureOf(
      service.client().provisionExternal(ORDER, { signal: AbortSignal.abort(new Error('closing')) }),
    );
    expect(error).toMatchObject({ code: 'aborted', attempts: 0, outcomeUnknown: false });
    expect(error.cause).toMatchObject({ message: 'closing' });
    expect(service.seen).toEqual([]);
  });

  it('ends at once while it waits for the response', async () => {
    const abort = new AbortController();
    const service = await scriptedService(() => {
      abort.abort();
      return { kind: 'hang' };
    });
    const error = await failureOf(service.client().provisionExternal(ORDER, { signal: abort.signal }));
    expect(error).toMatchObject({ code: 'aborted', attempts: 1, outcomeUnknown: true });
  });

  it('ends at once while it waits for a retry, also with the default timer', async () => {
    for (const sleep of [undefined, () => new Promise(() => {})]) {
      const abort = new AbortController();
      const service = await scriptedService(respond(500));
      const client = service.client({
        sleep,
        retryDelayMs: 3_600_000,
        maxRetryDelayMs: 3_600_000,
        logger: { warn: () => void setImmediate(() => abort.abort()) },
      });
      const error = await failureOf(client.provisionExternal(ORDER, { signal: abort.signal }));
      expect(error).toMatchObject({ code: 'aborted', attempts: 1, outcomeUnknown: true });
    }
  });

  it('ends at once with a fetch that ignores its signal', async () => {
    const service = await scriptedService();
    const client = service.client({ fetch: () => new Promise(() => {}), maxRetries: 0 });
    expect(await failureOf(client.provisionExternal(ORDER, { timeoutMs: 20 }))).toMatchObject({
      code: 'timeout',
    });
    const abort = new AbortController();
    const call = failureOf(client.provisionExternal(ORDER, { signal: abort.signal }));
    abort.abort();
    expect(await call).toMatchObject({ code: 'aborted' });
  });

  it('removes its listeners from a signal that outlives it', async () => {
    const service = await scriptedService(respond(500), respond(200, DONE));
    const { signal } = new AbortController();
    let listeners = 0;
    const { addEventListener: add, removeEventListener: remove } = signal;
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add.apply(signal, args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove.apply(signal, args);
    };
    await service.client().provisionExternal(ORDER, { signal });
    expect(listeners).toBe(0);
  });
});

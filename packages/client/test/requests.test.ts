import { respond } from '@latchkey/conformance/scripted-service';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../scripts/fuzz-runs.mjs';
import { fillPath } from '../src/call/call.js';
import { isLatchkeyApiError, LatchkeyClient } from '../src/index.js';
import { failureOf } from './failure-of.js';
import { API_KEY, scriptedService } from './scripted-service.js';
import { START } from './service.js';

describe('a request', () => {
  it.each([undefined, null, 'c', 7])(
    'that is %j rejects with a LatchkeyApiError and is not sent',
    async (request) => {
      const service = await scriptedService(respond(404, { errorCode: 'not_found' }));
      const client = service.client();
      for (const call of [
        () => client.provisionExternal(request as never),
        () => client.inviteLink(request as never),
        () => client.checkMessenger(request as never),
        () => client.dropSignup(request as never),
        () => client.buyPlan(request as never),
      ]) {
        const failure = await failureOf(call());
        expect(failure.code).toBe('invalid_request');
        expect(failure.message).toContain('must be an object');
      }
      expect(service.seen).toEqual([]);
    },
  );

  it('goes to serviceUrl, below its path, with the key in a header only', {
    tags: ['general.single-environment'],
  }, async () => {
    const service = await scriptedService(respond(404, { errorCode: 'not_found' }));
    const client = service.client({ serviceUrl: `${service.url}/gateway/v2/` });
    const email = 'grace@example.com';
    await Promise.allSettled([
      client.provisionExternal({ communityId: 'c', externalOrderId: 'o', email }),
      client.inviteLink({ externalId: 'a b/ü' }),
      client.checkMessenger({ communityId: 'c', messengerUserId: 7 }),
      client.dropSignup({ communityId: 'c', email }),
      client.buyPlan({
        pricingPlanId: 'p',
        communityId: 'c',
        externalId: 'x',
        email,
        successUrl: 'https://shop.example/s',
        cancelUrl: 'https://shop.example/c',
      }),
    ]);
    expect(service.seen.map(({ method, url }) => `${method} ${url}`).sort()).toEqual([
      'GET /gateway/v2/membership/check-messenger/c/7',
      'GET /gateway/v2/membership/join-messenger-community-external/a%20b%2F%C3%BC',
      'POST /gateway/v2/api/checkout/buy-plan',
      'POST /gateway/v2/api/drop-notification/signup',
      'POST /gateway/v2/membership/provision-external',
    ]);
    for (const { method, url, headers, body } of service.seen) {
      expect(headers).toMatchObject({ authorization: `Bearer ${API_KEY}`, accept: 'application/json' });
      expect(headers['content-type']).toBe(method === 'POST' ? 'application/json' : undefined);
      expect(headers).not.toHaveProperty('x-api-key');
      expect(`${url}${body}`).not.toContain(API_KEY);
    }
  });

  it('uses the current global fetch by default', async () => {
    const { fetch: original } = globalThis;
    const client = new LatchkeyClient({ serviceUrl: 'https://service.example', apiKey: API_KEY });
    globalThis.fetch = async () => Response.json({ data: { isActive: true, membershipId: 'm' } });
    try {
      expect(await client.checkMessenger({ communityId: 'c', messengerUserId: 7 })).toMatchObject({
        isActive: true,
      });
    } finally {
      globalThis.fetch = original;
    }
  });
});

describe('a path', () => {
  it('contains any text as one segment, or rejects it', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^[./%?#\\ @:]{0,6}$/),
      fc.constantFrom('.', '..', '%2e', '%2E%2e', '..%2f', '/', '\ud800'),
    );
    fc.assert(
      fc.property(text, (externalId) => {
        let path: string;
        try {
          path = fillPath('/a/{externalId}/z', { externalId });
        } catch {
          expect(externalId === '' || /^\.\.?$|\p{Surrogate}/u.test(externalId)).toBe(true);
          return;
        }
        const url = new URL(`https://service.example${path}`);
        const [, a, segment = '', z, ...more] = url.pathname.split('/');
        expect([a, decodeURIComponent(segment), z, more, url.search, url.hash]).toEqual([
          'a',
          externalId,
          'z',
          [],
          '',
          '',
        ]);
      }),
      fuzzRuns(100),
    );
  });
});

describe('any sequence of failures', () => {
  const event = fc.constantFrom('network', 'done', 'page', 400, 401, 404, 409, 500, 502, 503);

  it('ends with the first final response, after at most maxRetries + 1 requests', {
    tags: ['retry.not-client-errors', 'retry.server-errors-backoff'],
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 1 }), fc.nat({ max: 4 }), async (events, maxRetries) => {
        let sent = 0;
        const waits: number[] = [];
        const client = new LatchkeyClient({
          serviceUrl: 'https://service.example',
          apiKey: API_KEY,
          maxRetries,
          clock: { now: () => START },
          sleep: async (ms) => void waits.push(ms),
          fetch: async () => {
            const current = events[Math.min(sent++, events.length - 1)];
            if (current === 'network') throw new TypeError('fetch failed');
            if (current === 'page') return new Response('<h1>Hello</h1>');
            if (current === 'done') return Response.json({ data: { isActive: false } });
            return Response.json({ success: false }, { status: Number(current) });
          },
        });
        const result = await client.checkMessenger({ communityId: 'c', messengerUserId: 7 }).then(
          () => 'done',
          (error: unknown) => (isLatchkeyApiError(error) ? (error.status ?? error.code) : 'a foreign error'),
        );

        const isRetried = (each: unknown) => each === 'network' || Number(each) >= 500;
        const sequence = Array.from(
          { length: maxRetries + 1 },
          (_, at) => events[Math.min(at, events.length - 1)],
        );
        const finalAt = sequence.findIndex((each) => !isRetried(each));
        const attempts = finalAt < 0 ? maxRetries + 1 : finalAt + 1;
        const last = sequence[attempts - 1];
        expect(sent).toBe(attempts);
        expect(waits).toHaveLength(attempts - 1);
        expect(result).toBe(last === 'page' ? 200 : last);
      }),
      fuzzRuns(100),
    );
  });
});

import { respond } from '@latchkey/test-services';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillPath } from '../src/call/request-url.js';
import { isLatchkeyApiError, LatchkeyClient } from '../src/index.js';
import { failureOf } from './failure-of.js';
import { API_KEY, scriptedService } from './scripted-service.js';
import { START } from './service.js';

describe('a request', () => {
  it.each([undefined, null, 'c', 7])(
    'that is %j and no object fails with a LatchkeyApiError, as everything does, and is not sent',
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

  it('goes to the one address there is, below its path, with the key in its header alone [general.single-environment]', async () => {
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

  it('takes the global fetch of the moment when none is given', async () => {
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
  it('holds any text as the one segment that it is, or refuses it', () => {
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
    );
  });
});

describe('any course of events', () => {
  const event = fc.constantFrom('network', 'done', 'page', 400, 401, 404, 409, 500, 502, 503);

  it('ends after at most one more request than may be repeated, by the first that settles it [retry.not-client-errors] [retry.server-errors-backoff]', async () => {
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
            const happens = events[Math.min(sent++, events.length - 1)];
            if (happens === 'network') throw new TypeError('fetch failed');
            if (happens === 'page') return new Response('<h1>Hello</h1>');
            if (happens === 'done') return Response.json({ data: { isActive: false } });
            return Response.json({ success: false }, { status: Number(happens) });
          },
        });
        const outcome = await client.checkMessenger({ communityId: 'c', messengerUserId: 7 }).then(
          () => 'done',
          (error: unknown) => (isLatchkeyApiError(error) ? (error.status ?? error.code) : 'a foreign error'),
        );

        const isRepeated = (each: unknown) => each === 'network' || Number(each) >= 500;
        const course = Array.from(
          { length: maxRetries + 1 },
          (_, at) => events[Math.min(at, events.length - 1)],
        );
        const settledAt = course.findIndex((each) => !isRepeated(each));
        const attempts = settledAt < 0 ? maxRetries + 1 : settledAt + 1;
        const last = course[attempts - 1];
        expect(sent).toBe(attempts);
        expect(waits).toHaveLength(attempts - 1);
        expect(outcome).toBe(last === 'page' ? 200 : last);
      }),
    );
  });
});

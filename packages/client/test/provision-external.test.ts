import { describe, expect } from 'vitest';
import type { ProvisionRequest } from '../src/index.js';
import { failureOf } from './failure-of.js';
import { loseFirstAnswer } from './lost-answer.js';
import { DAY, it, START, sandboxScenario } from './service.js';

const { community, plans, users } = sandboxScenario;

/** Returns an order of a new buyer. The types of the changes can be wrong. */
function order(changes: object = {}): ProvisionRequest {
  return {
    communityId: community.id,
    externalOrderId: 'order-1',
    email: 'grace@example.com',
    ...changes,
  };
}

const inDays = (days: number) => new Date(START + days * DAY);

describe('provisionExternal', () => {
  it('returns the membership with the id to store', { tags: ['provision.store-membership-id'] }, async ({
    service,
  }) => {
    const membership = await service.client().provisionExternal(
      order({
        messengerUserId: 4711,
        pricingPlanId: plans.monthly.id,
        validUntil: inDays(30),
      }),
    );
    expect(membership).toEqual({
      membershipId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      userId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      validFrom: '2026-06-12T14:05:00.000Z',
      validUntil: '2026-07-12T14:05:00.000Z',
      status: 'created',
    });
  });

  it('sends both identifiers, and matches the user by either', {
    tags: ['provision.send-both-identifiers'],
  }, async ({ service }) => {
    const { userId } = await service.client().provisionExternal(order({ messengerUserId: 4711 }));
    for (const buyer of [{ email: undefined, messengerUserId: 4711 }, { messengerUserId: undefined }]) {
      const again = await service.client().provisionExternal(order(buyer));
      expect(again).toMatchObject({ userId, status: 'idempotent_return' });
    }
  });

  it('repeats an order by its id, extends with a newer one, and replaces an expired one', {
    tags: ['provision.stable-order-id', 'retry.provision-idempotent'],
  }, async ({ service }) => {
    const client = service.client();
    const first = await client.provisionExternal(order({ validUntil: inDays(30) }));
    const replayed = await client.provisionExternal(order({ validUntil: inDays(30) }));
    expect(replayed).toEqual({ ...first, status: 'idempotent_return' });

    const newer = order({ externalOrderId: 'order-2', validUntil: inDays(60) });
    expect(await client.provisionExternal(newer)).toMatchObject({
      membershipId: first.membershipId,
      validUntil: inDays(60).toISOString(),
      status: 'extended',
    });
    service.clock.advance(61 * DAY);
    const late = order({ externalOrderId: 'order-3', validUntil: inDays(90) });
    expect(await client.provisionExternal(late)).toMatchObject({ status: 'replaced' });
  });

  it.for(['extend', 'replace', 'error'] as const)(
    'provisions once if the first response is lost, with onOverlap %s',
    { tags: ['retry.provision-idempotent', 'retry.server-errors-backoff'] },
    async (onOverlap, { service }) => {
      const client = service.client({ fetch: loseFirstAnswer(), sleep: async () => {} });
      const validUntil = inDays(30);
      const membership = await client.provisionExternal(order({ onOverlap, validUntil }));
      expect(membership).toMatchObject({
        status: 'idempotent_return',
        validFrom: new Date(START).toISOString(),
        validUntil: validUntil.toISOString(),
      });
    },
  );

  it('grants lifetime access without an end, and returns null', {
    tags: ['provision.never-null-end'],
  }, async ({ service }) => {
    expect(await service.client().provisionExternal(order())).toMatchObject({ validUntil: null });
  });

  it.for([
    ['undefined', { validUntil: undefined }, /validUntil is undefined.*lifetime access/],
    ['null', { validUntil: null }, /validUntil is null.*lifetime access/],
    ['a far future', { validUntil: '9999-12-31' }, /more than 50 years away.*omit the field/],
    ['a far Date', { validUntil: new Date('2099-12-31') }, /more than 50 years away/],
    ['an invalid Date', { validUntil: new Date('soon') }, /validUntil is an invalid Date/],
  ] as const)(
    'sends no request if the end is %s',
    { tags: ['provision.never-null-end'] },
    async ([, changes, message], { service }) => {
      const calls: unknown[] = [];
      const client = service.client({
        fetch: async (...call) => {
          calls.push(call);
          return new Response();
        },
      });
      const error = await failureOf(client.provisionExternal(order(changes)));
      expect(error).toMatchObject({ code: 'invalid_request', attempts: 0, outcomeUnknown: false });
      expect(error.message).toMatch(message);
      expect(calls).toEqual([]);
    },
  );

  it('accepts an end fifty years away, and sends text unchanged', async ({ service }) => {
    const far = order({ validUntil: new Date('2076-06-01') });
    expect(await service.client().provisionExternal(far)).toMatchObject({
      validUntil: '2076-06-01T00:00:00.000Z',
    });
    const text = order({ email: 'heidi@example.com', validUntil: '2026-07-01T02:00:00+02:00' });
    expect(await service.client().provisionExternal(text)).toMatchObject({
      validUntil: '2026-07-01T00:00:00.000Z',
    });
  });

  it.for([0, -1, 1.5, Number.NaN, 2 ** 53, '4711', 4711n])(
    'rejects a messengerUserId that is not a safe positive integer: %s',
    async (messengerUserId, { service }) => {
      const error = await failureOf(service.client().provisionExternal(order({ messengerUserId })));
      expect(error.code).toBe('invalid_request');
      expect(error.message).toContain('messengerUserId must be an integer from 1 to 9007199254740991');
    },
  );

  it('rejects with `rejected` for a request that failed before the endpoint ran', {
    tags: ['general.branch-on-status'],
  }, async ({ service }) => {
    const error = await failureOf(
      service.client().provisionExternal(order({ email: undefined, onOverlap: 'add' })),
    );
    expect(error).toMatchObject({
      code: 'rejected',
      status: 400,
      endpoint: 'POST /membership/provision-external',
      attempts: 1,
      outcomeUnknown: false,
    });
    expect(error.errorCode).toBeUndefined();
    expect(error.message).toContain('rejected before the endpoint ran (400): ');
    expect(error.message).toContain('onOverlap must be one of extend, replace, error');
  });

  it('rejects a conflict with status and errorCode', { tags: ['versioning.status-controls-flow'] }, async ({
    service,
  }) => {
    const client = service.client();
    const adas = { email: users.ada.email, onOverlap: 'error' };
    expect(await failureOf(client.provisionExternal(order(adas)))).toMatchObject({
      code: 'failed',
      status: 409,
      errorCode: 'already_exists',
      attempts: 1,
      outcomeUnknown: false,
    });
  });

  it('sends only the fields that the endpoint has', async ({ service }) => {
    let body: unknown;
    const client = service.client({
      fetch: async (url, init) => {
        body = JSON.parse(String(init?.body));
        return await fetch(url, init);
      },
    });
    await client.provisionExternal(order({ validFrom: inDays(-1), address: '1 Private Street' }));
    expect(body).toEqual({ ...order(), validFrom: inDays(-1).toISOString() });
  });
});

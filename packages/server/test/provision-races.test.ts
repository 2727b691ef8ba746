import { ENDPOINTS } from '@latchkey/contract';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { PROVISION_PATH, postProvision } from './provision-requests.js';
import { type ServiceUnderTest, START } from './service-under-test.js';
import { itWithDatabase as it, membershipEventsOf } from './service-with-database.js';

const { users, community, apiKey } = sandboxScenario;
const CONCURRENT = 50;

type Body = Parameters<typeof postProvision>[1];

/** Sends all requests at once, asserts that each gets 200, and returns the results. */
async function race(service: ServiceUnderTest, bodies: readonly Body[]) {
  const answers = await Promise.all(bodies.map((body) => postProvision(service, body)));
  return answers.map(({ status, body, text }) => {
    expect(status, text).toBe(200);
    return ENDPOINTS.provisionExternal.success.body.strict.parse(body).data;
  });
}

function times<Value>(count: number, make: (index: number) => Value): Value[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

const distinct = (values: readonly unknown[]) => [...new Set(values)];

describe('fifty concurrent provisionings', { timeout: 30_000 }, () => {
  it('of one order create one user, one membership and one event', {
    tags: ['retry.provision-idempotent', 'provision.idempotent-return'],
  }, async ({ service, db }) => {
    const buyer = { email: 'rushed@shop.example', messengerUserId: 55_001 };
    const results = await race(
      service,
      times(CONCURRENT, () => buyer),
    );
    expect(distinct(results.map(({ membershipId, userId }) => `${membershipId} ${userId}`))).toHaveLength(1);
    expect(results.filter(({ status }) => status === 'created')).toHaveLength(1);
    expect(results.filter(({ status }) => status === 'idempotent_return')).toHaveLength(CONCURRENT - 1);
    const [userId = ''] = results.map((result) => result.userId);
    expect(await membershipEventsOf(db, userId)).toHaveLength(1);
    const holders = db
      .selectFrom('community_emails')
      .select('user_id as id')
      .where('email', '=', buyer.email);
    expect(await holders.execute()).toEqual([{ id: userId }]);
  });

  it('of one order by email and by messenger account create one membership for one user', async ({
    service,
    db,
  }) => {
    const { id, email, messengerUserId } = users.ben;
    const results = await race(
      service,
      times(
        CONCURRENT,
        (index) => [{ email }, { messengerUserId }, { email, messengerUserId }][index % 3] ?? {},
      ),
    );
    expect(distinct(results.map(({ membershipId }) => membershipId))).toHaveLength(1);
    expect(distinct(results.map(({ userId }) => userId))).toEqual([id]);
    expect(results.filter(({ status }) => status === 'created')).toHaveLength(1);
    expect(await membershipEventsOf(db, id)).toHaveLength(1);
  });

  it('of an order for an expired membership replace it once', async ({ service, db }) => {
    const results = await race(
      service,
      times(CONCURRENT, () => ({ email: users.cleo.email })),
    );
    expect(results.filter(({ status }) => status === 'replaced')).toHaveLength(1);
    expect(results.filter(({ status }) => status === 'idempotent_return')).toHaveLength(CONCURRENT - 1);
    const created = 1;
    expect(await membershipEventsOf(db, users.cleo.id)).toHaveLength(created + 1);
  });

  it('of fifty orders are all applied: the end is the latest one, and each emits its event', async ({
    service,
    db,
  }) => {
    const results = await race(
      service,
      times(CONCURRENT, (index) => ({
        email: users.ben.email,
        externalOrderId: `order-${index}`,
        validUntil: new Date(START + (index + 1) * 3600_000).toISOString(),
      })),
    );
    expect(results.filter(({ status }) => status === 'created')).toHaveLength(1);
    expect(results.filter(({ status }) => status === 'extended')).toHaveLength(CONCURRENT - 1);
    const row = db.selectFrom('memberships').select('valid_until').where('user_id', '=', users.ben.id);
    expect(await row.executeTakeFirst()).toEqual({ valid_until: START + CONCURRENT * 3600_000 });
    expect(await membershipEventsOf(db, users.ben.id)).toHaveLength(CONCURRENT);
  });

  it('of fifty buyers create fifty users', async ({ service }) => {
    const results = await race(
      service,
      times(CONCURRENT, (index) => ({
        email: `buyer-${index}@shop.example`,
        messengerUserId: 56_000 + index,
      })),
    );
    expect(distinct(results.map(({ userId }) => userId))).toHaveLength(CONCURRENT);
    expect(distinct(results.map(({ status }) => status))).toEqual(['created']);
  });
});

describe('provisioning whose response was lost', () => {
  it('is safe to repeat: the caller disconnects, retries and gets the stored result', {
    tags: ['retry.provision-idempotent'],
  }, async ({ service, db }) => {
    const { id, email } = users.ben;
    const disconnect = new AbortController();
    const lost = service.request(PROVISION_PATH, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ communityId: community.id, externalOrderId: 'order-1', email }),
      signal: disconnect.signal,
    });
    setImmediate(() => disconnect.abort());
    await lost.catch(() => undefined);
    const [first] = await race(service, [{ email }]);
    const [second] = await race(service, [{ email }]);
    expect(second).toEqual({ ...first, status: 'idempotent_return' });
    expect(await membershipEventsOf(db, id)).toHaveLength(1);
  });
});

import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { buyersBrowser, METHODS, membershipOf, payFor } from './checkout-world.js';
import { allowInserts, refuseInserts } from './database/refuse-inserts.js';
import { START } from './service-under-test.js';
import { itWithDatabase as it, membershipEventsOf } from './service-with-database.js';

const { users, community } = sandboxScenario;
const HOUR = 3600_000;
const DAY = 24 * HOUR;
const OF_BEN = { userId: users.ben.id, productType: 'community', communityId: community.id } as const;

describe('membership that the operator grants or ends', () => {
  it('emits one event for each change, and none without a change', async ({ service, db }) => {
    const { operator } = service.server;
    const window = { validFrom: START, validUntil: START + HOUR };
    const { id } = await operator.grantMembership({ ...OF_BEN, ...window });
    await operator.grantMembership({ ...OF_BEN, ...window });
    service.clock.advance(1);
    await operator.grantMembership({ ...OF_BEN, validFrom: START });
    service.clock.advance(1);
    await operator.end('memberships', id);
    await operator.end('memberships', id);
    const events = await membershipEventsOf(db, users.ben.id);
    expect(
      events.map(({ type, data }) => ({ type, ...('membership' in data ? data.membership : undefined) })),
    ).toMatchObject([
      { type: 'membership.created', id, isActive: true, validUntil: new Date(START + HOUR).toISOString() },
      { type: 'membership.updated', id, isActive: true, validUntil: null },
      { type: 'membership.updated', id, isActive: false, validUntil: new Date(START + 2).toISOString() },
    ]);
  });

  it('is stored together with its event, or not at all', async ({ service, db }) => {
    await refuseInserts(db, 'webhook_events');
    await expect(service.server.operator.grantMembership(OF_BEN)).rejects.toThrow();
    const rows = db.selectFrom('memberships').select('id').where('user_id', '=', users.ben.id);
    expect(await rows.execute()).toEqual([]);
    await allowInserts(db, 'webhook_events');
    await expect(service.server.operator.grantMembership(OF_BEN)).resolves.toBeDefined();
  });

  it('takes no time that a subscription paid for, and no earlier payment', async ({ service, db }) => {
    const { operator } = service.server;
    await payFor(service, {}, METHODS.card, await buyersBrowser(service, users.ben.email));
    const bought = await membershipOf(db, users.ben.email);
    for (const window of [
      { validUntil: START + 10 * DAY },
      { validFrom: START + 40 * DAY },
      { validFrom: START + 40 * DAY, validUntil: START + 50 * DAY },
    ]) {
      await expect(operator.grantMembership({ ...OF_BEN, ...window })).rejects.toMatchObject({
        code: 'conflict',
        fields: { validUntil: expect.stringContaining('Cancel the subscription first') },
      });
    }
    expect(await membershipOf(db, users.ben.email)).toEqual(bought);
    await operator.grantMembership({ ...OF_BEN, validUntil: START + 90 * DAY });
    expect(await membershipOf(db, users.ben.email)).toMatchObject({
      valid_until: START + 90 * DAY,
      renews_at: START + 30 * DAY,
    });
  });

  it('can be for nothing in particular, and gets another end', async ({ service }) => {
    const { operator } = service.server;
    const { id } = await operator.grantMembership({ userId: users.ben.id, productType: 'agency' });
    await operator.change('memberships', id, { validUntil: START + HOUR });
    expect((await operator.find('memberships', id)).record).toMatchObject({
      validUntil: new Date(START + HOUR).toISOString(),
    });
    await expect(operator.change('memberships', id, { cancelSubscription: true })).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  it('has no id of another membership', async ({ service }) => {
    const { id } = sandboxScenario.memberships.cleoCommunity;
    await expect(service.server.operator.grantMembership({ ...OF_BEN, id })).rejects.toMatchObject({
      code: 'already_exists',
    });
  });
});

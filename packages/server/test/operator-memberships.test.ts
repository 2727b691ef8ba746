import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { allowInserts, refuseInserts } from './database/refuse-inserts.js';
import { START } from './service-under-test.js';
import { itWithDatabase as it, membershipEventsOf } from './service-with-database.js';

const { users, community } = sandboxScenario;
const HOUR = 3600_000;
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
});

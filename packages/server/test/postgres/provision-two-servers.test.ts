import { ENDPOINTS } from '@latchkey/contract';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { postProvision } from '../provision-requests.js';
import { databaseUnderTest, startService } from '../service-under-test.js';
import { membershipEventsOf } from '../service-with-database.js';

describe('two servers on one database', () => {
  it('turn fifty concurrent requests of one order into one user, one membership and one event', {
    tags: ['retry.provision-idempotent'],
  }, async ({ onTestFinished }) => {
    const database = await databaseUnderTest();
    const services = [await startService({ database }), await startService({ database })];
    const db = await openDatabase(database);
    onTestFinished(async () => {
      await db.destroy();
      await Promise.all(services.map(({ server }) => server.close()));
    });
    const buyer = { email: 'rushed@shop.example', messengerUserId: 55_001 };
    const calls = Array.from({ length: 25 }, () => services.map((service) => postProvision(service, buyer)));
    const results = (await Promise.all(calls.flat())).map(({ status, body, text }) => {
      expect(status, text).toBe(200);
      return ENDPOINTS.provisionExternal.success.body.strict.parse(body).data;
    });
    expect(new Set(results.map(({ membershipId }) => membershipId)).size).toBe(1);
    expect(results.filter(({ status }) => status === 'created')).toHaveLength(1);
    expect(results.filter(({ status }) => status === 'idempotent_return')).toHaveLength(49);
    expect(await membershipEventsOf(db, results[0]?.userId ?? '')).toHaveLength(1);
  });
});

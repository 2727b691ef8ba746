import fc from 'fast-check';
import { expect } from 'vitest';
import { fuzzRuns } from '../../../scripts/fuzz-runs.mjs';
import {
  isActive,
  isExpired,
  isRenewing,
  membershipSql,
} from '../src/features/memberships/membership-state.js';
import { withDatabase as it } from './emitted-events.js';
import { START } from './service-under-test.js';

/** Instants around START, so that starts, ends and the current time often coincide. */
const instant = fc.integer({ min: -2, max: 2 }).map((offset) => START + offset);

const membership = fc.record({
  valid_from: instant,
  valid_until: fc.option(instant),
  subscription_id: fc.option(fc.constant('subscription')),
  subscription_cancelled_at: fc.option(instant),
});

it('the state of a membership is the same in code and in SQL', async ({ db }) => {
  const user = await db.selectFrom('users').select('id').limit(1).executeTakeFirstOrThrow();
  const rows = fc.array(membership, { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(rows, instant, async (given, now) => {
      await db.deleteFrom('memberships').execute();
      const stored = given.map((row, number) => ({
        ...row,
        id: `00000000-0000-4000-8000-${number.toString().padStart(12, '0')}`,
        user_id: user.id,
        product_type: 'agency' as const,
        community_id: null,
        product_id: null,
      }));
      await db.insertInto('memberships').values(stored).execute();
      const all = db.selectFrom('memberships').select('id').orderBy('id');
      const inCode = (test: (row: (typeof stored)[number]) => boolean) =>
        stored.filter(test).map(({ id }) => ({ id }));
      expect(await all.where((eb) => membershipSql.isActive(eb, now)).execute()).toEqual(
        inCode((row) => isActive(row, now)),
      );
      expect(await all.where((eb) => membershipSql.isExpired(eb, now)).execute()).toEqual(
        inCode((row) => isExpired(row, now)),
      );
      expect(await all.where((eb) => membershipSql.isNotExpired(eb, now)).execute()).toEqual(
        inCode((row) => !isExpired(row, now)),
      );
      expect(await all.where(membershipSql.isRenewing).execute()).toEqual(inCode(isRenewing));
    }),
    fuzzRuns(50),
  );
});

import { afterAll, describe, expect, it } from 'vitest';
import { checkSchedules } from './check-schedules.ts';
import { startRealService } from './real-service.ts';
import { randomOf } from './schedule.ts';
import { runWorld } from './worlds.ts';

/** The same schedules in each run. `npm run simulate` runs others. */
const SEED = 20_261_123;
const SCHEDULES = 5;
/** Schedules on the real server, whose requests take longer. */
const REAL_SCHEDULES = 2;

const real = await startRealService();
afterAll(() => real.close());

describe('tabs and processes of a site', { timeout: 120_000 }, () => {
  it.for(['sealed', 'store'] as const)('keep every invariant with sessions in %s', async (world) => {
    const run = await runWorld(world);
    const failed = await checkSchedules(run, { schedules: SCHEDULES, seed: SEED, shrinks: false });
    expect(
      failed?.message,
      `npm run simulate -- --world ${world} --seed ${SEED} --path ${failed?.path}`,
    ).toBeUndefined();
  });

  it.for(['sealed', 'store'] as const)(
    'keep the invariants of the real server with sessions in %s',
    async (world) => {
      const run = await runWorld(world, real);
      const failed = await checkSchedules(run, { schedules: REAL_SCHEDULES, seed: SEED, shrinks: false });
      expect(
        failed?.message,
        `npm run simulate -- --service sqlite --world ${world} --seed ${SEED}`,
      ).toBeUndefined();
    },
  );

  it('take the same steps when a schedule is repeated', async () => {
    const run = await runWorld('store');
    const random = randomOf(SEED);
    const schedule = Array.from({ length: 60 }, () => Math.floor(random() * 2 ** 30));
    const first = await run(schedule);
    expect(await run(schedule)).toEqual(first);
    expect(first.length).toBe(60);
  });
});

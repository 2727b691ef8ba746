import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { checkSchedules } from './check-schedules.ts';
import { startRealService } from './real-service.ts';
import { randomOf } from './schedule.ts';
import { runTabs } from './tabs-simulation.ts';
import { createTokenRules, type SimulatedService } from './token-service.ts';
import { loadWidget } from './widget-module.ts';

/** The same schedules in each run. `npm run simulate` runs others. */
const SEED = 20_261_123;
const SCHEDULES = 60;
/** Schedules on the real server, whose requests take longer. */
const REAL_SCHEDULES = 6;

const real = await startRealService();
afterAll(() => real.close());

describe('tabs of one browser', { timeout: 120_000 }, () => {
  it.for(['local', 'session', 'memory'] as const)(
    'keep every invariant with tokens in %s storage',
    async (storage) => {
      const load = await loadWidget();
      const failed = await checkSchedules((schedule) => runTabs(schedule, { load, storage }), {
        schedules: SCHEDULES,
        seed: SEED,
      });
      expect(
        failed?.message,
        `npm run simulate -- --world ${storage} --seed ${SEED} --path ${failed?.path}`,
      ).toBeUndefined();
    },
  );

  it('keep every invariant against the real server', async () => {
    const options = {
      load: await loadWidget(),
      storage: 'local',
      createService: real.createService,
    } as const;
    const failed = await checkSchedules((schedule) => runTabs(schedule, options), {
      schedules: REAL_SCHEDULES,
      seed: SEED,
    });
    expect(
      failed?.message,
      `npm run simulate -- --service sqlite --world local --seed ${SEED}`,
    ).toBeUndefined();
  });

  it('take the same steps when a schedule is repeated', async () => {
    const load = await loadWidget();
    const random = randomOf(SEED);
    const schedule = Array.from({ length: 80 }, () => Math.floor(random() * 2 ** 30));
    const first = await runTabs(schedule, { load, storage: 'local' });
    expect(await runTabs(schedule, { load, storage: 'local' })).toEqual(first);
    expect(first.length).toBe(80);
  });
});

/** Step of a comparison of two services. */
interface Step {
  kind: 'issue' | 'redeem' | 'refresh' | 'userinfo' | 'wait';
  /** Counts from the newest code or pair. */
  back: number;
  isVerified: boolean;
  waitMs: number;
}

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const AUTHORIZATION = new URL(
  `https://service.example/oauth/authorize?${new URLSearchParams({
    client_id: 'oac_a1b2c3d4e5f60718293a4b5c',
    redirect_uri: 'https://service.example/widget/callback/oac_a1b2c3d4e5f60718293a4b5c',
    scope: 'memberships.read',
    state: 'state',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })}`,
);

/** Runs the steps on a service and returns the status of each response. */
async function statusesOf(
  create: (now: () => number) => SimulatedService,
  steps: readonly Step[],
): Promise<number[]> {
  let now = Date.UTC(2026, 5, 12);
  const service = create(() => now);
  const codes: string[] = [];
  const pairs: { access_token: string; refresh_token: string }[] = [];
  const token = async (form: Record<string, string>) => {
    const { status, body } = await service.handle({
      ...{ method: 'POST', path: '/oauth/token', headers: new Headers() },
      form: new URLSearchParams({ client_id: 'oac_a1b2c3d4e5f60718293a4b5c', ...form }),
    });
    if (status === 201) pairs.push(body as (typeof pairs)[number]);
    return status;
  };
  const statuses: number[] = [];
  for (const { kind, back, isVerified, waitMs } of steps) {
    const code = codes.at(-1 - (back % Math.max(1, codes.length)));
    const pair = pairs.at(-1 - (back % Math.max(1, pairs.length)));
    if (kind === 'issue') codes.push(await service.issueCode(AUTHORIZATION));
    else if (kind === 'wait') now += waitMs;
    else if (kind === 'redeem' && code !== undefined) {
      const redirect_uri = AUTHORIZATION.searchParams.get('redirect_uri') ?? '';
      const code_verifier = isVerified ? VERIFIER : 'x'.repeat(43);
      statuses.push(await token({ grant_type: 'authorization_code', code, redirect_uri, code_verifier }));
    } else if (kind === 'refresh' && pair !== undefined) {
      statuses.push(await token({ grant_type: 'refresh_token', refresh_token: pair.refresh_token }));
    } else if (kind === 'userinfo' && pair !== undefined) {
      const headers = new Headers({ authorization: `Bearer ${pair.access_token}` });
      const request = { method: 'GET', path: '/oauth/userinfo', headers, form: new URLSearchParams() };
      statuses.push((await service.handle(request)).status);
    }
  }
  return statuses;
}

describe('token rules of the simulation', { timeout: 120_000 }, () => {
  it('answer as the real server does', async () => {
    const step = fc.record({
      kind: fc.constantFrom(
        'issue',
        'redeem',
        'redeem',
        'refresh',
        'refresh',
        'userinfo',
        'userinfo',
        'wait',
      ),
      back: fc.nat(3),
      isVerified: fc.boolean(),
      waitMs: fc.constantFrom(1_000, 30_000, 61_000, 1_800_000, 3_600_000),
    });
    const steps = fc.array(step as fc.Arbitrary<Step>, { minLength: 5, maxLength: 25, size: 'max' });
    const property = fc.asyncProperty(steps, async (sequence) => {
      expect(await statusesOf(createTokenRules, sequence)).toEqual(
        await statusesOf(real.createService, sequence),
      );
    });
    await fc.assert(property, { numRuns: 10, seed: SEED });
  });
});

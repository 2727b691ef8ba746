import { beforeAll, describe, expect, it } from 'vitest';
import { callerProfile, scriptedEnvironment, startScriptedService, testCaller } from '../../src/caller.js';
import type { Report } from '../../src/index.js';
import { FAULTS, type Fault } from './faults.js';
import { SmallApp, smallProfile } from './small-app.js';

/** Number of runs at the same time. */
const AT_ONCE = 20;

async function reportOf(faults: readonly Fault[]): Promise<Report> {
  const service = await startScriptedService();
  const env = scriptedEnvironment(service.url, service.names);
  const isPublic = faults.includes('public-keeps-tokens');
  const app = new SmallApp({ env, faults: new Set(faults), isPublic });
  const profile = callerProfile.parse(smallProfile(await app.start()));
  try {
    return await testCaller({ service, profile, deliverySeconds: 2.5 });
  } finally {
    app.close();
    await service.close();
  }
}

function idsOf({ results }: Report, kind: string): string[] {
  return results.filter(({ outcome }) => outcome.kind === kind).map(({ id }) => id);
}

describe('a small app that keeps the rules', () => {
  it('passes every check that it exercises', async () => {
    const report = await reportOf([]);
    expect(report.results.filter(({ outcome }) => outcome.kind === 'failed')).toEqual([]);
    expect(idsOf(report, 'not-run')).toEqual([
      // Only browsers call these endpoints, and only a public client signs out without revoking.
      'general.widget-is-public-client',
      'client-identity.widget-origin-sender',
      'client-identity.origin-must-be-allowed',
      'revoke.public-forgets-locally',
    ]);
    expect(idsOf(report, 'unobservable')).toEqual(['general.single-environment']);
  });
});

describe('a planted fault', () => {
  const faults = Object.keys(FAULTS) as Fault[];
  const reports = new Map<Fault, Report>();

  // The runs mostly wait for retries, so they share the time.
  beforeAll(async () => {
    const waiting = [...faults];
    const worker = async () => {
      for (let fault = waiting.pop(); fault !== undefined; fault = waiting.pop()) {
        reports.set(fault, await reportOf([fault]));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }, 180_000);

  it.each(faults)('is reported by its rule and by no other: %s', (fault) => {
    const failures = reports.get(fault)?.results.filter(({ outcome }) => outcome.kind === 'failed') ?? [];
    const ids = failures.map(({ id }) => id);
    expect(ids, JSON.stringify(failures.map(({ outcome }) => outcome))).toEqual([FAULTS[fault]]);
    expect(failures[0]?.exchanges.length).toBeGreaterThan(0);
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/index.js';
import { FAULTS, type Fault } from './faults.js';
import { reportOf } from './small-app-report.js';

/** Number of runs at the same time. */
const AT_ONCE = 20;

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
    expect(failures[0]?.roundTrips.length).toBeGreaterThan(0);
  });
});

import { describe, expect, it } from 'vitest';
import { idsOf, reportOf } from './small-app-report.js';

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

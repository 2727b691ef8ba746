import type { CheckResult } from '../../report/check.js';
import type { Report } from '../../report/report.js';
import type { CallerProfile } from '../profile/caller-profile.js';
import type { Recording } from '../record/recording.js';
import { CALLER_CHECKS } from './caller-checks.js';

/** Judges a recording. */
export function callerReport(
  recording: Recording,
  { profile, startedAt }: { profile: Pick<CallerProfile, 'name'>; startedAt: number },
): Report {
  const results: CheckResult[] = CALLER_CHECKS.map(({ id, judge }) => {
    const before = performance.now();
    const { outcome, exchanges } = judge(recording);
    return { id, outcome, exchanges, durationMs: performance.now() - before };
  });
  return { side: 'caller', subject: profile.name, startedAt, finishedAt: Date.now(), results };
}

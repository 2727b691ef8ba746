import type { CheckResult, Report } from '../../report/report.js';
import type { Recording } from '../record/recording.js';
import { apiKeyChecks, envelopeChecks } from './api-key-checks.js';
import type { Judge } from './judgement.js';
import { purchaseChecks } from './purchase-checks.js';
import { retryChecks } from './retry-checks.js';
import { signInChecks } from './sign-in-checks.js';
import { tokenChecks } from './token-checks.js';
import { webhookChecks } from './webhook-checks.js';

/** One check for each rule that a caller must keep, and for a few of the service's rules that callers easily break. */
const CALLER_CHECKS: Readonly<Record<string, Judge>> = {
  ...apiKeyChecks,
  ...envelopeChecks,
  ...retryChecks,
  ...purchaseChecks,
  ...signInChecks,
  ...tokenChecks,
  ...webhookChecks,
};

export function callerReport(recording: Recording, subject: string, startedAt: number): Report {
  const results: CheckResult[] = Object.entries(CALLER_CHECKS).map(([id, judge]) => {
    const before = performance.now();
    const { outcome, roundTrips } = judge(recording);
    return { id, outcome, roundTrips, durationMs: performance.now() - before };
  });
  return { side: 'caller', subject, startedAt, finishedAt: Date.now(), results };
}

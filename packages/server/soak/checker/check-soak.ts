import { isAcknowledged, isUnknown, type LogEntry } from '../log/log-entries.ts';
import { checkEvents } from './check-events.ts';
import { checkMemberships } from './check-memberships.ts';
import { checkMemory, type MemoryTrend, memoryTrends } from './check-memory.ts';
import { checkProducts } from './check-products.ts';
import { checkProvider } from './check-provider.ts';
import { checkCharges, checkPurchases, checkSignups } from './check-purchases.ts';
import { checkTokens } from './check-tokens.ts';
import { createHistory, type SoakHistory } from './soak-history.ts';
import type { Report, Violation } from './violation.ts';

/** Result of a check, with the figures of the run. */
export interface SoakResult {
  violations: Violation[];
  figures: SoakFigures;
}

export interface SoakFigures {
  calls: number;
  acknowledged: number;
  /** Calls with an unknown result: no response, or a status of at least 500. */
  unknown: number;
  deliveries: number;
  events: number;
  /** Number of injected faults by name. */
  faults: Record<string, number>;
  memory: MemoryTrend[];
}

const CHECKS = [
  checkRun,
  checkMemberships,
  checkTokens,
  checkEvents,
  checkPurchases,
  checkCharges,
  checkProvider,
  checkProducts,
  checkSignups,
  checkMemory,
] as const;

/** Checks a log. It uses nothing but the log: the final state is in it, as the API returned it. */
export function checkSoak(entries: readonly LogEntry[]): SoakResult {
  const history = createHistory(entries);
  const violations: Violation[] = [];
  const report: Report = (rule, message) => void violations.push({ rule, message });
  for (const check of CHECKS) check(history, report);
  return { violations, figures: figuresOf(history, entries) };
}

/** Checks that the log has a beginning and an end, that no process ended by itself, and that no request failed with 500. */
function checkRun({ start, end, calls }: SoakHistory, report: Report): void {
  if (start === undefined || end === undefined) {
    report('log is complete', `The log has no ${start === undefined ? 'start' : 'end'} entry.`);
  }
  for (const exit of end?.exits ?? [])
    report('process survives', `A server process ended by itself: ${exit}.`);
  for (const { op, status, subject, sent } of calls) {
    if (status === 500) report('no internal error', `${op} of ${subject} at ${sent} returned 500.`);
  }
}

function figuresOf(history: SoakHistory, entries: readonly LogEntry[]): SoakFigures {
  const faults: Record<string, number> = {};
  for (const entry of entries)
    if (entry.kind === 'fault') faults[entry.fault] = (faults[entry.fault] ?? 0) + 1;
  return {
    calls: history.calls.length,
    acknowledged: history.calls.filter(isAcknowledged).length,
    unknown: history.calls.filter(isUnknown).length,
    deliveries: history.webhooks.length,
    events: new Set(history.webhooks.map(({ eventId }) => eventId)).size,
    faults,
    memory: memoryTrends(history),
  };
}

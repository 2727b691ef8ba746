import type { CheckResult } from './check.js';

/** Results of a run, ready for the writers. */
export interface Report {
  /** Side of the API that was tested: a service, or a client of it. */
  readonly side: 'provider' | 'caller';
  /** Base URL of the service, or name of the client. */
  readonly subject: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds since the epoch. */
  readonly finishedAt: number;
  /** Seed of the generated requests, if there were any. It repeats the run. */
  readonly seed?: number;
  readonly results: readonly CheckResult[];
}

/** Number of results by the kind of their outcome. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly notRun: number;
  readonly unobservable: number;
}

/** Counts the results of a report. */
export function tally({ results }: Pick<Report, 'results'>): Tally {
  const count = (kind: string) => results.filter(({ outcome }) => outcome.kind === kind).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    notRun: count('not-run'),
    unobservable: count('unobservable'),
  };
}

/** Exit code of a run: 1 if a check failed, else 0. A run in which no check ran proves nothing: 2. */
export function exitCode(report: Pick<Report, 'results'>): 0 | 1 | 2 {
  const { failed, passed } = tally(report);
  if (failed > 0) return 1;
  return passed > 0 ? 0 : 2;
}

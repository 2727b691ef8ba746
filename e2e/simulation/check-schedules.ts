import fc from 'fast-check';
import { InvariantError, type Schedule } from './schedule.ts';

const MAX_STEPS = 100;
const MAX_CHOICE = 2 ** 30;
/** Schedules that the search for a shorter one runs. V8 keeps a part of each evaluated page, and memory is limited. */
const MAX_SHRINK_RUNS = 300;

export interface CheckOptions {
  schedules: number;
  seed: number;
  /** Repeats one schedule, as a failure names it. */
  path?: string | undefined;
  /**
   * Searches a short schedule that fails.
   * @default true
   */
  shrinks?: boolean;
}

/** The first schedule that violates an invariant. */
export interface FailedSchedule {
  invariant: string;
  /** Message with the steps. */
  message: string;
  /** Number of schedules until the failure. */
  runs: number;
  seed: number;
  path: string;
}

/** Runs schedules until one violates an invariant. Returns it, shrunk, or undefined. */
export async function checkSchedules(
  run: (schedule: Schedule) => Promise<unknown>,
  { schedules, seed, path, shrinks = true }: CheckOptions,
): Promise<FailedSchedule | undefined> {
  const choices = fc.array(fc.nat(MAX_CHOICE), { maxLength: MAX_STEPS, size: 'max' });
  let shrinkRuns: number | undefined;
  const property = fc.asyncProperty(choices, async (schedule) => {
    if (shrinkRuns !== undefined) shrinkRuns += 1;
    if ((shrinkRuns ?? 0) > MAX_SHRINK_RUNS) return;
    try {
      await run(schedule);
    } catch (error) {
      shrinkRuns ??= 0;
      throw error;
    }
  });
  const details = await fc.check(property, {
    numRuns: schedules,
    seed,
    ...(path !== undefined && { path }),
    endOnFailure: !shrinks,
    // Short schedules and small choices find little.
    unbiased: true,
  });
  if (!details.failed) return undefined;
  const error = details.errorInstance;
  if (!(error instanceof InvariantError)) throw error;
  const { invariant, message } = error;
  return {
    invariant,
    message,
    runs: details.numRuns,
    seed: details.seed,
    path: details.counterexamplePath ?? '',
  };
}

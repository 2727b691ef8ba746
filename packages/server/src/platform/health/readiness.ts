import { withinLimit } from '../background/background-work.js';
import type { WriteProblem } from '../database/database-unavailable.js';

type ReadinessState =
  | 'ready'
  | 'closing'
  | 'database does not answer'
  | 'schema does not fit this version'
  | WriteProblem;

const DATABASE_BOUND_MS = 2_000;
/** After it, requests find out whether the database accepts writes again. */
const WRITE_PROBLEM_MS = 30_000;

/** Concurrent checks share one ping. `schemaFits` resolves with true if this version works on the schema. */
export function createReadiness(
  { ping, schemaFits }: { ping(): Promise<void>; schemaFits(): Promise<boolean> },
  boundMs = DATABASE_BOUND_MS,
) {
  let isClosing = false;
  let noted: { problem: WriteProblem; until: number } | undefined;
  let pending: Promise<boolean> | undefined;

  function pingOnce(): Promise<boolean> {
    pending ??= ping()
      .then(() => true)
      .catch(() => false)
      .finally(() => {
        pending = undefined;
      });
    return pending;
  }

  /** Resolves to false if the result takes too long. */
  const inTime = (result: Promise<boolean>) =>
    withinLimit(result, { name: 'The check', limitMs: boundMs }).catch(() => false);

  const databaseAnswers = () => inTime(pingOnce());

  return {
    databaseAnswers,
    async check(): Promise<ReadinessState> {
      if (isClosing) return 'closing';
      if (!(await databaseAnswers())) return 'database does not answer';
      const schema = schemaFits();
      if (!(await inTime(schema.then(() => true)))) return 'database does not answer';
      if (!(await schema)) return 'schema does not fit this version';
      return noted !== undefined && performance.now() < noted.until ? noted.problem : 'ready';
    },
    /** Marks the process as not ready for half a minute because the database accepts no writes. */
    noteWriteProblem(problem: WriteProblem) {
      noted = { problem, until: performance.now() + WRITE_PROBLEM_MS };
    },
    /** Marks the process as not ready because it's about to close. */
    startClosing() {
      isClosing = true;
    },
  };
}

export type Readiness = ReturnType<typeof createReadiness>;

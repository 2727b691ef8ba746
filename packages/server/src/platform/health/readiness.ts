/** Whether this process should be sent requests, and if not, why. */
export type ReadinessState = 'ready' | 'closing' | 'database does not answer';

/** Knows whether the process is ready. */
export interface Readiness {
  check(): Promise<ReadinessState>;
  /** Whether the database answers, within the bound. */
  databaseAnswers(): Promise<boolean>;
  /** From now on the process is not ready: it will close. */
  startClosing(): void;
  readonly isClosing: boolean;
}

/** How long the database may take to answer before the process counts as not ready. */
const DATABASE_BOUND_MS = 2_000;

/** @param ping asks the database for something. However many ask at once, it is asked once at a time. */
export function createReadiness(ping: () => Promise<void>, boundMs = DATABASE_BOUND_MS): Readiness {
  let isClosing = false;
  let asked: Promise<boolean> | undefined;

  function ask(): Promise<boolean> {
    asked ??= ping()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        asked = undefined;
      });
    return asked;
  }

  async function databaseAnswers(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const bound = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), boundMs);
    });
    return await Promise.race([ask(), bound]).finally(() => clearTimeout(timer));
  }

  return {
    databaseAnswers,
    async check() {
      if (isClosing) return 'closing';
      return (await databaseAnswers()) ? 'ready' : 'database does not answer';
    },
    startClosing() {
      isClosing = true;
    },
    get isClosing() {
      return isClosing;
    },
  };
}

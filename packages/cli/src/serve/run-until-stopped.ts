/** What runs, and whom to tell how it ends. */
export interface RunningService {
  /** Ends it in good order. */
  close(): Promise<void>;
  /** Longer than this the end may not take, in milliseconds. */
  readonly deadlineMs: number;
  /** A failure that nobody caught: it goes to the log, with its stack. */
  report(error: unknown, what: string): void;
}

/**
 * Runs until the process is told to end. SIGTERM and SIGINT end it in good order, a second one at once. A failure that
 * nobody caught leaves the process in an unknown state, so it ends in good order too, and says that it failed.
 *
 * @returns the exit code, when everything is closed.
 */
export function runUntilStopped({ close, deadlineMs, report }: RunningService): Promise<number> {
  return new Promise((resolve) => {
    let isEnding = false;
    const end = (code: 0 | 1) => {
      if (isEnding) return;
      isEnding = true;
      const deadline = setTimeout(() => {
        report(new Error(`It did not close within ${deadlineMs} ms.`), 'the service had to be cut off');
        process.exit(1);
      }, deadlineMs);
      close().then(
        () => {
          clearTimeout(deadline);
          resolve(code);
        },
        (error: unknown) => {
          report(error, 'the service could not be closed in good order');
          process.exit(1);
        },
      );
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (isEnding) process.exit(1);
        end(0);
      });
    }
    process.on('uncaughtException', (error) => {
      report(error, 'a failure that nobody caught: the service ends');
      end(1);
    });
    process.on('unhandledRejection', (reason) => {
      report(reason, 'a rejection that nobody caught: the service ends');
      end(1);
    });
  });
}

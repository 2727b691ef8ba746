/** A running service and its log. */
export interface StoppableService {
  /** Shuts the service down gracefully. */
  close(): Promise<void>;
  /** Milliseconds after which a shutdown is cut off. */
  readonly deadlineMs: number;
  logError(error: unknown, message: string): void;
}

/**
 * Runs until the process receives SIGTERM or SIGINT, which shut the service down gracefully. A second signal ends the
 * process immediately. An uncaught error leaves the process in an unknown state, so it also shuts the service down.
 *
 * @returns the exit code once everything is closed: 0 after a signal, 1 after an uncaught error.
 */
export function runUntilStopped({ close, deadlineMs, logError: log }: StoppableService): Promise<number> {
  const logError: StoppableService['logError'] = (error, message) => {
    try {
      log(error, message);
    } catch {
      // The log is what failed. The shutdown goes on.
    }
  };
  return new Promise((resolve) => {
    let isStopping = false;
    const stop = (code: 0 | 1) => {
      if (isStopping) return;
      isStopping = true;
      const deadline = setTimeout(() => {
        logError(new Error(`Shutdown took longer than ${deadlineMs} ms.`), 'shutdown cut off');
        process.exit(1);
      }, deadlineMs);
      close().then(
        () => {
          clearTimeout(deadline);
          resolve(code);
        },
        (error: unknown) => {
          logError(error, 'graceful shutdown failed');
          process.exit(1);
        },
      );
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (isStopping) process.exit(1);
        stop(0);
      });
    }
    process.on('uncaughtException', (error) => {
      logError(error, 'uncaught exception: shutting down');
      stop(1);
    });
    process.on('unhandledRejection', (reason) => {
      logError(reason, 'unhandled rejection: shutting down');
      stop(1);
    });
  });
}

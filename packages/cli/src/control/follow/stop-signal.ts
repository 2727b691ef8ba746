/**
 * Returns a signal that aborts at Ctrl-C, at SIGTERM, and when the reader of standard output has gone. Call it before the
 * command prints anything or waits: an earlier Ctrl-C ends the process with a failure.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort();
  // Only the first one, so that a second Ctrl-C ends the process.
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  process.stdout.on('error', stop);
  return controller.signal;
}

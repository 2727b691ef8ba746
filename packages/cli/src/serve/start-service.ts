import type { RunningServer, ServerOptions } from '@latchkey/server';
import { startFailure } from './start-failure.js';

/**
 * Starts the service, and waits for a database that cannot be reached yet: exiting would make a supervisor give up after
 * a few restarts.
 *
 * @returns `undefined` if SIGTERM or SIGINT ended the start.
 * @throws CommandFailure if the service cannot start and waiting cannot help.
 */
export async function startService(
  options: ServerOptions,
  ports: { metricsPort?: number },
): Promise<RunningServer | undefined> {
  const { startServer } = await import('@latchkey/server');
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGTERM', stop).once('SIGINT', stop);
  try {
    const server = await startServer({ ...options, waitForDatabase: stopping.signal });
    if (!stopping.signal.aborted) return server;
    await server.close();
    return undefined;
  } catch (error) {
    if (stopping.signal.aborted) return undefined;
    throw startFailure(error, ports);
  } finally {
    process.off('SIGTERM', stop).off('SIGINT', stop);
  }
}

import type { RunningServer, ServerOptions } from '@latchkey/server';
import { startFailure } from './start-failure.js';

/**
 * Starts a service. If the database cannot be reached yet, the start waits for it: exiting would make a supervisor give
 * up after a few restarts.
 *
 * @returns `undefined` if SIGTERM or SIGINT ended the start.
 * @throws CommandFailure if the service cannot start and waiting cannot help.
 */
export async function startService<Server extends RunningServer>(
  start: (options: ServerOptions) => Promise<Server>,
  options: ServerOptions,
  ports: { metricsPort?: number },
): Promise<Server | undefined> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGTERM', stop).once('SIGINT', stop);
  try {
    const server = await start({ ...options, waitForDatabase: stopping.signal });
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

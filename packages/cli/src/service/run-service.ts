import type { Logger, RunningServer, ServerOptions } from '@latchkey/server';
import type { Output } from '../command-line/command.js';
import { passedSocket } from './passed-socket.js';
import { runUntilStopped } from './run-until-stopped.js';
import type { ServiceSettings } from './service-settings.js';
import { startService } from './start-service.js';

/** Milliseconds that a shutdown may take after its delay and grace: releasing deliveries, closing the database. */
const CLOSING_MARGIN_MS = 15_000;

/** A service to run in this process. */
export interface ServiceToRun<Server extends RunningServer> {
  readonly settings: ServiceSettings;
  /** Starts the service with the options that follow from the settings. */
  start(options: ServerOptions): Promise<Server>;
  /** Runs once the service listens. */
  onListening?(server: Server): Promise<void>;
  readonly output: Output;
}

/**
 * Starts a service and runs it until the process is stopped.
 *
 * @returns the exit code.
 * @throws CommandFailure if the service does not start.
 */
export async function runService<Server extends RunningServer>({
  settings,
  start,
  onListening,
  output,
}: ServiceToRun<Server>): Promise<number> {
  // Loaded only here, so that the help and usage errors appear without delay.
  const { openJsonLogger } = await import('@latchkey/server');
  const logger = await openJsonLogger({ level: settings.logLevel });
  const listeningSocket = passedSocket(process.env, process.pid);
  const options = {
    ...serverOptions(settings, logger),
    ...(listeningSocket !== undefined && { listeningSocket }),
  };
  const server = await startService(start, options, settings);
  if (server === undefined) return 0;
  // Signals are handled before the address is printed: a reader may send one as soon as it sees the address.
  const stopped = runUntilStopped({
    close: () => server.close(),
    deadlineMs: settings.drainDelay + settings.shutdownGrace + CLOSING_MARGIN_MS,
    logError: (error, message) => logger.error({ error }, message),
  });
  logger.info({ baseUrl: server.baseUrl, port: server.port }, 'service started');
  output.warn(
    listeningSocket === undefined
      ? `The service listens at ${listeningAddress(server, settings)}`
      : `The service listens at port ${server.port}, on the socket it was given, as ${server.baseUrl}`,
  );
  if (server.metricsPort !== undefined) {
    output.warn(
      `Metrics are served at http://${urlHost(settings.metricsHostname)}:${server.metricsPort}/metrics`,
    );
  }
  await onListening?.(server);
  return await stopped;
}

function serverOptions(settings: ServiceSettings, logger: Logger): ServerOptions {
  const { logLevel: _, metricsPort, metricsHostname, drainDelay, shutdownGrace, ...options } = settings;
  return {
    ...options,
    logger,
    shutdown: { drainDelayMs: drainDelay, graceMs: shutdownGrace },
    ...(metricsPort !== undefined && { metrics: { port: metricsPort, hostname: metricsHostname } }),
  };
}

function listeningAddress({ baseUrl, port }: RunningServer, { hostname }: ServiceSettings): string {
  const local = `http://${urlHost(hostname)}:${port}`;
  return local === baseUrl ? baseUrl : `${local}, as ${baseUrl}`;
}

function urlHost(hostname: string): string {
  return hostname.includes(':') ? `[${hostname}]` : hostname;
}

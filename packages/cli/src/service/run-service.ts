import type { Logger, RunningServer, ServerOptions } from '@latchkey/server';
import type { Output } from '../command-line/command.js';
import { CommandFailure, messageInFlags } from '../command-line/command-failure.js';
import { type ServiceSettings, serviceSettingsOf } from './service-settings.js';

/** Why Node.js can't listen on an address, and which flag to change. */
const LISTEN_ERRORS: Readonly<Record<string, { reason: string; advice: string; flag: 'port' | 'hostname' }>> =
  {
    EADDRINUSE: {
      reason: 'is already in use',
      advice: 'Stop the process that uses it, or choose another port',
      flag: 'port',
    },
    EACCES: {
      reason: 'needs privileges that this user lacks',
      advice: 'Choose a port from 1024 up, behind a reverse proxy,',
      flag: 'port',
    },
    EADDRNOTAVAIL: {
      reason: 'is not an address of this machine',
      advice: 'Choose another address',
      flag: 'hostname',
    },
    ENOTFOUND: { reason: 'resolves to no address', advice: 'Choose another one', flag: 'hostname' },
  };

/** Returns the failure of a service that didn't start, in terms of the command's flags. */
function startFailure(error: unknown, settings: { metricsPort?: number }): CommandFailure {
  return new CommandFailure(listenFailure(error, settings) ?? otherFailure(error), {
    code: 'start_failed',
    cause: error,
  });
}

function listenFailure(error: unknown, { metricsPort }: { metricsPort?: number }): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const known = LISTEN_ERRORS[String(error.code)];
  const isName = 'hostname' in error;
  if (known === undefined || !(isName || ('port' in error && 'address' in error))) return undefined;
  const place = isName ? `The host name ${error.hostname}` : `Port ${error.port} on ${error.address}`;
  const isMetrics = !isName && error.port === metricsPort;
  const flag = isMetrics ? `metrics-${known.flag}` : known.flag;
  const variable = `LATCHKEY_${flag.toUpperCase().replaceAll('-', '_')}`;
  return `${place} ${known.reason}. ${known.advice} with --${flag} (or ${variable}).`;
}

function otherFailure(error: unknown): string {
  return `The service did not start: ${messageInFlags(error)}`;
}

/**
 * Starts a service. If the database can't be reached yet, waits for it: exiting would make a supervisor give up after a
 * few restarts.
 *
 * @returns `undefined` if SIGTERM or SIGINT ended the start.
 * @throws CommandFailure if the service can't start and waiting can't help.
 */
async function startService<Server extends RunningServer>(
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

/** Descriptor of the first socket that a supervisor passes. The ones before it are the standard streams. */
const FIRST_DESCRIPTOR = 3;

/**
 * Returns the descriptor of the listening socket that systemd or a similar supervisor passed to this process:
 * `LISTEN_FDS` is the number of sockets, `LISTEN_PID` the process they're meant for (sd_listen_fds(3)). Removes the
 * variables from `env`, or processes that this one starts would take the socket for theirs.
 *
 * @returns `undefined` if no socket was passed.
 * @throws CommandFailure if several were passed.
 */
function passedSocket(env: NodeJS.ProcessEnv, pid: number): number | undefined {
  const { LISTEN_FDS: count, LISTEN_PID: receiver } = env;
  for (const name of ['LISTEN_FDS', 'LISTEN_PID', 'LISTEN_FDNAMES']) delete env[name];
  if (count === undefined || count === '0' || receiver !== String(pid)) return undefined;
  if (count !== '1') {
    throw new CommandFailure(
      `LISTEN_FDS is ${count}. The service listens on one socket: write one ListenStream= in the socket unit.`,
      { code: 'start_failed' },
    );
  }
  return FIRST_DESCRIPTOR;
}

/** How long a shutdown may take after its delay and grace period, in milliseconds: releasing deliveries, closing the database. */
const CLOSING_MARGIN_MS = 15_000;

export interface ServiceToRun<Server extends RunningServer> {
  readonly settings: ServiceSettings;
  /** Starts the service with options derived from the settings. */
  start(options: ServerOptions): Promise<Server>;
  /** Runs once the service listens. */
  onListening?(server: Server): Promise<void>;
  readonly output: Output;
}

/** Runs a service until the process is stopped, and returns the exit code. @throws CommandFailure if it doesn't start. */
export async function runService<Server extends RunningServer>({
  settings,
  start,
  onListening,
  output,
}: ServiceToRun<Server>): Promise<number> {
  // Only loaded here, so the help and usage errors appear without delay.
  const { openJsonLogger } = await import('@latchkey/server');
  const logger = await openJsonLogger({ level: settings.logLevel });
  const listeningSocket = passedSocket(process.env, process.pid);
  const options = {
    ...serverOptions(settings, logger),
    ...(listeningSocket !== undefined && { listeningSocket }),
  };
  const server = await startService(start, options, settings);
  if (server === undefined) return 0;
  // Signals are handled before the URL is printed: a reader may send one as soon as it sees the URL.
  const deadlineMs = settings.drainDelay + settings.shutdownGrace + CLOSING_MARGIN_MS;
  const stopped = runUntilStopped(() => server.close(), deadlineMs, logger);
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
  const {
    logLevel: _,
    metricsPort,
    metricsHostname,
    drainDelay,
    shutdownGrace,
    ...options
  } = serviceSettingsOf(settings);
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

/**
 * Runs until the process receives SIGTERM or SIGINT, which shut the service down gracefully. A second signal ends the
 * process immediately. An uncaught error leaves the process in an unknown state, so it also shuts the service down.
 *
 * @returns the exit code once everything is closed: 0 after a signal, 1 after an uncaught error.
 */
function runUntilStopped(close: () => Promise<void>, deadlineMs: number, logger: Logger): Promise<number> {
  const logError = (error: unknown, message: string) => {
    try {
      logger.error({ error }, message);
    } catch {
      // The log itself failed. The shutdown goes on.
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

import { CommandFailure, messageInFlags } from '../command-line/command-failure.js';

/** Reasons why Node.js cannot listen on an address, and the flag that changes it. */
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

/** The failure of a service that did not start, in terms of the command's flags. */
export function startFailure(error: unknown, settings: { metricsPort?: number }): CommandFailure {
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

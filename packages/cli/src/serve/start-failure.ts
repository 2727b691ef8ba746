import { CommandFailure } from '../command-line/command-failure.js';
import { flagName } from '../command-line/flag.js';

/** What Node says of a port that cannot be listened on, and which flag mends it. */
const LISTENING_FAILURES: Readonly<Record<string, { words: string; flag: 'port' | 'hostname' }>> = {
  EADDRINUSE: { words: 'is taken: stop what listens there, or choose another', flag: 'port' },
  EACCES: {
    words: 'is not for this user to listen on: choose one from 1024 up, behind a proxy,',
    flag: 'port',
  },
  EADDRNOTAVAIL: {
    words: 'cannot be listened on, the address is not of this machine: choose another',
    flag: 'hostname',
  },
  ENOTFOUND: { words: 'leads to no address: choose another', flag: 'hostname' },
};

/** Says in the words of the command line why the service did not start. */
export function startFailure(error: unknown, asked: { metricsPort?: number }): CommandFailure {
  return new CommandFailure(listeningFailure(error, asked) ?? otherFailure(error), { cause: error });
}

function listeningFailure(error: unknown, { metricsPort }: { metricsPort?: number }): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const known = LISTENING_FAILURES[String(error.code)];
  const isName = 'hostname' in error;
  if (known === undefined || !(isName || ('port' in error && 'address' in error))) return undefined;
  const place = isName ? `The name ${error.hostname}` : `Port ${error.port} at ${error.address}`;
  const isMetrics = !isName && error.port === metricsPort;
  const flag = isMetrics ? `metrics-${known.flag}` : known.flag;
  const variable = `LATCHKEY_${flag.toUpperCase().replaceAll('-', '_')}`;
  return `${place} ${known.words} with --${flag} (or ${variable}).`;
}

/** The server names its options; here they are flags. */
function otherFailure(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `The service did not start: ${reason.replace(/Option "(\w+)"/, (_match, option: string) => flagName(option))}`;
}

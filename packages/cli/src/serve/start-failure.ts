import { CommandFailure } from '../command-line/command-failure.js';
import type { ServeSettings } from './serve-flags.js';

/** Says in the words of the command line why the service did not start. */
export function startFailure(error: unknown, { port, hostname }: ServeSettings): CommandFailure {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const words: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} at ${hostname} is taken: stop what listens there, or choose another with --port (or LATCHKEY_PORT).`,
    EACCES: `Port ${port} at ${hostname} is not for this user to listen on: choose one from 1024 up with --port, behind a proxy.`,
    EADDRNOTAVAIL: `This machine has no address ${hostname}: choose one that it has with --hostname (or LATCHKEY_HOSTNAME).`,
    ENOTFOUND: `The name ${hostname} leads to no address: choose another with --hostname (or LATCHKEY_HOSTNAME).`,
  };
  const isAboutListening =
    error instanceof Error && 'syscall' in error && ['listen', 'getaddrinfo'].includes(String(error.syscall));
  const known = isAboutListening ? words[String(code)] : undefined;
  const reason = error instanceof Error ? error.message : String(error);
  return new CommandFailure(known ?? `The service did not start: ${reason}`, { cause: error });
}

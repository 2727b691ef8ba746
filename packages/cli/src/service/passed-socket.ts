import { CommandFailure } from '../command-line/command-failure.js';

/** Descriptor of the first socket that a supervisor passes. Those before it are the standard streams. */
const FIRST_DESCRIPTOR = 3;

/**
 * Returns the descriptor of the listening socket that systemd, or a supervisor like it, passed to this process:
 * `LISTEN_FDS` is their number, `LISTEN_PID` the process that they are meant for (sd_listen_fds(3)). Removes the variables
 * from `env`, so that no process that this one starts takes the socket for its own.
 *
 * @returns `undefined` if no socket was passed.
 * @throws CommandFailure if several were passed.
 */
export function passedSocket(env: NodeJS.ProcessEnv, pid: number): number | undefined {
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

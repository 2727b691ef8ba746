// Keeps a listening socket (descriptor 3) open and starts processes with it, one after the other, as systemd does. Each
// message on the channel is { command, env }; the answers are { pid } and, when the process has ended, { code }.
import { spawn } from 'node:child_process';

let child;
process.on('message', ({ command, env }) => {
  child = spawn('/bin/sh', ['-c', 'export LISTEN_PID=$$; exec "$0" "$@"', ...command], {
    env: { ...env, LISTEN_FDS: '1' },
    stdio: ['ignore', 'inherit', 'inherit', 3],
  });
  child.once('spawn', () => process.send({ pid: child.pid }));
  child.once('exit', (code) => process.connected && process.send({ code }));
});
process.on('disconnect', () => child?.kill('SIGKILL'));

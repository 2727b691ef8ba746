import { describe, expect, it } from 'vitest';
import { temporaryFile } from './call.js';
import { startLatchkey } from './running-latchkey.js';
import { SocketSupervisor } from './socket-supervisor.js';

const serve = (onTestFinished: (end: () => void) => void) => [
  ...['serve', '--database', `sqlite:${temporaryFile(onTestFinished)}`, '--smtp-url', 'smtp://127.0.0.1:9'],
];

/** The status of a response to a request on a new connection. */
async function statusOf(port: number): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/healthz`, { headers: { connection: 'close' } });
  return response.status;
}

describe('a socket that a supervisor passes', () => {
  it('answers the connections that arrived while no process ran', async ({ onTestFinished }) => {
    const supervisor = await SocketSupervisor.listen(onTestFinished);
    const args = serve(onTestFinished);
    const early = statusOf(supervisor.port);
    const first = await supervisor.start(args);
    expect(await early).toBe(200);
    process.kill(first.pid, 'SIGTERM');
    expect(await first.ended, supervisor.output()).toBe(0);
    const between = [statusOf(supervisor.port), statusOf(supervisor.port)];
    const second = await supervisor.start(args);
    expect(await Promise.all(between)).toEqual([200, 200]);
    process.kill(second.pid, 'SIGTERM');
    expect(await second.ended).toBe(0);
  });

  it('replaces --port and --hostname, and is part of the printed address', async ({ onTestFinished }) => {
    const supervisor = await SocketSupervisor.listen(onTestFinished);
    const { port } = supervisor;
    await supervisor.start([...serve(onTestFinished), '--port', '1', '--hostname', '127.0.0.9']);
    expect(await statusOf(port)).toBe(200);
    expect(supervisor.output()).toContain(
      `The service listens at port ${port}, on the socket it was given, as http://127.0.0.1:${port}`,
    );
  });

  it('must be a TCP socket', async ({ onTestFinished }) => {
    const path = temporaryFile(onTestFinished);
    const supervisor = await SocketSupervisor.listen(onTestFinished, { path });
    const { ended } = await supervisor.start(serve(onTestFinished));
    expect(await ended).toBe(1);
    expect(supervisor.output()).toContain('File descriptor 3 is not a TCP socket.');
  });

  it('is ignored if the variables name another process', async ({ onTestFinished }) => {
    const latchkey = startLatchkey([...serve(onTestFinished), '--port', '0'], {
      LISTEN_FDS: '1',
      LISTEN_PID: '1',
    });
    onTestFinished(() => void latchkey.process.kill('SIGKILL'));
    const [, port] = await latchkey.waitFor(/The service listens at http:\/\/127\.0\.0\.1:(\d+)\n/);
    expect(await statusOf(Number(port))).toBe(200);
  });
});

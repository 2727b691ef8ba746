import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 100;

/** An app that the kit has started. */
export interface StartedApp {
  stop(): Promise<void>;
}

/**
 * Starts an app and waits until its address responds.
 *
 * @throws Error if the app ends or does not respond in time. The message contains its output.
 */
export async function startApp(
  command: string,
  { url, environment, withinMs }: { url: string; environment: Record<string, string>; withinMs: number },
): Promise<StartedApp> {
  let output = '';
  // A process group of its own, because the shell does not pass signals on.
  const child = spawn(command, {
    shell: true,
    detached: true,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const keep = (chunk: Buffer) => (output = `${output}${chunk}`.slice(-4_000));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const ended = new Promise<void>((closed) => child.once('close', () => closed()));
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      process.kill(-child.pid, 'SIGTERM');
    }
    await ended;
  };
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline && child.exitCode === null) {
    const isUp = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(POLL_MS * 20) }).then(
      () => true,
      () => false,
    );
    if (isUp) return { stop };
    await pause(POLL_MS);
  }
  const reason = child.exitCode === null ? `did not respond at ${url}` : `ended with ${child.exitCode}`;
  await stop();
  throw new Error(`start: the app ${reason}. Its output:\n${output}`);
}

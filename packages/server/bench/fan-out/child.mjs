import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * Starts a process of the benchmark.
 *
 * @param file path of its script, relative to this folder.
 * @returns `ask(order)` sends an order and returns its answer, one at a time; `next()` returns the next message; `stop()` ends the
 *   process.
 */
export function startChild(file, parameters = [], settings = {}) {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), parameters, settings);
  const exited = once(child, 'exit').then(() => {
    throw new Error(`${file} exited.`);
  });
  exited.catch(() => undefined);
  const next = async () => (await Promise.race([once(child, 'message'), exited]))[0];
  return {
    next,
    ask(order) {
      const answer = next();
      child.send(order);
      return answer;
    },
    stop: () => child.disconnect(),
  };
}

/**
 * Starts the service as in production.
 *
 * @param options.profile folder for a processor profile. @default none is written
 * @returns `port`; `usage()` and `purge()`, see serve.mjs; `stop()`.
 */
export async function startService(url, { profile } = {}) {
  const child = startChild('serve.mjs', [url], {
    env: { ...process.env, NODE_ENV: 'production' },
    // The service logs each delivery. The log is written and dropped.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`],
  });
  const { port } = await child.next();
  return {
    port,
    usage: () => child.ask('usage'),
    purge: () => child.ask('purge'),
    stop: child.stop,
  };
}

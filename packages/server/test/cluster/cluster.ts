import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { createBrowser } from '../browser.js';
import { BACKEND_SHOP, databaseUnderTest, type Reachable, SHOP } from '../service-under-test.js';

const SERVER_PROCESS = new URL('./server-process.mjs', import.meta.url);

/** Where every server of a cluster says that it is. */
const BASE_URL = 'http://127.0.0.1:4400';

/** The seeded sandbox as several server processes on one database; a request goes to the next of them in turn. */
export interface Cluster extends Reachable {
  /** The database that they share. */
  readonly database: string;
  /** Ends one process at once, as `kill -9` does; the next takes its place when it is started. */
  kill(index: number): Promise<void>;
  start(index: number): Promise<void>;
  /** Sets every process's clock ahead of the machine's. */
  setAhead(milliseconds: number): Promise<void>;
}

/** Starts the processes; `onFinished` takes what ends them. Default: they end with the test. */
export async function startCluster(
  size: number,
  onFinished: (end: () => void | Promise<void>) => void = onTestFinished,
): Promise<Cluster> {
  const database = await databaseUnderTest({ onFinished });
  const running = new Map<number, { child: ChildProcess; port: number }>();
  let aheadMs = 0;
  let turn = 0;

  const start = async (index: number, shops?: object) => {
    const options = { sandbox: true, port: 0, baseUrl: BASE_URL, database, aheadMs, shops };
    const child = fork(SERVER_PROCESS, [JSON.stringify(options)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const [message] = (await Promise.race([once(child, 'message'), refuseExit(child)])) as [{ port: number }];
    running.set(index, { child, port: message.port });
  };
  const kill = async (index: number) => {
    const process = running.get(index);
    running.delete(index);
    if (process === undefined) return;
    const ended = once(process.child, 'exit');
    process.child.kill('SIGKILL');
    await ended;
  };
  onFinished(async () => {
    await Promise.all([...running.keys()].map(kill));
  });

  // The first brings the schema and the people, before the others look for them.
  await start(0, { scriptTagShop: SHOP, backendShop: BACKEND_SHOP });
  await Promise.all(Array.from({ length: size - 1 }, (_, index) => start(index + 1)));

  const next = () => {
    const ports = [...running.values()].map(({ port }) => port);
    turn += 1;
    return `http://127.0.0.1:${ports[turn % ports.length]}`;
  };
  return {
    database,
    baseUrl: BASE_URL,
    browser: () => createBrowser(next(), BASE_URL),
    request: (path, init) => fetch(`${next()}${path}`, { redirect: 'manual', ...init }),
    kill,
    start,
    async setAhead(milliseconds) {
      aheadMs = milliseconds;
      await Promise.all(
        [...running.values()].map(async ({ child }) => {
          const heard = once(child, 'message');
          child.send({ aheadMs });
          await heard;
        }),
      );
    },
  };
}

async function refuseExit(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit');
  throw new Error(`A server process ended with ${code} before it listened.`);
}

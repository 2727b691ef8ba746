import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { StripeOptions } from '@latchkey/stripe';
import { onTestFinished } from 'vitest';
import { fetchAsHost } from '../../../../scripts/fetch-as-host.mjs';
import { createBrowser } from '../browser.js';
import { BACKEND_SHOP, databaseUnderTest, type ReachableService, SHOP } from '../service-under-test.js';

const SERVER_PROCESS = new URL('./server-process.mjs', import.meta.url);

/** Public URL of every server of a cluster. */
const BASE_URL = 'http://127.0.0.1:4400';

/** Seeded sandbox as several server processes on one database. Requests rotate over the processes. */
export interface Cluster extends ReachableService {
  /** URL of the shared database. */
  readonly database: string;
  /** Exit codes or signals of the processes that the test did not end. */
  readonly exits: readonly (number | string | null)[];
  /** Sends a request to one process. */
  requestOne(index: number, path: string, init?: RequestInit): Promise<Response>;
  /** Ends one process at once, like `kill -9`. The next one replaces it when started. */
  kill(index: number): Promise<void>;
  start(index: number): Promise<void>;
  /** Shortens the next start by loading a process in advance, which is nearly all of its start time. */
  load(): Promise<void>;
  /** Sets the clock of every process this far ahead of the machine's clock. */
  setAhead(milliseconds: number): Promise<void>;
}

/** Options of {@link startCluster}. */
export interface ClusterOptions {
  /**
   * URL of the shared database.
   * @default a database of the engine under test
   */
  database?: string;
  /**
   * Drops the errors that the processes log, for tests that provoke them.
   * @default false
   */
  isQuiet?: boolean;
  /**
   * Values of Stripe. The processes then sell with it, as production servers.
   * @default they are sandboxes
   */
  stripe?: StripeOptions;
}

/**
 * Starts the processes.
 * @param onFinished registers the function that ends the processes.
 * @default the processes end with the test
 */
export async function startCluster(
  size: number,
  onFinished: (end: () => void | Promise<void>) => void = onTestFinished,
  { database: given, isQuiet = false, stripe }: ClusterOptions = {},
): Promise<Cluster> {
  const database = given ?? (await databaseUnderTest({ onFinished }));
  const { open, forget, exits } = createProcessPool(onFinished);
  const running = new Map<number, { child: ChildProcess; port: number }>();
  const loaded: ChildProcess[] = [];
  let aheadMs = 0;
  let turn = 0;

  const load = async () => void loaded.push(await open());
  const start = async (index: number, shops?: object) => {
    const child = loaded.pop() ?? (await open());
    const message = messageOf<{ port: number }>(child);
    const payments = shops === undefined ? { stripe } : { shops };
    child.send({
      start: { port: 0, baseUrl: BASE_URL, trustProxy: 'loopback', database, aheadMs, isQuiet, ...payments },
    });
    const { port } = await message;
    running.set(index, { child, port });
  };
  const kill = async (index: number) => {
    const process = running.get(index);
    running.delete(index);
    if (process === undefined) return;
    forget(process.child);
    await end(process.child);
  };
  const next = () => {
    const ports = [...running.values()].map(({ port }) => port);
    turn += 1;
    return `http://127.0.0.1:${ports[turn % ports.length]}`;
  };

  await Promise.all(Array.from({ length: size }, load));
  // The first process migrates and seeds the database before the others open it.
  await start(0, { scriptTagShop: SHOP, backendShop: BACKEND_SHOP });
  if (stripe !== undefined) {
    await kill(0);
    await start(0);
  }
  await Promise.all(Array.from({ length: size - 1 }, (_, index) => start(index + 1)));
  return {
    database,
    baseUrl: BASE_URL,
    browser: () => createBrowser(next(), BASE_URL),
    request: (path, init) => fetchAsHost(next(), BASE_URL, path, init),
    requestOne: (index, path, init) =>
      fetchAsHost(`http://127.0.0.1:${running.get(index)?.port}`, BASE_URL, path, init),
    exits,
    kill,
    start,
    load,
    async setAhead(milliseconds) {
      aheadMs = milliseconds;
      await Promise.all([...running.values()].map(({ child }) => sendAhead(child, aheadMs)));
    },
  };
}

/** Opens server processes, ends them with the test, and records the exits that the test did not cause. */
function createProcessPool(onFinished: (end: () => void | Promise<void>) => void) {
  const children = new Set<ChildProcess>();
  const exits: (number | string | null)[] = [];
  onFinished(async () => {
    const all = [...children];
    children.clear();
    await Promise.all(all.map(end));
  });
  return {
    exits,
    async open(): Promise<ChildProcess> {
      const child = fork(SERVER_PROCESS, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
      children.add(child);
      child.once('exit', (code, signal) => {
        if (children.delete(child)) exits.push(code ?? signal);
      });
      await messageOf(child);
      return child;
    },
    /** Removes a process that the test is about to end, so that its exit is not recorded. */
    forget: (child: ChildProcess) => children.delete(child),
  };
}

async function sendAhead(child: ChildProcess, aheadMs: number): Promise<void> {
  const message = once(child, 'message');
  child.send({ aheadMs });
  await message;
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Returns the next message of a process. */
async function messageOf<Message>(child: ChildProcess): Promise<Message> {
  const [message] = await Promise.race([once(child, 'message'), rejectOnExit(child)]);
  return message;
}

async function rejectOnExit(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit');
  throw new Error(`A server process ended with ${code} before it listened.`);
}

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { argumentsOf, type Version } from '../upgrade/versions.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** Origin of the service. Its proxies forward this host. */
export const BASE_URL = 'http://127.0.0.1:4400';

/** Time before a process closes during which it completes requests, in milliseconds. */
const DRAIN_DELAY_MS = 200;

/** A server process behind its proxy. The address stays the same when the process is replaced. */
interface Place {
  proxy: TcpProxy;
  child?: ChildProcess | undefined;
  /** True once the process accepts messages. */
  isReady?: boolean;
  /** True while the process is replaced. */
  isDraining?: boolean;
}

/** The server processes of a soak. */
export interface Processes {
  readonly size: number;
  /** Address of a process's proxy. */
  address(index: number): string;
  proxy(index: number): TcpProxy;
  /** Kills a process like `kill -9`. */
  kill(index: number): Promise<void>;
  start(index: number): Promise<void>;
  /** Ends a process gracefully, and starts one of a version in its place. */
  replace(index: number, version: Version): Promise<void>;
  /** Processes that a load balancer sends requests to. Those that were killed are among them. */
  serving(): number[];
  /** Sets the clocks of all processes ahead of the machine's clock, one after the other. */
  setAhead(ms: number): Promise<void>;
  /** Memory of each running process after a garbage collection, in bytes. */
  memory(): Promise<{ pid: number; rss: number; heapUsed: number }[]>;
  /** Exits that the run did not cause. */
  readonly exits: string[];
  /** Errors that the processes logged, by message. */
  readonly logged: Record<string, number>;
  close(): Promise<void>;
}

/** Order that the payment provider charged. */
export interface Charge {
  readonly orderId: string;
  readonly amountMinor: number;
  readonly currency: string;
}

export interface ProcessOptions {
  size: number;
  database: string;
  webhooks: readonly { url: string; secret: string }[];
  onMail(mail: { to: string; code: string }): void;
  onCharge(charge: Charge): void;
}

/** Starts the processes, the first one before the others, because it migrates and seeds the database. */
export async function startProcesses(options: ProcessOptions): Promise<Processes> {
  const { size, database, webhooks, onMail, onCharge } = options;
  const places: Place[] = await Promise.all(
    Array.from({ length: size }, async () => ({ proxy: await startTcpProxy() })),
  );
  const exits: string[] = [];
  const logged: Record<string, number> = {};
  let aheadMs = 0;
  let isClosing = false;
  const placeOf = (index: number) => places[index] as Place;

  const start = async (
    index: number,
    { isFirst = false, version = 'current' }: { isFirst?: boolean; version?: Version } = {},
  ) => {
    const place = placeOf(index);
    const child = fork(new URL('server-process.mjs', import.meta.url), {
      execArgv: ['--expose-gc', ...argumentsOf(version)],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    Object.assign(place, { child, isReady: false });
    child.once('exit', (code, signal) => {
      place.proxy.setTarget(undefined);
      if (place.child === child && !isClosing) exits.push(`process ${index}: ${code ?? signal}`);
    });
    child.on('message', (message: { mail?: never; charged?: Charge; logged?: { message: string } }) => {
      if (message.mail !== undefined) onMail(message.mail);
      if (message.charged !== undefined) onCharge(message.charged);
      if (message.logged !== undefined)
        logged[message.logged.message] = (logged[message.logged.message] ?? 0) + 1;
    });
    await reply(child, 'loaded');
    const port = reply<number>(child, 'port');
    child.send({
      start: {
        port: 0,
        baseUrl: BASE_URL,
        trustProxy: 'loopback',
        shutdown: { drainDelayMs: DRAIN_DELAY_MS },
        database,
        aheadMs,
        isFirst,
        webhooks,
      },
    });
    const target = await port;
    place.isReady = true;
    // The clock may have moved while the process started.
    await ask(child, { aheadMs }, 'ahead');
    place.proxy.setTarget(target);
  };
  const running = () => places.flatMap(({ child, isReady }) => (child?.connected && isReady ? [child] : []));

  await start(0, { isFirst: true });
  for (let index = 1; index < size; index += 1) await start(index);
  return {
    size,
    exits,
    logged,
    address: (index) => `http://127.0.0.1:${placeOf(index).proxy.port}`,
    proxy: (index) => placeOf(index).proxy,
    async kill(index) {
      const place = placeOf(index);
      const { child } = place;
      place.child = undefined;
      if (child !== undefined) await killed(child);
    },
    start: (index) => start(index),
    async replace(index, version) {
      const place = placeOf(index);
      const { child } = place;
      place.isDraining = true;
      place.child = undefined;
      if (child !== undefined) await closed(child);
      await start(index, { version });
      place.isDraining = false;
    },
    serving: () => places.flatMap(({ isDraining = false }, index) => (isDraining ? [] : [index])),
    async setAhead(ms) {
      aheadMs = ms;
      for (const child of running()) await ask(child, { aheadMs }, 'ahead').catch(() => undefined);
    },
    memory: async () => {
      const samples = running().map(async (child) => ({
        pid: child.pid ?? 0,
        ...(await ask<{ rss: number; heapUsed: number }>(child, { memory: true }, 'memory')),
      }));
      const results = await Promise.allSettled(samples);
      return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    },
    async close() {
      isClosing = true;
      await Promise.all(places.map(({ child }) => child && killed(child)));
      await Promise.all(places.map(({ proxy }) => proxy.close()));
    },
  };
}

function ask<Answer>(child: ChildProcess, message: object, key: string): Promise<Answer> {
  const answer = reply<Answer>(child, key);
  child.send(message);
  return answer;
}

/** Returns the value of the next message of a process with this key. Rejects if the process ends first. */
function reply<Answer>(child: ChildProcess, key: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`A server process ended with ${code}.`));
    const onMessage = (message: Record<string, unknown>) => {
      if (!(key in message)) return;
      child.off('exit', onExit);
      child.off('message', onMessage);
      resolve(message[key] as Answer);
    };
    child.once('exit', onExit);
    child.on('message', onMessage);
  });
}

/** Closes a process as SIGTERM does. */
async function closed(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  await ask(child, { close: true }, 'closed');
  child.disconnect();
  await exit;
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

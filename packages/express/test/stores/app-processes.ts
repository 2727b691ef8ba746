import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import {
  CLIENT_SECRET,
  CONFIDENTIAL_CLIENT,
  type RunningFakeService,
} from '@latchkey/conformance/scripted-service';
import { COOKIE_SECRET } from '../cookie-secret.js';
import type { StoreAddress } from './store-servers.js';

const APP_PROCESS = new URL('./app-process.mjs', import.meta.url);

/** An app that runs as several processes with one store. */
export interface AppProcesses {
  /** Addresses of the processes. */
  urls: readonly string[];
  /** Sets the time of every process. */
  setTime(now: number): Promise<void>;
  stop(): Promise<void>;
}

export interface AppProcessesOptions {
  count: number;
  store: StoreAddress;
  service: RunningFakeService;
  now: number;
  /** True if the processes lock a session while they renew it. */
  hasLock: boolean;
}

export async function startAppProcesses({
  count,
  store,
  service,
  now,
  hasLock,
}: AppProcessesOptions): Promise<AppProcesses> {
  const options = {
    store,
    hasLock,
    now,
    serviceUrl: service.url,
    clientId: CONFIDENTIAL_CLIENT,
    clientSecret: CLIENT_SECRET,
    appUrl: 'http://shop.localhost',
    cookieSecret: COOKIE_SECRET,
  };
  return startProcesses(APP_PROCESS, { count, options });
}

/** Starts several processes of a script, which sends its port when it listens. */
export async function startProcesses(
  script: URL,
  { count, options }: { count: number; options: object },
): Promise<AppProcesses> {
  const children = Array.from({ length: count }, () =>
    fork(script, [JSON.stringify(options)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }),
  );
  const ports = await Promise.all(children.map(portOf));
  return {
    urls: ports.map((port) => `http://127.0.0.1:${port}`),
    async setTime(time) {
      await Promise.all(
        children.map(async (child) => {
          const heard = once(child, 'message');
          child.send({ now: time });
          await heard;
        }),
      );
    },
    async stop() {
      await Promise.all(
        children.map(async (child) => {
          const ended = once(child, 'exit');
          child.kill();
          await ended;
        }),
      );
    },
  };
}

async function portOf(child: ChildProcess): Promise<number> {
  const [message] = (await Promise.race([once(child, 'message'), refuseExit(child)])) as [{ port: number }];
  return message.port;
}

async function refuseExit(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit');
  throw new Error(`An app process ended with ${code} before it listened.`);
}

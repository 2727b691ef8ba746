import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Builder, type WebDriver } from 'selenium-webdriver';
import type { WebKitPrograms } from '../../scripts/webkit.mjs';

/** Time limits, in milliseconds. Each step takes about a second on an idle machine. */
const START_LIMIT_MS = 30_000;
const PAGE_LIMIT_MS = 90_000;
const END_LIMIT_MS = 30_000;
/** WebKitWebDriver waits forever for a MiniBrowser that does not connect to it, which happens now and then. */
const STARTS = 4;

/** WebKitGTK's WebDriver with its own display. */
export interface WebKitHost {
  /** Opens a browser with an empty profile. Only one can be open at a time. */
  open(): Promise<WebDriver>;
  close(): Promise<void>;
}

/** A display and a driver on free numbers. Both end with this process, even if it is killed. */
interface Driver {
  url: string;
  /** Ends the display, the driver and its browsers. */
  end(): Promise<void>;
}

/**
 * Returns a host that starts a display and a driver for its first browser. If a browser does not start in time, everything is
 * ended and started again.
 */
export function createWebKitHost(
  programs: WebKitPrograms,
  { startLimitMs = START_LIMIT_MS } = {},
): WebKitHost {
  let driver: Driver | undefined;
  const close = async () => {
    const { end } = driver ?? {};
    driver = undefined;
    await end?.();
  };
  const openOnce = async () => {
    driver ??= await startDriver(programs, startLimitMs);
    const capabilities = {
      browserName: 'MiniBrowser',
      'webkitgtk:browserOptions': { binary: programs.browser, args: ['--automation'] },
    };
    const building = new Builder().usingServer(driver.url).withCapabilities(capabilities).build();
    const session = await within(startLimitMs, 'MiniBrowser to start', building);
    await session.manage().setTimeouts({ pageLoad: PAGE_LIMIT_MS, script: PAGE_LIMIT_MS });
    return session;
  };
  return {
    async open() {
      for (let start = 1; ; start += 1) {
        try {
          return await openOnce();
        } catch (error) {
          await close();
          if (start === STARTS) throw error;
        }
      }
    },
    close,
  };
}

async function startDriver({ driver, display }: WebKitPrograms, limitMs: number): Promise<Driver> {
  const home = await mkdtemp(join(tmpdir(), 'latchkey-webkit-'));
  const started: ChildProcess[] = [];
  const start = (command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
    const child = startChild(command, args, env);
    started.push(child);
    return child;
  };
  const endAll = async () => {
    await Promise.all(started.reverse().map(end));
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    const screen = start(display, ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp']);
    const number = await within(limitMs, 'a display from Xvfb', firstLine(screen));
    const port = await freePort();
    start(driver, [`--port=${port}`, '--host=127.0.0.1'], {
      DISPLAY: `:${number}`,
      GDK_BACKEND: 'x11',
      // The test machine has no graphics card.
      LIBGL_ALWAYS_SOFTWARE: '1',
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
      WEBKIT_DISABLE_DMABUF_RENDERER: '1',
      NO_AT_BRIDGE: '1',
      HOME: home,
      XDG_CONFIG_HOME: home,
      XDG_CACHE_HOME: home,
      XDG_DATA_HOME: home,
      XDG_RUNTIME_DIR: home,
    });
    const url = `http://127.0.0.1:${port}`;
    await within(limitMs, 'WebKitWebDriver to answer', answers(`${url}/status`));
    return { url, end: endAll };
  } catch (error) {
    await endAll();
    throw error;
  }
}

/**
 * Starts a program in a process group that ends when its standard input closes: at {@link end}, or when this
 * process is killed. Its fourth file descriptor is a pipe to this process.
 */
function startChild(command: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn('/bin/sh', ['-c', '"$@" </dev/null & read -r _; kill 0', 'sh', command, ...args], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.stdin?.end();
  await within(END_LIMIT_MS, `${child.spawnargs.at(4)} to end`, ended);
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdio[3]?.once('data', (line) => resolve(String(line).trim()));
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`${child.spawnargs.at(4)} ended at once.`)));
  });
}

async function answers(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(1000) }).catch(() => undefined);
    if (answer?.ok) return;
    await pause(50);
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  if (address === null || typeof address === 'string') throw new Error('No free port was given.');
  return address.port;
}

async function within<Value>(milliseconds: number, what: string, work: Promise<Value>): Promise<Value> {
  const limit = new AbortController();
  const late = pause(milliseconds, undefined, { signal: limit.signal }).then(() => {
    throw new Error(`Waited ${milliseconds / 1000} s in vain for ${what}.`);
  });
  late.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    limit.abort();
  }
}

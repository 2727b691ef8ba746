import { createManualClock, type LogFields, type ManualClock } from '@latchkey/server';
import { test as base } from 'vitest';
import { type RunningSandbox, seedSandbox, startSandbox } from '../src/index.js';
import { type Browser, createBrowser } from './browser.js';

/** Time at which every test begins. */
const START = Date.parse('2026-06-12T14:05:00.000Z');

export const SHOP = 'http://localhost:4401';
const BACKEND_SHOP = 'http://localhost:4402';

/** A seeded sandbox on a free port, with a clock that only the test moves. */
export interface SandboxUnderTest {
  readonly server: RunningSandbox;
  readonly baseUrl: string;
  readonly clock: ManualClock;
  /** Log lines as JSON. */
  readonly log: readonly string[];
  /** Returns a new browser without cookies. */
  browser(): Browser;
  /** Sends a request without cookies and returns the response, without following redirects. */
  request(path: string, init?: RequestInit): Promise<Response>;
}

/** Starts and seeds a sandbox in memory. Background work runs only when the test asks for it. */
export async function createSandboxUnderTest(): Promise<SandboxUnderTest> {
  const clock = createManualClock(START);
  const log: string[] = [];
  const write = (fields: LogFields, message: string) => void log.push(JSON.stringify({ message, ...fields }));
  const logger = { info: write, warn: write, error: write };
  const server = await startSandbox({ clock, logger, backgroundWork: false });
  await seedSandbox(server, { scriptTagShop: SHOP, backendShop: BACKEND_SHOP });
  return {
    server,
    baseUrl: server.baseUrl,
    clock,
    log,
    browser: () => createBrowser(server.baseUrl, server.baseUrl),
    request: (path, init) => fetch(`${server.baseUrl}${path}`, { redirect: 'manual', ...init }),
  };
}

/** `it` with a sandbox of its own for each test that asks for one. */
export const it = base.extend<{ service: SandboxUnderTest }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixture's needs from this pattern.
  service: async ({}, use) => {
    const service = await createSandboxUnderTest();
    await use(service);
    await service.server.close();
  },
});

/** Returns a browser that is signed in as a user, by the sandbox's own form. */
export async function signedIn(service: SandboxUnderTest, email: string): Promise<Browser> {
  const browser = service.browser();
  await browser.post('/sandbox/sign-in', { email });
  return browser;
}

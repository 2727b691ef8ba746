import { createHash } from 'node:crypto';
import {
  type RunningSandbox,
  type SandboxGuide,
  type SandboxOptions,
  type Snapshot,
  sandboxScenario,
  seedSandbox,
  startSandbox,
} from '@latchkey/sandbox';
import { test as base } from 'vitest';
import { fetchAsHost } from '../../../scripts/fetch-as-host.mjs';
import {
  createManualClock,
  type LogFields,
  type ManualClock,
  OperatorError,
  type RunningServer,
  type ServerOptions,
  startServer,
} from '../src/index.js';
import { type Browser, createBrowser } from './browser.js';
import { takeTestDatabase } from './database/database-under-test.js';

export { databaseUnderTest } from './database/database-under-test.js';

/** Time at the start of every test. */
export const START = Date.parse('2026-06-12T14:05:00.000Z');

export const SHOP = 'http://localhost:4401';
export const BACKEND_SHOP = 'http://localhost:4402';

/** Code verifier of a client, and its challenge. */
export const CODE_VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
export const CODE_CHALLENGE = challengeOf(CODE_VERIFIER);

export const PUBLIC = sandboxScenario.publicClient.clientId;
export const CONFIDENTIAL = sandboxScenario.confidentialClient.clientId;
export const SECRET = sandboxScenario.confidentialClient.clientSecret;

/** Seeded sandbox that listens on a free port, with a clock that stands still. */
export interface ServiceUnderTest {
  readonly server: RunningServer & Partial<Omit<RunningSandbox, keyof RunningServer>>;
  readonly baseUrl: string;
  readonly clock: ManualClock;
  /** Every line of the service's log, as JSON. */
  readonly log: readonly string[];
  /** Creates a browser without cookies, or with those of another browser. */
  browser(cookies?: ReadonlyMap<string, string>): Browser;
  /** Sends a request without cookies and without following redirects. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Sets data, time and log of a running sandbox as they were at the start. Returns false if the service is closed. */
  restart(): Promise<boolean>;
}

/** Functions to reach a service, be it one process or several. */
export type ReachableService = Pick<ServiceUnderTest, 'baseUrl' | 'browser' | 'request'>;

/** Options of {@link startService}. */
export interface ServiceOptions extends ServerOptions {
  /**
   * True for a seeded sandbox. False for a plain server without data, as in production.
   *
   * @default true
   */
  sandbox?: boolean;
}

/**
 * Starts the service on its own database of the engine under test. The next test gets the database once the
 * server is closed.
 */
export async function startService({
  sandbox: isSandbox = true,
  ...options
}: ServiceOptions = {}): Promise<ServiceUnderTest> {
  const database = options.database === undefined ? await takeTestDatabase() : undefined;
  const clock = createManualClock(START);
  const log: string[] = [];
  const write = (fields: LogFields, message: string) => void log.push(JSON.stringify({ message, ...fields }));
  const logger = { info: write, warn: write, error: write };
  const common = {
    port: 0,
    clock,
    logger,
    // By default, webhooks are sent only when the test says so, not between its steps.
    backgroundWork: false,
    ...(database && { database: database.url }),
    // A service with a base URL of its own is reached through a proxy, which forwards the host.
    ...(options.baseUrl !== undefined && { trustProxy: 'loopback' }),
    ...options,
  };
  const starting: Promise<ServiceUnderTest['server']> = isSandbox
    ? startSeededSandbox(common)
    : // Tests forward requests for clients elsewhere, also to a service on plain http.
      startServer({ peers: 'any', ...common });
  const server = await starting.catch(async (error: unknown) => {
    await database?.giveBack();
    throw error;
  });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= server.close().then(() => database?.giveBack());
    return closed;
  };
  return {
    server: { ...server, close },
    baseUrl: server.baseUrl,
    clock,
    log,
    async restart() {
      if (closed !== undefined || !isSandboxServer(server)) return false;
      clock.set(START);
      log.length = 0;
      await loadSampleData(server);
      return true;
    },
    browser: (cookies) => createBrowser(`http://127.0.0.1:${server.port}`, server.baseUrl, cookies),
    request: (path, init) => fetchAsHost(`http://127.0.0.1:${server.port}`, server.baseUrl, path, init),
  };
}

function isSandboxServer(server: ServiceUnderTest['server']): server is RunningSandbox {
  return server.control !== undefined;
}

/** Sample data by what they depend on. */
const sampleData = new Map<string, { snapshot: Snapshot; guide: SandboxGuide }>();

/** Starts a sandbox with the sample data. Copying them takes half of the processor time of writing them again. */
async function startSeededSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const sandbox = await startSandbox({ ...options, allowPublic: true });
  const key = sampleKey(sandbox);
  const isKnown = sampleData.has(key);
  if (isKnown && (await isEmpty(sandbox))) {
    await loadSampleData(sandbox);
    return sandbox;
  }
  await seedSandbox(sandbox, { scriptTagShop: SHOP, backendShop: BACKEND_SHOP });
  if (isKnown) return sandbox;
  const { snapshots } = sandbox.control;
  await snapshots.save('sample-data');
  sampleData.set(key, { snapshot: snapshots.export('sample-data'), guide: { ...sandbox.guide } });
  snapshots.remove('sample-data');
  return sandbox;
}

function sampleKey({ clock, serviceNames }: RunningSandbox): string {
  return JSON.stringify([clock.now(), serviceNames]);
}

/** Replaces all data by the sample data, which an earlier sandbox has written. */
async function loadSampleData(sandbox: RunningSandbox): Promise<void> {
  const known = sampleData.get(sampleKey(sandbox));
  if (known === undefined) throw new Error('No sandbox with these names and this time has started before.');
  const { snapshots } = sandbox.control;
  snapshots.import('sample-data', known.snapshot);
  await snapshots.load('sample-data');
  snapshots.remove('sample-data');
  Object.assign(sandbox.guide, known.guide);
}

/** Servers of one test can share a database, which has the data then. */
async function isEmpty({ operator }: RunningServer): Promise<boolean> {
  return await operator.findUser(sandboxScenario.users.finn.email).then(
    () => false,
    (error: unknown) => {
      if (error instanceof OperatorError && error.code === 'not_found') return true;
      throw error;
    },
  );
}

/** A service that tests get one after another, each as it was at the start. It saves three quarters of a start. */
export interface SharedService {
  readonly service: ServiceUnderTest;
  /** Ends the service and what belongs to it. */
  end(): Promise<void>;
}

/** Fixtures of {@link lend}. */
export interface Lending<Shared extends SharedService> {
  /** True for tests of what a process remembers: they get a new service. */
  isAlone: boolean;
  /** Services that no test uses now. */
  idle: Shared[];
}

/** Calls `use` with a service that is like a new one. It is new if the last test closed it or broke its database. */
export async function lend<Shared extends SharedService>(
  { isAlone, idle }: Lending<Shared>,
  start: () => Promise<Shared>,
  use: (shared: Shared) => Promise<void>,
): Promise<void> {
  const waiting = isAlone ? undefined : idle.pop();
  const isLikeNew = (await waiting?.service.restart().catch(() => false)) ?? false;
  if (!isLikeNew) await waiting?.end();
  const shared = waiting !== undefined && isLikeNew ? waiting : await start();
  await use(shared);
  if (isAlone) await shared.end();
  else idle.push(shared);
}

/** Fixture of a worker: a list of services that end with it. */
export async function endAtExit<Shared extends SharedService>(
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixture's needs from this pattern.
  {}: object,
  use: (idle: Shared[]) => Promise<void>,
): Promise<void> {
  const idle: Shared[] = [];
  await use(idle);
  for (const shared of idle) await shared.end();
}

/** `it` with a service that is like a new one for each test that asks for one. */
export const it = base.extend<{ service: ServiceUnderTest } & Lending<SharedService>>({
  isAlone: false,
  idle: [endAtExit, { scope: 'worker' }],
  service: async ({ isAlone, idle }, use) => {
    const start = async () => {
      const service = await startService();
      return { service, end: service.server.close };
    };
    await lend({ isAlone, idle }, start, ({ service }) => use(service));
  },
});

export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

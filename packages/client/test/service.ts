import { type RunningSandbox, sandboxScenario, seedSandbox, startSandbox } from '@latchkey/sandbox';
import { createManualClock, type ManualClock, type RunningServer } from '@latchkey/server';
import { test as base } from 'vitest';
import { type ClientOptions, LatchkeyClient } from '../src/index.js';

export { sandboxScenario } from '@latchkey/sandbox';

/** The instant at which every test begins. */
export const START = Date.parse('2026-06-12T14:05:00.000Z');
export const DAY = 24 * 3600_000;

/** The seeded sandbox, really listening on a free port, with a clock that stands still. */
export interface Service {
  readonly server: RunningServer;
  readonly clock: ManualClock;
  /** A client of the community's owner, on the service's clock. */
  client(options?: Partial<ClientOptions>): LatchkeyClient;
}

const clock = createManualClock(START);
let starting: Promise<RunningSandbox> | undefined;

/** Starts the sandbox of all tests of a worker. Loading the data takes an eighth of the processor time of a start. */
async function startSeeded(): Promise<RunningSandbox> {
  const server = await startSandbox({
    port: 0,
    clock,
    database: 'sqlite::memory:',
    logger: { info: () => {}, warn: () => {}, error: () => {} },
    // For logUrl: the address that a trace id is filled into.
    logUrl: 'https://logs.example/trace/{traceId}',
    backgroundWork: false,
  });
  await seedSandbox(server, { scriptTagShop: 'http://localhost:1', backendShop: 'http://localhost:2' });
  await server.control.snapshots.save('start');
  return server;
}

/** `it` with a service that has the sample data and the time of the start for each test that asks for one. */
export const it = base.extend<{ service: Service }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixture's needs from this pattern.
  service: async ({}, use) => {
    starting ??= startSeeded();
    const server = await starting;
    clock.set(START);
    await server.control.snapshots.load('start');
    await use({
      server,
      clock,
      client: (options) =>
        new LatchkeyClient({
          serviceUrl: server.baseUrl,
          apiKey: sandboxScenario.apiKey,
          clock,
          ...options,
        }),
    });
  },
});

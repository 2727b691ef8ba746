import { sandboxScenario, seedSandbox, startSandbox } from '@latchkey/sandbox';
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

/** `it` with a service of its own for each test that asks for one. */
export const it = base.extend<{ service: Service }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixture's needs from this pattern.
  service: async ({}, use) => {
    const clock = createManualClock(START);
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
    await server.close();
  },
});

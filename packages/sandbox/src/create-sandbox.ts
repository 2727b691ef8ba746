import type { SandboxShops } from './scenario/sandbox-guide.js';
import type { ScenarioName } from './scenario/scenarios.js';
import { DEFAULT_SHOPS, seedSandbox } from './scenario/seed-sandbox.js';
import { type RunningSandbox, type SandboxOptions, startSandbox } from './start-sandbox.js';

export interface CreateSandboxOptions extends SandboxOptions {
  /**
   * Data to begin with, by name. All scenarios but `empty` begin with the sample data of `seedSandbox`.
   *
   * @default 'sample-data'
   */
  scenario?: ScenarioName;
  /**
   * Origins that the two clients are registered for.
   *
   * @default localhost with the ports 4401 and 4402
   */
  shops?: SandboxShops;
}

/**
 * Starts a sandbox with data, on a free port and in memory unless the options say otherwise. For tests: `control` has the
 * clock, faults, data and snapshots.
 *
 * @throws Error in the same cases as `startSandbox`.
 */
export async function createSandbox({
  scenario = 'sample-data',
  shops = DEFAULT_SHOPS,
  ...options
}: CreateSandboxOptions = {}): Promise<RunningSandbox> {
  const sandbox = await startSandbox(options);
  if (scenario === 'empty') return sandbox;
  try {
    await seedSandbox(sandbox, shops);
    await sandbox.control.scenarios.add(scenario);
    return sandbox;
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

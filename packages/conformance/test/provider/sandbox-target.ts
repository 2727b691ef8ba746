import { type Fixtures, fixturesSchema } from '@latchkey/conformance/fixtures';
import { type Driver, sandboxDriver, sandboxFixtures } from '@latchkey/conformance/provider';
import { createSandbox, type RunningSandbox } from '@latchkey/sandbox';

const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** A sandbox with the data of the checks. */
export interface SandboxTarget {
  readonly sandbox: RunningSandbox;
  readonly baseUrl: string;
  readonly fixtures: Fixtures;
  readonly driver: Driver;
}

/** Starts a sandbox on a free port and creates the data of the checks. */
export async function startTarget(): Promise<SandboxTarget> {
  const sandbox = await createSandbox({ logger: silent });
  const access = { sandbox: sandbox.baseUrl, token: sandbox.controlToken };
  const fixtures = fixturesSchema.parse(await sandboxFixtures(access));
  return { sandbox, baseUrl: sandbox.baseUrl, fixtures, driver: sandboxDriver(access) };
}

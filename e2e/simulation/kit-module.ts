import type * as Kit from '@latchkey/express';
import { type BundledModule, bundleModule, compileModule, type Mutation, mutate } from './load-module.ts';

/** Global names that the kit uses. Each simulated process has its own. */
const PROCESS_NAMES = [
  ...['setTimeout', 'clearTimeout', 'AbortSignal', 'performance', 'Date', 'Math', 'crypto', 'console'],
  ...['fetch', 'simulatedPause'],
] as const;

const ENTRY = new URL('../../packages/express/src/index.ts', import.meta.url).pathname;

/** Evaluates the kit in a process. */
export type LoadKit = (environment: Readonly<Record<string, unknown>>) => Pick<typeof Kit, 'latchkey'>;

let bundle: Promise<BundledModule> | undefined;

/** Loads the Express kit from its sources, with a mutation if one is given. */
export async function loadKit(mutation?: Mutation): Promise<LoadKit> {
  bundle ??= bundleModule(ENTRY, { names: PROCESS_NAMES, external: ['express'] });
  const module = await bundle;
  return compileModule(mutation === undefined ? module : mutate(module, mutation));
}

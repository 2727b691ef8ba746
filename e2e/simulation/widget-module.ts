import { type BundledModule, bundleModule, compileModule, type Mutation, mutate } from './load-module.ts';
import { PAGE_NAMES } from './simulated-browser.ts';
import type { LoadWidget, SessionModule } from './tabs.ts';

/** Entry of the widget's session, without its elements. */
const ENTRY = new URL('../../packages/widget/src/session/index.ts', import.meta.url).pathname;

let bundle: Promise<BundledModule> | undefined;

/** Loads the widget's session code from its sources, with a mutation if one is given. */
export async function loadWidget(mutation?: Mutation): Promise<LoadWidget> {
  bundle ??= bundleModule(ENTRY, { names: PAGE_NAMES });
  const module = await bundle;
  return compileModule<SessionModule>(mutation === undefined ? module : mutate(module, mutation));
}

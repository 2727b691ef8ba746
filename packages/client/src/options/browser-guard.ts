/** Globals that exist in the pages and workers of browsers only, and not in Node, Deno, Bun or hosted workers. */
interface BrowserGlobals {
  readonly window?: { readonly document?: unknown };
  readonly WorkerGlobalScope?: unknown;
  readonly importScripts?: unknown;
}

/**
 * True in a browser, also in a simulated one (jsdom). An API key must never be in a browser (spec, "What the service
 * does", rule 4).
 */
export function runsInBrowser(globals: BrowserGlobals = globalThis as BrowserGlobals): boolean {
  const isPage = globals.window?.document !== undefined;
  const isWorker = globals.WorkerGlobalScope !== undefined && typeof globals.importScripts === 'function';
  return isPage || isWorker;
}

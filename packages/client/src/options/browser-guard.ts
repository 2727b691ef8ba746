/** What tells a browser's page or worker from a server: Deno, Bun and the workers of hosts have no such thing. */
interface BrowserGlobals {
  readonly window?: { readonly document?: unknown };
  readonly WorkerGlobalScope?: unknown;
  readonly importScripts?: unknown;
}

/**
 * Whether this code runs in a browser, where an API key is never placed (spec, "What the service does", rule 4). A
 * simulated one (jsdom) counts too.
 */
export function runsInBrowser(globals: BrowserGlobals = globalThis as BrowserGlobals): boolean {
  const isPage = globals.window?.document !== undefined;
  const isWorker = globals.WorkerGlobalScope !== undefined && typeof globals.importScripts === 'function';
  return isPage || isWorker;
}

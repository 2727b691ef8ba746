import { retryPause } from '../browser/wake-up.js';
import { LoginError } from '../state/login-failure.js';
import { importRest, type Rest } from './import-rest.js';

/** How long to wait for the rest before it counts as missing, in milliseconds. */
const TIMEOUT_MS = 30_000;

let loading: Promise<Rest> | undefined;

/**
 * Loads the part of the widget that the first paint doesn't need. Calls share one load. After a failure, the next call
 * tries again.
 *
 * @param serviceUrl where else to look for it, if it isn't next to the script.
 * @throws LoginError `network` if the browser is offline, otherwise `script_missing`.
 */
export function loadRest(serviceUrl: string): Promise<Rest> {
  loading ??= Promise.race([importRest(serviceUrl), timeout()]).catch((error: unknown) => {
    loading = undefined;
    if (!navigator.onLine) throw new LoginError('network', 'The browser is offline.');
    throw new LoginError('script_missing', `A part of the widget did not load: ${error}`);
  });
  return loading;
}

/**
 * Loads the rest however long it takes: tries again after each failure, with growing pauses.
 * @param onFailure called after the first failure.
 */
export function loadRestInTheEnd(
  serviceUrl: string | null | undefined,
  onFailure?: (error: unknown) => void,
  failures = 1,
): Promise<Rest> {
  return loadRest(serviceUrl ?? '').catch(async (error: unknown) => {
    onFailure?.(error);
    await new Promise((resolve) => setTimeout(resolve, retryPause(failures)));
    return loadRestInTheEnd(serviceUrl, undefined, failures + 1);
  });
}

function timeout(): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(reject, TIMEOUT_MS, new Error('no answer'));
  });
}

import { retryPause } from '../browser/wake-up.js';
import { LoginError } from '../state/login-failure.js';
import { importRest, type Rest } from './import-rest.js';

/** Milliseconds after which the rest counts as missing. */
const TIMEOUT_MS = 30_000;

let loading: Promise<Rest> | undefined;

/**
 * Returns what the first paint does not need, and loads it the first time. A failure is not kept: the next call loads it
 * again.
 *
 * @param serviceUrl where the part may be too, if it is not beside the script.
 * @throws LoginError `network` if the browser is offline, and otherwise `script_missing`.
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
 * Returns it however long that takes: loads it again after each failure, with growing pauses.
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

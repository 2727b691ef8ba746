import { OAuthClientError } from '@latchkey/oauth';

/** Milliseconds to wait for another tab's lock. Longer than the timeout of any request, so that a working tab finishes. */
const LOCK_TIMEOUT_MS = 45_000;

/**
 * Connects the tabs of a site that use the same session. A tab works alone if the browser lacks or denies
 * BroadcastChannel or Web Locks.
 */
export class TabChannel<Message> {
  readonly #name: string;
  readonly #channel: BroadcastChannel | undefined;

  /** @param name identifies the session among those of the site's other clients. */
  constructor(name: string) {
    this.#name = name;
    this.#channel = openChannel(name);
  }

  /**
   * Runs the work while no other tab runs any under the same name.
   * @throws OAuthClientError `timeout` if another tab holds the lock for too long.
   */
  async exclusive<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    if (!navigator.locks) return work();
    const timeout = AbortSignal.timeout(LOCK_TIMEOUT_MS);
    let started = false;
    try {
      return await navigator.locks.request(this.#name, { signal: AbortSignal.any([signal, timeout]) }, () => {
        started = true;
        return work();
      });
    } catch (cause) {
      if (started || signal.aborted) throw cause;
      // The browser denies locks on this page.
      if (!timeout.aborted) return work();
      throw new OAuthClientError('timeout', 'Another tab is still refreshing this session.', { cause });
    }
  }

  post(message: Message): void {
    this.#channel?.postMessage(message);
  }

  listen(listener: (message: Message) => void): void {
    if (this.#channel) this.#channel.onmessage = ({ data }) => listener(data);
  }

  close(): void {
    this.#channel?.close();
  }
}

function openChannel(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name);
  } catch {
    return undefined;
  }
}

/** The storage of this tab, or the storage that all tabs of the site share. */
export type StorageArea = 'session' | 'local';

/** Returns the storage. Throws if the visitor disabled it. */
function storageOf(area: StorageArea): Storage {
  return area === 'local' ? localStorage : sessionStorage;
}

/**
 * Stores a value as JSON. `undefined` removes the stored value.
 * @returns false if the storage is full, or the browser denies access.
 */
export function writeValue(area: StorageArea, name: string, value: object | undefined): boolean {
  try {
    if (value) storageOf(area).setItem(name, JSON.stringify(value));
    else storageOf(area).removeItem(name);
    return true;
  } catch {
    return false;
  }
}

/** Returns a stored value. `undefined` if there is none, it is malformed, or the browser denies access. */
export function readValue(area: StorageArea, name: string): unknown {
  try {
    return JSON.parse(storageOf(area).getItem(name) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Removes a value from this tab's storage and returns it. */
export function takeValue(name: string): unknown {
  try {
    const text = sessionStorage.getItem(name) ?? '';
    sessionStorage.removeItem(name);
    return Object(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** What the tabs of a site that use the same session tell each other. */
export interface TabChannel {
  postMessage(message: object): void;
  onmessage: ((event: MessageEvent) => void) | null;
  close(): void;
}

/**
 * Opens the channel of a session. A tab works alone if the browser lacks or denies BroadcastChannel.
 * @param name identifies the session among those of the site's other clients.
 */
export function openChannel(name: string): TabChannel {
  try {
    return new BroadcastChannel(name);
  } catch {
    return { postMessage() {}, onmessage: null, close() {} };
  }
}

/** The storage of this tab, or the storage that all tabs of the site share. */
export type StorageArea = 'session' | 'local';

/** Returns the storage. Throws if the visitor disabled it. */
export function storageOf(area: StorageArea): Storage {
  return area === 'local' ? localStorage : sessionStorage;
}

/** Returns a stored value. `undefined` if there is none, it is malformed, or the browser denies access. */
export function readValue(area: StorageArea, name: string): unknown {
  try {
    return JSON.parse(storageOf(area).getItem(name) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

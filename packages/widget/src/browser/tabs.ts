/** Carries messages between the tabs of a site that use the same session. */
export interface TabChannel {
  postMessage(message: object): void;
  onmessage: ((event: MessageEvent) => void) | null;
}

/**
 * Opens the channel of a session. If the browser lacks or denies BroadcastChannel, the tab works on its own.
 * @param name the session's key, unique among the site's clients.
 * @param signal closes it.
 */
export function openChannel(name: string, signal: AbortSignal): TabChannel {
  try {
    const channel = new BroadcastChannel(name);
    signal.addEventListener('abort', () => channel.close());
    return channel;
  } catch {
    return { postMessage() {}, onmessage: null };
  }
}

/** Which web storage: `session` belongs to this tab, `local` to all tabs of the site. */
export type StorageArea = 'session' | 'local';

/** Returns the storage. Throws a `SecurityError` if the browser denies access. */
export function storageOf(area: StorageArea): Storage {
  return area === 'local' ? localStorage : sessionStorage;
}

/** Returns a stored value, or `undefined` if it's missing or malformed, or the browser denies access. */
export function readValue(area: StorageArea, name: string): unknown {
  try {
    return JSON.parse(storageOf(area).getItem(name) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

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

  /** Sends a message to the other tabs of this site. */
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

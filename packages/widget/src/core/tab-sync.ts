import { OAuthClientError } from '@latchkey/oauth';

/** Longer than any request may take, so that a holder that works is always waited for. */
const LOCK_TIMEOUT_MS = 45_000;

/** What the tabs of a site tell each other about one client's session. */
export interface TabSync<Message> {
  /**
   * Runs the work while no other tab does.
   * @throws OAuthClientError `timeout` when another tab did not come to an end.
   */
  alone<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result>;
  /** Tells every other tab, and no other site. */
  tell(message: Message): void;
  /** Calls back with what other tabs tell. */
  listen(hear: (message: Message) => void): void;
  close(): void;
}

/** Joins the tabs that use the same name. Where a browser lacks or refuses a part of it, every tab is on its own. */
export function joinTabs<Message>(name: string): TabSync<Message> {
  const channel = openChannel(name);
  return {
    async alone(work, signal) {
      if (!navigator.locks) return work();
      const patience = AbortSignal.timeout(LOCK_TIMEOUT_MS);
      let begun = false;
      try {
        return await navigator.locks.request(name, { signal: AbortSignal.any([signal, patience]) }, () => {
          begun = true;
          return work();
        });
      } catch (cause) {
        if (begun || signal.aborted) throw cause;
        // The browser gives no locks here.
        if (!patience.aborted) return work();
        throw new OAuthClientError(
          'timeout',
          'Another tab refreshes this session and does not come to an end.',
          {
            cause,
          },
        );
      }
    },
    tell: (message) => channel?.postMessage(message),
    listen(hear) {
      if (channel) channel.onmessage = ({ data }) => hear(data);
    },
    close: () => channel?.close(),
  };
}

function openChannel(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name);
  } catch {
    return undefined;
  }
}

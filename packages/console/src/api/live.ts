import { type ControlClient, ControlError, type StreamedEvent } from '@latchkey/sandbox/client';

/**
 * Something that happened in the sandbox. `connected` means that the stream is back after a pause and events may be
 * missing, so views re-read their data.
 */
export type LiveEvent = Pick<StreamedEvent, 'type' | 'data'>;

/** State of the stream, for the indicator on the page. */
export type LiveState = 'connecting' | 'open' | 'closed';

const RETRY_MS = 1000;

/**
 * The page's only stream of events. It connects with the first subscriber, resumes after a break with `Last-Event-ID`,
 * and pauses while the page is hidden: browsers allow few connections per site.
 */
export class Live {
  readonly #api: ControlClient;
  readonly #listeners = new Set<(event: LiveEvent) => void>();
  #lastId = '';
  #wasOpen = false;
  #abort: AbortController | undefined;
  /** Each change is an event `state`. */
  state: LiveState = 'closed';

  constructor(api: ControlClient) {
    this.#api = api;
    document.addEventListener('visibilitychange', () => this.#update());
    addEventListener('pagehide', () => this.#abort?.abort());
    addEventListener('pageshow', () => this.#update());
  }

  /** Calls the listener for each later event. Returns a function that unsubscribes it. */
  subscribe(listener: (event: LiveEvent) => void): () => void {
    this.#listeners.add(listener);
    this.#update();
    return () => {
      this.#listeners.delete(listener);
      this.#update();
    };
  }

  #update(): void {
    const isWanted = this.#listeners.size > 0 && !document.hidden;
    if (isWanted && (this.#abort === undefined || this.#abort.signal.aborted)) {
      this.#abort = new AbortController();
      void this.#follow(this.#abort.signal);
    }
    if (!isWanted) this.#abort?.abort();
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#show('connecting');
      try {
        for await (const event of this.#api.stream(signal, this.#lastId)) this.#receive(event);
      } catch (error) {
        // A wrong token stays wrong until the page has a new one.
        if (error instanceof ControlError && error.status === 401) break;
      }
      if (!signal.aborted) await pause(RETRY_MS, signal);
    }
    if (this.#abort?.signal === signal) this.#show('closed');
  }

  #receive({ id, ...event }: StreamedEvent): void {
    if (event.type === 'connected') this.#show('open');
    else this.#lastId = id;
    // The views load their data themselves when the page opens.
    if (event.type !== 'connected' || this.#wasOpen) this.#tell(event);
    this.#wasOpen = true;
  }

  #show(state: LiveState): void {
    this.state = state;
    this.#tell({ type: 'state', data: state });
  }

  #tell(event: LiveEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

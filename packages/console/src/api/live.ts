import { type ControlClient, ControlError } from '@latchkey/sandbox/client';

/** Something that happened in the sandbox. */
export interface LiveEvent {
  /** Number of the event, which grows by one. */
  readonly id: number;
  /**
   * Type of the sandbox's event: `request`, `delivery`, `mail`, `clock`, `reset`. Or `connected`: the stream is back
   * after a pause and events may be missing, so views re-read their data.
   */
  readonly type: string;
  readonly data: unknown;
}

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
  readonly #stateListeners = new Set<(state: LiveState) => void>();
  #lastId: string | undefined;
  #wasOpen = false;
  #abort: AbortController | undefined;
  #state: LiveState = 'closed';

  constructor(api: ControlClient) {
    this.#api = api;
    document.addEventListener('visibilitychange', () => this.#update());
    addEventListener('pagehide', () => this.#abort?.abort());
    addEventListener('pageshow', () => this.#update());
  }

  get state(): LiveState {
    return this.#state;
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

  /** Calls the listener with the state, now and after each change. */
  watchState(listener: (state: LiveState) => void): () => void {
    this.#stateListeners.add(listener);
    listener(this.#state);
    return () => void this.#stateListeners.delete(listener);
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
        await this.#readAll(signal);
      } catch (error) {
        // A wrong token stays wrong until the page has a new one.
        if (error instanceof ControlError && error.status === 401) break;
      }
      if (!signal.aborted) await pause(RETRY_MS, signal);
    }
    if (this.#abort?.signal === signal) this.#show('closed');
  }

  async #readAll(signal: AbortSignal): Promise<void> {
    const headers = this.#lastId === undefined ? {} : { 'Last-Event-ID': this.#lastId };
    const { body } = await this.#api.send('GET /stream', {}, { headers, signal });
    if (body === null) return;
    this.#show('open');
    if (this.#wasOpen) this.#tell({ id: Number(this.#lastId ?? 0), type: 'connected', data: null });
    this.#wasOpen = true;
    for await (const { id, type, data } of readServerSentEvents(body)) {
      if (signal.aborted) return;
      this.#lastId = id;
      this.#tell({ id: Number(id), type, data: JSON.parse(data) });
    }
  }

  #tell(event: LiveEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  #show(state: LiveState): void {
    this.#state = state;
    for (const listener of [...this.#stateListeners]) listener(state);
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

interface ServerSentEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
}

/** Reads server-sent events from a response. Ends when the response does. */
async function* readServerSentEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = eventOf(block);
      if (event !== undefined) yield event;
    }
  }
}

function eventOf(block: string): ServerSentEvent | undefined {
  const fields = new Map(
    block
      .split('\n')
      .filter((line) => !line.startsWith(':'))
      .map((line) => {
        const [name = '', ...rest] = line.split(': ');
        return [name, rest.join(': ')] as const;
      }),
  );
  const data = fields.get('data');
  return data === undefined
    ? undefined
    : { id: fields.get('id') ?? '', type: fields.get('event') ?? '', data };
}

import type { ServiceResponse, SimulatedService } from './token-service.ts';

/** Request between a page, a backend and the service. */
export interface Exchange {
  readonly number: number;
  readonly owner: object;
  readonly url: URL;
  readonly init: RequestInit;
  /** `sent` until it reaches its target, `handled` while a process works on it, then `answered` until it is received. */
  state: 'sent' | 'handled' | 'answered' | 'over';
  response?: ServiceResponse & { cookies?: readonly string[] };
  /** False once the sender has given up. The target may still receive the request. */
  isAwaited: boolean;
  resolve(response: Response): void;
  reject(error: unknown): void;
}

/** Connects pages and backends. Requests wait until the simulation moves them. */
export interface Network {
  readonly exchanges: readonly Exchange[];
  /** False if every new request fails at once. */
  readonly isOnline: boolean;
  setOnline(isOnline: boolean): void;
  /** Creates the `fetch` of a page or process. */
  fetchOf(owner: object): typeof fetch;
  /** Has a request reach its target, and its response wait. */
  execute(exchange: Exchange): Promise<void>;
  /** Hands a waiting response to its sender. */
  deliver(exchange: Exchange): void;
  /** Breaks the connection of a request. */
  lose(exchange: Exchange): void;
  /** Drops the sender's side of its requests. */
  forget(owner: object): void;
}

/** Watches what passes. */
export interface NetworkObserver {
  onSend(exchange: Exchange): void;
  onAnswer(exchange: Exchange): void;
  /** The sender received the response, or an error. */
  onSettled(exchange: Exchange, isReceived: boolean): void;
}

/**
 * Has a process handle a request. The process calls `answer` later, or never if it ends first.
 * @returns false for a request to the service.
 */
export type ProcessRoute = (exchange: Exchange, answer: () => void) => boolean;

export function createNetwork(
  service: SimulatedService,
  observer: NetworkObserver,
  route: ProcessRoute = () => false,
): Network {
  const exchanges: Exchange[] = [];
  let count = 0;
  let isOnline = true;
  const remove = (exchange: Exchange) => {
    exchange.state = 'over';
    const index = exchanges.indexOf(exchange);
    if (index >= 0) exchanges.splice(index, 1);
  };
  const giveUp = (exchange: Exchange, error: unknown) => {
    if (!exchange.isAwaited) return;
    exchange.isAwaited = false;
    observer.onSettled(exchange, false);
    exchange.reject(error);
    // A request on its way may still arrive. A response has no receiver any more.
    if (exchange.state === 'answered') remove(exchange);
  };
  return {
    exchanges,
    get isOnline() {
      return isOnline;
    },
    setOnline(online) {
      isOnline = online;
    },
    fetchOf:
      (owner) =>
      (input, init = {}) =>
        new Promise<Response>((resolve, reject) => {
          const { signal } = init;
          if (signal?.aborted) return reject(signal.reason);
          count += 1;
          const url = new URL(String(input));
          const exchange: Exchange = {
            number: count,
            owner,
            url,
            init,
            state: 'sent',
            isAwaited: true,
            resolve,
            reject,
          };
          exchanges.push(exchange);
          signal?.addEventListener('abort', () => giveUp(exchange, signal.reason), { once: true });
          observer.onSend(exchange);
          if (isOnline) return;
          giveUp(exchange, new TypeError('fetch failed'));
          remove(exchange);
        }),
    async execute(exchange) {
      const answer = () => {
        if (exchange.state === 'over') return;
        exchange.state = 'answered';
        observer.onAnswer(exchange);
        if (!exchange.isAwaited) remove(exchange);
      };
      exchange.state = 'handled';
      if (route(exchange, answer)) return;
      const { url, init } = exchange;
      const { method = 'GET', headers, body } = init;
      exchange.response = await service.handle({
        method,
        path: url.pathname,
        headers: new Headers(headers),
        form: new URLSearchParams(body instanceof URLSearchParams ? body : undefined),
      });
      answer();
    },
    deliver(exchange) {
      const { response, isAwaited } = exchange;
      remove(exchange);
      if (response === undefined || !isAwaited) return;
      exchange.isAwaited = false;
      observer.onSettled(exchange, true);
      const text = response.body === '' ? null : JSON.stringify(response.body);
      const headers = { 'content-type': 'application/json' };
      exchange.resolve(new Response(text, { status: response.status, headers }));
    },
    lose(exchange) {
      giveUp(exchange, new TypeError('fetch failed'));
      remove(exchange);
    },
    forget(owner) {
      for (const exchange of [...exchanges]) {
        if (exchange.owner !== owner || !exchange.isAwaited) continue;
        exchange.isAwaited = false;
        observer.onSettled(exchange, false);
        if (exchange.state === 'answered') remove(exchange);
      }
    },
  };
}

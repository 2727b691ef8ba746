import type { ServiceResponse, SimulatedService } from './token-service.ts';

/** Request between a page, a backend and the service. */
export interface RoundTrip {
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
  readonly roundTrips: readonly RoundTrip[];
  /** False if every new request fails at once. */
  readonly isOnline: boolean;
  setOnline(isOnline: boolean): void;
  /** Creates the `fetch` of a page or process. */
  fetchOf(owner: object): typeof fetch;
  /** Has a request reach its target, and its response wait. */
  execute(roundTrip: RoundTrip): Promise<void>;
  /** Hands a waiting response to its sender. */
  deliver(roundTrip: RoundTrip): void;
  /** Breaks the connection of a request. */
  lose(roundTrip: RoundTrip): void;
  /** Drops the sender's side of its requests. */
  forget(owner: object): void;
}

/** Watches what passes. */
export interface NetworkObserver {
  onSend(roundTrip: RoundTrip): void;
  onAnswer(roundTrip: RoundTrip): void;
  /** The sender received the response, or an error. */
  onSettled(roundTrip: RoundTrip, isReceived: boolean): void;
}

/**
 * Has a process handle a request. The process calls `answer` later, or never if it ends first.
 * @returns false for a request to the service.
 */
export type ProcessRoute = (roundTrip: RoundTrip, answer: () => void) => boolean;

export function createNetwork(
  service: SimulatedService,
  observer: NetworkObserver,
  route: ProcessRoute = () => false,
): Network {
  const roundTrips: RoundTrip[] = [];
  let count = 0;
  let isOnline = true;
  const remove = (roundTrip: RoundTrip) => {
    roundTrip.state = 'over';
    const index = roundTrips.indexOf(roundTrip);
    if (index >= 0) roundTrips.splice(index, 1);
  };
  const giveUp = (roundTrip: RoundTrip, error: unknown) => {
    if (!roundTrip.isAwaited) return;
    roundTrip.isAwaited = false;
    observer.onSettled(roundTrip, false);
    roundTrip.reject(error);
    // A request on its way may still arrive. A response has no receiver any more.
    if (roundTrip.state === 'answered') remove(roundTrip);
  };
  return {
    roundTrips,
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
          const roundTrip: RoundTrip = {
            number: count,
            owner,
            url,
            init,
            state: 'sent',
            isAwaited: true,
            resolve,
            reject,
          };
          roundTrips.push(roundTrip);
          signal?.addEventListener('abort', () => giveUp(roundTrip, signal.reason), { once: true });
          observer.onSend(roundTrip);
          if (isOnline) return;
          giveUp(roundTrip, new TypeError('fetch failed'));
          remove(roundTrip);
        }),
    async execute(roundTrip) {
      const answer = () => {
        if (roundTrip.state === 'over') return;
        roundTrip.state = 'answered';
        observer.onAnswer(roundTrip);
        if (!roundTrip.isAwaited) remove(roundTrip);
      };
      roundTrip.state = 'handled';
      if (route(roundTrip, answer)) return;
      const { url, init } = roundTrip;
      const { method = 'GET', headers, body } = init;
      roundTrip.response = await service.handle({
        method,
        path: url.pathname,
        headers: new Headers(headers),
        form: new URLSearchParams(body instanceof URLSearchParams ? body : undefined),
      });
      answer();
    },
    deliver(roundTrip) {
      const { response, isAwaited } = roundTrip;
      remove(roundTrip);
      if (response === undefined || !isAwaited) return;
      roundTrip.isAwaited = false;
      observer.onSettled(roundTrip, true);
      const text = response.body === '' ? null : JSON.stringify(response.body);
      const headers = { 'content-type': 'application/json' };
      roundTrip.resolve(new Response(text, { status: response.status, headers }));
    },
    lose(roundTrip) {
      giveUp(roundTrip, new TypeError('fetch failed'));
      remove(roundTrip);
    },
    forget(owner) {
      for (const roundTrip of [...roundTrips]) {
        if (roundTrip.owner !== owner || !roundTrip.isAwaited) continue;
        roundTrip.isAwaited = false;
        observer.onSettled(roundTrip, false);
        if (roundTrip.state === 'answered') remove(roundTrip);
      }
    },
  };
}

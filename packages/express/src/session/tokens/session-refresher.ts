import { setTimeout as pause } from 'node:timers/promises';
import { BoundedMap } from '../../platform/bounded-map.js';
import type { Clock } from '../../platform/clock.js';
import type { RefreshResult, SendRefresh, TokenRefreshResult } from '../model/refresh-result.js';
import { type Session, tokensKey } from '../model/session.js';
import type { RotationResult } from './rotate-tokens.js';

/** Milliseconds before expiry at which access tokens are renewed. */
export const REFRESH_SKEW_MS = 60_000;
/** Milliseconds after delivery for which requests with the rotated token receive its successor. */
const SUCCESSOR_GRACE_MS = 60_000;
/** Milliseconds after a failed refresh before the next one for the same token. */
const RETRY_PAUSE_MS = 5_000;
const MAX_RESULTS = 10_000;

export interface RefresherOptions {
  clock: Clock;
  /** Maximum time a visitor waits, in milliseconds. The refresh continues, because its response must not be lost. */
  maxWaitMs: number;
  /**
   * Calls the token endpoint. Rejects if the service does not respond.
   * @param scopes The scopes of the session, which stay granted if the response names none.
   */
  rotateTokens(refreshToken: string, scopes: readonly string[]): Promise<RotationResult>;
  /** Renews and stores the session. Never rejects. */
  storeRefresh(session: Session, send: SendRefresh): Promise<RefreshResult>;
}

interface PendingRefresh {
  result: Promise<RefreshResult>;
  /** By `performance.now()`. */
  startedAt: number;
}

interface SettledRefresh {
  result: RefreshResult;
  /** Time of completion, or of the first delivery to the browser. By the clock. */
  at: number;
  /** Number of responses that will deliver the successor, until the first is sent. */
  undelivered: number;
  isDelivered: boolean;
  /** Set once the cookie of a renewed session is available. */
  cookieValue?: string;
}

/** Cookie of the newest session that resulted from a session. */
export type LatestCookie =
  /** The session was not renewed. */
  | { kind: 'unchanged' }
  | { kind: 'renewed'; cookieValue: string }
  /** A refresh is in progress, or the renewed session has ended. */
  | { kind: 'unsettled' };

/**
 * Renews sessions. Within a process each refresh token is sent once: concurrent requests share the result, and requests
 * shortly afterwards receive the same successor. A rotated token is never sent knowingly, because a service may revoke the
 * successor then (RFC 9700 section 4.14.2).
 */
export class SessionRefresher {
  readonly #options: RefresherOptions;
  /** By {@link tokensKey}, as the results. */
  readonly #pending = new Map<string, PendingRefresh>();
  readonly #settled = new BoundedMap<string, SettledRefresh>(MAX_RESULTS);

  constructor(options: RefresherOptions) {
    this.#options = options;
  }

  /**
   * Renews the session's tokens, or returns the result of an earlier call for the same tokens. A session without a refresh
   * token has ended. Never rejects.
   */
  refresh(session: Session): Promise<RefreshResult> {
    if (session.tokens.refreshToken === undefined) return Promise.resolve({ kind: 'ended' });
    const cached = this.cachedResult(session);
    if (cached !== undefined) return Promise.resolve(cached);
    return this.#wait(this.#pending.get(tokensKey(session)) ?? this.#start(session));
  }

  #start(session: Session): PendingRefresh {
    const key = tokensKey(session);
    const result = this.#options
      .storeRefresh(session, (newest) => this.#send(newest))
      .then((settled) => {
        const entry: SettledRefresh = {
          result: settled,
          at: this.#options.clock.now(),
          undelivered: 0,
          isDelivered: false,
        };
        this.#settled.set(key, entry);
        this.#pending.delete(key);
        if (settled.kind === 'renewed')
          settled.cookieValue.then(
            (value) => (entry.cookieValue = value),
            () => {},
          );
        return settled;
      });
    const started = { result, startedAt: performance.now() };
    this.#pending.set(key, started);
    return started;
  }

  /** The limit counts from the start of the refresh, so a request that joins a slow refresh waits less. */
  async #wait({ result, startedAt }: PendingRefresh): Promise<RefreshResult> {
    const timer = new AbortController();
    const waitMs = Math.max(0, startedAt + this.#options.maxWaitMs - performance.now());
    const timedOut: RefreshResult = {
      kind: 'unavailable',
      cause: new Error('The session is still being renewed, and the maximum wait of its visitor is over.'),
    };
    const timeout = pause(waitMs, timedOut, { signal: timer.signal }).catch(() => timedOut);
    const first = await Promise.race([result, timeout]);
    timer.abort();
    return first;
  }

  /** Returns the result for the session's refresh token while it may be used. */
  cachedResult(session: Session): RefreshResult | undefined {
    const settled = this.#settled.get(tokensKey(session));
    if (settled === undefined) return undefined;
    const isAwaitingDelivery = settled.undelivered > 0 && !settled.isDelivered;
    if (settled.result.kind === 'ended' || isAwaitingDelivery) return settled.result;
    const now = this.#options.clock.now();
    const isRenewed = settled.result.kind === 'renewed';
    // After the clock was set back, the age is unknown. The token is rotated, so without its successor the session would
    // end. After a failure instead, a new request is safer than a long wait.
    if (isRenewed) settled.at = Math.min(settled.at, now);
    const age = now - settled.at;
    return age >= 0 && age < (isRenewed ? SUCCESSOR_GRACE_MS : RETRY_PAUSE_MS) ? settled.result : undefined;
  }

  /**
   * Records that a response will deliver the successor of a session. The grace period begins with the first delivery,
   * because until then the browser keeps sending the rotated token.
   * @returns Function to call when the response is sent or abandoned.
   */
  beginDelivery(session: Session): () => void {
    const settled = this.#settled.get(tokensKey(session));
    if (settled?.result.kind !== 'renewed' || settled.isDelivered) return () => {};
    settled.undelivered += 1;
    return () => {
      settled.undelivered -= 1;
      if (settled.isDelivered) return;
      settled.isDelivered = true;
      settled.at = this.#options.clock.now();
    };
  }

  /** Follows the chain of refreshes from a session to its newest cookie. Does not wait. */
  latestCookie(session: Session): LatestCookie {
    const visited = new Set<string>();
    let key = tokensKey(session);
    let latest: LatestCookie = { kind: 'unchanged' };
    // A service that returns an old token, against the spec, must not cause an endless loop.
    while (!visited.has(key)) {
      visited.add(key);
      if (this.#pending.has(key)) return { kind: 'unsettled' };
      const settled = this.#settled.get(key);
      if (settled === undefined || settled.result.kind === 'unavailable') return latest;
      if (settled.result.kind === 'ended' || settled.cookieValue === undefined) return { kind: 'unsettled' };
      latest = { kind: 'renewed', cookieValue: settled.cookieValue };
      key = tokensKey(settled.result.session);
    }
    return latest;
  }

  /** Resolves with the newest session that resulted from this one, after any refresh in progress. */
  async newestSession(session: Session): Promise<Session> {
    const visited = new Set<string>();
    let newest = session;
    while (!visited.has(tokensKey(newest))) {
      visited.add(tokensKey(newest));
      const pending = this.#pending.get(tokensKey(newest));
      const result = pending === undefined ? this.cachedResult(newest) : await pending.result;
      if (result?.kind !== 'renewed') break;
      newest = result.session;
    }
    return newest;
  }

  async #send(session: Session): Promise<TokenRefreshResult> {
    const { clock, rotateTokens } = this.#options;
    const { refreshToken, scopes } = session.tokens;
    if (refreshToken === undefined || this.#isRotated(session)) return { kind: 'ended' };
    try {
      const rotation = await rotateTokens(refreshToken, scopes);
      if (rotation.kind === 'rejected') return { kind: 'ended' };
      return { kind: 'renewed', session: { ...session, tokens: rotation.tokens, seenAt: clock.now() } };
    } catch (cause) {
      return { kind: 'unavailable', cause };
    }
  }

  /** True if this process has received the successor of the session's refresh token. */
  #isRotated(session: Session): boolean {
    const earlier = this.#settled.get(tokensKey(session))?.result;
    return earlier?.kind === 'renewed' && earlier.session.tokens.refreshToken !== session.tokens.refreshToken;
  }
}

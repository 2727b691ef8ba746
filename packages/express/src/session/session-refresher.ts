import { isOAuthClientError, type OAuthService, refreshTokenSet, type TokenSet } from '@latchkey/oauth';
import QuickLRU from 'quick-lru';
import type { Clock } from '../platform/clock.js';
import {
  type RefreshResult,
  type SendRefresh,
  type Session,
  type TokenRefreshResult,
  tokensKey,
} from './session.js';

/** How long before expiry access tokens are renewed, in milliseconds. */
export const REFRESH_SKEW_MS = 60_000;
/** How long after delivery requests with the rotated token receive its successor, in milliseconds. */
const SUCCESSOR_GRACE_MS = 60_000;
/** Pause after a failed refresh before the next one for the same token, in milliseconds. */
const RETRY_PAUSE_MS = 5_000;
const MAX_RESULTS = 5_000;
/** Maximum number of results that no response has carried to a browser yet: about 15 MB with tokens of usual length. */
const MAX_UNDELIVERED = 5_000;

interface RefresherOptions {
  clock: Clock;
  /** How long a visitor waits, in milliseconds. The refresh continues: its response must not be lost. */
  maxWaitMs: number;
  /**
   * Calls the token endpoint. Rejects if the service doesn't respond.
   * @param scopes the session's scopes, which stay granted if the response doesn't list any.
   */
  rotateTokens(refreshToken: string, scopes: readonly string[]): Promise<RotationResult>;
  /** Renews and stores the session. Never rejects. */
  storeRefresh(session: Session, send: SendRefresh): Promise<RefreshResult>;
  /**
   * True if only the cookie holds the tokens. A result is then kept until a response has carried its cookie: until then
   * the browser comes back with the rotated token, however late.
   */
  cookieHoldsTokens: boolean;
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
  /** Number of responses that will deliver the successor, until the first one is sent. */
  awaited: number;
  isDelivered: boolean;
  /** Set once the cookie of a renewed session is available. */
  cookieValue?: string;
}

/** The cookie of the newest session that resulted from a session. */
type LatestCookie =
  /** The session wasn't renewed. */
  | { kind: 'unchanged' }
  | { kind: 'renewed'; cookieValue: string }
  /** A refresh is in progress, or the renewed session has ended. */
  | { kind: 'unsettled' };

/**
 * Renews sessions. Within a process each refresh token is sent once: concurrent requests share the result, and requests
 * shortly afterwards receive the same successor. A rotated token is never sent knowingly: a service may then revoke the
 * successor (RFC 9700 section 4.14.2).
 */
export class SessionRefresher {
  readonly #options: RefresherOptions;
  /** By {@link tokensKey}, like the results. */
  readonly #pending = new Map<string, PendingRefresh>();
  readonly #settled = new QuickLRU<string, SettledRefresh>({ maxSize: MAX_RESULTS });
  /** Results that wait for a late visitor. Other visitors' renewals don't replace them. */
  readonly #undelivered = new QuickLRU<string, SettledRefresh>({ maxSize: MAX_UNDELIVERED });

  constructor(options: RefresherOptions) {
    this.#options = options;
  }

  /**
   * Renews the session's tokens, or returns the result of an earlier call for the same tokens. If that result's tokens
   * have expired too, renews them. A session without a refresh token has ended. Never rejects.
   */
  refresh(session: Session): Promise<RefreshResult> {
    const newest = this.#lastExpired(session);
    if (newest.tokens.refreshToken === undefined) return Promise.resolve({ kind: 'ended' });
    const cached = this.cachedResult(newest);
    if (cached !== undefined) return Promise.resolve(cached);
    return this.#wait(this.#pending.get(tokensKey(newest)) ?? this.#start(newest));
  }

  /** Follows the successors of a session while their access tokens have expired. A late visitor may need several. */
  #lastExpired(session: Session): Session {
    const now = this.#options.clock.now();
    const visited = new Set<string>();
    let newest = session;
    while (!visited.has(tokensKey(newest))) {
      visited.add(tokensKey(newest));
      const cached = this.cachedResult(newest);
      if (cached?.kind !== 'renewed' || now < cached.session.tokens.expiresAt) break;
      newest = cached.session;
    }
    return newest;
  }

  #start(session: Session): PendingRefresh {
    const key = tokensKey(session);
    const result = this.#options
      .storeRefresh(session, (newest) => this.#send(newest))
      .then((settled) => {
        const entry: SettledRefresh = {
          result: settled,
          at: this.#options.clock.now(),
          awaited: 0,
          isDelivered: false,
        };
        this.#settled.set(key, entry);
        if (settled.kind === 'renewed' && this.#options.cookieHoldsTokens) this.#undelivered.set(key, entry);
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

  /** The time counts from the start of the refresh, so a request that joins a slow refresh waits less. */
  async #wait({ result, startedAt }: PendingRefresh): Promise<RefreshResult> {
    const waitMs = Math.max(0, startedAt + this.#options.maxWaitMs - performance.now());
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<RefreshResult>((resolve) => {
      timer = setTimeout(() => resolve(timedOut()), waitMs);
    });
    const first = await Promise.race([result, timeout]);
    clearTimeout(timer);
    return first;
  }

  /** Returns the result for the session's refresh token for as long as it may be used. */
  cachedResult(session: Session): RefreshResult | undefined {
    const settled = this.#find(tokensKey(session));
    if (settled === undefined) return undefined;
    const isRenewed = settled.result.kind === 'renewed';
    const isKept = isRenewed && this.#options.cookieHoldsTokens;
    const isAwaitingDelivery = !settled.isDelivered && (isKept || settled.awaited > 0);
    if (settled.result.kind === 'ended' || isAwaitingDelivery) return settled.result;
    const now = this.#options.clock.now();
    // After the clock was set back, the age is unknown. If the token was rotated, the session would end without its
    // successor. After a failure, a new request is safer than a long wait.
    if (isRenewed) settled.at = Math.min(settled.at, now);
    const age = now - settled.at;
    return age >= 0 && age < (isRenewed ? SUCCESSOR_GRACE_MS : RETRY_PAUSE_MS) ? settled.result : undefined;
  }

  #find(key: string): SettledRefresh | undefined {
    return this.#settled.get(key) ?? this.#undelivered.get(key);
  }

  /**
   * Records that a response will deliver the successor of a session. The grace period begins with the first delivery:
   * until then the browser keeps sending the rotated token.
   * @returns a function to call when the response is sent or abandoned, with true if it carries the cookie.
   */
  beginDelivery(session: Session): (isSent: boolean) => void {
    const { links } = this.#chainFrom(session);
    for (const settled of links.values()) settled.awaited += 1;
    return (isSent) => {
      for (const settled of links.values()) settled.awaited -= 1;
      // With a store, the browser doesn't need the cookie.
      if (!isSent && this.#options.cookieHoldsTokens) return;
      this.#deliver(links);
      // A refresh may have settled in the meantime, and the response carries the newest cookie.
      this.#deliver(this.#chainFrom(session).links);
    };
  }

  /**
   * Stops waiting for a late visitor whose session was signed out or replaced. Requests in flight still receive its
   * successor during the grace period.
   */
  stopWaiting(session: Session): void {
    const { links, newest } = this.#chainFrom(session);
    this.#deliver(links);
    void this.#pending.get(tokensKey(newest))?.result.then(() => this.stopWaiting(newest));
  }

  #deliver(links: ReadonlyMap<string, SettledRefresh>): void {
    for (const [key, settled] of links) {
      if (settled.isDelivered) continue;
      settled.isDelivered = true;
      settled.at = this.#options.clock.now();
      this.#undelivered.delete(key);
    }
  }

  /** Returns the results in the chain of refreshes from a session, and the session at its end. */
  #chainFrom(session: Session): { links: ReadonlyMap<string, SettledRefresh>; newest: Session } {
    const links = new Map<string, SettledRefresh>();
    let newest = session;
    for (;;) {
      const key = tokensKey(newest);
      const settled = this.#find(key);
      // A service that returns an old token, against the spec, must not cause an endless loop.
      if (settled?.result.kind !== 'renewed' || links.has(key)) return { links, newest };
      links.set(key, settled);
      newest = settled.result.session;
    }
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
      const settled = this.#find(key);
      if (settled === undefined || settled.result.kind === 'unavailable') return latest;
      if (settled.result.kind === 'ended' || settled.cookieValue === undefined) return { kind: 'unsettled' };
      latest = { kind: 'renewed', cookieValue: settled.cookieValue };
      key = tokensKey(settled.result.session);
    }
    return latest;
  }

  /** Resolves to the newest session that resulted from this one, after any refresh in progress. */
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
    const earlier = this.#find(tokensKey(session))?.result;
    return earlier?.kind === 'renewed' && earlier.session.tokens.refreshToken !== session.tokens.refreshToken;
  }
}

/** Result of a token rotation that reached the service. */
export type RotationResult = { kind: 'rotated'; tokens: TokenSet } | { kind: 'rejected' };

/**
 * Rotates a refresh token. After a broken connection it's unknown whether the service processed the request, so it's
 * sent once more: the service then returns new tokens, or rejects the token.
 * @throws OAuthClientError if the service doesn't respond within `timeoutMs`.
 */
export async function rotateTokens(
  service: OAuthService,
  { refreshToken, scopes, timeoutMs }: { refreshToken: string; scopes: readonly string[]; timeoutMs: number },
): Promise<RotationResult> {
  const startedAt = performance.now();
  const send = () => {
    const remainingMs = Math.max(1, Math.ceil(startedAt + timeoutMs - performance.now()));
    return refreshTokenSet({ ...service, timeoutMs: remainingMs }, { refreshToken, scopes });
  };
  try {
    const tokens = await send().catch((error: unknown) => {
      if (isOAuthClientError(error) && error.code === 'network') return send();
      throw error;
    });
    return { kind: 'rotated', tokens };
  } catch (error) {
    if (isOAuthClientError(error) && error.code === 'invalid_grant') return { kind: 'rejected' };
    throw error;
  }
}

function timedOut(): RefreshResult {
  return {
    kind: 'unavailable',
    cause: new Error('The session is still being renewed, and the maximum wait of its visitor is over.'),
  };
}

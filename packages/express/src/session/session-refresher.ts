import { setTimeout as pause } from 'node:timers/promises';
import type { TokenSet } from '@latchkey/oauth';
import { BoundedMap } from '../bounded-map.js';
import type { Clock } from '../clock.js';
import type { RefreshOutcome, SendRefresh, SentRefresh } from './refresh-outcome.js';
import type { Session } from './session.js';

/** Access tokens are renewed this long before they expire. */
export const REFRESH_SKEW_MS = 60_000;
/** For this long after a refresh has reached its browser, requests that still carry the spent token get its successor. */
const SUCCESSOR_GRACE_MS = 60_000;
/** For this long after a failed refresh, the service is not asked again for the same token. */
const RETRY_PAUSE_MS = 5_000;
const REMEMBERED_REFRESHES = 10_000;

/** What the refresher needs from the rest of the kit. */
export interface RefresherDependencies {
  clock: Clock;
  /** Longest that a visitor waits, in milliseconds. The refresh itself goes on: its answer must not be lost. */
  patienceMs: number;
  /** The token endpoint: a new token set, `ended` for a refused token; rejects when it could not be asked. */
  requestTokens(refreshToken: string): Promise<TokenSet | 'ended'>;
  /** The store's part: never rejects. */
  keep(session: Session, send: SendRefresh): Promise<RefreshOutcome>;
}

interface RunningRefresh {
  outcome: Promise<RefreshOutcome>;
  /** By `performance.now()`. */
  startedAt: number;
}

interface SettledRefresh {
  outcome: RefreshOutcome;
  /** When it was settled, or when its first answer went to the browser; by the clock. */
  at: number;
  /** Answers that are to bring the successor and have not been sent, while none has. */
  unsent: number;
  isSent: boolean;
  /** Of a renewed session, once it is there. */
  cookieValue?: string;
}

/**
 * Renews sessions. In one process a refresh token is sent once, however many requests carry it: those that come
 * meanwhile wait for the same answer, and those that come shortly after get the same successor.
 */
export class SessionRefresher {
  readonly #dependencies: RefresherDependencies;
  readonly #running = new Map<string, RunningRefresh>();
  readonly #settled = new BoundedMap<string, SettledRefresh>(REMEMBERED_REFRESHES);

  constructor(dependencies: RefresherDependencies) {
    this.#dependencies = dependencies;
  }

  /** Renews the session's tokens, or gives what an earlier call for the same token has found. Never rejects. */
  refresh(session: Session): Promise<RefreshOutcome> {
    const known = this.known(session);
    if (known !== undefined) return Promise.resolve(known);
    const token = session.tokens.refreshToken;
    const running = this.#running.get(token) ?? this.#start(session);
    return this.#wait(running);
  }

  #start(session: Session): RunningRefresh {
    const token = session.tokens.refreshToken;
    const outcome = this.#dependencies
      .keep(session, (newest) => this.#send(newest))
      .then((settled) => {
        const entry: SettledRefresh = {
          outcome: settled,
          at: this.#dependencies.clock.now(),
          unsent: 0,
          isSent: false,
        };
        this.#settled.set(token, entry);
        this.#running.delete(token);
        if (settled.kind === 'renewed')
          settled.cookieValue.then(
            (value) => (entry.cookieValue = value),
            () => {},
          );
        return settled;
      });
    const started = { outcome, startedAt: performance.now() };
    this.#running.set(token, started);
    return started;
  }

  /** Nobody waits for long, and those who come late to a slow refresh not at all. */
  async #wait({ outcome, startedAt }: RunningRefresh): Promise<RefreshOutcome> {
    const patience = new AbortController();
    const waitMs = Math.max(0, startedAt + this.#dependencies.patienceMs - performance.now());
    const tooLong: RefreshOutcome = {
      kind: 'unavailable',
      cause: new Error('The session is still being renewed; its visitor has waited long enough.'),
    };
    const waiting = pause(waitMs, tooLong, { signal: patience.signal }).catch(() => tooLong);
    const first = await Promise.race([outcome, waiting]);
    patience.abort();
    return first;
  }

  /** What is already known about the session's refresh token, without asking anybody. */
  known(session: Session): RefreshOutcome | undefined {
    const settled = this.#settled.get(session.tokens.refreshToken);
    if (settled === undefined) return undefined;
    if (settled.outcome.kind === 'ended' || (settled.unsent > 0 && !settled.isSent)) return settled.outcome;
    const age = this.#dependencies.clock.now() - settled.at;
    const keptFor = settled.outcome.kind === 'renewed' ? SUCCESSOR_GRACE_MS : RETRY_PAUSE_MS;
    // A clock that was set back makes ages negative: better to ask again than to wait for it to catch up.
    return age >= 0 && age < keptFor ? settled.outcome : undefined;
  }

  /**
   * Notes that an answer is about to bring the session's successor to the browser, until the returned function is called:
   * before that the browser cannot know better than to send the spent token.
   */
  delivering(session: Session): () => void {
    const settled = this.#settled.get(session.tokens.refreshToken);
    if (settled?.outcome.kind !== 'renewed' || settled.isSent) return () => {};
    settled.unsent += 1;
    return () => {
      settled.unsent -= 1;
      if (settled.isSent) return;
      settled.isSent = true;
      settled.at = this.#dependencies.clock.now();
    };
  }

  /**
   * The cookie of the newest session that came out of this one, as far as is known at once: undefined when nothing has,
   * `unsettled` while something is about to, or when the service has taken back what there was.
   */
  latestOf(session: Session): string | undefined | 'unsettled' {
    const seen = new Set<string>();
    let token = session.tokens.refreshToken;
    let cookieValue: string | undefined;
    // A service that gives a token anew, against the spec, must not lead round in circles.
    while (!seen.has(token)) {
      seen.add(token);
      if (this.#running.has(token)) return 'unsettled';
      const settled = this.#settled.get(token);
      if (settled === undefined || settled.outcome.kind === 'unavailable') return cookieValue;
      if (settled.outcome.kind === 'ended' || settled.cookieValue === undefined) return 'unsettled';
      ({ cookieValue } = settled);
      token = settled.outcome.session.tokens.refreshToken;
    }
    return cookieValue;
  }

  /** The newest session that came out of this one, after any refresh that is under way. */
  async newest(session: Session): Promise<Session> {
    const seen = new Set<string>();
    let newest = session;
    while (!seen.has(newest.tokens.refreshToken)) {
      seen.add(newest.tokens.refreshToken);
      const running = this.#running.get(newest.tokens.refreshToken);
      const outcome = running === undefined ? this.known(newest) : await running.outcome;
      if (outcome?.kind !== 'renewed') break;
      newest = outcome.session;
    }
    return newest;
  }

  async #send(session: Session): Promise<SentRefresh> {
    const { clock, requestTokens } = this.#dependencies;
    try {
      const tokens = await requestTokens(session.tokens.refreshToken);
      if (tokens === 'ended') return { kind: 'ended' };
      return { kind: 'renewed', session: { ...session, tokens, seenAt: clock.now() } };
    } catch (cause) {
      return { kind: 'unavailable', cause };
    }
  }
}

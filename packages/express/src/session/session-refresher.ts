import type { TokenSet } from '@latchkey/oauth';
import { BoundedMap } from '../bounded-map.js';
import type { Clock } from '../clock.js';
import type { Session } from './session.js';

/** Access tokens are renewed this long before they expire. */
export const REFRESH_SKEW_MS = 60_000;
/** For this long after a refresh, requests that still carry the spent token get its successor. */
const SUCCESSOR_GRACE_MS = 60_000;
/** For this long after a failed refresh, the service is not asked again for the same token. */
const RETRY_PAUSE_MS = 5_000;
const REMEMBERED_REFRESHES = 10_000;

/** What became of a refresh. */
export type RefreshOutcome =
  /** `cookieValue` is the same promise for every request that gets this successor. */
  | { kind: 'renewed'; session: Session; cookieValue: Promise<string> }
  /** The refresh token is spent, revoked or expired: only signing in again helps. */
  | { kind: 'ended' }
  /** The service could not be asked; nothing is known about the token. */
  | { kind: 'unavailable'; cause: unknown };

/** What the refresher needs from the rest of the kit. */
export interface RefresherDependencies {
  clock: Clock;
  /** The token endpoint: a new token set, `ended` for a refused token; rejects when it could not be asked. */
  requestTokens(refreshToken: string): Promise<TokenSet | 'ended'>;
  saveSession(session: Session): Promise<string>;
}

/**
 * Renews sessions. In one process a refresh token is sent once, however many requests carry it: those that come
 * meanwhile wait for the same answer, and those that come shortly after get the same successor.
 */
export class SessionRefresher {
  readonly #dependencies: RefresherDependencies;
  readonly #running = new Map<string, Promise<RefreshOutcome>>();
  readonly #settled = new BoundedMap<string, { outcome: RefreshOutcome; at: number }>(REMEMBERED_REFRESHES);

  constructor(dependencies: RefresherDependencies) {
    this.#dependencies = dependencies;
  }

  /** Renews the session's tokens, or gives what an earlier call for the same token has found. Never rejects. */
  refresh(session: Session): Promise<RefreshOutcome> {
    const token = session.tokens.refreshToken;
    const known = this.known(session);
    if (known !== undefined) return Promise.resolve(known);
    const running = this.#running.get(token);
    if (running !== undefined) return running;
    const started = this.#run(session).then((outcome) => {
      this.#settled.set(token, { outcome, at: this.#dependencies.clock.now() });
      this.#running.delete(token);
      return outcome;
    });
    this.#running.set(token, started);
    return started;
  }

  /** What is already known about the session's refresh token, without asking the service. */
  known(session: Session): RefreshOutcome | undefined {
    const settled = this.#settled.get(session.tokens.refreshToken);
    if (settled === undefined) return undefined;
    if (settled.outcome.kind === 'ended') return settled.outcome;
    const age = this.#dependencies.clock.now() - settled.at;
    const keptFor = settled.outcome.kind === 'renewed' ? SUCCESSOR_GRACE_MS : RETRY_PAUSE_MS;
    // A clock that was set back makes ages negative: better to ask again than to wait for it to catch up.
    return age >= 0 && age < keptFor ? settled.outcome : undefined;
  }

  /** The newest session that came out of this one, after any refresh that is under way. */
  async newest(session: Session): Promise<Session> {
    const outcome = (await this.#running.get(session.tokens.refreshToken)) ?? this.known(session);
    return outcome?.kind === 'renewed' ? this.newest(outcome.session) : session;
  }

  async #run(session: Session): Promise<RefreshOutcome> {
    const { clock, requestTokens, saveSession } = this.#dependencies;
    let tokens: TokenSet | 'ended';
    try {
      tokens = await requestTokens(session.tokens.refreshToken);
    } catch (cause) {
      return { kind: 'unavailable', cause };
    }
    if (tokens === 'ended') return { kind: 'ended' };
    // From here on the old token is spent: whatever happens to the cookie, the successor is kept.
    const renewed = { ...session, tokens, seenAt: clock.now() };
    const cookieValue = saveSession(renewed);
    cookieValue.catch(() => {});
    return { kind: 'renewed', session: renewed, cookieValue };
  }
}

import { fetchMemberships, isOAuthClientError, type UserIdentity } from '@latchkey/oauth';
import type { Request, Response } from 'express';
import { compileRule, type MembershipRule } from './gates/membership-rule.js';
import type { Kit } from './kit.js';
import { LatchkeyError } from './latchkey-error.js';
import { FRESH_MS, type MembershipAnswer } from './memberships/membership-cache.js';
import type { RequestSession, SessionAccess } from './request-session.js';
import { failureDetails, isInconclusive } from './service-failure.js';
import { isOver, needsTouch, type Session } from './session/session.js';
import { REFRESH_SKEW_MS } from './session/session-refresher.js';
import { SessionStoreError } from './session/session-store.js';
import { SessionCookie } from './session-cookie.js';

/** Longer than any answer takes: a token that ends within it is renewed rather than put into a new cookie. */
const TOUCH_MARGIN_MS = 5 * 60_000;

/** By more than this the clocks of an app's machines do not differ. */
const CLOCK_DIFFERENCE_MS = 5 * 60_000;

/** Where a visit happens: the request, its answer, and where in the app the router is mounted. */
export interface VisitPlace {
  request: Request;
  response: Response;
  /** `req.baseUrl` at the router. */
  routerBase: string;
}

/** One request and the session it came with. Everything that changes a session's cookie goes through here. */
export class Visit implements SessionAccess {
  readonly #kit: Kit;
  readonly #place: VisitPlace;
  readonly #below: Visit | undefined;
  #above: Visit | undefined;
  readonly #opened: Session | undefined;
  /** The store could not say whether there is a session. */
  readonly #failure: SessionStoreError | undefined;
  #session: Session | undefined;
  #expired = false;
  readonly #cookie: SessionCookie;

  constructor(kit: Kit, place: VisitPlace, opened: Session | SessionStoreError | undefined) {
    this.#kit = kit;
    this.#place = place;
    this.#cookie = new SessionCookie(kit, place.response);
    const below = place.request.latchkey;
    this.#below = below instanceof Visit ? below : undefined;
    if (this.#below !== undefined) this.#below.#above = this;
    if (opened instanceof SessionStoreError) {
      this.#failure = opened;
      return;
    }
    this.#opened = opened;
    if (opened === undefined || kit.store.hasEnded(opened)) return;
    if (isOver(opened, kit.settings, kit.settings.clock.now())) this.#expired = true;
    else this.#session = opened;
  }

  /** What an instance of the kit has made of the same request: this visit, or one that was put over or under it. */
  of(kit: Kit): Visit | undefined {
    if (this.#kit === kit) return this;
    let visit = this.#above;
    while (visit !== undefined && visit.#kit !== kit) visit = visit.#above;
    if (visit !== undefined) return visit;
    visit = this.#below;
    while (visit !== undefined && visit.#kit !== kit) visit = visit.#below;
    return visit;
  }

  /** The same, as handlers see it. */
  asRequestSession(): RequestSession {
    // `signedIn` and `user` go together by construction, which the types of two getters cannot say.
    return this as RequestSession;
  }

  /** The session as the cookie had it, over or not. */
  get opened(): Session | undefined {
    return this.#opened;
  }

  get signedIn(): boolean {
    return this.#session !== undefined;
  }

  get user(): UserIdentity | undefined {
    return this.#session?.user;
  }

  get scopes(): readonly string[] {
    return this.#session?.tokens.scopes ?? [];
  }

  /** True when there was a session and it ran out: by its own life, or because the service refused to renew it. */
  get expired(): boolean {
    return this.#expired;
  }

  /** Path and query of the request as the browser sees them, below `appUrl`. */
  get publicPath(): string {
    const { request, routerBase } = this.#place;
    return `${this.#kit.settings.appPath}${request.originalUrl.slice(routerBase.length)}`;
  }

  /**
   * The session with an access token that is still good, or undefined when nobody is signed in (any more). At once
   * when nothing is due; otherwise after a refresh, or after a new cookie for the rolling life.
   * @throws LatchkeyError `service_unavailable` when the token has expired and cannot be renewed now, or the store
   * cannot be asked.
   */
  current(): Session | undefined | Promise<Session | undefined> {
    const session = this.#session;
    if (session === undefined) {
      return this.#failure === undefined ? undefined : Promise.reject(storeUnavailable(this.#failure));
    }
    const { settings, store } = this.#kit;
    // Signed out by another request since this one came in.
    if (store.hasEnded(session)) {
      this.#session = undefined;
      return undefined;
    }
    const now = settings.clock.now();
    // Used in the future: the clock was ahead, so the token ends earlier than it seems. If instead it is wrong now, by much,
    // then what is noted now would end the session when it is right again.
    const aheadMs = session.seenAt - now;
    const wasClockAhead = aheadMs > CLOCK_DIFFERENCE_MS && aheadMs < settings.rollingMs / 2;
    if (wasClockAhead || session.tokens.expiresAt - now <= REFRESH_SKEW_MS) return this.#renew(session);
    if (!needsTouch(session, settings, now)) return session;
    // A slow answer may reach the browser after that of a request that has renewed the session: the cookie that it
    // brings along must not hold a token that is spent by then.
    const isTokenEnding = session.tokens.expiresAt - now <= TOUCH_MARGIN_MS;
    if (store.cookieHoldsTokens && isTokenEnding) return this.#renew(session);
    return this.#touch({ ...session, seenAt: now });
  }

  async accessToken(): Promise<string> {
    const session = await this.current();
    if (session === undefined) throw signInRequired();
    return session.tokens.accessToken;
  }

  async memberships(): Promise<MembershipAnswer['memberships']> {
    return this.signedIn || this.#failure !== undefined ? (await this.membershipAnswer()).memberships : [];
  }

  async has(rule: MembershipRule): Promise<boolean> {
    const passes = compileRule(rule);
    return passes(await this.memberships());
  }

  /**
   * The visitor's memberships, remembered for at most `maxAgeMs`; while the service cannot be asked, for longer.
   * @param insist Asks the service although it could not be asked a moment ago.
   * @throws LatchkeyError `sign_in_required`, `insufficient_scope`, `service_unavailable`.
   */
  async membershipAnswer({ maxAgeMs = FRESH_MS, insist = false } = {}): Promise<MembershipAnswer> {
    const { memberships: cache, settings } = this.#kit;
    const session = await this.current();
    if (session === undefined) throw signInRequired();
    if (!session.tokens.scopes.includes('memberships.read')) {
      throw new LatchkeyError('insufficient_scope', 'The visitor has not granted memberships.read.');
    }
    const { sub } = session.user;
    const remembered = cache.peek(sub);
    if (remembered !== undefined && settings.clock.now() - remembered.fetchedAt < maxAgeMs) return remembered;
    const failure = insist ? undefined : cache.recentFailure(sub);
    if (failure !== undefined) return this.#staleMemberships(sub, failure.cause);
    try {
      return await this.#askForMemberships(session);
    } catch (error) {
      if (error instanceof LatchkeyError) throw error;
      cache.noteFailure(sub, error);
      settings.logger.warn('The memberships of a visitor could not be fetched.', failureDetails(error));
      return this.#staleMemberships(sub, error);
    }
  }

  async #askForMemberships(session: Session): Promise<MembershipAnswer> {
    const { memberships: cache, service } = this.#kit;
    const ask = ({ user, tokens: { accessToken } }: Session) =>
      cache.fetch({ sub: user.sub, accessToken }, () => fetchMemberships(service, { accessToken }));
    try {
      return await ask(session);
    } catch (error) {
      if (!isOAuthClientError(error) || error.code !== 'invalid_token') throw error;
    }
    // The service ended the token early, or somebody else has renewed it: renew, and ask once more.
    const renewed = await this.#renew(session);
    if (renewed === undefined) throw signInRequired();
    return ask(renewed);
  }

  #staleMemberships(sub: string, cause: unknown): MembershipAnswer {
    // What the service has refused is not overruled by what it once granted.
    const stale = isInconclusive(cause) ? this.#kit.memberships.peekStale(sub) : undefined;
    if (stale !== undefined) return stale;
    throw new LatchkeyError('service_unavailable', 'The memberships cannot be checked at the moment.', {
      cause,
    });
  }

  /**
   * Signs the visitor in: from now on this is the session, in the browser too.
   * When the session cannot be kept, its tokens are given back.
   * @throws LatchkeyError `service_unavailable` when the store does not take it.
   */
  async start(session: Session): Promise<void> {
    const { store, storeFailures, revocations } = this.#kit;
    const replaced = this.#opened;
    let cookieValue: string;
    try {
      cookieValue = await store.begin(session);
    } catch (error) {
      await revocations.revoke(session.tokens);
      if (!(error instanceof SessionStoreError)) throw error;
      storeFailures.error('A session could not be written to the store.', failureDetails(error));
      throw storeUnavailable(error);
    }
    if (replaced !== undefined && replaced.id !== session.id) {
      store.retire(replaced).catch((error: unknown) => {
        storeFailures.error('A session that was replaced is still in the store.', failureDetails(error));
      });
    }
    this.#session = session;
    this.#expired = false;
    this.#cookie.decide({ session, cookieValue });
  }

  /**
   * The browser is about to hear that its session is over. True when it has not heard so before. The cookie goes only
   * when the session's own life is past: the service may have refused a token because another process was faster, and
   * the browser may have signed in anew, so the cookie that would be deleted can be a good one, set meanwhile.
   */
  tellOfEnd(): boolean {
    const { settings, toldOfEnd } = this.#kit;
    const opened = this.#opened;
    if (opened === undefined || this.signedIn) return false;
    if (isOver(opened, settings, settings.clock.now())) {
      this.forget();
      return true;
    }
    const isNews = !toldOfEnd.has(opened.id);
    toldOfEnd.set(opened.id, true);
    return isNews;
  }

  /** Makes the browser forget the session. */
  forget(): void {
    this.#session = undefined;
    this.#cookie.decide('forget');
  }

  async #touch(session: Session): Promise<Session | undefined> {
    const { store, storeFailures } = this.#kit;
    let cookieValue: string;
    try {
      cookieValue = await store.touch(session);
    } catch (error) {
      if (!(error instanceof SessionStoreError)) throw error;
      // The session was read a moment ago and is good; one of the next requests will move its end on.
      storeFailures.error('The end of a session could not be moved on in the store.', failureDetails(error));
      return session;
    }
    // Signed out since the request came in: the browser must not get the session back.
    if (store.hasEnded(session)) {
      this.#session = undefined;
      return undefined;
    }
    this.#session = session;
    this.#cookie.decide({ session, cookieValue, movedOnAt: this.#kit.settings.clock.now() });
    return session;
  }

  async #renew(session: Session): Promise<Session | undefined> {
    const { refresher, store, settings } = this.#kit;
    const outcome = await refresher.refresh(session);
    if (outcome.kind === 'unavailable') {
      settings.logger.warn('A session could not be renewed.', failureDetails(outcome.cause));
      if (settings.clock.now() < session.tokens.expiresAt) return session;
      throw new LatchkeyError('service_unavailable', 'The session cannot be renewed at the moment.', {
        cause: outcome.cause,
      });
    }
    if (outcome.kind === 'ended' || store.hasEnded(session)) {
      this.#session = undefined;
      this.#expired = outcome.kind === 'ended';
      return undefined;
    }
    this.#session = outcome.session;
    this.#cookie.onceSent(() => refresher.delivering(session));
    try {
      const cookieValue = await outcome.cookieValue;
      this.#cookie.decide({ session: outcome.session, cookieValue, movedOnAt: settings.clock.now() });
    } catch (error) {
      // The visitor has good tokens all the same; only the browser will not remember them.
      settings.logger.error('A renewed session could not be put into its cookie.', failureDetails(error));
    }
    return outcome.session;
  }
}

const storeUnavailable = (cause: SessionStoreError) =>
  new LatchkeyError('service_unavailable', 'The session store cannot be asked at the moment.', { cause });

const signInRequired = () =>
  new LatchkeyError('sign_in_required', 'Nobody is signed in, or the session has ended.');

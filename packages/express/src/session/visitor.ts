import type { UserIdentity } from '@latchkey/oauth';
import type { Request, Response } from 'express';
import { readCookie } from '../http/cookies.js';
import { appLanguage, type Translate, translateFor, translateTo } from '../http/language.js';
import { compileSiteRule, type MembershipRule } from '../memberships/membership-rule.js';
import type { MembershipSnapshot, MembershipView } from '../memberships/membership-snapshot.js';
import { findMemberships, type LookupOptions } from '../memberships/membership-source.js';
import type { SiteMembership } from '../memberships/site-membership.js';
import { LatchkeyError, signInRequired } from '../platform/errors.js';
import { CurrentSession } from './current-session.js';
import type { Kit } from './kit.js';
import type { Session, SessionStoreError } from './session.js';

/**
 * Memberships that another process fetched this long before a payment count as older, in milliseconds: processes'
 * clocks differ.
 */
export const RECHECK_TOLERANCE_MS = 5_000;

const NO_MEMBERSHIPS: MembershipView = { memberships: [], known: [] };

/** The visitor of one request: implements `req.latchkey`. */
export class Visitor implements SessionAccess {
  readonly #kit: Kit;
  readonly #request: Request;
  readonly #routerBase: string;
  readonly #session: CurrentSession;
  /** Visitors that other instances created for the same request, in the order of their routers. */
  readonly #previous: Visitor | undefined;
  #next: Visitor | undefined;

  /**
   * @param routerBase `req.baseUrl` at the router.
   * @param opened the session of the request's cookie, or the store's error.
   */
  constructor(
    kit: Kit,
    { request, response }: Pick<Visit, 'request' | 'response'>,
    { routerBase, opened }: { routerBase: string; opened: Session | SessionStoreError | undefined },
  ) {
    this.#kit = kit;
    this.#request = request;
    this.#routerBase = routerBase;
    this.#session = new CurrentSession(kit, response, opened);
    const { latchkey: previous } = request;
    if (!(previous instanceof Visitor)) return;
    this.#previous = previous;
    previous.#next = this;
  }

  /** Returns the visitor that the instance with this kit created for the request. */
  static find(request: Express.Request, kit: Kit): Visitor | undefined {
    const last = request.latchkey;
    if (!(last instanceof Visitor)) return undefined;
    if (last.#kit === kit) return last;
    // `auth.signedIn()` sets `req.latchkey` to its own instance's visitor, so both directions are searched.
    let visitor = last.#next;
    while (visitor !== undefined && visitor.#kit !== kit) visitor = visitor.#next;
    if (visitor !== undefined) return visitor;
    visitor = last.#previous;
    while (visitor !== undefined && visitor.#kit !== kit) visitor = visitor.#previous;
    return visitor;
  }

  asRequestSession(): RequestSession {
    // `signedIn` and `user` always agree, which the types of two getters can't express.
    return this as RequestSession;
  }

  get session(): CurrentSession {
    return this.#session;
  }

  get signedIn(): boolean {
    return this.#session.value !== undefined;
  }

  get user(): UserIdentity | undefined {
    return this.#session.value?.user;
  }

  get scopes(): readonly string[] {
    return this.#session.value?.tokens.scopes ?? [];
  }

  /** Path and query of the request as the browser sees them. */
  get publicPath(): string {
    return `${this.#kit.app.appPath}${this.#request.originalUrl.slice(this.#routerBase.length)}`;
  }

  /** The app's language for this request, by its option. */
  get language(): string | undefined {
    return appLanguage(this.#kit.language, this.#request);
  }

  /**
   * Returns the translator for a page. A custom page is in a language that only the app knows, so its strings are in
   * English unless the app has said which.
   */
  textsFor(customPage: unknown): Translate {
    const { language } = this.#kit;
    return customPage === undefined ? translateFor(this.#request, language) : translateTo(this.language);
  }

  async accessToken(): Promise<string> {
    const session = await this.#session.current();
    if (session === undefined) throw signInRequired();
    return session.tokens.accessToken;
  }

  async memberships(): Promise<MembershipSnapshot['memberships']> {
    if (!this.signedIn && !this.#session.isUnknown) return [];
    return (await this.findMemberships()).memberships;
  }

  async has(rule: MembershipRule): Promise<boolean> {
    const compiled = compileSiteRule(rule, this.#kit);
    if (!this.signedIn && !this.#session.isUnknown) return compiled.matches(NO_MEMBERSHIPS);
    return compiled.matches(await this.findMemberships());
  }

  /**
   * Maximum age of memberships, in milliseconds, if `awaitMembership` has run for this browser within the last minute.
   * Older ones in this process's cache may not contain the paid membership: another process may have admitted the
   * visitor. The cookie isn't signed, since it only causes requests to the service.
   */
  get maxAgeSincePayment(): number | undefined {
    const { clock, recheckCookie } = this.#kit;
    const since = readCookie(this.#request.headers.cookie, recheckCookie.name);
    if (since === undefined) return undefined;
    return Math.max(0, clock.now() - Number.parseInt(since, 36) - RECHECK_TOLERANCE_MS) || 0;
  }

  /** @throws LatchkeyError `sign_in_required`, `insufficient_scope` or `service_unavailable`. */
  async findMemberships(
    options: LookupOptions = lookupOptions(this.maxAgeSincePayment),
  ): Promise<MembershipSnapshot> {
    const session = await this.#session.current();
    if (session === undefined) throw signInRequired();
    if (!session.tokens.scopes.includes('memberships.read')) {
      throw new LatchkeyError('insufficient_scope', 'The visitor has not granted memberships.read.');
    }
    return findMemberships(
      this.#kit,
      {
        sub: session.user.sub,
        accessToken: session.tokens.accessToken,
        renew: async () => (await this.#session.renew(session))?.tokens.accessToken,
      },
      options,
    );
  }
}

const lookupOptions = (maxAgeMs: number | undefined): LookupOptions =>
  maxAgeMs === undefined ? {} : { maxAgeMs };

/**
 * Returns the visitor that the instance with this kit created for the request.
 * @param caller the gate or function that needs the visitor, for the error message.
 * @throws Error if the instance's router hasn't run.
 */
export function requireVisitor(kit: Kit, caller: string, request: Express.Request): Visitor {
  const visitor = Visitor.find(request, kit);
  if (visitor !== undefined) return visitor;
  throw new Error(
    `${caller} ran before auth.router. Call app.use(auth.router) above the routes that have gates.`,
  );
}

/** Methods of `req.latchkey`. */
export interface SessionAccess {
  /**
   * Returns the visitor's running memberships from all sellers; an empty list for a signed-out visitor. `isKnown` is
   * true for those of this site. The result is at most one minute old, or five minutes during an outage of the service.
   * @throws LatchkeyError `service_unavailable`; `insufficient_scope` if the visitor didn't grant `memberships.read`;
   * `sign_in_required` if the session has ended.
   */
  memberships(): Promise<readonly SiteMembership[]>;
  /**
   * Resolves to true if the memberships satisfy a rule; false for a signed-out visitor. Use it to adapt a page. To
   * protect a route, use `requireMembership`.
   * @throws LatchkeyError like `memberships()`. LatchkeyOptionsError for an invalid rule.
   */
  has(rule: MembershipRule): Promise<boolean>;
  /**
   * Returns a valid access token, renewed if necessary. Keep it on the server. A renewal sets a cookie, so call this
   * method before headers are sent.
   * @throws LatchkeyError `sign_in_required` or `service_unavailable`.
   */
  accessToken(): Promise<string>;
}

/** Session of a signed-in visitor. */
export interface SignedInSession extends SessionAccess {
  /**
   * True if the session is within its rolling and absolute lifetime. Reading it doesn't call the service; a gate does
   * so when the access token has to be renewed.
   */
  readonly signedIn: true;
  /** The signed-in user. Use `sub` as the key of a user in your database, never `email`. */
  readonly user: UserIdentity;
  /** Scopes that the visitor granted, which can be fewer than requested. */
  readonly scopes: readonly string[];
}

/**
 * Session of a signed-out visitor. While the session store doesn't respond, every visitor appears signed out; gates and
 * the methods then fail with 503.
 */
export interface SignedOutSession extends SessionAccess {
  readonly signedIn: false;
  readonly user: undefined;
  readonly scopes: readonly string[];
}

/**
 * Type of `req.latchkey`, discriminated by `signedIn`. Set after `app.use(auth.router)`, also for signed-out visitors.
 * With several instances in one app, it belongs to the last one mounted; `auth.visitor(request)` returns the session of
 * a specific instance.
 */
export type RequestSession = SignedInSession | SignedOutSession;

/** A request behind a gate, as handlers in `auth.signedIn(…)` receive it. */
export type SignedInRequest<
  Params = Request['params'],
  ResponseBody = unknown,
  RequestBody = unknown,
  Query = Request['query'],
> = Request<Params, ResponseBody, RequestBody, Query> & { latchkey: SignedInSession };

declare global {
  namespace Express {
    interface Request {
      /** The visitor's session. Undefined until `app.use(auth.router)` has run for this request. */
      latchkey?: RequestSession;
    }
  }
}

/** A request to an endpoint or a gate. */
export interface Visit {
  visitor: Visitor;
  request: Request;
  response: Response;
}

/** The handler of a path below `mountPath`. Its errors go to Express. */
export type Endpoint = (visit: Visit) => Promise<void>;

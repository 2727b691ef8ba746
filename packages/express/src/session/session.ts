import type { TokenSet, UserIdentity } from '@latchkey/oauth';
import { z } from 'zod';
import type { Clock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import type { ExpressSessionStore, SessionLock } from '../stores/kit-store.js';

/** The session of a signed-in visitor: identity, tokens, and the times of its start and last use. */
export interface Session {
  /** Random. Every sign-in gets a new id. */
  readonly id: string;
  readonly user: UserIdentity;
  readonly tokens: TokenSet;
  /** Scopes that were requested but not granted. They're requested again only after a click. */
  readonly refusedScopes?: readonly string[] | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Last use, in milliseconds since the epoch. Updated at most once in an eighth of the rolling lifetime. */
  readonly seenAt: number;
}

/**
 * Returns a key for a session's tokens. It consists of both because a service can keep the refresh token when it renews
 * the access token.
 */
export function tokensKey({ tokens: { accessToken, refreshToken = '' } }: Session): string {
  return `${refreshToken} ${accessToken}`;
}

/** Lifetimes of a session, in milliseconds. */
export interface SessionLifetime {
  /** Maximum time since sign-in. */
  absoluteMs: number;
  /** Maximum time since the last use. */
  rollingMs: number;
}

/** True if the absolute or the rolling lifetime has passed, or the tokens have expired and can't be renewed. */
export function hasExpired(session: Session, lifetime: SessionLifetime, now: number): boolean {
  const { refreshToken, expiresAt } = session.tokens;
  if (refreshToken === undefined && now >= expiresAt) return true;
  return now >= session.createdAt + lifetime.absoluteMs || now >= session.seenAt + lifetime.rollingMs;
}

/** True if `seenAt` is old enough to be updated. */
export function needsTouch(session: Session, lifetime: SessionLifetime, now: number): boolean {
  return now - session.seenAt >= lifetime.rollingMs / 8;
}

// Short field names: the browser sends the whole session with every request.
const storedSession = z.object({
  i: z.string(),
  s: z.string(),
  e: z.string().nullable(),
  a: z.string(),
  // A service can issue an access token without a refresh token.
  r: z.string().optional(),
  x: z.number(),
  p: z.array(z.string()),
  q: z.array(z.string()).optional(),
  c: z.number(),
  l: z.number(),
});

/** Serializes a session for the cookie or a store. */
export function packSession(session: Session): z.infer<typeof storedSession> {
  const { id, user, tokens, refusedScopes = [], createdAt, seenAt } = session;
  return {
    i: id,
    s: user.sub,
    e: user.email,
    a: tokens.accessToken,
    r: tokens.refreshToken,
    x: tokens.expiresAt,
    p: tokens.scopes,
    ...(refusedScopes.length === 0 ? {} : { q: [...refusedScopes] }),
    c: createdAt,
    l: seenAt,
  };
}

/** Reverses {@link packSession}. Returns undefined for anything else. */
export function unpackSession(value: unknown): Session | undefined {
  const { success, data } = storedSession.safeParse(value);
  if (!success) return undefined;
  return {
    id: data.i,
    user: { sub: data.s, email: data.e },
    tokens: { accessToken: data.a, refreshToken: data.r, expiresAt: data.x, scopes: data.p },
    refusedScopes: data.q,
    createdAt: data.c,
    seenAt: data.l,
  };
}

/** How long requests in flight can use a session after another one replaced it in its browser, in milliseconds. */
export const RETIRED_LIFETIME_MS = 60_000;

/**
 * Converts sessions to cookie values and back. A sealed cookie contains the whole session; with a server-side store,
 * the cookie only contains a reference. Methods that call a server throw {@link SessionStoreError}.
 */
export interface SessionStore {
  /** True if a browser that misses a new cookie is left with rotated tokens. */
  readonly cookieHoldsTokens: boolean;
  newId(): string;
  /** Returns the session of a cookie value: synchronously if cached, undefined if the value is invalid. */
  open(cookieValue: string): Session | undefined | Promise<Session | undefined>;
  /** Returns the session id of a cookie value if it can be determined locally. */
  idOf(cookieValue: string): string | undefined;
  /** Stores a new session. Resolves to its cookie value. */
  begin(session: Session): Promise<string>;
  /** Extends the rolling lifetime of a session. Resolves to its cookie value. */
  touch(session: Session): Promise<string>;
  /** Rotates the tokens with `send`, which is called at most once, and stores the result. Never rejects. */
  refresh(session: Session, send: SendRefresh): Promise<RefreshResult>;
  /**
   * Ends the session: copies of its cookie become invalid. Resolves to the stored session if the store has one; another
   * process may have renewed it. If the store doesn't respond, rejects and continues in the background, including
   * revoking the tokens.
   */
  end(id: string): Promise<Session | undefined>;
  /**
   * Marks a session as replaced by another one in its browser. It ends after {@link RETIRED_LIFETIME_MS}, in all
   * processes with a server-side store, or in this one with sealed cookies.
   */
  retire(session: Session): Promise<void>;
  /** True if the session is known to have ended. Doesn't call a server. */
  hasEnded(session: Session): boolean;
  /** True if this process has called `retire` for the session. */
  wasReplaced(session: Session): boolean;
}

/** What an instance creates its session store from. */
export interface SessionStoreOptions extends SessionLifetime {
  /** Identifies the instance. Instances share no keys. */
  instance: string;
  cookieName: string;
  cookieSecrets: readonly [string, ...string[]];
  /** Undefined for sealed cookies. */
  sessionStore: ExpressSessionStore | undefined;
  sessionLock: SessionLock | undefined;
  /** Timeout of one call to the store or the lock, in milliseconds. */
  storeTimeoutMs: number;
  /** Maximum duration of a token refresh, in milliseconds. */
  refreshTimeoutMs: number;
  clock: Clock;
  logger: Log;
  /** Revokes tokens that no session will use. Never rejects. */
  discard(tokens: TokenSet): Promise<void>;
}

/** Thrown if the session store or the session lock fails. */
export class SessionStoreError extends Error {
  override readonly name = 'SessionStoreError';
}

/** Result of renewing a session. All requests that receive the session share the same `cookieValue` promise. */
export type RefreshResult =
  | { kind: 'renewed'; session: Session; cookieValue: Promise<string> }
  | Exclude<TokenRefreshResult, { kind: 'renewed' }>;

/** Result of the token request, before the session has a cookie. */
export type TokenRefreshResult =
  | { kind: 'renewed'; session: Session }
  /** The visitor signed out, or the refresh token was already rotated, or is revoked or expired. */
  | { kind: 'ended' }
  /** The service didn't respond, so the state of the token is unknown. */
  | { kind: 'unavailable'; cause: unknown };

/** Rotates the tokens of a session at the service. Never rejects. */
export type SendRefresh = (session: Session) => Promise<TokenRefreshResult>;

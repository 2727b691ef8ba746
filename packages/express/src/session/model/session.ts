import type { TokenSet, UserIdentity } from '@latchkey/oauth';
import { z } from 'zod';

/** Session of a signed-in visitor: identity, tokens, and the times of its start and last use. */
export interface Session {
  /** Random. Every sign-in gets a new id. */
  readonly id: string;
  readonly user: UserIdentity;
  readonly tokens: TokenSet;
  /** Scopes that were requested and not granted. They are requested again only after a click. */
  readonly refusedScopes?: readonly string[] | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Last use, in milliseconds since the epoch. Updated at most once in an eighth of the rolling lifetime. */
  readonly seenAt: number;
}

/** Identifies the tokens of a session. Both, because a service can keep the refresh token when it renews the access token. */
export function tokensKey({ tokens: { accessToken, refreshToken = '' } }: Session): string {
  return `${refreshToken} ${accessToken}`;
}

/** Lifetimes of a session in milliseconds. */
export interface SessionLifetime {
  /** Maximum time since sign-in. */
  absoluteMs: number;
  /** Maximum time since the last use. */
  rollingMs: number;
}

/** True if the absolute or the rolling lifetime has passed, or that of tokens that cannot be renewed. */
export function hasExpired(session: Session, lifetime: SessionLifetime, now: number): boolean {
  const { refreshToken, expiresAt } = session.tokens;
  if (refreshToken === undefined && now >= expiresAt) return true;
  return now >= session.createdAt + lifetime.absoluteMs || now >= session.seenAt + lifetime.rollingMs;
}

/** True if `seenAt` is old enough to be updated. */
export function needsTouch(session: Session, lifetime: SessionLifetime, now: number): boolean {
  return now - session.seenAt >= lifetime.rollingMs / 8;
}

// Short field names, because the browser sends the whole session with every request.
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

/** Reverses {@link packSession}. Returns undefined for the format of an incompatible version. */
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

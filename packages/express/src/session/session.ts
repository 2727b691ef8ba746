import type { TokenSet, UserIdentity } from '@latchkey/oauth';
import { z } from 'zod';

/** A signed-in visitor: who they are, their tokens, and when the session began and was last used. */
export interface Session {
  /** Random, new at every sign-in. */
  readonly id: string;
  readonly user: UserIdentity;
  readonly tokens: TokenSet;
  /** Scopes that were asked for and not granted: nobody is asked for them again without a click. */
  readonly refusedScopes?: readonly string[] | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** When it was last used, in milliseconds since the epoch; moved on at most once per eighth of the rolling life. */
  readonly seenAt: number;
}

/** How long sessions live, in milliseconds. */
export interface SessionLife {
  absoluteMs: number;
  rollingMs: number;
}

/** True once the session is past its absolute or its rolling end. */
export function isOver(session: Session, life: SessionLife, now: number): boolean {
  return now >= session.createdAt + life.absoluteMs || now >= session.seenAt + life.rollingMs;
}

/** True when `seenAt` is old enough to be worth a new cookie. */
export function needsTouch(session: Session, life: SessionLife, now: number): boolean {
  return now - session.seenAt >= life.rollingMs / 8;
}

// One letter a field: the whole session travels with every request.
const storedSession = z.object({
  i: z.string(),
  s: z.string(),
  e: z.string().nullable(),
  a: z.string(),
  r: z.string(),
  x: z.number(),
  p: z.array(z.string()),
  q: z.array(z.string()).optional(),
  c: z.number(),
  l: z.number(),
});

/** The session as it is kept in the cookie or a store. */
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

/** The reverse of {@link packSession}; undefined for what another version of the kit wrote. */
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

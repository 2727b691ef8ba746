import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { type CookieScope, clearCookie, cookiesWithPrefix, readCookie, setCookie } from '../cookies.js';
import type { Kit } from '../kit.js';

/** A visitor has this long to come back from the service. */
const ATTEMPT_LIFETIME_MS = 10 * 60_000;
/** Unfinished attempts of one browser; beyond this the oldest are dropped, lest the headers grow too large. */
const ATTEMPT_COOKIES_MAX_BYTES = 4000;

/** One sign-in by redirect, from leaving for the service to coming back. Each has its own cookie, so tabs don't mix. */
export interface SignInAttempt {
  readonly state: string;
  readonly codeVerifier: string;
  /** Absolute URL on the app's origin. */
  readonly returnTo: string;
  /** What was asked for. */
  readonly scopes: readonly string[];
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

const storedAttempt = z.object({
  state: z.string(),
  codeVerifier: z.string(),
  returnTo: z.string(),
  // An attempt of the version before has none, and comes back after a deployment.
  scopes: z.array(z.string()).default([]),
  startedAt: z.number(),
});

/** Names a state where it must not be spelled out: in cookie names and in the memory of used ones. */
export function stateHash(state: string): string {
  return createHash('sha256').update(state).digest('base64url').slice(0, 22);
}

/** Puts the attempt into a cookie of its own, and drops the oldest ones of this browser when there are too many. */
export async function rememberAttempt(
  kit: Kit,
  { request, response }: { request: Request; response: Response },
  attempt: SignInAttempt,
): Promise<void> {
  const value = await kit.attemptSeal.seal(attempt);
  const unfinished = cookiesWithPrefix(request.headers.cookie, kit.attemptCookie.name);
  let bytes = value.length + unfinished.reduce((sum, cookie) => sum + cookie.value.length, 0);
  for (const cookie of unfinished) {
    if (bytes <= ATTEMPT_COOKIES_MAX_BYTES) break;
    bytes -= cookie.value.length;
    response.append('Set-Cookie', clearCookie({ ...kit.attemptCookie, name: cookie.name }));
  }
  response.append('Set-Cookie', setCookie(cookieOf(kit, attempt.state), value, ATTEMPT_LIFETIME_MS / 1000));
}

/** What the cookie of an attempt said. */
export type RecalledAttempt =
  | { kind: 'found'; attempt: SignInAttempt }
  | { kind: 'missing' }
  /** Sealed with another secret, or altered. */
  | { kind: 'unreadable' }
  | { kind: 'expired'; attempt: SignInAttempt };

/** Finds the attempt that a state belongs to, among the cookies of the browser that brought it. */
export async function recallAttempt(kit: Kit, request: Request, state: string): Promise<RecalledAttempt> {
  const sealed = readCookie(request.headers.cookie, cookieOf(kit, state).name);
  if (sealed === undefined || sealed === '') return { kind: 'missing' };
  const { success, data: attempt } = storedAttempt.safeParse(await kit.attemptSeal.open(sealed));
  // The name is only a hint; the seal says which state it is for.
  if (!success || attempt.state !== state) return { kind: 'unreadable' };
  const age = kit.settings.clock.now() - attempt.startedAt;
  return { kind: age < ATTEMPT_LIFETIME_MS ? 'found' : 'expired', attempt };
}

/** Makes the browser forget the attempt: it works once. */
export function forgetAttempt(kit: Kit, response: Response, state: string): void {
  response.append('Set-Cookie', clearCookie(cookieOf(kit, state)));
}

function cookieOf(kit: Kit, state: string): CookieScope {
  return { ...kit.attemptCookie, name: `${kit.attemptCookie.name}${stateHash(state)}` };
}

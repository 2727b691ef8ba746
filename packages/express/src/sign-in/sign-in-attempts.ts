import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import QuickLRU from 'quick-lru';
import { z } from 'zod';
import {
  type CookieScope,
  clearCookie,
  cookiesWithPrefix,
  type RequestCookie,
  readCookie,
  setCookie,
} from '../http/cookies.js';
import type { Clock } from '../platform/clock.js';
import type { Kit } from '../session/kit.js';
import type { Seal } from '../session/seal.js';
import type { Session } from '../session/session.js';
import type { SignInFailure, SignInPages } from './sign-in-failure.js';

/** Milliseconds until an unfinished attempt expires. */
const ATTEMPT_LIFETIME_MS = 10 * 60_000;
/** Maximum size of the cookies of unfinished attempts in one browser. Beyond it, the oldest are deleted. */
const ATTEMPT_COOKIES_MAX_BYTES = 4000;
const MAX_REDEEMED = 5_000;
/** How long the callback of an attempt repeats its first result, in milliseconds. */
const REPEATED_FOR_MS = 60_000;
/** Result of {@link hashOf}. */
const SUFFIX = /^[A-Za-z0-9_-]{22}$/;

/** A sign-in by redirect, from the login endpoint to the callback. Each has its own cookie, so tabs don't interfere. */
export interface SignInAttempt {
  readonly state: string;
  readonly codeVerifier: string;
  /** Absolute URL on the app's origin. */
  readonly returnTo: string;
  readonly scopes: readonly string[];
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

export type SignInResult =
  | { kind: 'signed_in'; session: Session; returnTo: string }
  | { kind: 'failed'; reason: SignInFailure; attempt?: SignInAttempt };

export type RedeemedAttempt =
  /** `isRepeated`: by a request without the attempt's cookie, which an earlier response deleted. */
  | { kind: 'completed'; result: SignInResult; isRepeated: boolean }
  | { kind: 'expired'; attempt: SignInAttempt }
  | { kind: 'already_redeemed' }
  /** The browser didn't send the cookie. */
  | { kind: 'missing' }
  /** The cookie was sealed with another secret, or altered. */
  | { kind: 'unreadable' };

const storedAttempt = z.object({
  state: z.string(),
  codeVerifier: z.string(),
  returnTo: z.string(),
  scopes: z.array(z.string()),
  startedAt: z.number(),
});

export interface SignInKit extends Kit {
  pages: SignInPages;
  attempts: SignInAttempts;
  callbackUrl: string;
  /** Accepted redirect URIs of the widget's popup: the default callback pages and the option `widgetCallbackUrl`. */
  widgetCallbackUrls: ReadonlySet<string>;
}

/** Stores sign-in attempts in cookies, and completes each of them once. */
export class SignInAttempts {
  readonly #cookie: CookieScope;
  readonly #seal: Seal;
  readonly #clock: Clock;
  /** Redeemed attempts by the hash of their state. The result is dropped after {@link REPEATED_FOR_MS}. */
  readonly #redeemed = new QuickLRU<string, { result?: Promise<SignInResult>; at: number }>({
    maxSize: MAX_REDEEMED,
  });

  /** @param cookie the hash of the state is appended to its name. */
  constructor(cookie: CookieScope, { seal, clock }: { seal: Seal; clock: Clock }) {
    this.#cookie = cookie;
    this.#seal = seal;
    this.#clock = clock;
  }

  /** Stores the attempt in a cookie, and deletes the oldest attempts of the browser if there are too many. */
  async begin(
    { request, response }: { request: Request; response: Response },
    attempt: SignInAttempt,
  ): Promise<void> {
    const value = await this.#seal.seal(attempt);
    const unfinished = this.#cookiesIn(request);
    let bytes = value.length + unfinished.reduce((sum, cookie) => sum + cookie.value.length, 0);
    for (const cookie of unfinished) {
      if (bytes <= ATTEMPT_COOKIES_MAX_BYTES) break;
      bytes -= cookie.value.length;
      response.append('Set-Cookie', clearCookie({ ...this.#cookie, name: cookie.name }));
    }
    const scope = this.#cookieOf(hashOf(attempt.state));
    response.append('Set-Cookie', setCookie(scope, value, ATTEMPT_LIFETIME_MS / 1000));
  }

  /**
   * Redeems the attempt with this state, once: `complete` runs for the first request that has its cookie. For a minute,
   * a reload or a second request waits for the first result and receives it too.
   */
  async redeem(
    { request, response }: { request: Request; response: Response },
    state: string,
    complete: (attempt: SignInAttempt) => Promise<SignInResult>,
  ): Promise<RedeemedAttempt> {
    const hash = hashOf(state);
    const scope = this.#cookieOf(hash);
    const sealed = readCookie(request.headers.cookie, scope.name) ?? '';
    const attempt = sealed === '' ? undefined : await this.#open(sealed);
    const isOwn = attempt?.state === state;
    if (isOwn) response.append('Set-Cookie', clearCookie(scope));
    const redeemed = this.#redeemed.get(hash);
    if (redeemed !== undefined) {
      if (this.#clock.now() - redeemed.at >= REPEATED_FOR_MS) delete redeemed.result;
      if (redeemed.result === undefined) return { kind: 'already_redeemed' };
      return { kind: 'completed', result: await redeemed.result, isRepeated: !isOwn };
    }
    if (sealed === '') return { kind: 'missing' };
    const first: { result?: Promise<SignInResult>; at: number } = { at: this.#clock.now() };
    this.#redeemed.set(hash, first);
    // The cookie's name can be forged, so the sealed state is compared.
    if (!isOwn) return { kind: 'unreadable' };
    if (first.at - attempt.startedAt >= ATTEMPT_LIFETIME_MS) return { kind: 'expired', attempt };
    first.result = complete(attempt);
    // Tokens don't stay in memory.
    setTimeout(() => delete first.result, REPEATED_FOR_MS).unref();
    // Errors come from the app. Requests that wait receive them too.
    const result = await first.result.catch((error: unknown) => {
      delete first.result;
      throw error;
    });
    return { kind: 'completed', result, isRepeated: false };
  }

  async #open(sealed: string): Promise<SignInAttempt | undefined> {
    return storedAttempt.safeParse(await this.#seal.open(sealed)).data;
  }

  countIn(request: Request): number {
    return this.#cookiesIn(request).length;
  }

  /** Returns the attempt cookies of a request. Cookies with another suffix aren't ours, and are never sent back. */
  #cookiesIn(request: Request): RequestCookie[] {
    const { name: prefix } = this.#cookie;
    return cookiesWithPrefix(request.headers.cookie, prefix).filter(({ name }) =>
      SUFFIX.test(name.slice(prefix.length)),
    );
  }

  #cookieOf(hash: string): CookieScope {
    return { ...this.#cookie, name: `${this.#cookie.name}${hash}` };
  }
}

/** Identifies a state in cookie names, where the state itself must not appear. */
function hashOf(state: string): string {
  return createHash('sha256').update(state).digest('base64url').slice(0, 22);
}

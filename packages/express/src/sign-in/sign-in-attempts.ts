import { createHash, randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import QuickLRU from 'quick-lru';
import { z } from 'zod';
import { type CookieScope, clearCookie, readCookie, setCookie } from '../http/cookies.js';
import type { Clock } from '../platform/clock.js';
import type { Kit } from '../session/kit.js';
import type { Seal } from '../session/seal.js';
import type { Session } from '../session/session.js';
import type { SignInFailure, SignInPages } from './sign-in-failure.js';

/** Milliseconds until an unfinished attempt expires. */
const ATTEMPT_LIFETIME_MS = 10 * 60_000;
const MAX_REDEEMED = 5_000;
/** How long the callback of an attempt repeats its first result, in milliseconds. */
const REPEATED_FOR_MS = 60_000;

/** A sign-in by redirect, from the login endpoint to the callback. */
export interface SignInAttempt {
  readonly codeVerifier: string;
  /** Absolute URL on the app's origin. */
  readonly returnTo: string;
  readonly scopes: readonly string[];
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** True if it replaces an attempt that lost its cookie. */
  readonly isSecond?: boolean | undefined;
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
  /** An attempt that the browser began at the same time took the cookie. */
  | { kind: 'replaced'; attempt: SignInAttempt }
  /** The state was sealed with another secret, or made up. */
  | { kind: 'unreadable' };

const sealedAttempt = z.object({
  /** Hash of the cookie's value. */
  browser: z.string(),
  codeVerifier: z.string(),
  returnTo: z.string(),
  scopes: z.array(z.string()),
  startedAt: z.number(),
  isSecond: z.boolean().optional(),
});
const sealedPage = z.object({ hash: z.string(), returnTo: z.string() });

export interface SignInKit extends Kit {
  pages: SignInPages;
  attempts: SignInAttempts;
  callbackUrl: string;
  /** Accepted redirect URIs of the widget's popup: the default callback pages and the option `widgetCallbackUrl`. */
  widgetCallbackUrls: ReadonlySet<string>;
}

/**
 * Seals sign-in attempts into their state, which the service echoes, and completes each of them once, in the browser
 * that began it: it has a secret in one of 64 small cookies. A browser that restores its tabs begins any number of
 * attempts at once, and their cookies must not grow beyond what servers accept.
 */
export class SignInAttempts {
  readonly #cookie: CookieScope;
  readonly #seal: Seal;
  readonly #clock: Clock;
  /** Redeemed attempts by the hash of their state. The result is dropped after {@link REPEATED_FOR_MS}. */
  readonly #redeemed = new QuickLRU<string, { result?: Promise<SignInResult>; at: number }>({
    maxSize: MAX_REDEEMED,
  });

  /** @param cookie the first character of the state's hash, or `page`, is appended to its name. */
  constructor(cookie: CookieScope, { seal, clock }: { seal: Seal; clock: Clock }) {
    this.#cookie = cookie;
    this.#seal = seal;
    this.#clock = clock;
  }

  /**
   * Returns the attempt's state.
   * @param page what the visitor wanted. If it's too long for the state, so not `returnTo`, the newest one has a cookie.
   */
  async begin(
    { request, response }: { request: Request; response: Response },
    { attempt, page }: { attempt: SignInAttempt; page: string },
  ): Promise<string> {
    const secret = randomBytes(16).toString('base64url');
    const age = ATTEMPT_LIFETIME_MS / 1000;
    let tries = 8;
    let state: string;
    let scope: CookieScope;
    do {
      state = await this.#seal.seal({ ...attempt, browser: hashOf(secret) });
      scope = this.#cookieOf(hashOf(state).charAt(0));
      tries -= 1;
    } while (tries > 0 && readCookie(request.headers.cookie, scope.name) !== undefined);
    response.append('Set-Cookie', setCookie(scope, secret, age));
    if (page !== attempt.returnTo) {
      const sealed = await this.#seal.seal({ hash: hashOf(state), returnTo: page });
      response.append('Set-Cookie', setCookie(this.#cookieOf('page'), sealed, age));
    }
    return state;
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
    const scope = this.#cookieOf(hash.charAt(0));
    const sent = readCookie(request.headers.cookie, scope.name) ?? '';
    const opened = sent === '' ? undefined : sealedAttempt.safeParse(await this.#seal.open(state)).data;
    const isOwn = opened?.browser === hashOf(sent);
    const page = isOwn ? await this.#takePage({ request, response }, hash) : undefined;
    if (isOwn) response.append('Set-Cookie', clearCookie(scope));
    const redeemed = this.#redeemed.get(hash);
    if (redeemed !== undefined) {
      if (this.#clock.now() - redeemed.at >= REPEATED_FOR_MS) delete redeemed.result;
      if (redeemed.result === undefined) return { kind: 'already_redeemed' };
      return { kind: 'completed', result: await redeemed.result, isRepeated: !isOwn };
    }
    if (sent === '') return { kind: 'missing' };
    if (opened === undefined) return { kind: 'unreadable' };
    if (!isOwn) return opened.isSecond ? { kind: 'missing' } : { kind: 'replaced', attempt: opened };
    const attempt = { ...opened, ...page };
    const first: { result?: Promise<SignInResult>; at: number } = { at: this.#clock.now() };
    this.#redeemed.set(hash, first);
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

  /** Returns the page of the newest attempt with a long one, if it's this attempt's, and deletes its cookie. */
  async #takePage({ request, response }: { request: Request; response: Response }, hash: string) {
    const scope = this.#cookieOf('page');
    const sealed = readCookie(request.headers.cookie, scope.name);
    const page = sealed === undefined ? undefined : sealedPage.safeParse(await this.#seal.open(sealed)).data;
    if (page?.hash !== hash) return undefined;
    response.append('Set-Cookie', clearCookie(scope));
    return { returnTo: page.returnTo };
  }

  #cookieOf(suffix: string): CookieScope {
    return { ...this.#cookie, name: `${this.#cookie.name}${suffix}` };
  }
}

/** Hashes a state or a cookie's value. */
function hashOf(state: string): string {
  return createHash('sha256').update(state).digest('base64url').slice(0, 22);
}

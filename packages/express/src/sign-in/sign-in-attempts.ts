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
import type { SignInPages } from './sign-in-failure.js';

/** Milliseconds until an unfinished attempt expires. */
const ATTEMPT_LIFETIME_MS = 10 * 60_000;
/** Limit for the cookies of unfinished attempts in one browser. Beyond it the oldest are deleted. */
const ATTEMPT_COOKIES_MAX_BYTES = 4000;
const MAX_REDEEMED = 5_000;
/** Result of {@link hashOf}. */
const SUFFIX = /^[A-Za-z0-9_-]{22}$/;

/** A sign-in by redirect, from the login endpoint to the callback. Each has its own cookie, so tabs do not interfere. */
export interface SignInAttempt {
  readonly state: string;
  readonly codeVerifier: string;
  /** Absolute URL on the app's origin. */
  readonly returnTo: string;
  readonly scopes: readonly string[];
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

export type RedeemedAttempt =
  | { kind: 'valid'; attempt: SignInAttempt }
  | { kind: 'expired'; attempt: SignInAttempt }
  | { kind: 'already_redeemed' }
  /** The browser did not send the cookie. */
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
  /** Accepted redirect URIs of the widget's popup: the default callback pages, and the option `widgetCallbackUrl`. */
  widgetCallbackUrls: ReadonlySet<string>;
}

/** Stores sign-in attempts in cookies, and redeems each of them once. */
export class SignInAttempts {
  readonly #cookie: CookieScope;
  readonly #seal: Seal;
  readonly #clock: Clock;
  /** Hashes of redeemed states. */
  readonly #redeemed = new QuickLRU<string, true>({ maxSize: MAX_REDEEMED });

  /** @param cookie The hash of the state is appended to its name. */
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
   * Redeems the attempt of a state. It must belong to the browser that sends the request. An attempt whose cookie was
   * sent cannot be redeemed again, whatever the result.
   */
  async redeem(
    { request, response }: { request: Request; response: Response },
    state: string,
  ): Promise<RedeemedAttempt> {
    const hash = hashOf(state);
    if (this.#redeemed.has(hash)) return { kind: 'already_redeemed' };
    const scope = this.#cookieOf(hash);
    const sealed = readCookie(request.headers.cookie, scope.name);
    if (sealed === undefined || sealed === '') return { kind: 'missing' };
    const { success, data: attempt } = storedAttempt.safeParse(await this.#seal.open(sealed));
    // Of two concurrent requests, only the first redeems the attempt.
    if (this.#redeemed.has(hash)) return { kind: 'already_redeemed' };
    this.#redeemed.set(hash, true);
    response.append('Set-Cookie', clearCookie(scope));
    // The cookie's name can be forged, so the sealed state is compared.
    if (!success || attempt.state !== state) return { kind: 'unreadable' };
    const age = this.#clock.now() - attempt.startedAt;
    return { kind: age < ATTEMPT_LIFETIME_MS ? 'valid' : 'expired', attempt };
  }

  /** Number of attempt cookies in a request. */
  countIn(request: Request): number {
    return this.#cookiesIn(request).length;
  }

  /** Returns the attempt cookies of a request. Names with another suffix are not from here, and are never sent back. */
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

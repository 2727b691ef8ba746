import { createHash } from 'node:crypto';
import { type CookieScope, readCookie, setCookie } from '../http/cookies.js';
import type { Clock } from '../platform/clock.js';
import type { VisitorExchange } from '../sign-in/endpoint.js';

/** Milliseconds during which a payment can be on its way to the directory. Events usually arrive within seconds. */
const LIFETIME_MS = 10 * 60_000;

/**
 * Records in a cookie that a visitor returned from the checkout of a plan, before the membership was confirmed. The
 * cookie is not signed: changing it only affects the visitor's own next order.
 */
export class RecentReturns {
  readonly #cookie: CookieScope;
  readonly #clock: Clock;

  constructor(cookie: CookieScope, clock: Clock) {
    this.#cookie = cookie;
    this.#clock = clock;
  }

  /** True if this visitor returned from a checkout of the plan within the last minutes. */
  has({ request, visitor }: VisitorExchange, planId: string): boolean {
    const [since = '', name] = readCookie(request.headers.cookie, this.#cookie.name)?.split('.') ?? [];
    const elapsedMs = this.#clock.now() - Number.parseInt(since, 36);
    return name === nameOf(visitor.user?.sub, planId) && elapsedMs >= 0 && elapsedMs < LIFETIME_MS;
  }

  record({ response, visitor }: VisitorExchange, planId: string): void {
    const value = `${this.#clock.now().toString(36)}.${nameOf(visitor.user?.sub, planId)}`;
    response.append('Set-Cookie', setCookie(this.#cookie, value, LIFETIME_MS / 1000));
  }
}

function nameOf(sub: string | undefined, planId: string): string {
  return createHash('sha256').update(`${sub} ${planId}`).digest('base64url').slice(0, 12);
}

import { createHash } from 'node:crypto';
import { type CookieScope, readCookie, setCookie } from '../http/cookies.js';
import type { Clock } from '../platform/clock.js';
import { comparableId } from '../platform/comparable-id.js';
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

  /** Milliseconds since this visitor returned from a checkout of the plan. Undefined if that was not recently. */
  elapsedMs({ request, visitor }: VisitorExchange, planId: string): number | undefined {
    const [since = '', name] = readCookie(request.headers.cookie, this.#cookie.name)?.split('.') ?? [];
    const elapsedMs = this.#clock.now() - Number.parseInt(since, 36);
    const isValid = name === nameOf(visitor.user?.sub, planId) && elapsedMs >= 0 && elapsedMs < LIFETIME_MS;
    return isValid ? elapsedMs : undefined;
  }

  /** Records the return, unless a recent one is recorded. */
  begin(exchange: VisitorExchange, planId: string): void {
    if (this.elapsedMs(exchange, planId) !== undefined) return;
    const value = `${this.#clock.now().toString(36)}.${nameOf(exchange.visitor.user?.sub, planId)}`;
    exchange.response.append('Set-Cookie', setCookie(this.#cookie, value, LIFETIME_MS / 1000));
  }
}

function nameOf(sub: string | undefined, planId: string): string {
  const user = sub === undefined ? undefined : comparableId(sub);
  return createHash('sha256').update(`${user} ${planId}`).digest('base64url').slice(0, 12);
}

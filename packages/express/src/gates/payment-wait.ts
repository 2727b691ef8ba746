import { createHash } from 'node:crypto';
import { type CookieScope, clearCookie, readCookie, setCookie } from '../http/cookies.js';
import { FRESH_MS } from '../memberships/membership-cache.js';
import type { Clock } from '../platform/clock.js';
import { comparableId } from '../platform/comparable-id.js';
import { CLOCK_DIFFERENCE_MS } from '../session/request/visitor.js';
import type { VisitorExchange } from '../sign-in/endpoint.js';

/** Milliseconds after which a visitor who returns to the page starts a new waiting time. */
const WAIT_COOKIE_LIFETIME_MS = 10 * 60_000;

/** Seconds after which no process caches memberships from before the admission any more. */
const RECHECK_SECONDS = (FRESH_MS + CLOCK_DIFFERENCE_MS) / 1000;

export interface PaymentWaitContext {
  waitCookie: CookieScope;
  recheckCookie: CookieScope;
  clock: Clock;
}

/**
 * Time since a visitor first opened the page of `awaitMembership`. It is kept in a cookie, because any process can
 * receive the next request. The cookie is not signed: changing it only changes the waiting time.
 */
export class PaymentWait {
  readonly #context: PaymentWaitContext;
  readonly #exchange: VisitorExchange;
  readonly #name: string;

  /** @param sub The user, since each user waits separately. */
  constructor(context: PaymentWaitContext, exchange: VisitorExchange, sub: string) {
    this.#context = context;
    this.#exchange = exchange;
    const [path] = exchange.visitor.publicPath.split('?', 1);
    this.#name = createHash('sha256')
      .update(`${comparableId(sub)} ${path}`)
      .digest('base64url')
      .slice(0, 12);
  }

  /** Returns the time that this user has waited on this page, in milliseconds. Undefined on the first request. */
  elapsedMs(): number | undefined {
    const { clock, waitCookie } = this.#context;
    const cookie = readCookie(this.#exchange.request.headers.cookie, waitCookie.name);
    const [since = '', name] = cookie?.split('.') ?? [];
    const elapsedMs = clock.now() - Number.parseInt(since, 36);
    const isValid = name === this.#name && elapsedMs >= 0 && elapsedMs < WAIT_COOKIE_LIFETIME_MS;
    return isValid ? elapsedMs : undefined;
  }

  begin(): void {
    const { clock, waitCookie } = this.#context;
    const value = `${clock.now().toString(36)}.${this.#name}`;
    this.#exchange.response.append(
      'Set-Cookie',
      setCookie(waitCookie, value, WAIT_COOKIE_LIFETIME_MS / 1000),
    );
  }

  /** Ends the wait of a visitor who was admitted. */
  end(): void {
    const { waitCookie } = this.#context;
    if (this.elapsedMs() !== undefined) this.#exchange.response.append('Set-Cookie', clearCookie(waitCookie));
  }

  /** Lets no process use memberships of this visitor that are older than `time`, in milliseconds since the epoch. */
  outdate(time: number): void {
    const value = setCookie(this.#context.recheckCookie, time.toString(36), RECHECK_SECONDS);
    this.#exchange.response.append('Set-Cookie', value);
  }
}

import type { Response } from 'express';
import onHeaders from 'on-headers';
import { clearCookie, setCookie } from '../http/cookies.js';
import { forbidCaching } from '../http/json-error.js';
import type { Needs } from './kit.js';
import type { Session } from './session.js';

/** A reference that only extends a session isn't sent after this time, in milliseconds. */
const REFERENCE_MAX_DELAY_MS = 5_000;

type CookieKit = Needs<'store' | 'refresher' | 'sessionCookie' | 'lifetime' | 'clock' | 'logger'>;

type CookieChange =
  | {
      kind: 'set';
      session: Session;
      cookieValue: string;
      /** When the cookie of an existing session was renewed. Undefined for a new session. */
      renewedAt?: number;
    }
  | { kind: 'clear' };

/** The session cookie of one response. The header is computed when the headers are sent, from the state at that time. */
export class SessionCookie {
  readonly #kit: CookieKit;
  readonly #response: Response;
  #change: CookieChange | undefined;
  /** Called once, with true if the response carries a new cookie. */
  #deliveries: ((isSent: boolean) => void)[] | undefined;

  constructor(kit: CookieKit, response: Response) {
    this.#kit = kit;
    this.#response = response;
  }

  /** Sets the change to send. The last call before the headers wins. */
  change(change: CookieChange): void {
    const { logger, store } = this.#kit;
    if (this.#response.headersSent) {
      if (store.cookieHoldsTokens) {
        logger.warn(
          'headers_sent',
          'A session changed after the headers were sent, so the browser keeps the old cookie. Call req.latchkey.accessToken() and memberships() before sending.',
        );
      }
      return;
    }
    forbidCaching(this.#response);
    if (this.#change === undefined) onHeaders(this.#response, () => this.#endDeliveries(this.#send()));
    this.#change = change;
  }

  /**
   * Calls `begin` now, and the function it returns when the headers are sent or the connection closes, with true if the
   * response carries a new cookie. Does nothing if either has already happened.
   */
  untilSent(begin: () => (isSent: boolean) => void): void {
    if (this.#response.headersSent || this.#response.closed) return;
    if (this.#deliveries === undefined) {
      this.#deliveries = [];
      this.#response.once('close', () => this.#endDeliveries(false));
    }
    this.#deliveries.push(begin());
  }

  #endDeliveries(isSent: boolean): void {
    for (const end of this.#deliveries?.splice(0) ?? []) end(isSent);
  }

  /** Returns true if the response receives a new cookie. */
  #send(): boolean {
    const header = this.#header();
    if (header === undefined) return false;
    const others = [this.#response.getHeader('Set-Cookie') ?? []]
      .flat()
      .map(String)
      .filter((each) => !each.startsWith(`${this.#kit.sessionCookie.name}=`));
    this.#response.setHeader('Set-Cookie', [...others, header]);
    // The handler may have changed the header after the gate ran.
    if (!/\bno-store\b/i.test(String(this.#response.getHeader('Cache-Control')))) {
      forbidCaching(this.#response);
    }
    return this.#change?.kind === 'set';
  }

  /**
   * Formats the header, or returns undefined if it could undo a newer response. A slow handler may finish after other
   * requests of the same browser have signed out, replaced the session, or begun to renew it.
   */
  #header(): string | undefined {
    const { clock, lifetime, sessionCookie, store, refresher } = this.#kit;
    if (this.#change === undefined) return undefined;
    if (this.#change.kind === 'clear') return clearCookie(sessionCookie);
    const { session, cookieValue, renewedAt } = this.#change;
    const now = clock.now();
    // The browser already has a reference, and another process may have sent it a reference to another session.
    const isOptional = renewedAt !== undefined && !store.cookieHoldsTokens;
    if (isOptional && Math.abs(now - renewedAt) > REFERENCE_MAX_DELAY_MS) return undefined;
    if (store.hasEnded(session) || store.wasReplaced(session)) return undefined;
    const latest = refresher.latestCookie(session);
    if (latest.kind === 'unsettled') return undefined;
    // The cookie lasts for the absolute lifetime: an idle session can then be reported as expired.
    const remainingMs = session.createdAt + lifetime.absoluteMs - now;
    const value = latest.kind === 'renewed' ? latest.cookieValue : cookieValue;
    return setCookie(sessionCookie, value, remainingMs / 1000);
  }
}

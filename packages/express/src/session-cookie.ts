import type { Response } from 'express';
import { forbidCaching } from './answer.js';
import { beforeHeaders } from './before-headers.js';
import { clearCookie, setCookie } from './cookies.js';
import type { Kit } from './kit.js';
import type { Session } from './session/session.js';

/** A reference that only moves a session on is not worth sending later than this, in milliseconds. */
const REFERENCE_PATIENCE_MS = 5_000;

/** The session that the browser is to keep, and the cookie for it; or that it is to keep none. */
export type CookieDecision =
  | {
      session: Session;
      cookieValue: string;
      /** For a session that the browser knows already: when its cookie was made. */
      movedOnAt?: number;
    }
  | 'forget';

/** The session cookie of one answer: what is decided about it is looked at again when the headers go. */
export class SessionCookie {
  readonly #kit: Kit;
  readonly #response: Response;
  #decision: CookieDecision | undefined;

  constructor(kit: Kit, response: Response) {
    this.#kit = kit;
    this.#response = response;
  }

  /** Says what the browser is to keep; the last word before the headers counts. */
  decide(decision: CookieDecision): void {
    const { settings, store } = this.#kit;
    if (this.#response.headersSent) {
      if (store.cookieHoldsTokens) {
        settings.logger.warn(
          'A session changed after the headers were sent, so the browser keeps the old cookie: call req.latchkey.accessToken() and memberships() before sending.',
        );
      }
      return;
    }
    forbidCaching(this.#response);
    if (this.#decision === undefined) beforeHeaders(this.#response, () => this.#send());
    this.#decision = decision;
  }

  /** Begins something that ends when the headers go, or when the browser has gone before; later than that it does nothing. */
  onceSent(begin: () => () => void): void {
    if (this.#response.headersSent || this.#response.closed) return;
    const end = begin();
    let hasEnded = false;
    const once = () => {
      if (!hasEnded) end();
      hasEnded = true;
    };
    beforeHeaders(this.#response, once);
    this.#response.once('close', once);
  }

  #send(): void {
    const header = this.#header();
    if (header === undefined) return;
    const others = [this.#response.getHeader('Set-Cookie') ?? []]
      .flat()
      .map(String)
      .filter((each) => !each.startsWith(`${this.#kit.sessionCookie.name}=`));
    this.#response.setHeader('Set-Cookie', [...others, header]);
    // A handler may have said otherwise since the gate did.
    if (!/\bno-store\b/i.test(String(this.#response.getHeader('Cache-Control')))) {
      forbidCaching(this.#response);
    }
  }

  /**
   * The handler may have taken long, and other requests of the same browser have had their answers meanwhile. What it would
   * undo is not sent: the session was signed out or replaced, or is being renewed, which another answer tells of.
   */
  #header(): string | undefined {
    const { settings, sessionCookie, store, refresher } = this.#kit;
    if (this.#decision === undefined) return undefined;
    if (this.#decision === 'forget') return clearCookie(sessionCookie);
    const { session, cookieValue, movedOnAt } = this.#decision;
    const now = settings.clock.now();
    // The browser has a reference already, and at another process it may have got one to another session since.
    const isDispensable = movedOnAt !== undefined && !store.cookieHoldsTokens;
    if (isDispensable && Math.abs(now - movedOnAt) > REFERENCE_PATIENCE_MS) return undefined;
    if (store.hasEnded(session) || store.wasReplaced(session)) return undefined;
    const successor = refresher.latestOf(session);
    if (successor === 'unsettled') return undefined;
    // The browser keeps the cookie for the absolute life, so that an idle session can be told from none.
    const lifeLeftMs = session.createdAt + settings.absoluteMs - now;
    return setCookie(sessionCookie, successor ?? cookieValue, lifeLeftMs / 1000);
  }
}

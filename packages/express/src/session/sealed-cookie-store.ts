import { randomBytes } from 'node:crypto';
import { BoundedMap } from '../bounded-map.js';
import type { RefreshOutcome, SendRefresh } from './refresh-outcome.js';
import type { Seal } from './seal.js';
import { packSession, type Session, unpackSession } from './session.js';
import type { SessionStore } from './session-store.js';

/** What browsers accept for name and value together (RFC 6265bis section 5.6). */
const COOKIE_MAX_BYTES = 4096;

/** Sealed values whose content is remembered: opening one costs more than the rest of a gated request. */
const REMEMBERED_SEALS = 4000;
/** Sessions remembered as signed out. */
const REMEMBERED_ENDS = 20_000;
/** Sessions remembered as replaced. */
const REMEMBERED_REPLACEMENTS = 10_000;

/** Keeps the whole session in the cookie, encrypted and authenticated: nothing to run, nothing to lose in a restart. */
export class SealedCookieStore implements SessionStore {
  readonly cookieHoldsTokens = true;
  readonly #seal: Seal;
  readonly #valueMaxBytes: number;
  readonly #opened = new BoundedMap<string, Session>(REMEMBERED_SEALS);
  readonly #ended = new BoundedMap<string, true>(REMEMBERED_ENDS);
  readonly #replaced = new BoundedMap<string, true>(REMEMBERED_REPLACEMENTS);

  constructor(seal: Seal, cookieName: string) {
    this.#seal = seal;
    this.#valueMaxBytes = COOKIE_MAX_BYTES - cookieName.length - 1;
  }

  newId(): string {
    return randomBytes(16).toString('base64url');
  }

  open(cookieValue: string): Session | undefined | Promise<Session | undefined> {
    return this.#opened.get(cookieValue) ?? this.#openSeal(cookieValue);
  }

  async #openSeal(cookieValue: string): Promise<Session | undefined> {
    if (cookieValue.length > this.#valueMaxBytes) return undefined;
    const session = unpackSession(await this.#seal.open(cookieValue));
    if (session !== undefined) this.#opened.set(cookieValue, session);
    return session;
  }

  idOf(cookieValue: string): string | undefined {
    return this.#opened.get(cookieValue)?.id;
  }

  begin(session: Session): Promise<string> {
    return this.#save(session);
  }

  touch(session: Session): Promise<string> {
    return this.#save(session);
  }

  async refresh(session: Session, send: SendRefresh): Promise<RefreshOutcome> {
    const sent = await send(session);
    if (sent.kind !== 'renewed') return sent;
    // From here on the old token is spent: whatever happens to the cookie, the successor is kept.
    const cookieValue = this.#save(sent.session);
    cookieValue.catch(() => {});
    return { ...sent, cookieValue };
  }

  async end(id: string): Promise<undefined> {
    this.#ended.set(id, true);
  }

  async retire({ id }: Session): Promise<void> {
    this.#replaced.set(id, true);
  }

  hasEnded(session: Session): boolean {
    return this.#ended.has(session.id);
  }

  wasReplaced(session: Session): boolean {
    return this.#replaced.has(session.id);
  }

  async #save(session: Session): Promise<string> {
    const sealed = await this.#seal.seal(packSession(session));
    if (sealed.length > this.#valueMaxBytes) {
      throw new RangeError(
        `The sealed session has ${sealed.length} bytes; browsers drop cookies above ${this.#valueMaxBytes}. The service's tokens are too long for a cookie session: set session.store.`,
      );
    }
    this.#opened.set(sealed, session);
    return sealed;
  }
}

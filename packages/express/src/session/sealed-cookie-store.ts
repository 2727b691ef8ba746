import { randomBytes } from 'node:crypto';
import QuickLRU from 'quick-lru';
import type { Clock } from '../platform/clock.js';
import type { Seal } from './seal.js';
import {
  packSession,
  RETIRED_LIFETIME_MS,
  type RefreshResult,
  type SendRefresh,
  type Session,
  type SessionStore,
  unpackSession,
} from './session.js';

/** Browser limit for name and value together (RFC 6265bis section 5.6). */
const COOKIE_MAX_BYTES = 4096;

const MAX_ENDED = 10_000;
const MAX_REPLACED = 5_000;

/** Keeps the whole session in the cookie, encrypted and authenticated. Needs no server and survives restarts. */
export class SealedCookieStore implements SessionStore {
  readonly cookieHoldsTokens = true;
  readonly #seal: Seal;
  readonly #valueMaxBytes: number;
  /** Decrypting a cookie costs more than the rest of a gated request. */
  readonly #opened = new OpenedCookies();
  readonly #ended = new QuickLRU<string, true>({ maxSize: MAX_ENDED });
  /** Times at which sessions were replaced. */
  readonly #replaced = new QuickLRU<string, number>({ maxSize: MAX_REPLACED });
  readonly #clock: Clock;

  constructor(seal: Seal, { cookieName, clock }: { cookieName: string; clock: Clock }) {
    this.#seal = seal;
    this.#clock = clock;
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

  async refresh(session: Session, send: SendRefresh): Promise<RefreshResult> {
    const sent = await send(session);
    if (sent.kind !== 'renewed') return sent;
    // The old token was rotated, so the successor is kept even if its cookie cannot be created.
    const cookieValue = this.#save(sent.session);
    cookieValue.catch(() => {});
    return { ...sent, cookieValue };
  }

  async end(id: string): Promise<undefined> {
    this.#ended.set(id, true);
  }

  async retire({ id }: Session): Promise<void> {
    if (!this.#replaced.has(id)) this.#replaced.set(id, this.#clock.now());
  }

  hasEnded({ id }: Session): boolean {
    if (this.#ended.has(id)) return true;
    const replacedAt = this.#replaced.get(id);
    return replacedAt !== undefined && this.#clock.now() - replacedAt >= RETIRED_LIFETIME_MS;
  }

  wasReplaced(session: Session): boolean {
    return this.#replaced.has(session.id);
  }

  async #save(session: Session): Promise<string> {
    const sealed = await this.#seal.seal(packSession(session));
    if (sealed.length > this.#valueMaxBytes) {
      throw new RangeError(
        `The sealed session has ${sealed.length} bytes, but browsers drop cookies above ${this.#valueMaxBytes}. The tokens of the service are too long for a cookie session. Set session.store.`,
      );
    }
    this.#opened.set(sealed, session);
    return sealed;
  }
}

/** With cookies of 4 kB: at most about 16 MB for the values, and the same for the sessions. */
const MAX_OPENED = 2_000;
/** Length of an authentication tag of 128 bits in base64url. It ends every sealed value (RFC 7516 section 7.1). */
const TAG_LENGTH = 22;

/**
 * Sessions of the sealed cookies that were opened last. A hit means that this process has authenticated exactly this value.
 * It does not mean that the session is valid: that is checked on every request.
 */
export class OpenedCookies {
  /** By tag: a hash of the whole value on every request would cost more than the rest of a gate. */
  readonly #byTag = new QuickLRU<string, { cookieValue: string; session: Session }>({ maxSize: MAX_OPENED });

  get(cookieValue: string): Session | undefined {
    const opened = this.#byTag.get(cookieValue.slice(-TAG_LENGTH));
    return opened?.cookieValue === cookieValue ? opened.session : undefined;
  }

  /** @param cookieValue A value that was opened or created, never one that was only received. */
  set(cookieValue: string, session: Session): void {
    // A slice would keep the whole `Cookie` header in memory.
    const copy = Buffer.from(cookieValue).toString();
    this.#byTag.set(copy.slice(-TAG_LENGTH), { cookieValue: copy, session });
  }
}

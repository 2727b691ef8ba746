import {
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import QuickLRU from 'quick-lru';
import type { Clock } from '../platform/clock.js';
import { RetryQueue } from '../platform/retry-queue.js';
import type { ExpressSessionStore } from '../stores/kit-store.js';
import { createSeal, type Seal } from './seal.js';
import {
  packSession,
  RETIRED_LIFETIME_MS,
  type RefreshResult,
  type SendRefresh,
  type Session,
  type SessionStore,
  type SessionStoreOptions,
  unpackSession,
} from './session.js';
import { SharedRefresh } from './shared-refresh.js';
import { StoredSessions } from './stored-sessions.js';

/** Creates the sealed-cookie store, or the server-side store if the options have one. */
export function createSessionStore(options: SessionStoreOptions): SessionStore {
  const { cookieSecrets, instance, sessionStore } = options;
  if (sessionStore !== undefined) return new ServerSideStore(sessionStore, options);
  return new SealedCookieStore(createSeal(cookieSecrets, `session ${instance}`), options);
}

/** Maximum number of verified cookie values in memory. */
const MAX_REFERENCES = 5_000;

/**
 * Keeps sessions in a store that all processes of the app share. The cookie contains the session id and the time of the
 * last use. That time isn't written to the record: express-session stores have no conditional write, so it could undo
 * another process's refresh.
 */
class ServerSideStore implements SessionStore {
  readonly cookieHoldsTokens = false;
  readonly #records: StoredSessions;
  readonly #codec: ReturnType<typeof createReferenceCodec>;
  readonly #shared: SharedRefresh;
  readonly #options: SessionStoreOptions;
  readonly #retries = new RetryQueue();
  readonly #references = new QuickLRU<string, SessionReference>({ maxSize: MAX_REFERENCES });

  constructor(store: ExpressSessionStore, options: SessionStoreOptions) {
    const { cookieSecrets, instance } = options;
    this.#options = options;
    this.#codec = createReferenceCodec(cookieSecrets, `session reference ${instance}`);
    this.#records = new StoredSessions(store, options);
    this.#shared = new SharedRefresh(this.#records, options);
  }

  newId(): string {
    return randomBytes(32).toString('base64url');
  }

  open(cookieValue: string): undefined | Promise<Session | undefined> {
    const reference = this.#references.get(cookieValue) ?? this.#check(cookieValue);
    return reference === undefined ? undefined : this.#find(reference);
  }

  async #find({ id, seenAt }: SessionReference): Promise<Session | undefined> {
    const session = await this.#records.get(id);
    return session === undefined || session.seenAt >= seenAt ? session : { ...session, seenAt };
  }

  #check(cookieValue: string): SessionReference | undefined {
    const reference = this.#codec.read(cookieValue);
    if (reference !== undefined) this.#references.set(cookieValue, reference);
    return reference;
  }

  idOf(cookieValue: string): string | undefined {
    return this.#check(cookieValue)?.id;
  }

  async begin(session: Session): Promise<string> {
    await this.#records.set(session);
    return this.#codec.write(session);
  }

  async touch(session: Session): Promise<string> {
    await this.#records.touch(session);
    return this.#codec.write(session);
  }

  async refresh(session: Session, send: SendRefresh): Promise<RefreshResult> {
    const result = await this.#shared.run(session, send);
    if (result.kind !== 'renewed') return result;
    // The new reference contains the new time of use, and is signed with the current secret.
    return { ...result, cookieValue: Promise.resolve(this.#codec.write(result.session)) };
  }

  async end(id: string): Promise<Session | undefined> {
    const { logger, discard } = this.#options;
    try {
      return await this.#records.end(id);
    } catch (error) {
      const attempt = async () => {
        const last = await this.#records.end(id);
        if (last !== undefined) await discard(last.tokens);
      };
      this.#retries.add(id, attempt).catch(() => {
        logger.error(
          'store_unavailable',
          'A session that was signed out is still in the store, which did not respond for ten minutes.',
        );
      });
      throw error;
    }
  }

  retire(session: Session): Promise<void> {
    return this.#records.retire(session);
  }

  hasEnded(session: Session): boolean {
    return this.#records.hasEndedHere(session.id);
  }

  wasReplaced(session: Session): boolean {
    return this.#records.wasRetiredHere(session.id);
  }
}

interface SessionReference {
  /** 256 random bits. */
  readonly id: string;
  /** Last use, in milliseconds since the epoch. */
  readonly seenAt: number;
}

const SHAPE = /^([A-Za-z0-9_-]{43})\.([0-9a-z]{1,10})\.([A-Za-z0-9_-]{43})$/;

/**
 * Creates what formats and verifies the cookies of sessions in a store.
 * @param secrets the first signs, all verify. The keys are derived from the secrets for this `purpose`.
 */
function createReferenceCodec(secrets: readonly [string, ...string[]], purpose: string) {
  const keyOf = (secret: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `latchkey ${purpose}`, 32)));
  const signing = keyOf(secrets[0]);
  const keys = [signing, ...secrets.slice(1).map(keyOf)];
  const macOf = (text: string, key = signing) => createHmac('sha256', key).update(text).digest();
  return {
    /** Formats `id.seenAt.mac`, signed with the first secret. */
    write({ id, seenAt }: SessionReference): string {
      const text = `${id}.${Math.max(0, Math.floor(seenAt)).toString(36)}`;
      return `${text}.${macOf(text).toString('base64url')}`;
    },
    /** Returns undefined if none of the secrets signed the value. The store is then not called. */
    read(cookieValue: string): SessionReference | undefined {
      const [, id, seenAt, mac] = SHAPE.exec(cookieValue) ?? [];
      if (id === undefined || seenAt === undefined || mac === undefined) return undefined;
      // Compares the strings: the unused bits of the last character would give each value several spellings.
      const given = Buffer.from(mac);
      const text = `${id}.${seenAt}`;
      const isOf = (key: KeyObject) =>
        timingSafeEqual(given, Buffer.from(macOf(text, key).toString('base64url')));
      if (!keys.some(isOf)) return undefined;
      return { id, seenAt: Number.parseInt(seenAt, 36) };
    },
  };
}

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
  /** When sessions were replaced. */
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

  async begin(session: Session): Promise<string> {
    const sealed = await this.#seal.seal(packSession(session));
    if (sealed.length > this.#valueMaxBytes) {
      throw new RangeError(
        `The sealed session has ${sealed.length} bytes, but browsers drop cookies above ${this.#valueMaxBytes}. The tokens of the service are too long for a cookie session. Set session.store.`,
      );
    }
    this.#opened.set(sealed, session);
    return sealed;
  }

  touch(session: Session): Promise<string> {
    return this.begin(session);
  }

  async refresh(session: Session, send: SendRefresh): Promise<RefreshResult> {
    const sent = await send(session);
    if (sent.kind !== 'renewed') return sent;
    // The old token was rotated, so the successor is kept even if its cookie can't be created.
    const cookieValue = this.begin(sent.session);
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
}

/** With cookies of 4 kB: at most about 16 MB for the values, and the same for the sessions. */
const MAX_OPENED = 2_000;
/** Length of an authentication tag of 128 bits in base64url. It ends every sealed value (RFC 7516 section 7.1). */
const TAG_LENGTH = 22;

/**
 * Sessions of the sealed cookies that were opened last. A hit means that this process has authenticated exactly this
 * value, not that the session is valid: that's checked on every request.
 */
export class OpenedCookies {
  /** By tag: hashing the whole value on every request would cost more than the rest of a gate. */
  readonly #byTag = new QuickLRU<string, { cookieValue: string; session: Session }>({ maxSize: MAX_OPENED });

  get(cookieValue: string): Session | undefined {
    const opened = this.#byTag.get(cookieValue.slice(-TAG_LENGTH));
    return opened?.cookieValue === cookieValue ? opened.session : undefined;
  }

  /** @param cookieValue a value that was opened or created, never one that was only received. */
  set(cookieValue: string, session: Session): void {
    // A slice would keep the whole `Cookie` header in memory.
    const copy = Buffer.from(cookieValue).toString();
    this.#byTag.set(copy.slice(-TAG_LENGTH), { cookieValue: copy, session });
  }
}

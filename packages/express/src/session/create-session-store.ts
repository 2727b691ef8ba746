import { createHmac, createSecretKey, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import QuickLRU from 'quick-lru';
import { logMessage } from '../platform/log.js';
import { RetryQueue } from '../platform/retry-queue.js';
import type { ExpressSessionStore } from '../stores/kit-store.js';
import { createSeal } from './seal.js';
import { SealedCookieStore } from './sealed-cookie-store.js';
import type { RefreshResult, SendRefresh, Session, SessionStore, SessionStoreOptions } from './session.js';
import { SharedRefresh } from './shared-refresh.js';
import { StoredSessions } from './stored-sessions.js';

/** Creates the sealed-cookie store, or the server-side store if the options name one. */
export function createSessionStore(options: SessionStoreOptions): SessionStore {
  const { cookieSecrets, instance, sessionStore } = options;
  if (sessionStore !== undefined) return new ServerSideStore(sessionStore, options);
  return new SealedCookieStore(createSeal(cookieSecrets, `session ${instance}`), options);
}

/** Maximum number of verified cookie values in memory. */
const MAX_REFERENCES = 5_000;

/**
 * Keeps sessions in a store that all processes of the app share. The cookie contains the session id and the time of the
 * last use. That time is not written to the record: stores of express-session have no conditional write, so such a
 * write could undo the refresh of another process.
 */
class ServerSideStore implements SessionStore {
  readonly cookieHoldsTokens = false;
  readonly #records: StoredSessions;
  readonly #codec: ReferenceCodec;
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
          logMessage(
            'store_unavailable',
            'A session that was signed out is still in the store, which did not respond for ten minutes.',
          ),
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

/** Content of the cookie of a session in a store. */
interface SessionReference {
  /** 256 random bits. */
  readonly id: string;
  /** Last use, in milliseconds since the epoch. */
  readonly seenAt: number;
}

/** Formats and verifies the cookies of sessions in a store. */
interface ReferenceCodec {
  /** Formats `id.seenAt.mac`, signed with the first secret. */
  write(reference: SessionReference): string;
  /** Returns undefined if none of the secrets signed the value. The store is then not called. */
  read(cookieValue: string): SessionReference | undefined;
}

const SHAPE = /^([A-Za-z0-9_-]{43})\.([0-9a-z]{1,10})\.([A-Za-z0-9_-]{43})$/;

/** @param secrets The first signs, all verify. The keys are derived from the secrets for this `purpose`. */
function createReferenceCodec(secrets: readonly [string, ...string[]], purpose: string): ReferenceCodec {
  const keyOf = (secret: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `latchkey ${purpose}`, 32)));
  const signing = keyOf(secrets[0]);
  const keys = [signing, ...secrets.slice(1).map(keyOf)];
  const macOf = (text: string, key = signing) => createHmac('sha256', key).update(text).digest();
  return {
    write({ id, seenAt }) {
      const text = `${id}.${Math.max(0, Math.floor(seenAt)).toString(36)}`;
      return `${text}.${macOf(text).toString('base64url')}`;
    },
    read(cookieValue) {
      const [, id, seenAt, mac] = SHAPE.exec(cookieValue) ?? [];
      if (id === undefined || seenAt === undefined || mac === undefined) return undefined;
      const given = Buffer.from(mac, 'base64url');
      const text = `${id}.${seenAt}`;
      if (!keys.some((key) => timingSafeEqual(given, macOf(text, key)))) return undefined;
      return { id, seenAt: Number.parseInt(seenAt, 36) };
    },
  };
}

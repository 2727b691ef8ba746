import { createHmac, createSecretKey, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { TokenSet } from '@latchkey/oauth';
import { BoundedMap } from '../platform/bounded-map.js';
import type { Clock } from '../platform/clock.js';
import { type Logger, logMessage } from '../platform/log.js';
import { RetryQueue } from '../platform/retry-queue.js';
import type { ExpressSessionStore, SessionLock } from '../stores/kit-store.js';
import { createSeal } from './seal.js';
import { SealedCookieStore } from './sealed-cookie-store.js';
import type { RefreshResult, SendRefresh, Session, SessionLifetime, SessionStore } from './session.js';
import { SharedRefresh } from './shared-refresh.js';
import { StoreCalls, StoredSessions } from './stored-sessions.js';

interface SessionStoreSettings extends SessionLifetime {
  cookieSecrets: readonly [string, ...string[]];
  /** Undefined for sealed cookies. */
  sessionStore: ExpressSessionStore | undefined;
  sessionLock: SessionLock | undefined;
  storeTimeoutMs: number;
  clock: Clock;
  logger: Logger;
}

interface SessionStoreContext {
  /** Identifies the instance. Instances share no keys. */
  instance: string;
  cookieName: string;
  /** Maximum duration of a token refresh, in milliseconds. */
  refreshTimeoutMs: number;
  /** Revokes tokens that no session will use. Never rejects. */
  discard(tokens: TokenSet): Promise<void>;
}

/** Creates the sealed-cookie store, or the server-side store if the options name one. */
export function createSessionStore(
  settings: SessionStoreSettings,
  context: SessionStoreContext,
): SessionStore {
  const { cookieSecrets, sessionStore, sessionLock, storeTimeoutMs, clock, logger } = settings;
  const { instance, cookieName, refreshTimeoutMs, discard } = context;
  if (sessionStore === undefined) {
    const seal = createSeal(cookieSecrets, `session ${instance}`);
    return new SealedCookieStore(seal, { cookieName, clock });
  }
  const records = new StoredSessions({
    calls: new StoreCalls(sessionStore, storeTimeoutMs),
    seal: createSeal(cookieSecrets, `stored session ${instance}`),
    lifetime: settings,
    clock,
    logger,
  });
  const shared = new SharedRefresh({
    records,
    lock: sessionLock,
    logger,
    storeTimeoutMs,
    sendTimeoutMs: refreshTimeoutMs,
    discard,
  });
  return new ServerSideStore({
    codec: createReferenceCodec(cookieSecrets, `session reference ${instance}`),
    records,
    shared,
    logger,
    discard,
  });
}

/** Maximum number of verified cookie values in memory. */
const MAX_REFERENCES = 10_000;

interface ServerSideStoreDependencies {
  codec: ReferenceCodec;
  records: StoredSessions;
  shared: SharedRefresh;
  logger: Logger;
  /** Revokes tokens that no session will use. Never rejects. */
  discard(tokens: TokenSet): Promise<void>;
}

/**
 * Keeps sessions in a store that all processes of the app share. The cookie contains the session id and the time of the
 * last use. That time is not written to the record: stores of express-session have no conditional write, so such a
 * write could undo the refresh of another process.
 */
class ServerSideStore implements SessionStore {
  readonly cookieHoldsTokens = false;
  readonly #dependencies: ServerSideStoreDependencies;
  readonly #retries = new RetryQueue();
  readonly #references = new BoundedMap<string, SessionReference>(MAX_REFERENCES);

  constructor(dependencies: ServerSideStoreDependencies) {
    this.#dependencies = dependencies;
  }

  newId(): string {
    return randomBytes(32).toString('base64url');
  }

  open(cookieValue: string): undefined | Promise<Session | undefined> {
    const reference = this.#references.get(cookieValue) ?? this.#check(cookieValue);
    return reference === undefined ? undefined : this.#find(reference);
  }

  async #find({ id, seenAt }: SessionReference): Promise<Session | undefined> {
    const session = await this.#dependencies.records.get(id);
    return session === undefined || session.seenAt >= seenAt ? session : { ...session, seenAt };
  }

  #check(cookieValue: string): SessionReference | undefined {
    const reference = this.#dependencies.codec.read(cookieValue);
    if (reference !== undefined) this.#references.set(cookieValue, reference);
    return reference;
  }

  idOf(cookieValue: string): string | undefined {
    return this.#check(cookieValue)?.id;
  }

  async begin(session: Session): Promise<string> {
    await this.#dependencies.records.set(session);
    return this.#dependencies.codec.write(session);
  }

  async touch(session: Session): Promise<string> {
    await this.#dependencies.records.touch(session);
    return this.#dependencies.codec.write(session);
  }

  async refresh(session: Session, send: SendRefresh): Promise<RefreshResult> {
    const result = await this.#dependencies.shared.run(session, send);
    if (result.kind !== 'renewed') return result;
    // The new reference contains the new time of use, and is signed with the current secret.
    return { ...result, cookieValue: Promise.resolve(this.#dependencies.codec.write(result.session)) };
  }

  async end(id: string): Promise<Session | undefined> {
    const { records, logger, discard } = this.#dependencies;
    try {
      return await records.end(id);
    } catch (error) {
      const attempt = async () => {
        const last = await records.end(id);
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
    return this.#dependencies.records.retire(session);
  }

  hasEnded(session: Session): boolean {
    return this.#dependencies.records.hasEndedHere(session.id);
  }

  wasReplaced(session: Session): boolean {
    return this.#dependencies.records.wasRetiredHere(session.id);
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

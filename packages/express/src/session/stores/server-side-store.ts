import { randomBytes } from 'node:crypto';
import type { TokenSet } from '@latchkey/oauth';
import { BoundedMap } from '../../platform/bounded-map.js';
import { logMessage } from '../../platform/log-message.js';
import type { Logger } from '../../platform/logger.js';
import { RetryQueue } from '../../platform/retry-queue.js';
import type { RefreshResult, SendRefresh } from '../model/refresh-result.js';
import type { Session } from '../model/session.js';
import type { SessionStore } from '../model/session-store.js';
import type { ReferenceCodec, SessionReference } from './session-reference.js';
import type { SharedRefresh } from './shared-refresh.js';
import type { StoredSessions } from './stored-sessions.js';

/** Maximum number of verified cookie values in memory. */
const MAX_REFERENCES = 10_000;

export interface ServerSideStoreDependencies {
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
export class ServerSideStore implements SessionStore {
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

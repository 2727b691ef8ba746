import { randomBytes } from 'node:crypto';
import type { TokenSet } from '@latchkey/oauth';
import { BoundedMap } from '../bounded-map.js';
import type { Logger } from '../logger.js';
import { Insistence } from './insist.js';
import type { RefreshOutcome, SendRefresh } from './refresh-outcome.js';
import type { Session } from './session.js';
import type { ReferenceCodec, SessionReference } from './session-reference.js';
import type { SessionStore } from './session-store.js';
import type { SharedRefresh } from './shared-refresh.js';
import type { StoredSessions } from './stored-sessions.js';

/** Cookie values whose signature was checked. */
const REMEMBERED_REFERENCES = 10_000;

/** What the store is made of. */
export interface ServerSideStoreDependencies {
  codec: ReferenceCodec;
  records: StoredSessions;
  shared: SharedRefresh;
  logger: Logger;
  /** Gives tokens back that nobody will hold. Never rejects. */
  discard(tokens: TokenSet): Promise<void>;
}

/**
 * Keeps sessions in a store that all processes of the app share; the cookie says which, and when it was last used. That
 * time is not written to the record: stores of express-session know no condition on a write, so whoever writes only to
 * note the time may undo the refresh of another process.
 */
export class ServerSideStore implements SessionStore {
  readonly cookieHoldsTokens = false;
  readonly #dependencies: ServerSideStoreDependencies;
  readonly #insistence = new Insistence();
  readonly #references = new BoundedMap<string, SessionReference>(REMEMBERED_REFERENCES);

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

  async refresh(session: Session, send: SendRefresh): Promise<RefreshOutcome> {
    const outcome = await this.#dependencies.shared.run(session, send);
    if (outcome.kind !== 'renewed') return outcome;
    // The reference stays; its time moves on, and with it the secret that it is signed with.
    return { ...outcome, cookieValue: Promise.resolve(this.#dependencies.codec.write(outcome.session)) };
  }

  async end(id: string): Promise<Session | undefined> {
    const { records, logger, discard } = this.#dependencies;
    try {
      return await records.end(id);
    } catch (error) {
      const again = async () => {
        const last = await records.end(id);
        if (last !== undefined) await discard(last.tokens);
      };
      this.#insistence.start(id, again).catch(() => {
        logger.error(
          'A session that was signed out is still in the store: it did not answer for ten minutes.',
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

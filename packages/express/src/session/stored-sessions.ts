import { createHash } from 'node:crypto';
import { BoundedMap } from '../bounded-map.js';
import type { Clock } from '../clock.js';
import type { Logger } from '../logger.js';
import type { Seal } from './seal.js';
import { packSession, type Session, type SessionLife, unpackSession } from './session.js';
import type { StoreCalls } from './store-calls.js';

/** What was read last under an id, so that what has not changed is not opened again. */
const REMEMBERED_READS = 4000;
/** Sessions remembered as signed out. */
const REMEMBERED_ENDS = 20_000;
/** Sessions remembered as replaced. */
const REMEMBERED_RETIREMENTS = 10_000;
/** Marks of sessions that ended or were replaced outlive every refresh that was under way. */
const MARK_LIFE_MS = 15 * 60_000;
const END_MARK = 'ended';
const RETIRED_MARK = 'retired';
/** A session whose place was taken still serves what its browser has under way. */
const RETIRED_LIFE_MS = 60_000;

/** What the records are made with. */
export interface StoredSessionsDependencies {
  calls: StoreCalls;
  seal: Seal;
  life: SessionLife;
  clock: Clock;
  logger: Logger;
}

/**
 * The records of sessions in a store. A record's key is a hash of the session's id and its content is sealed, so that
 * who reads the store can neither take over sessions nor use their tokens; who writes to it cannot put one session in
 * the place of another, because the key is sealed along.
 */
export class StoredSessions {
  readonly #dependencies: StoredSessionsDependencies;
  readonly #read = new BoundedMap<string, { text: string; session: Session }>(REMEMBERED_READS);
  readonly #ended = new BoundedMap<string, true>(REMEMBERED_ENDS);
  readonly #retired = new BoundedMap<string, true>(REMEMBERED_RETIREMENTS);
  readonly #reported = new BoundedMap<string, true>(100);
  /** Newer than what is in the store, which has not taken them yet. */
  readonly #unwritten = new Map<string, Session>();

  constructor(dependencies: StoredSessionsDependencies) {
    this.#dependencies = dependencies;
  }

  /** The session of an id as the store has it now; undefined when there is none or it cannot be read. */
  async get(id: string): Promise<Session | undefined> {
    const key = keyOf(id);
    const record = await this.#dependencies.calls.get(key);
    if (record === undefined || record === null) return undefined;
    if (this.#unwritten.size > 0) {
      const unwritten = this.#unwritten.get(id);
      if (unwritten !== undefined) return unwritten;
    }
    const text = textOf(record);
    const read = this.#read.get(id);
    return read !== undefined && read.text === text ? read.session : this.#open({ id, key, text });
  }

  async #open({ id, key, text }: { id: string; key: string; text: unknown }): Promise<Session | undefined> {
    const { seal, logger } = this.#dependencies;
    const session = typeof text === 'string' ? unpackSession(await seal.open(text)) : undefined;
    if (typeof text === 'string' && session?.id === key) {
      const found = { ...session, id };
      this.#read.set(id, { text, session: found });
      return found;
    }
    if (!this.#reported.has(key)) {
      this.#reported.set(key, true);
      logger.warn(
        'A session in the store cannot be read, so its visitor is not signed in. Another version of the kit may have written it, or a cookieSecret that is not listed any more; or something else uses the same store and prefix.',
        { key },
      );
    }
    return undefined;
  }

  /** Writes the session, new or renewed. */
  async set(session: Session): Promise<void> {
    const { calls, seal } = this.#dependencies;
    const key = keyOf(session.id);
    const text = await seal.seal(packSession({ ...session, id: key }));
    await calls.set(key, { text, lifeMs: this.#lifeLeft(session) });
    this.#read.set(session.id, { text, session });
  }

  /** Moves the end of the record on. It leaves the content alone: another process may have renewed it meanwhile. */
  async touch(session: Session): Promise<void> {
    await this.#prolong(session, this.#lifeLeft(session));
  }

  /**
   * Lets the record go soon. As with `end`, a mark says so first: a refresh that is under way in another process would
   * write the record with a full life again.
   */
  async retire(session: Session): Promise<void> {
    this.#retired.set(session.id, true);
    await this.#dependencies.calls.set(retiredMarkOf(session.id), {
      text: RETIRED_MARK,
      lifeMs: MARK_LIFE_MS,
    });
    await this.#letGo(session);
  }

  /** True after `retire` in this process. */
  wasRetiredHere(id: string): boolean {
    return this.#retired.has(id);
  }

  /** Shortens the life of what was just written, if the session was retired meanwhile. */
  async letGoIfRetired(session: Session): Promise<void> {
    const mark = textOf(await this.#dependencies.calls.get(retiredMarkOf(session.id)));
    if (mark === RETIRED_MARK) await this.#letGo(session);
  }

  async #letGo(session: Session): Promise<void> {
    const lifeMs = RETIRED_LIFE_MS;
    if (this.#dependencies.calls.canTouch) await this.#prolong(session, lifeMs);
    else await this.drop(session.id);
  }

  async #prolong({ id }: Session, lifeMs: number): Promise<void> {
    // Some stores write at touch what they are given.
    const text = this.#read.get(id)?.text;
    if (text !== undefined) await this.#dependencies.calls.touch(keyOf(id), { text, lifeMs });
  }

  /** Deletes the record. */
  async drop(id: string): Promise<void> {
    await this.#dependencies.calls.destroy(keyOf(id));
  }

  /**
   * Deletes the record for good. First a mark says so: a refresh that is under way in another process looks for it
   * after it has written, so in whichever order the two meet, nothing is left.
   * Gives what was there: who wrote it before the mark was set has not seen it, who writes later gives its tokens back.
   */
  async end(id: string): Promise<Session | undefined> {
    this.#ended.set(id, true);
    await this.#dependencies.calls.set(endMarkOf(id), { text: END_MARK, lifeMs: MARK_LIFE_MS });
    // That it goes matters more than what it was.
    const last = await this.get(id).catch(() => undefined);
    await this.drop(id);
    return last;
  }

  /** True after `end` in this process. */
  hasEndedHere(id: string): boolean {
    return this.#ended.has(id);
  }

  /** True after `end` in any process. */
  async hasEnded(id: string): Promise<boolean> {
    if (this.#ended.has(id)) return true;
    return textOf(await this.#dependencies.calls.get(endMarkOf(id))) === END_MARK;
  }

  /** Makes this process prefer the session to what the store has, until it is withdrawn. */
  prefer(session: Session): void {
    this.#unwritten.set(session.id, session);
  }

  /** The reverse of `prefer`. */
  withdraw(session: Session): void {
    if (this.#unwritten.get(session.id) === session) this.#unwritten.delete(session.id);
  }

  #lifeLeft({ createdAt, seenAt }: Session): number {
    const { calls, clock, life } = this.#dependencies;
    const absoluteEnd = createdAt + life.absoluteMs;
    // A store that cannot prolong keeps the record to the last; the cookie tells how long ago it was used.
    const end = calls.canTouch ? Math.min(absoluteEnd, seenAt + life.rollingMs) : absoluteEnd;
    return end - clock.now();
  }
}

/** The key of a session's record, and of its lock: a hash, from which nobody gets to the id. */
export function keyOf(id: string): string {
  const known = keys.get(id);
  if (known !== undefined) return known;
  const key = createHash('sha256').update(`latchkey session ${id}`).digest('base64url');
  keys.set(id, key);
  return key;
}

const keys = new BoundedMap<string, string>(REMEMBERED_READS);

const endMarkOf = (id: string) => `${keyOf(id)}-ended`;

const retiredMarkOf = (id: string) => `${keyOf(id)}-retired`;

function textOf(record: unknown): unknown {
  return typeof record === 'object' && record !== null ? Reflect.get(record, 'latchkey') : undefined;
}

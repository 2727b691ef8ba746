import type { Membership } from '@latchkey/oauth';
import { BoundedMap } from '../bounded-map.js';
import type { Clock } from '../clock.js';

/** An answer of the service is used this long without asking again. */
export const FRESH_MS = 60_000;
/** When the service cannot be asked, an answer counts for this long after it was given. */
const STALE_IF_ERROR_MS = 5 * 60_000;
/** For this long after a failure the service is not asked again for the same user. */
const RETRY_PAUSE_MS = 5_000;
const REMEMBERED_USERS = 10_000;

/** Memberships of a user and when the service said so, in milliseconds since the epoch. */
export interface MembershipAnswer {
  readonly memberships: readonly Membership[];
  readonly fetchedAt: number;
  /** True for an answer that stands in while the service cannot be asked. */
  readonly stale?: true;
}

interface Remembered extends MembershipAnswer {
  /** End of use without asking again: no later than the soonest end of a membership in it. */
  readonly freshUntil: number;
  /** Of {@link MembershipCache.turn}, when the service was asked. */
  readonly askedIn: number;
}

interface Asking {
  readonly sub: string;
  readonly answer: Promise<MembershipAnswer>;
}

/** What users have, remembered for a minute each, so that a gate does not ask the service on every request. */
export class MembershipCache {
  readonly #clock: Clock;
  #answers = new BoundedMap<string, Remembered>(REMEMBERED_USERS);
  #failures = new BoundedMap<string, { cause: unknown; at: number }>(REMEMBERED_USERS);
  /** By access token. */
  readonly #running = new Map<string, Asking>();
  readonly #watchers = new Map<string, Set<() => void>>();
  readonly #forgottenIn = new Map<string, number>();
  /** No answer to a question from before this turn is remembered, whoever it is about. */
  #allForgottenIn = 0;
  #turn = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Counts up. Who asks the service takes one before, so that an answer is not believed over what became known
   * while it was under way; a clock could stand still or be set back.
   */
  turn(): number {
    this.#turn += 1;
    return this.#turn;
  }

  /** The remembered answer if it may be used without asking; every membership in it runs at this moment. */
  peek(sub: string): MembershipAnswer | undefined {
    const answer = this.#answers.get(sub);
    if (answer === undefined) return undefined;
    const now = this.#clock.now();
    // An answer from the future means that the clock was set back: nobody knows how old it is.
    return now >= answer.fetchedAt && now < answer.freshUntil ? answer : undefined;
  }

  /** The last answer that may stand in while the service cannot be asked, without what has ended since. */
  peekStale(sub: string): MembershipAnswer | undefined {
    const answer = this.#answers.get(sub);
    const now = this.#clock.now();
    if (answer === undefined || !isWithin(now - answer.fetchedAt, STALE_IF_ERROR_MS)) return undefined;
    return { fetchedAt: answer.fetchedAt, memberships: running(answer.memberships, now), stale: true };
  }

  /** Remembers an answer that was just fetched, unless something newer is known about the user. */
  remember(sub: string, memberships: readonly Membership[], askedIn: number): MembershipAnswer {
    const now = this.#clock.now();
    const current = running(memberships, now);
    const answer = {
      memberships: current,
      fetchedAt: now,
      freshUntil: Math.min(now + FRESH_MS, soonestEnd(current)),
      askedIn,
    };
    const forgottenIn = Math.max(this.#allForgottenIn, this.#forgottenIn.get(sub) ?? 0);
    const newestIn = this.#answers.get(sub)?.askedIn ?? 0;
    if (askedIn > forgottenIn && askedIn > newestIn) {
      this.#answers.set(sub, answer);
      this.#failures.delete(sub);
    }
    return answer;
  }

  /**
   * Asks the service, once for all who ask with the same access token meanwhile. (Not once a user: a token that was
   * just renewed must not share the fate of the one before.) Rejects as `fetchMemberships` does.
   */
  fetch(
    { sub, accessToken }: { sub: string; accessToken: string },
    fetchMemberships: () => Promise<readonly Membership[]>,
  ): Promise<MembershipAnswer> {
    const underWay = this.#running.get(accessToken);
    if (underWay !== undefined) return underWay.answer;
    const askedIn = this.turn();
    const asking: Asking = {
      sub,
      answer: fetchMemberships()
        .then((memberships) => this.remember(sub, memberships, askedIn))
        .finally(() => {
          if (this.#running.get(accessToken) === asking) this.#running.delete(accessToken);
        }),
    };
    this.#running.set(accessToken, asking);
    return asking.answer;
  }

  /**
   * Forgets what is known about a user, or about everybody: the next gate asks the service, and an answer that is
   * under way is not remembered.
   */
  forget(sub?: string): void {
    if (sub === undefined) {
      this.#forgetQuestions();
      this.#answers = new BoundedMap(REMEMBERED_USERS);
      this.#failures = new BoundedMap(REMEMBERED_USERS);
      this.#running.clear();
      for (const watched of [...this.#watchers.keys()]) this.#wake(watched);
      return;
    }
    // Rather one answer too many is not remembered than one that is out of date.
    if (this.#forgottenIn.size >= REMEMBERED_USERS) this.#forgetQuestions();
    this.#forgottenIn.set(sub, this.turn());
    this.#answers.delete(sub);
    this.#failures.delete(sub);
    for (const [accessToken, asking] of this.#running) {
      if (asking.sub === sub) this.#running.delete(accessToken);
    }
    this.#wake(sub);
  }

  /** Calls `forgotten` when the user is forgotten, until the returned function is called. */
  watch(sub: string, forgotten: () => void): () => void {
    const watchers = this.#watchers.get(sub) ?? new Set();
    this.#watchers.set(sub, watchers.add(forgotten));
    return () => {
      watchers.delete(forgotten);
      if (watchers.size === 0 && this.#watchers.get(sub) === watchers) this.#watchers.delete(sub);
    };
  }

  /** Notes that the service could not be asked, so that the next requests need not find out by waiting. */
  noteFailure(sub: string, cause: unknown): void {
    this.#failures.set(sub, { cause, at: this.#clock.now() });
  }

  /** The failure of a moment ago, if there was one. */
  recentFailure(sub: string): { cause: unknown } | undefined {
    const failure = this.#failures.get(sub);
    return failure !== undefined && isWithin(this.#clock.now() - failure.at, RETRY_PAUSE_MS)
      ? failure
      : undefined;
  }

  #forgetQuestions(): void {
    this.#allForgottenIn = this.turn();
    this.#forgottenIn.clear();
  }

  #wake(sub: string): void {
    for (const forgotten of [...(this.#watchers.get(sub) ?? [])]) forgotten();
  }
}

/** Those that run at `now`: an end counts to the millisecond, and an end that cannot be read counts as passed. */
function running(memberships: readonly Membership[], now: number): Membership[] {
  return memberships.filter((membership) => membership.isActive && endOf(membership) > now);
}

function soonestEnd(memberships: readonly Membership[]): number {
  return Math.min(Number.POSITIVE_INFINITY, ...memberships.map(endOf));
}

function endOf({ validUntil }: Membership): number {
  if (validUntil === undefined || validUntil === null) return Number.POSITIVE_INFINITY;
  const end = Date.parse(validUntil);
  return Number.isNaN(end) ? Number.NEGATIVE_INFINITY : end;
}

function isWithin(age: number, limit: number): boolean {
  return age >= 0 && age < limit;
}

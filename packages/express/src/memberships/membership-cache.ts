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
}

interface Remembered extends MembershipAnswer {
  /** End of use without asking again: no later than the soonest end of a membership in it. */
  readonly freshUntil: number;
}

interface RunningFetch {
  sub: string;
  answer: Promise<MembershipAnswer>;
}

/** What users have, remembered for a minute each, so that a gate does not ask the service on every request. */
export class MembershipCache {
  readonly #clock: Clock;
  readonly #answers = new BoundedMap<string, Remembered>(REMEMBERED_USERS);
  readonly #failures = new BoundedMap<string, { cause: unknown; at: number }>(REMEMBERED_USERS);
  readonly #running = new Map<string, RunningFetch>();

  constructor(clock: Clock) {
    this.#clock = clock;
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
    return { fetchedAt: answer.fetchedAt, memberships: running(answer.memberships, now) };
  }

  /** Remembers an answer that was just fetched. */
  remember(sub: string, memberships: readonly Membership[]): MembershipAnswer {
    return this.#keep(sub, this.#answerOf(memberships));
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
    const isCurrent = () => this.#running.get(accessToken) === started;
    const answer = fetchMemberships()
      .then((memberships) => {
        const given = this.#answerOf(memberships);
        // Forgotten meanwhile: the service may have answered before what has changed since.
        if (isCurrent()) this.#keep(sub, given);
        return given;
      })
      .finally(() => {
        if (isCurrent()) this.#running.delete(accessToken);
      });
    const started = { sub, answer };
    this.#running.set(accessToken, started);
    return answer;
  }

  /** Forgets what is known of a user, because it has changed; who asks from now on hears it from the service. */
  forget(sub: string): void {
    this.#answers.delete(sub);
    this.#failures.delete(sub);
    for (const [accessToken, running] of this.#running) {
      if (running.sub === sub) this.#running.delete(accessToken);
    }
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

  #answerOf(memberships: readonly Membership[]): Remembered {
    const now = this.#clock.now();
    const current = running(memberships, now);
    return {
      memberships: current,
      fetchedAt: now,
      freshUntil: Math.min(now + FRESH_MS, soonestEnd(current)),
    };
  }

  #keep(sub: string, answer: Remembered): MembershipAnswer {
    this.#answers.set(sub, answer);
    this.#failures.delete(sub);
    return answer;
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

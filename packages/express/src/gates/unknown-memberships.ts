import { docsUrl, HOUR_MS } from '@latchkey/contract/constants';
import type { UserIdentity } from '@latchkey/oauth';
import QuickLRU from 'quick-lru';
import type { RecordedIds } from '../memberships/membership-source.js';
import type { SiteMembership } from '../memberships/site-membership.js';
import type { Clock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';

/** How many memberships a rejection mentions. The newest come first: those are what a buyer asks about. */
const MAX_NAMED = 5;
/** The service chooses the ids. The usual ones have 36 characters. */
const MAX_ID_LENGTH = 100;
const MAX_LOGGED_IDS = 5_000;
/** Maximum number of lines in one window. Anyone can open communities and become their member. */
const MAX_LINES = 100;

const REJECTED =
  'A visitor was rejected, because the directory does not contain the membership. If it belongs to this site, record it with auth.directory.record({ membershipId, communityId }), or import all members. Memberships of other sellers need no action.';

/** Logs the running memberships that aren't in the directory: one line for each id. */
export class UnknownMemberships {
  readonly #clock: Clock;
  readonly #logger: Log;
  readonly #recordedIds: RecordedIds;
  readonly #logged = new QuickLRU<string, true>({ maxSize: MAX_LOGGED_IDS });
  #windowStartedAt = Number.NEGATIVE_INFINITY;
  #lines = 0;

  constructor({ clock, logger, recordedIds }: { clock: Clock; logger: Log; recordedIds: RecordedIds }) {
    this.#clock = clock;
    this.#logger = logger;
    this.#recordedIds = recordedIds;
  }

  /** Logs the newest memberships, and returns their ids. */
  report({ sub }: UserIdentity, memberships: readonly SiteMembership[]): readonly string[] {
    const newest = newestOf(memberships).map(({ id, productType }) => ({
      membershipId: id.slice(0, MAX_ID_LENGTH),
      productType,
    }));
    for (const { membershipId, productType } of newest) this.#log({ membershipId, productType, sub });
    return newest.map(({ membershipId }) => membershipId);
  }

  #log(details: { membershipId: string; productType: string | undefined; sub: string }): void {
    const key = details.membershipId.toLowerCase();
    if (this.#logged.has(key)) return;
    const now = this.#clock.now();
    if (now < this.#windowStartedAt || now >= this.#windowStartedAt + HOUR_MS) {
      this.#windowStartedAt = now;
      this.#lines = 0;
    }
    this.#lines += 1;
    if (this.#lines > MAX_LINES) return;
    this.#logged.set(key, true);
    this.#logger.warn('membership_unknown', `${REJECTED}${this.#otherIdsHint()}`, details);
    if (this.#lines === MAX_LINES) {
      this.#logger.warn(
        'membership_unknown',
        'More memberships that the directory does not contain are not logged within the next hour.',
        { lines: MAX_LINES },
      );
    }
  }

  /** Returns a hint at the assumption about ids, if nothing has confirmed it. */
  #otherIdsHint(): string {
    const count = this.#recordedIds.countWithoutVisitor();
    if (count === 0) return '';
    const recorded = count === 1 ? 'the membership' : `any of the ${count} memberships`;
    return ` No visitor's list has contained ${recorded} that this process recorded in the last day. If the service names a membership by other ids in that list, no gate can open: see membership-id-shared at ${docsUrl('live-service')}.`;
  }
}

/** Returns the newest memberships, without sorting them all: anyone can own a hundred thousand and send many requests. */
function newestOf(memberships: readonly SiteMembership[]): readonly SiteMembership[] {
  let newest: SiteMembership[] = [];
  for (const membership of memberships) {
    const last = newest.length < MAX_NAMED ? undefined : newest.at(-1);
    if (last !== undefined && startOf(membership) <= startOf(last)) continue;
    newest = [...newest, membership].sort((a, b) => (startOf(a) < startOf(b) ? 1 : -1)).slice(0, MAX_NAMED);
  }
  return newest;
}

/** A membership without a start counts as the oldest. */
function startOf({ validFrom = '' }: SiteMembership): string {
  return validFrom;
}

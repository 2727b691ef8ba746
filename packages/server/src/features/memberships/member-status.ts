import { DAY_MS } from '@latchkey/contract/constants';
import type { Schema } from '../../migrations/schema.js';
import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { countRows } from '../../platform/database/rows.js';
import { membershipSql } from './membership-state.js';

/** Statuses by which a seller filters members. An active membership that ends soon has both `active` and `ending`. */
export const MEMBER_STATUSES = ['active', 'ending', 'ended'] as const;

export type MemberStatus = (typeof MEMBER_STATUSES)[number];

/** How close to its end a membership counts as ending soon, in days. That leaves time to write to the member. */
export const ENDING_SOON_DAYS = 14;

const ENDING_SOON_MS = ENDING_SOON_DAYS * DAY_MS;

export function endsSoon(
  { validUntil, isRenewing }: { validUntil: number | null; isRenewing: boolean },
  now: number,
): boolean {
  return validUntil !== null && validUntil > now && validUntil <= now + ENDING_SOON_MS && !isRenewing;
}

/** Memberships of one status that lie together in an index. */
export type StatusRange = 'lifetime' | 'limited' | 'ending' | 'ended';

export const STATUS_RANGES: Readonly<Record<MemberStatus, readonly StatusRange[]>> = {
  active: ['lifetime', 'limited'],
  ending: ['ending'],
  ended: ['ended'],
};

type Memberships = ExpressionBuilder<Schema, 'memberships'>;
type Condition = ExpressionWrapper<Schema, 'memberships', SqlBool>;

/** Returns the SQL condition for a range. It has no OR, which couldn't use the index. */
export function isInRange(eb: Memberships, range: StatusRange, now: number): Condition {
  switch (range) {
    case 'lifetime':
      return eb.and([eb('memberships.valid_until', 'is', null), eb('memberships.valid_from', '<=', now)]);
    case 'limited':
      return eb.and([eb('memberships.valid_until', '>', now), eb('memberships.valid_from', '<=', now)]);
    case 'ending':
      return eb.and([eb('memberships.valid_until', '>', now), isEndingAtLatest(eb, now)]);
    case 'ended':
      return membershipSql.isExpired(eb, now);
  }
}

export function isEndingAtLatest(eb: Memberships, now: number): Condition {
  return eb.and([
    eb('memberships.valid_until', '<=', now + ENDING_SOON_MS),
    eb('memberships.valid_from', '<=', now),
    membershipSql.isNotRenewing(eb),
  ]);
}

export function hasStatus(eb: Memberships, status: MemberStatus, now: number): Condition {
  return eb.or(STATUS_RANGES[status].map((range) => isInRange(eb, range, now)));
}

export interface BoundedCount {
  count: number;
  hasMore: boolean;
}

/** Highest number of members that a list counts. Counting all of them would slow the page down as a community grows. */
const LISTED_MAX = 1_000;

export type MemberCounts = Readonly<Record<MemberStatus | 'all', BoundedCount>>;

export async function countMembers(db: Database, communityId: string, now: number): Promise<MemberCounts> {
  const count = async (status: MemberStatus) =>
    await countMembersWith(db, { communityId, status, now, max: LISTED_MAX });
  return {
    all: bounded(await countRange(db, { communityId, range: undefined, now, max: LISTED_MAX }), LISTED_MAX),
    active: await count('active'),
    ending: await count('ending'),
    ended: await count('ended'),
  };
}

export async function countMembersWith(
  db: Database,
  { communityId, status, now, max }: { communityId: string; status: MemberStatus; now: number; max: number },
): Promise<BoundedCount> {
  let found = 0;
  for (const range of STATUS_RANGES[status]) found += await countRange(db, { communityId, range, now, max });
  return bounded(found, max);
}

/** Counts up to one more than the maximum. Without a range, counts all members. */
async function countRange(
  db: Database,
  list: { communityId: string; range: StatusRange | undefined; now: number; max: number },
): Promise<number> {
  const { communityId, range, now, max } = list;
  const counted = db
    .selectFrom('memberships')
    .select('memberships.community_id')
    .where('memberships.community_id', '=', communityId)
    .$if(range !== undefined, (query) => query.where((eb) => isInRange(eb, range ?? 'ended', now)))
    .limit(max + 1);
  return await countRows(db.selectFrom(counted.as('counted')));
}

function bounded(found: number, max: number): BoundedCount {
  return { count: Math.min(found, max), hasMore: found > max };
}

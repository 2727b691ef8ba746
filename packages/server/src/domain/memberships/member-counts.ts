import type { Database } from '../../platform/database/open-database.js';
import { isInRange, type MemberStatus, STATUS_RANGES, type StatusRange } from './member-status.js';

/** Number of members up to a maximum. */
export interface BoundedCount {
  count: number;
  /** True if there are more members than the count says. */
  hasMore: boolean;
}

/** Highest number of members that a list counts. Counting all would slow the page down with each member. */
const LISTED_MAX = 1_000;

/** Counts of the members of a community, in total and by status. */
export type MemberCounts = Readonly<Record<MemberStatus | 'all', BoundedCount>>;

/** Counts the members of a community, in total and by status. */
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

/** Counts the members with a status, at most `max`. */
export async function countMembersWith(
  db: Database,
  { communityId, status, now, max }: { communityId: string; status: MemberStatus; now: number; max: number },
): Promise<BoundedCount> {
  let found = 0;
  for (const range of STATUS_RANGES[status]) found += await countRange(db, { communityId, range, now, max });
  return bounded(found, max);
}

/** Counts up to one more member than the maximum. Without a range, all members. */
async function countRange(
  db: Database,
  {
    communityId,
    range,
    now,
    max,
  }: { communityId: string; range: StatusRange | undefined; now: number; max: number },
): Promise<number> {
  const counted = db
    .selectFrom('memberships')
    .select('memberships.community_id')
    .where('memberships.community_id', '=', communityId)
    .$if(range !== undefined, (query) => query.where((eb) => isInRange(eb, range ?? 'ended', now)))
    .limit(max + 1)
    .as('counted');
  const { found } = await db
    .selectFrom(counted)
    .select(({ fn }) => fn.countAll<number>().as('found'))
    .executeTakeFirstOrThrow();
  return Number(found);
}

function bounded(found: number, max: number): BoundedCount {
  return { count: Math.min(found, max), hasMore: found > max };
}

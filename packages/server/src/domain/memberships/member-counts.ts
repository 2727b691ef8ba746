import type { Database } from '../../platform/database/open-database.js';
import { isInRange, type MemberStatus, STATUS_RANGES, type StatusRange } from './member-status.js';

/** Number of members up to a maximum. */
export interface BoundedCount {
  count: number;
  /** True if there are more members than the count says. */
  hasMore: boolean;
}

/** Highest number of members that a page counts. Counting all would slow the page down with each member. */
const MEMBERS_COUNTED_MAX = 20_000;

/** Counts of the members of a community, in total and by status. */
export type MemberCounts = Readonly<Record<MemberStatus | 'all', BoundedCount>>;

/** Counts the members of a community, in total and by status. */
export async function countMembers(db: Database, communityId: string, now: number): Promise<MemberCounts> {
  const count = async (status: MemberStatus) => await countMembersWith(db, { communityId, status, now });
  return {
    all: bounded(await countRange(db, { communityId, range: undefined, now })),
    active: await count('active'),
    ending: await count('ending'),
    ended: await count('ended'),
  };
}

/** Counts the members with a status. */
export async function countMembersWith(
  db: Database,
  { communityId, status, now }: { communityId: string; status: MemberStatus; now: number },
): Promise<BoundedCount> {
  let found = 0;
  for (const range of STATUS_RANGES[status]) found += await countRange(db, { communityId, range, now });
  return bounded(found);
}

/** Counts up to one more member than {@link MEMBERS_COUNTED_MAX}. Without a range, all members. */
async function countRange(
  db: Database,
  { communityId, range, now }: { communityId: string; range: StatusRange | undefined; now: number },
): Promise<number> {
  const counted = db
    .selectFrom('memberships')
    .select('memberships.community_id')
    .where('memberships.community_id', '=', communityId)
    .$if(range !== undefined, (query) => query.where((eb) => isInRange(eb, range ?? 'ended', now)))
    .limit(MEMBERS_COUNTED_MAX + 1)
    .as('counted');
  const { found } = await db
    .selectFrom(counted)
    .select(({ fn }) => fn.countAll<number>().as('found'))
    .executeTakeFirstOrThrow();
  return Number(found);
}

function bounded(found: number): BoundedCount {
  return { count: Math.min(found, MEMBERS_COUNTED_MAX), hasMore: found > MEMBERS_COUNTED_MAX };
}

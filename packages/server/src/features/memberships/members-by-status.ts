import type { Schema } from '../../migrations/schema.js';
import type { ExpressionBuilder } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { type ListPage, PAGE_SIZE } from '../../platform/database/rows.js';
import {
  isEndingAtLatest,
  isInRange,
  type MemberStatus,
  STATUS_RANGES,
  type StatusRange,
} from './member-status.js';
import { type ListedMembership, readInEndOrder } from './membership-list.js';

export interface MemberPosition {
  /** Null for a lifetime membership. */
  validUntil: number | null;
  validFrom: number;
  id: string;
}

export interface MembersByStatus {
  communityId: string;
  status: MemberStatus;
  now: number;
}

/**
 * Lists one page of the members with a status. Active members: lifetime first, then the latest end first. Memberships
 * that end soon: the next end first. Ended memberships: the latest end first. Reads only the rows of the page.
 */
export async function listMembersByStatus(
  db: Database,
  list: MembersByStatus,
  after?: MemberPosition | undefined,
): Promise<ListPage<ListedMembership>> {
  const found: ListedMembership[] = [];
  for (const range of STATUS_RANGES[list.status]) {
    const isPassed = range === 'lifetime' && after !== undefined && after.validUntil !== null;
    const room = PAGE_SIZE + 1 - found.length;
    if (isPassed || room === 0) continue;
    const rows = await readInEndOrder(db, list.communityId, {
      where: (eb) => isAfter(eb, { range, after, now: list.now }),
      direction: range === 'ending' ? 'asc' : 'desc',
      limit: room,
    });
    found.push(...rows);
  }
  const rows = found.slice(0, PAGE_SIZE);
  const last = rows.at(-1);
  return { rows, next: found.length > PAGE_SIZE && last !== undefined ? formatMember(last) : undefined };
}

/** Parses the start of a page from an address. `undefined` means the first page. */
export function readMemberPosition(text: string | null): MemberPosition | undefined {
  const [, until = '', from = '', id = ''] =
    /^(never|-?\d{1,15})~(-?\d{1,15})~([\w-]{1,64})$/.exec(text ?? '') ?? [];
  if (id === '') return undefined;
  return { validUntil: until === 'never' ? null : Number(until), validFrom: Number(from), id };
}

function formatMember({ validUntil, validFrom, id }: MemberPosition): string {
  return `${validUntil ?? 'never'}~${validFrom}~${id}`;
}

/**
 * Returns the condition for the rows of a range after the last row. It replaces the range's bound on that side: SQLite
 * uses only one of the two to search the index.
 */
function isAfter(
  eb: ExpressionBuilder<Schema, 'memberships'>,
  { range, after, now }: { range: StatusRange; after: MemberPosition | undefined; now: number },
) {
  const row = eb.refTuple('memberships.valid_until', 'memberships.valid_from', 'memberships.id');
  const end = after?.validUntil ?? null;
  const last = eb.tuple(end ?? 0, after?.validFrom ?? 0, after?.id ?? '');
  switch (range) {
    case 'lifetime': {
      const from = eb.refTuple('memberships.valid_from', 'memberships.id');
      if (after === undefined || after.validFrom > now) return isInRange(eb, range, now);
      const isPrevious = eb(from, '<', eb.tuple(after.validFrom, after.id));
      return eb.and([eb('memberships.valid_until', 'is', null), isPrevious]);
    }
    case 'limited':
      return end === null
        ? isInRange(eb, range, now)
        : eb.and([isInRange(eb, range, now), eb(row, '<', last)]);
    case 'ending':
      return end === null || end <= now
        ? isInRange(eb, range, now)
        : eb.and([eb(row, '>', last), isEndingAtLatest(eb, now)]);
    case 'ended':
      return end === null || end > now ? isInRange(eb, range, now) : eb(row, '<', last);
  }
}

import { formatTimestamp } from '@latchkey/contract/constants';
import { csvLines } from '../../platform/csv.js';
import type { Database } from '../../platform/database/open-database.js';
import { nextRows, type Position } from '../../platform/database/rows.js';
import type { MembershipTarget } from './memberships.js';

const BATCH = 1_000;

const COLUMNS = [
  'membership_id',
  'community_id',
  'product_id',
  'pricing_plan_id',
  'valid_from',
  'valid_until',
  'exported_at',
];

/**
 * Streams all memberships of a community or product as CSV, including ended ones, oldest start first. A site imports
 * the file into its membership directory, which needs no names or addresses, so there are none. `exported_at` is the
 * time before the first row was read: anything that a site learns about a plan later is newer.
 */
export async function* exportMemberships(
  db: Database,
  target: MembershipTarget,
  { now, batch = BATCH }: { now: number; batch?: number },
): AsyncGenerator<string> {
  yield csvLines([COLUMNS]);
  const exportedAt = formatTimestamp(now);
  let after: Position | undefined;
  do {
    const rows = await readMemberships(db, target, { after, limit: batch });
    yield csvLines(
      rows.map((row) => [
        row.id,
        row.community_id,
        row.product_id,
        row.pricing_plan_id,
        formatTimestamp(row.valid_from),
        row.valid_until === null ? null : formatTimestamp(row.valid_until),
        exportedAt,
      ]),
    );
    const last = rows.at(-1);
    after = rows.length === batch && last !== undefined ? { at: last.valid_from, id: last.id } : undefined;
  } while (after !== undefined);
}

async function readMemberships(
  db: Database,
  target: MembershipTarget,
  { after, limit }: { after: Position | undefined; limit: number },
) {
  const memberships = db
    .selectFrom('memberships')
    .select(['id', 'community_id', 'product_id', 'pricing_plan_id', 'valid_from', 'valid_until'])
    .where((eb) =>
      'communityId' in target
        ? eb('community_id', '=', target.communityId)
        : eb('product_id', '=', target.productId),
    );
  const position = after && [after.at, after.id];
  return await nextRows(memberships, { by: ['valid_from', 'id'], after: position, limit }).execute();
}

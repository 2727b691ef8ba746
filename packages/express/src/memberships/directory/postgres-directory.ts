import { LatchkeyOptionsError } from '../../platform/options-error.js';
import {
  createTable as createTableOnce,
  errorCodeOf,
  type PostgresPool,
  TABLE_NAME,
  TABLE_NAME_ADVICE,
  UNDEFINED_TABLE,
} from '../../platform/postgres.js';
import { type DirectoryOptions, membershipDirectory } from './create-directory.js';
import type { DirectoryEntry, MembershipDirectory } from './membership-directory.js';

export interface PostgresDirectoryOptions extends DirectoryOptions {
  /**
   * Table name, optionally with a schema.
   * @default 'latchkey_memberships'
   */
  table?: string | undefined;
  /**
   * Creates a missing table. Set it to false if the app's role may not create tables, and run the statement in
   * README.md.
   * @default true
   */
  createTable?: boolean | undefined;
}

/** Error code `check_violation` (PostgreSQL, appendix A). */
const CHECK_VIOLATION = '23514';

/**
 * Creates a directory in a PostgreSQL table, with one row for each membership.
 * @throws LatchkeyOptionsError if the table name would need quoting.
 */
export function postgresDirectory(
  pool: PostgresPool,
  { table = 'latchkey_memberships', createTable = true, ...options }: PostgresDirectoryOptions = {},
): MembershipDirectory {
  if (!TABLE_NAME.test(table)) {
    throw new LatchkeyOptionsError([{ option: 'table', message: TABLE_NAME_ADVICE }]);
  }
  const sql = statements(table);
  const query = async (text: string, values: unknown[]): Promise<unknown[]> => {
    try {
      return (await pool.query(text, values)).rows;
    } catch (error) {
      if (!createTable || errorCodeOf(error) !== UNDEFINED_TABLE) throw error;
    }
    await createTableOnce(pool, sql.create);
    return (await pool.query(text, values)).rows;
  };
  const find = async (membershipIds: readonly string[]) =>
    (await query(sql.find, [membershipIds])) as DirectoryEntry[];
  return membershipDirectory(
    {
      find,
      async record(given) {
        try {
          await query(sql.record, [
            given.map(({ membershipId }) => membershipId),
            given.map(({ communityId }) => communityId),
            given.map(({ productId }) => productId),
            given.map(({ plan }) => plan?.id ?? null),
            given.map(({ plan }) => plan?.observedAt ?? null),
          ]);
          return { kind: 'recorded' };
        } catch (error) {
          if (errorCodeOf(error) !== CHECK_VIOLATION) throw error;
        }
        return { kind: 'conflict', stored: await find(given.map(({ membershipId }) => membershipId)) };
      },
      async remove(membershipIds) {
        await query(sql.remove, [membershipIds]);
      },
      async close() {},
    },
    options,
  );
}

function statements(table: string) {
  const isSameSource = `(entry.community_id, entry.product_id) is not distinct from (excluded.community_id, excluded.product_id)`;
  const isNewer = 'excluded.plan_observed_at > coalesce(entry.plan_observed_at, -1)';
  return {
    create: `create table if not exists ${table} (
      membership_id text collate "C" primary key,
      community_id text,
      product_id text,
      pricing_plan_id text,
      plan_observed_at bigint,
      check ((community_id is null) <> (product_id is null))
    )`,
    find: `select membership_id as "membershipId", community_id as "communityId", product_id as "productId",
        pricing_plan_id as "pricingPlanId"
      from ${table} where membership_id = any($1::text[])`,
    // A conflict clears both columns, which violates the check of the table and undoes the whole statement.
    record: `insert into ${table} as entry (membership_id, community_id, product_id, pricing_plan_id, plan_observed_at)
      select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[])
      on conflict (membership_id) do update set
        community_id = case when ${isSameSource} then entry.community_id end,
        product_id = case when ${isSameSource} then entry.product_id end,
        pricing_plan_id = excluded.pricing_plan_id,
        plan_observed_at = excluded.plan_observed_at
      where not (${isSameSource}) or ${isNewer}`,
    remove: `delete from ${table} where membership_id = any($1::text[])`,
  };
}

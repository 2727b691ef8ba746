import { DAY_MS, formatTimestamp } from '@latchkey/contract/constants';
import { type RawBuilder, sql } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { camelNameOf } from '../../platform/database/rows.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { recordAudit } from '../audit/audit.js';
import { mailboxHashOf, useBudgets } from '../budgets/budgets.js';
import { END_OF_TIME } from '../memberships/timeline.js';
import { type EnteredProof, proveUser, type UserProof } from '../two-step/second-factor.js';
import { EXPORT_PARTS, NOT_INCLUDED, type OwnSet } from './personal-data.js';

export const EXPORTS_PER_DAY = 10;
/** Limits memory. The operator's export is complete. */
export const DOWNLOADED_ROWS = 2_000;

type Row = Readonly<Record<string, unknown>>;

/** Everything that the service stores about one user, as JSON: camel case, ISO 8601 times. */
export interface UserExport {
  readonly exportedAt: string;
  readonly user: Row;
  /**
   * Stored data that the export leaves out, by reason: the name of a kind, or `sessions.idHash` for a field of a kind.
   */
  readonly notIncluded: readonly { readonly reason: string; readonly data: readonly string[] }[];
  /** Kinds of which only the latest rows are included, and how many rows; null if the export is complete. */
  readonly cutOff: { readonly rows: number; readonly kinds: readonly string[] } | null;
  readonly [kind: string]: unknown;
}

/** Where to find the name of what a column refers to: table and column. The export contains the name next to the id. */
const NAMED = {
  community_id: ['communities', 'id'],
  product_id: ['products', 'id'],
  pricing_plan_id: ['pricing_plans', 'id'],
  plan_id: ['pricing_plans', 'id'],
  drop_slot_id: ['drop_slots', 'id'],
  client_id: ['oauth_clients', 'client_id'],
} as const;

const UNPROVEN = {
  data: ['everything that is stored under the email address only'],
  reason: 'Nobody has proved the address, so it can belong to another person. A sign-in proves it.',
};

/**
 * Reads as of one instant. Data stored under an email address is only exported once its holder has proved the address.
 * `undefined` if there is no such user.
 */
export async function exportUser(
  db: Database,
  { userId, rows }: { userId: string; rows?: number },
  now: number,
): Promise<UserExport | undefined> {
  return await inTransaction(db, async (transaction) => {
    const user = await transaction
      .selectFrom('users')
      .select(['id', 'email', 'email_verified_at'])
      .where('id', '=', userId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (user === undefined) return undefined;
    const isProven = user.email_verified_at !== null;
    const sets = ownSets(user.id, isProven ? user.email : null);
    const kinds: Record<string, Row[]> = {};
    const cut: string[] = [];
    for (const part of EXPORT_PARTS) {
      const found = await readPart(transaction, part, { sets, rows });
      kinds[part.key] = found.slice(0, rows);
      if (found.length > (rows ?? found.length)) cut.push(part.key);
    }
    await recordAudit(transaction, { action: 'user.export', subjectId: userId });
    const { user: [profile = {}] = [], ...lists } = kinds;
    return {
      exportedAt: formatTimestamp(now),
      user: profile,
      ...lists,
      notIncluded: user.email === null || isProven ? NOT_INCLUDED : [...NOT_INCLUDED, UNPROVEN],
      cutOff: rows === undefined || cut.length === 0 ? null : { rows, kinds: cut },
    };
  });
}

export type OwnExportResult =
  | { readonly kind: 'exported'; readonly exported: UserExport }
  | { readonly kind: 'too-many'; readonly availableAt: number }
  | Exclude<UserProof, { kind: 'proven' }>;

/** Exports the data of a signed-in user, with the same proof as for deleting the account. */
export async function exportOwnData(
  db: Database,
  entered: EnteredProof,
  now: number,
): Promise<OwnExportResult> {
  const { userId } = entered;
  const budget = { counted: ['user', 'exports', userId], limit: EXPORTS_PER_DAY, periodMs: DAY_MS };
  const allow = async (transaction: Database) => {
    const proof = await proveUser(transaction, entered, now);
    if (proof.kind !== 'proven') return proof;
    const use = await useBudgets(transaction, [budget], now);
    return use.kind === 'used' ? proof : { kind: 'too-many' as const, availableAt: use.availableAt };
  };
  const allowed = await inTransaction(db, allow, { isolation: 'read committed' });
  if (allowed.kind !== 'proven') return allowed;
  const exported = await exportUser(db, { userId, rows: DOWNLOADED_ROWS }, now);
  // The account was deleted meanwhile.
  return exported === undefined ? { kind: 'must-sign-in' } : { kind: 'exported', exported };
}

function ownSets(userId: string, provenEmail: string | null): Record<OwnSet, RawBuilder<unknown>> {
  return {
    id: sql`= ${userId}`,
    email: sql`= ${provenEmail}`,
    mailbox: sql`= ${provenEmail === null ? null : mailboxHashOf(provenEmail)}`,
    orders: sql`in (select id from checkout_reservations where user_id = ${userId})`,
    payments: sql`in (select id from payments where user_id = ${userId})`,
    memberships: sql`in (select id from memberships where user_id = ${userId})`,
    communities: sql`in (select community_id from community_roles
      where user_id = ${userId} and role = 'OWNER' and is_active = 1)`,
    // A community's link between account and user counts in that community only. The operator's counts everywhere.
    joinRequests: sql`in (
      select request.id from users join messenger_join_requests request
        on request.messenger_user_id = users.messenger_user_id where users.id = ${userId}
      union all
      select request.id from messenger_accounts account
        join messenger_join_requests request on request.messenger_user_id = account.messenger_user_id
        join messenger_invites invite on invite.id = request.invite_id
          and invite.community_id = account.community_id
        where account.user_id = ${userId})`,
  };
}

async function readPart(
  transaction: Database,
  { table, by, columns }: (typeof EXPORT_PARTS)[number],
  { sets, rows }: { sets: Record<OwnSet, RawBuilder<unknown>>; rows: number | undefined },
): Promise<Row[]> {
  const isOwn = Object.entries(by).map(([column, set]) => sql`${sql.ref(column)} ${sets[set]}`);
  const names = Object.entries(NAMED).flatMap(([column, [named, id]]) => {
    if (named === table || !columns.includes(column)) return [];
    const isNamed = sql`${sql.ref(`${named}.${id}`)} = ${sql.ref(`${table}.${column}`)}`;
    const alias = sql.ref(column.replace('_id', '_name'));
    return [sql`(select name from ${sql.table(named)} where ${isNamed}) as ${alias}`];
  });
  const selected = [...columns.map((column) => sql.ref(column)), ...names];
  const limit = rows === undefined ? sql`` : sql`limit ${rows + 1}`;
  const found = await sql<Row>`select ${sql.join(selected)} from ${sql.table(table)}
    where ${sql.join(isOwn, sql` or `)} order by ${sql.ref(columns[0] ?? '')} desc ${limit}`.execute(
    transaction,
  );
  return found.rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [camelNameOf(name), shown(name, value)])),
  );
}

const TIME = /(_at|At|_until|Until|_end|_since)$|^(at|valid_from)$/;
const FLAG = /^(is_|binds_|accepted$)/;
const JSON_TEXT = /^(details|facts|permissions|redirect_uris|scopes|widget_origins)$/;

/** Returns a value as it appears in JSON, by the name of its column or, inside a JSON column, of its field. */
function shown(name: string, value: unknown): unknown {
  if (typeof value === 'string' && JSON_TEXT.test(name)) return JSON.parse(value, shown);
  if (typeof value !== 'number') return value;
  // What waits behind a lifetime plan is planned for after the last possible timestamp.
  if (TIME.test(name)) return value > END_OF_TIME ? new Date(value).toISOString() : formatTimestamp(value);
  return FLAG.test(name) ? value === 1 : value;
}

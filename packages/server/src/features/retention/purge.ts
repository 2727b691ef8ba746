import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { DAY_MS, HOUR_MS } from '@latchkey/contract/constants';
import type { Worker } from '../../platform/background/background-work.js';
import type { Clock } from '../../platform/clock.js';
import { hasRowLocks } from '../../platform/database/kysely/row-locks.js';
import { type RawBuilder, sql } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { isOneOf, textList } from '../../platform/database/rows.js';

export const PURGE_BATCH_SIZE = 100;

const EVERY = sql`1 = 1`;
const NONE = sql`1 = 0`;

interface EndedRow {
  row_key: string;
  ended_at: number;
  /** 1 if the rule's exception applies. */
  is_kept: 0 | 1;
}

async function readBatch(
  db: Database,
  { table, key, endsAt, only, unless }: Retention,
  { before, after }: { before: number; after: EndedRow | undefined },
): Promise<readonly EndedRow[]> {
  const [keyColumn, endColumn] = [sql.ref(`${table}.${key}`), sql.ref(`${table}.${endsAt}`)];
  const position =
    after === undefined ? EVERY : sql`(${endColumn}, ${keyColumn}) > (${after.ended_at}, ${after.row_key})`;
  const { rows } = await sql<EndedRow>`
    select ${keyColumn} as row_key, ${endColumn} as ended_at, case when ${unless ?? NONE} then 1 else 0 end as is_kept
    from ${sql.table(table)}
    where ${endColumn} <= ${before} and ${only ?? EVERY} and ${position}
    order by ${endColumn}, ${keyColumn} limit ${sql.lit(PURGE_BATCH_SIZE)}`.execute(db);
  return rows;
}

/** Deleting a row before its parts would delete all of them in one statement. `rest` waits after a full batch. */
async function deleteParts(
  db: Database,
  part: RetentionPart,
  options: { parents: readonly string[]; signal: AbortSignal; rest: () => Promise<void> },
): Promise<void> {
  const { table, key, parent } = part;
  if (options.parents.length === 0) return;
  const keyColumn = sql.ref(`${table}.${key}`);
  const parents = textList(db, options.parents);
  const condition = sql`not (${part.unless ?? NONE})`;
  while (!options.signal.aborted) {
    const { rows } = await sql<{ row_key: string }>`
      select ${keyColumn} as row_key from ${sql.table(table)}
      where ${isOneOf(db, `${table}.${parent}`, parents)} and ${condition}
      limit ${sql.lit(PURGE_BATCH_SIZE)}`.execute(db);
    const keys = rows.map(({ row_key }) => row_key);
    if (keys.length === 0) return;
    for (const inner of part.parts ?? []) await deleteParts(db, inner, { ...options, parents: keys });
    if (options.signal.aborted) return;
    const deleted = await deleteRows(db, part, keys, condition);
    // Another process is deleting the rest.
    if (deleted === 0 || keys.length < PURGE_BATCH_SIZE) return;
    await options.rest();
  }
}

async function deleteRows(
  db: Database,
  { table, key }: Pick<Retention, 'table' | 'key'>,
  keys: readonly string[],
  condition: RawBuilder<unknown>,
): Promise<number> {
  const keyColumn = sql.ref(`${table}.${key}`);
  const skipLocked = hasRowLocks(db) ? sql`for update of ${sql.table(table)} skip locked` : sql``;
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ${keyColumn} in (
      select ${keyColumn} from ${sql.table(table)}
      where ${isOneOf(db, `${table}.${key}`, textList(db, keys))} and ${condition} ${skipLocked})`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}

/** The purge uses a tenth of one connection at most, and less the busier the database is. */
const PAUSE_PER_BATCH = 9;
const MAX_PAUSE_MS = 1_000;
/**
 * Sets how long a walk rests before the next one starts over with the oldest row: one second per this many rows that it
 * kept. During the rest, runs continue where the last one ended.
 */
const KEPT_PER_SECOND = 100;

interface Walk {
  /** Time at which the walk began with the oldest row. */
  readonly since: number;
  kept: number;
  last: EndedRow | undefined;
}

/** Any number of processes can run it at once: each skips rows that another is deleting, in small transactions. */
export function createPurge({ db, clock }: { db: Database; clock: Clock }): Worker {
  const walks = new Map<Retention, Walk>();
  return {
    name: 'purge',
    async runOnce(signal) {
      let deleted = 0;
      for (const retention of RETENTION) {
        if (signal.aborted) break;
        const now = clock.now();
        const walk = continued(walks.get(retention), now);
        deleted += await purgeTable(db, retention, { signal, walk, now });
        walks.set(retention, walk);
      }
      return deleted;
    },
  };
}

/** Reading all kept rows in every run would take longer than the pause between runs. */
function continued(walk: Walk | undefined, now: number): Walk {
  const restsForMs = Math.floor((walk?.kept ?? 0) / (KEPT_PER_SECOND * 10)) * 10_000;
  // The clock can be set back, for example by restoring a snapshot. The rows already read are then not the oldest.
  if (walk !== undefined && now >= walk.since && now < walk.since + restsForMs) return walk;
  return { since: now, kept: 0, last: undefined };
}

async function purgeTable(
  db: Database,
  retention: Retention,
  { signal, walk, now }: { signal: AbortSignal; walk: Walk; now: number },
): Promise<number> {
  const { table, endsAt, only, unless } = retention;
  const before = now - retention.keptMs;
  const rest = createPacer(signal);
  let deleted = 0;
  while (!signal.aborted) {
    const batch = await readBatch(db, retention, { before, after: walk.last });
    const keys = batch.filter(({ is_kept }) => is_kept === 0).map(({ row_key }) => row_key);
    for (const part of retention.parts ?? []) await deleteParts(db, part, { parents: keys, signal, rest });
    // Deleting the rows now would delete the remaining parts with them.
    if (signal.aborted) break;
    // A row that has changed since it was read stays.
    const condition = sql`${sql.ref(`${table}.${endsAt}`)} <= ${before} and ${only ?? EVERY} and not (${unless ?? NONE})`;
    const removed = keys.length === 0 ? 0 : await deleteRows(db, retention, keys, condition);
    deleted += removed;
    walk.kept += batch.length - removed;
    walk.last = batch.at(-1) ?? walk.last;
    if (batch.length < PURGE_BATCH_SIZE) break;
    await rest();
  }
  return deleted;
}

function createPacer(signal: AbortSignal): () => Promise<void> {
  let since = performance.now();
  return async () => {
    const ms = Math.min(MAX_PAUSE_MS, PAUSE_PER_BATCH * (performance.now() - since));
    await pause(ms, undefined, { signal }).catch(() => undefined);
    since = performance.now();
  };
}

export interface Retention {
  table: string;
  key: string;
  endsAt: string;
  /** How long an expired row is kept, in milliseconds. */
  keptMs: number;
  /** Restricts the rule to the rows of a partial index. */
  only?: RawBuilder<unknown>;
  unless?: RawBuilder<unknown>;
  /** Rows of other tables that belong to a row of this one. They're deleted before it. */
  parts?: readonly RetentionPart[];
}

/** Rows that are deleted with a row of another table. There can be any number of them per row. */
export interface RetentionPart extends Pick<Retention, 'table' | 'key' | 'unless' | 'parts'> {
  parent: string;
}

const byUser = (table: string) => `${table}.user_id`;

/** The user is more than a claim. Their link hides them, also from the list of failed payments. */
const IS_PERSON = sql`exists (select 1 from users where users.id = community_emails.user_id
  and coalesce(users.email, cast(users.messenger_user_id as text)) is not null)`;

/** Rows that a user without an address keeps, and that in turn keep the user. */
const REFERENCES = [
  ...['community_emails', 'memberships', 'checkout_reservations', 'payments'].map(byUser),
  ...['charges', 'messenger_accounts', 'community_roles', 'operators'].map(byUser),
  ...['products', 'oauth_clients', 'api_keys', 'webhooks'].map((table) => `${table}.owner_id`),
];

/**
 * Retention of expired rows. An expired row and a deleted one lead to the same response (`invalid_grant`,
 * `invalid_token`, 404). Rows are kept longer if they still carry information:
 *
 * - An authorization code is kept while a token issued for it can be used. A second redemption revokes those tokens
 *   (RFC 6749 section 4.1.2).
 * - A token pair is kept until its refresh token expires, even if the token was rotated long before.
 * - A checkout's address leads back to the shop for a month. The reservation is deleted with its last address. A
 *   reservation with a payment, successful or not, is kept for ever: invite links and sales refer to it.
 * - A person's link to a community that somebody else made is deleted once the person has nothing there, and so is a
 *   user to whom nothing refers. An unpaid checkout leaves no unproven address behind, even if a payment failed.
 * - A form submission is remembered for a month. Older tabs are unlikely to submit the form again.
 * - A finished email is listed as sent for a week, without its recipient.
 * - An event of the payment provider is remembered for 90 days, longer than the provider resends it. Repeating an older
 *   one changes nothing.
 * - Webhook events can be viewed and resent for a month. They're kept while a delivery is pending.
 */
const RETENTION: readonly Retention[] = [
  { table: 'token_pairs', key: 'id', endsAt: 'refresh_expires_at', keptMs: DAY_MS },
  {
    table: 'authorization_codes',
    key: 'id',
    endsAt: 'expires_at',
    keptMs: DAY_MS,
    unless: sql`exists (select 1 from token_pairs where token_pairs.code_id = authorization_codes.id)`,
  },
  { table: 'user_sessions', key: 'id_hash', endsAt: 'expires_at', keptMs: 0 },
  { table: 'sign_in_codes', key: 'attempt_hash', endsAt: 'expires_at', keptMs: HOUR_MS },
  { table: 'email_changes', key: 'id', endsAt: 'expires_at', keptMs: 0 },
  { table: 'second_factor_setups', key: 'session_hash', endsAt: 'expires_at', keptMs: 0 },
  { table: 'second_step_attempts', key: 'attempt_hash', endsAt: 'expires_at', keptMs: HOUR_MS },
  { table: 'sign_in_budgets', key: 'key_hash', endsAt: 'ends_at', keptMs: 0 },
  { table: 'known_browsers', key: 'secret_hash', endsAt: 'expires_at', keptMs: 0 },
  { table: 'checkout_links', key: 'secret_hash', endsAt: 'expires_at', keptMs: 30 * DAY_MS },
  {
    table: 'checkout_reservations',
    key: 'id',
    endsAt: 'created_at',
    keptMs: 31 * DAY_MS,
    only: sql`paid_at is null`,
    unless: sql`exists (select 1 from checkout_links where reservation_id = checkout_reservations.id)
      or exists (select 1 from payments where reservation_id = checkout_reservations.id)`,
  },
  {
    table: 'community_emails',
    key: 'id',
    endsAt: 'linked_at',
    keptMs: 31 * DAY_MS,
    unless: sql`exists (select 1 from memberships where memberships.user_id = community_emails.user_id
        and memberships.community_id = community_emails.community_id)
      or exists (select 1 from checkout_reservations left join checkout_links
        on checkout_links.reservation_id = checkout_reservations.id
        where checkout_reservations.user_id = community_emails.user_id
        and checkout_reservations.community_id = community_emails.community_id
        and (paid_at is not null or secret_hash is not null or ${IS_PERSON}))
      or exists (select 1 from payments where payments.user_id = community_emails.user_id
        and payments.community_id = community_emails.community_id
        and (payments.status = 'succeeded' or ${IS_PERSON}))
      or exists (select 1 from messenger_accounts where messenger_accounts.user_id = community_emails.user_id
        and messenger_accounts.community_id = community_emails.community_id)`,
  },
  {
    table: 'users',
    key: 'id',
    endsAt: 'created_at',
    keptMs: 31 * DAY_MS,
    only: sql`users.email is null and users.messenger_user_id is null and users.deleted_at is null`,
    unless: sql.join(
      REFERENCES.map((column) => {
        const [table = ''] = column.split('.');
        return sql`exists (select 1 from ${sql.table(table)} where ${sql.ref(column)} = users.id)`;
      }),
      sql` or `,
    ),
  },
  { table: 'form_submissions', key: 'id', endsAt: 'submitted_at', keptMs: 30 * DAY_MS },
  {
    table: 'messenger_invites',
    key: 'id',
    endsAt: 'expires_at',
    keptMs: 30 * DAY_MS,
    parts: [{ table: 'messenger_join_requests', key: 'id', parent: 'invite_id' }],
  },
  { table: 'invitations', key: 'id', endsAt: 'expires_at', keptMs: 0 },
  {
    table: 'mail_outbox',
    key: 'id',
    endsAt: 'finished_at',
    keptMs: 7 * DAY_MS,
    only: sql`finished_at is not null`,
  },
  { table: 'provider_events', key: 'id', endsAt: 'received_at', keptMs: 90 * DAY_MS },
  { table: 'opt_out_links', key: 'secret_hash', endsAt: 'expires_at', keptMs: 0 },
  {
    table: 'webhook_events',
    key: 'id',
    endsAt: 'created_at',
    keptMs: 30 * DAY_MS,
    unless: sql`exists (select 1 from webhook_deliveries
      where webhook_deliveries.event_id = webhook_events.id and webhook_deliveries.status = 'pending')`,
    parts: [
      {
        table: 'webhook_deliveries',
        key: 'id',
        parent: 'event_id',
        unless: sql`webhook_deliveries.status = 'pending'`,
        parts: [{ table: 'webhook_attempts', key: 'id', parent: 'delivery_id' }],
      },
    ],
  },
];

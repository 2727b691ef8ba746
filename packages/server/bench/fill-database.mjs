import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import {
  API_KEY,
  accessTokenOf,
  CLIENT_ID,
  COMMUNITY_ID,
  hashOf,
  KNOWN_PAIRS,
  refreshTokenOf,
} from './scenarios.mjs';

const OWNER_ID = '0f000000-0000-4000-8000-000000000001';
/** Tables with a row for each user. */
const FILLED_TABLES = ['users', 'memberships', 'membership_periods', 'token_pairs'];
const FAR = 4_102_444_800_000;
const PERMISSIONS = JSON.stringify(['MEMBERSHIP_READ', 'MEMBERSHIP_WRITE', 'MEMBERSHIP_PROVISION']);

/**
 * Fills a migrated, empty database: users with a membership and a token pair each, an API key of the community's owner, and
 * a client. Keys ascend with the row, evenly over all hashes. Filling an index is then fast, and the tokens that requests send
 * are anywhere in it. The tokens that the service issues are neighbors, because they begin with the time.
 */
export async function fillDatabase(url, { rows }) {
  if (url.startsWith('sqlite:')) fillSqlite(url.slice('sqlite:'.length), rows);
  else await fillPostgres(url, rows);
}

function userIdOf(index, rows) {
  const hex = (number, length) => number.toString(16).padStart(length, '0');
  return `${hex(index * stepOf(rows), 8)}-0000-4000-8000-${hex(index, 12)}`;
}

function stepOf(rows) {
  return Math.floor(2 ** 32 / rows);
}

/** Returns the inserts of the rows that requests refer to. They are the same on both engines. */
function fixedRows(rows) {
  const pairs = Array.from({ length: KNOWN_PAIRS }, (_, index) => [
    hashOf(`pair ${index}`),
    `code ${index}`,
    CLIENT_ID,
    userIdOf(Math.floor((index / KNOWN_PAIRS) * rows), rows),
    'memberships.read',
    hashOf(accessTokenOf(index)),
    FAR,
    hashOf(refreshTokenOf(index)),
    FAR,
  ]);
  return [
    ['insert into users (id, email, created_at) values ($1, $2, $3)', [[OWNER_ID, 'owner@example.com', 0]]],
    ['insert into communities (id, name, created_at) values ($1, $2, $3)', [[COMMUNITY_ID, 'Club', 0]]],
    [
      'insert into community_roles (community_id, user_id, role, is_active) values ($1, $2, $3, $4)',
      [[COMMUNITY_ID, OWNER_ID, 'OWNER', 1]],
    ],
    ['insert into provisioning_grants (user_id, granted_at) values ($1, $2)', [[OWNER_ID, 0]]],
    [
      'insert into oauth_clients (client_id, owner_id, type, name, redirect_uris, widget_origins, scopes, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8)',
      [[CLIENT_ID, OWNER_ID, 'public', 'Bench', '[]', '[]', '["memberships.read"]', 0]],
    ],
    [
      'insert into api_keys (id, owner_id, name, key_hash, key_ending, permissions, created_at) values ($1, $2, $3, $4, $5, $6, $7)',
      [['key', OWNER_ID, 'Bench', hashOf(API_KEY), 'kkkk', PERMISSIONS, 0]],
    ],
    [
      'insert into token_pairs (id, code_id, client_id, user_id, scope, access_token_hash, access_expires_at, refresh_token_hash, refresh_expires_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)',
      pairs,
    ],
  ];
}

function fillSqlite(path, rows) {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; BEGIN');
  const numbers = `with recursive n(i) as (select 0 union all select i + 1 from n where i < ${rows - 1})`;
  const key = `printf('%08x', i * ${stepOf(rows)})`;
  const userId = `${key} || '-0000-4000-8000-' || printf('%012x', i)`;
  const id = (digit) => `${key} || '-0000-4000-900${digit}-' || printf('%012x', i)`;
  const hash = `${key} || lower(hex(randomblob(28)))`;
  database.exec(`
    insert into users (id, email, messenger_user_id, created_at)
      ${numbers} select ${userId}, printf('u%010d@example.com', i), i + 1, 0 from n;
    insert into memberships (id, user_id, product_type, community_id, valid_from)
      ${numbers} select ${id(1)}, ${userId}, 'community', '${COMMUNITY_ID}', 0 from n;
    insert into membership_periods (id, membership_id, starts_at, source, created_at)
      ${numbers} select ${id(4)}, ${id(1)}, 0, 'grant', 0 from n;
    insert into token_pairs
      (id, code_id, client_id, user_id, scope, access_token_hash, access_expires_at, refresh_token_hash, refresh_expires_at)
      ${numbers} select ${id(2)}, ${id(3)}, '${CLIENT_ID}', ${userId}, 'memberships.read',
        ${hash}, ${FAR}, ${hash}, ${FAR} from n;`);
  for (const [sql, values] of fixedRows(rows)) {
    const statement = database.prepare(sql.replaceAll('$', '?'));
    for (const row of values) statement.run(...row);
  }
  database.exec('COMMIT; PRAGMA journal_mode = WAL; ANALYZE');
  database.close();
}

async function fillPostgres(url, rows) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // Skips the check of foreign keys, which would slow down millions of inserts.
  await client.query(
    "set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '512MB'",
  );
  // Rows enter no index. `reindex` then builds the indexes in a fraction of the time.
  await client.query(
    `update pg_index set indisready = false, indisvalid = false where indrelid::regclass::text = any($1)`,
    [FILLED_TABLES],
  );
  const key = `lpad(to_hex(i * ${stepOf(rows)}), 8, '0')`;
  const userId = `${key} || '-0000-4000-8000-' || lpad(to_hex(i), 12, '0')`;
  const id = (digit) => `${key} || '-0000-4000-900${digit}-' || lpad(to_hex(i), 12, '0')`;
  const hash = `${key} || md5(random()::text) || substr(md5(random()::text), 1, 24)`;
  const numbers = `generate_series(0::bigint, ${rows - 1}) i`;
  await client.query(`
    truncate ${FILLED_TABLES.join(', ')} cascade;
    insert into users (id, email, messenger_user_id, created_at)
      select ${userId}, 'u' || lpad(i::text, 10, '0') || '@example.com', i + 1, 0 from ${numbers};
    insert into memberships (id, user_id, product_type, community_id, valid_from)
      select ${id(1)}, ${userId}, 'community', '${COMMUNITY_ID}', 0 from ${numbers};
    insert into membership_periods (id, membership_id, starts_at, source, created_at)
      select ${id(4)}, ${id(1)}, 0, 'grant', 0 from ${numbers};
    insert into token_pairs
      (id, code_id, client_id, user_id, scope, access_token_hash, access_expires_at, refresh_token_hash, refresh_expires_at)
      select ${id(2)}, ${id(3)}, '${CLIENT_ID}', ${userId}, 'memberships.read',
        ${hash}, ${FAR}, ${hash}, ${FAR} from ${numbers}`);
  for (const table of FILLED_TABLES) await client.query(`reindex table ${table}`);
  for (const [sql, values] of fixedRows(rows)) for (const row of values) await client.query(sql, row);
  await client.query('vacuum analyze');
  await client.query('checkpoint');
  await client.end();
}

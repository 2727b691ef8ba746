// Copies the tables of a PostgreSQL database into one file, and back, where there is no pg_dump: docs/self-hosting.md, "Backup".
//
//   node backup-postgres.mjs save "$LATCHKEY_DATABASE" members.json
//   node backup-postgres.mjs load postgres://latchkey:password@db.example:5432/latchkey_restored members.json
import { readFileSync, writeFileSync } from 'node:fs';
import pg from 'pg';

const [command, url, file] = process.argv.slice(2);
if (!['save', 'load'].includes(command) || !url || !file) {
  process.stderr.write('Usage: node backup-postgres.mjs save|load <URL of the database> <file>\n');
  process.exit(2);
}
// Values stay text, so that numbers and times keep every digit.
const client = new pg.Client({ connectionString: url, types: { getTypeParser: () => (text) => text } });
const quoted = (name) => `"${name.replaceAll('"', '""')}"`;

/** Names of the tables; a table comes after those that it refers to. */
async function tableNames() {
  const { rows: tables } = await client.query(
    "select tablename as name from pg_tables where schemaname = 'public' order by tablename",
  );
  const { rows: references } = await client.query(
    "select conrelid::regclass::text as source, confrelid::regclass::text as target from pg_constraint where contype = 'f'",
  );
  const ordered = [];
  let waiting = tables.map(({ name }) => name);
  while (waiting.length > 0) {
    const isReady = (name) =>
      references.every(
        ({ source, target }) => source !== name || target === name || ordered.includes(target),
      );
    const ready = waiting.filter(isReady);
    if (ready.length === 0) throw new Error(`These tables refer to each other: ${waiting.join(', ')}`);
    ordered.push(...ready);
    waiting = waiting.filter((name) => !ready.includes(name));
  }
  return ordered;
}

async function save() {
  await client.query('begin transaction isolation level repeatable read read only');
  const tables = {};
  for (const name of await tableNames()) {
    tables[name] = (await client.query({ text: `select * from ${quoted(name)}` })).rows;
  }
  await client.query('commit');
  writeFileSync(file, JSON.stringify(tables), { mode: 0o600, flag: 'wx' });
}

async function load() {
  const tables = JSON.parse(readFileSync(file, 'utf8'));
  await client.query('begin');
  // The new database has its own list of migrations: it has contract migrations, too, which the backup can lack.
  const names = (await tableNames()).filter(
    (name) => !['kysely_migration', 'migration_kinds'].includes(name),
  );
  // The migrations have written rows of their own, but no entry of the audit log, from which nobody can delete.
  const emptied = names.filter((name) => name !== 'audit_entries').toReversed();
  for (const name of emptied) await client.query(`delete from ${quoted(name)}`);
  for (const name of names) {
    for (const row of tables[name] ?? []) {
      const columns = Object.keys(row);
      const places = columns.map((_column, index) => `$${index + 1}`).join(', ');
      await client.query(
        `insert into ${quoted(name)} (${columns.map(quoted).join(', ')}) values (${places})`,
        Object.values(row),
      );
    }
  }
  await client.query('commit');
}

await client.connect();
try {
  await (command === 'load' ? load() : save());
} finally {
  await client.end();
}

import type { Migration } from '../../src/migrations/migration.js';

/** A migration, as the rules see it. */
export interface RuledMigration extends Pick<Migration, 'kind' | 'transaction'> {
  /** Statements that it ran on PostgreSQL. */
  readonly statements: readonly string[];
}

interface Rule {
  readonly pattern: RegExp;
  readonly reason: string;
  /** Tables of the same migration are empty and unknown to other processes, so the rule does not apply to them. */
  readonly isForNewTables?: true;
}

const TABLE = String.raw`(?:if (?:not )?exists )?(?:only )?(\w+)`;
const ALTER = `alter table ${TABLE} `;

const ALWAYS: readonly Rule[] = [
  {
    pattern: new RegExp(`${ALTER}.*alter column \\w+ (?:set data )?type `),
    reason: 'Changing a type rewrites the table under a lock. Add a column.',
  },
  {
    pattern: new RegExp(`^create (?:unique )?index (?!concurrently ).*? on ${TABLE}`),
    reason: 'An index blocks writes. Use createIndexConcurrently.',
  },
  {
    pattern: /^drop index (?!concurrently )(\w+)/,
    reason: 'Dropping an index locks its table. Use "drop index concurrently".',
  },
  {
    pattern: new RegExp(`${ALTER}.*add constraint (?!.*not valid)`),
    reason:
      'A constraint is checked under a lock. Add it "not valid", and validate it in the next migration.',
  },
  {
    pattern: new RegExp(
      `^(?:truncate|lock|cluster|vacuum full|reindex(?! .*concurrently))(?: table)? ${TABLE}`,
    ),
    reason: 'The statement locks the table.',
  },
];

const EXPAND: readonly Rule[] = [
  {
    pattern: new RegExp(`^drop (?:table|column|view|type|function|constraint|sequence) ${TABLE}`),
    reason: 'The previous version may use it. Drop it in a contract migration.',
  },
  {
    pattern: new RegExp(`${ALTER}drop `),
    reason: 'The previous version may use it. Drop it in a contract migration.',
  },
  {
    pattern: /^alter (?:table|index|type|sequence) (?:if exists )?(\w+) (?:rename|set schema)/,
    reason:
      'The previous version uses the old name. Add the new one, write both, and drop the old one later.',
  },
  {
    pattern: new RegExp(`${ALTER}.*alter column \\w+ (?:set not null|drop default)`),
    reason: 'The previous version may write null. Require the value in a contract migration.',
  },
  {
    pattern: new RegExp(`${ALTER}add column (?!.* default ).*not null`),
    reason: 'The previous version does not write the column. Add a default, or allow null.',
  },
  {
    pattern: new RegExp(`${ALTER}add column .* default [\\w ]*\\(`),
    reason: 'A computed default rewrites the table under a lock. Use a constant.',
  },
  {
    pattern: new RegExp(`${ALTER}add column .*(?: references| unique| primary key| check)`),
    reason:
      'A constraint of a new column is checked under a lock. Add it "not valid" in a separate statement.',
  },
  {
    pattern: new RegExp(`^create unique index .*? on ${TABLE}`),
    reason: 'The previous version may write rows that break it. Create it in a contract migration.',
  },
];

const CONTRACT: readonly Rule[] = [
  {
    pattern: new RegExp(`^create table ${TABLE}`),
    reason: 'Additions belong into an expand migration.',
    isForNewTables: true,
  },
  { pattern: new RegExp(`${ALTER}add column `), reason: 'Additions belong into an expand migration.' },
];

/** Rules of migrations that run in one transaction. */
const TRANSACTIONAL: readonly Rule[] = [
  {
    pattern: new RegExp(`^(?:update|delete from) ${TABLE}`),
    reason:
      "Changing all rows locks them until the end. Use transaction: 'none', and change them in batches.",
  },
  {
    pattern: /^\w+ .*\bconcurrently\b ?(\w*)/,
    reason: "The statement can't run in a transaction. Use transaction: 'none'.",
  },
];

/** Lists the statements of a migration that break a rule, each with the reason. */
export function brokenRules({ kind, transaction = 'one', statements }: RuledMigration): string[] {
  const plain = statements.map((sql) => sql.toLowerCase().replaceAll('"', '').replaceAll(/\s+/g, ' ').trim());
  const created = new Set(plain.flatMap((sql) => new RegExp(`^create table ${TABLE}`).exec(sql)?.[1] ?? []));
  const rules = [
    ...ALWAYS,
    ...(kind === 'expand' ? EXPAND : CONTRACT),
    ...(transaction === 'one' ? TRANSACTIONAL : []),
  ];
  const broken = plain.flatMap((sql) =>
    rules.flatMap(({ pattern, reason, isForNewTables }) => {
      const match = pattern.exec(sql);
      if (match === null || (isForNewTables !== true && created.has(match[1] ?? ''))) return [];
      return [`${sql}: ${reason}`];
    }),
  );
  if (transaction === 'none') return broken;
  return [...broken, ...validatedAtOnce(plain), ...lockedTogether(plain, created)];
}

/** The lock of one table is held while the migration waits for the next table. */
function lockedTogether(plain: readonly string[], created: ReadonlySet<string>): string[] {
  const names = plain.flatMap((sql) => new RegExp(`^(?:alter|drop) table ${TABLE}`).exec(sql)?.[1] ?? []);
  const existing = [...new Set(names)].filter((name) => !created.has(name));
  if (existing.length < 2) return [];
  return [`${existing.join(', ')}: A migration may lock one table. Use one migration for each.`];
}

/** A validation in the transaction that added the constraint runs under the lock of the addition. */
function validatedAtOnce(plain: readonly string[]): string[] {
  const adds = plain.some((sql) => / add constraint .*not valid/.test(sql));
  return plain
    .filter((sql) => adds && sql.includes(' validate constraint '))
    .map((sql) => `${sql}: Validate the constraint in the next migration, which does not lock the table.`);
}

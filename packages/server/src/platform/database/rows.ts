import { type SelectQueryBuilder, sql } from './kysely.js';

/** Row with its names in camel case: `owner_id` is `ownerId`. */
export type CamelCased<Row> = { [Name in keyof Row as CamelName<Name>]: Row[Name] };

type CamelName<Name> = Name extends `${infer Start}_${infer Rest}`
  ? `${Start}${Capitalize<CamelName<Rest>>}`
  : Name;

/** Returns a row as the domain names it. */
export function camelCased<Row extends object>(row: Row): CamelCased<Row> {
  const entries = Object.entries(row).map(([name, value]) => [
    name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return Object.fromEntries(entries) as CamelCased<Row>;
}

/** Counts the rows of a query. */
export async function countRows<DB, TB extends keyof DB>(query: SelectQueryBuilder<DB, TB, object>) {
  const row = await query.select(sql<number>`count(*)`.as('rows')).executeTakeFirstOrThrow();
  return Number((row as { rows: number }).rows);
}

import { type RawBuilder, type SqlBool, sql } from './kysely.js';

/** Returns a condition: one of the columns contains the text. Case does not matter for the letters A to Z. */
export function containsText(columns: readonly string[], text: string): RawBuilder<SqlBool> {
  const pattern = `%${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
  const conditions = columns.map(
    (column) => sql`lower(cast(${sql.ref(column)} as text)) like ${pattern} escape '\\'`,
  );
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
}

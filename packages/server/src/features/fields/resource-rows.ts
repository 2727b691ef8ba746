import type * as z from 'zod';
import { type CamelCased, camelCased } from '../../platform/database/rows.js';
import type { Resource } from './define-resource.js';

type Stored<Values> = Pick<Resource, 'fields'> & { readonly create: z.ZodType<Values> };

type SnakeName<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeName<Rest>}`
  : '';

type Column<Value> = Value extends boolean ? 0 | 1 : Value extends readonly unknown[] ? string : Value;

type Columns<Values> = { [Name in keyof Values & string as SnakeName<Name>]: Column<Values[Name]> };

/** Returns the columns of a record's fields. True is stored as 1, a list as JSON. */
export function columnsOf<Values extends object>({ fields }: Stored<Values>, values: Values) {
  const entries = fields.map(({ name, column, kind }) => {
    const value = (values as Readonly<Record<string, unknown>>)[name];
    return [column, kind === 'list' ? JSON.stringify(value) : kind === 'flag' ? Number(value) : value];
  });
  return Object.fromEntries(entries) as Columns<Values>;
}

/**
 * Returns a row as a record with the domain's field names. A column without a value gets the field's initial value,
 * unless the field is nullable.
 */
export function recordOf<Values extends object, Row extends object>({ fields }: Stored<Values>, row: Row) {
  const record: Record<string, unknown> = camelCased(row);
  for (const { name, kind, isNullable, initial } of fields) {
    if (kind === 'list') record[name] = JSON.parse(String(record[name]));
    if (kind === 'flag') record[name] = record[name] === 1;
    if (!isNullable) record[name] ??= initial;
  }
  return record as Omit<CamelCased<Row>, keyof Values> & Values;
}

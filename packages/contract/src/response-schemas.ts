import * as z from 'zod';
import { formatTimestamp, parseTimestamp } from './timestamp.js';

/**
 * Two readings of one response. **strict** is what the service emits: no unknown keys, strict formats, known values.
 * **loose** is what a caller reads: unknown fields pass through, sets of values may have grown (spec, "Versioning").
 */
export interface ResponseSchemas<
  Exact extends z.ZodType = z.ZodType,
  Tolerant extends z.ZodType = z.ZodType,
> {
  readonly strict: Exact;
  readonly loose: Tolerant;
}

/** Type of what the service emits. */
export type Emitted<V extends ResponseSchemas> = z.output<V['strict']>;

/** Type of what a caller reads. */
export type Received<V extends ResponseSchemas> = z.output<V['loose']>;

/** One schema for both readings. */
export function sameInBoth<Schema extends z.ZodType>(schema: Schema): ResponseSchemas<Schema, Schema> {
  return { strict: schema, loose: schema };
}

type Fields = Readonly<Record<string, ResponseSchemas>>;
type StrictShape<F extends Fields> = { [Key in keyof F]: F[Key]['strict'] };
type LooseShape<F extends Fields> = { [Key in keyof F]: F[Key]['loose'] };

/** An object of fields: strict in the strict view, open to unknown keys in the loose one. */
export function objectSchemas<const F extends Fields>(
  fields: F,
): ResponseSchemas<z.ZodObject<StrictShape<F>, z.core.$strict>, z.ZodObject<LooseShape<F>, z.core.$loose>> {
  const shapeOf = (view: keyof ResponseSchemas) =>
    Object.fromEntries(Object.entries(fields).map(([key, views]) => [key, views[view]]));
  return {
    // Object.fromEntries forgets which key had which schema; the mapped types say it again.
    strict: z.strictObject(shapeOf('strict') as StrictShape<F>),
    loose: z.looseObject(shapeOf('loose') as LooseShape<F>),
  };
}

/** The same field, with words for the readers of the published API description. */
export function described<E extends z.ZodType, T extends z.ZodType>(
  field: ResponseSchemas<E, T>,
  text: string,
): ResponseSchemas<E, T> {
  return { strict: field.strict.describe(text), loose: field.loose };
}

/** An array of one kind of item. */
export function listSchemas<E extends z.ZodType, T extends z.ZodType>(item: ResponseSchemas<E, T>) {
  return { strict: z.array(item.strict), loose: z.array(item.loose) };
}

/** A field that is null when it has no value; a caller takes left out for null. */
export function nullableSchemas<E extends z.ZodType, T extends z.ZodType>(field: ResponseSchemas<E, T>) {
  return { strict: field.strict.nullable(), loose: field.loose.nullish() };
}

/** A field that is left out when unset, never null; a caller takes null for left out all the same. */
export function optionalSchemas<E extends z.ZodType, T extends z.ZodType>(field: ResponseSchemas<E, T>) {
  return { strict: z.exactOptional(field.strict), loose: field.loose.nullish() };
}

/** A field that may be left out or null. */
export function nullishSchemas<E extends z.ZodType, T extends z.ZodType>(field: ResponseSchemas<E, T>) {
  return { strict: z.exactOptional(field.strict.nullable()), loose: field.loose.nullish() };
}

/** One of a set of values that can grow: a caller takes any string. */
export function growingSetSchemas<const Values extends readonly string[]>(values: Values) {
  return { strict: z.enum(values), loose: z.string() };
}

/** A string with at least one character. */
export const textSchemas = sameInBoth(z.string().min(1));

/** A boolean. */
export const booleanSchemas = sameInBoth(z.boolean());

/** A UUID: lower case as emitted; a caller only stores and compares it. */
export const uuidSchemas = {
  strict: z
    .string()
    .regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'not a lower-case UUID')
    .meta({ format: 'uuid' }),
  loose: z.string().min(1),
};

/** A timestamp: with milliseconds and `Z` as emitted; a caller reads any ISO-8601 notation of the API. */
export const timestampSchemas = {
  strict: z
    .string()
    .refine(isEmittedTimestamp, 'not ISO-8601 with milliseconds and Z')
    .meta({ format: 'date-time' }),
  loose: z.string().refine((text) => parseTimestamp(text) !== undefined, 'not an ISO-8601 timestamp'),
};

function isEmittedTimestamp(text: string): boolean {
  const ms = parseTimestamp(text);
  return ms !== undefined && formatTimestamp(ms) === text;
}

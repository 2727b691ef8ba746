import * as z from 'zod';
import { formatTimestamp, parseTimestamp } from './timestamp.js';

/**
 * Two readings of one response. **exact** is what the service emits: no unknown keys, exact formats, known values.
 * **tolerant** is what a caller reads: unknown fields pass through, sets of values may have grown (spec, "Versioning").
 */
export interface Views<Exact extends z.ZodType = z.ZodType, Tolerant extends z.ZodType = z.ZodType> {
  readonly exact: Exact;
  readonly tolerant: Tolerant;
}

/** Type of what the service emits. */
export type Emitted<V extends Views> = z.output<V['exact']>;

/** Type of what a caller reads. */
export type Received<V extends Views> = z.output<V['tolerant']>;

/** One schema for both readings. */
export function sameInBoth<Schema extends z.ZodType>(schema: Schema): Views<Schema, Schema> {
  return { exact: schema, tolerant: schema };
}

type Fields = Readonly<Record<string, Views>>;
type ExactShape<F extends Fields> = { [Key in keyof F]: F[Key]['exact'] };
type TolerantShape<F extends Fields> = { [Key in keyof F]: F[Key]['tolerant'] };

/** An object of fields: strict in the exact view, open to unknown keys in the tolerant one. */
export function objectViews<const F extends Fields>(
  fields: F,
): Views<z.ZodObject<ExactShape<F>, z.core.$strict>, z.ZodObject<TolerantShape<F>, z.core.$loose>> {
  const shapeOf = (view: keyof Views) =>
    Object.fromEntries(Object.entries(fields).map(([key, views]) => [key, views[view]]));
  return {
    // Object.fromEntries forgets which key had which schema; the mapped types say it again.
    exact: z.strictObject(shapeOf('exact') as ExactShape<F>),
    tolerant: z.looseObject(shapeOf('tolerant') as TolerantShape<F>),
  };
}

/** The same field, with words for the readers of the published API description. */
export function described<E extends z.ZodType, T extends z.ZodType>(
  field: Views<E, T>,
  text: string,
): Views<E, T> {
  return { exact: field.exact.describe(text), tolerant: field.tolerant };
}

/** An array of one kind of item. */
export function listViews<E extends z.ZodType, T extends z.ZodType>(item: Views<E, T>) {
  return { exact: z.array(item.exact), tolerant: z.array(item.tolerant) };
}

/** A field that is null when it has no value; a caller takes left out for null. */
export function nullableViews<E extends z.ZodType, T extends z.ZodType>(field: Views<E, T>) {
  return { exact: field.exact.nullable(), tolerant: field.tolerant.nullish() };
}

/** A field that is left out when unset, never null; a caller takes null for left out all the same. */
export function optionalViews<E extends z.ZodType, T extends z.ZodType>(field: Views<E, T>) {
  return { exact: z.exactOptional(field.exact), tolerant: field.tolerant.nullish() };
}

/** A field that may be left out or null. */
export function nullishViews<E extends z.ZodType, T extends z.ZodType>(field: Views<E, T>) {
  return { exact: z.exactOptional(field.exact.nullable()), tolerant: field.tolerant.nullish() };
}

/** One of a set of values that can grow: a caller takes any string. */
export function growingSetViews<const Values extends readonly string[]>(values: Values) {
  return { exact: z.enum(values), tolerant: z.string() };
}

/** A string with at least one character. */
export const textViews = sameInBoth(z.string().min(1));

/** A boolean. */
export const booleanViews = sameInBoth(z.boolean());

/** A UUID: lower case as emitted; a caller only stores and compares it. */
export const uuidViews = {
  exact: z
    .string()
    .regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'not a lower-case UUID')
    .meta({ format: 'uuid' }),
  tolerant: z.string().min(1),
};

/** A timestamp: with milliseconds and `Z` as emitted; a caller reads any ISO-8601 notation of the API. */
export const timestampViews = {
  exact: z
    .string()
    .refine(isEmittedTimestamp, 'not ISO-8601 with milliseconds and Z')
    .meta({ format: 'date-time' }),
  tolerant: z.string().refine((text) => parseTimestamp(text) !== undefined, 'not an ISO-8601 timestamp'),
};

function isEmittedTimestamp(text: string): boolean {
  const ms = parseTimestamp(text);
  return ms !== undefined && formatTimestamp(ms) === text;
}

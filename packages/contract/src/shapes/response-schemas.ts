import * as z from 'zod';
import { formatTimestamp, parseTimestamp } from './timestamp.js';

/**
 * Two schemas for the same response. `strict` describes what the service sends: no unknown keys, exact formats, known
 * values. `loose` describes what a caller accepts: unknown fields are kept, and sets of values can contain new values
 * (spec, "Versioning").
 */
export interface ResponseSchemas<Strict extends z.ZodType = z.ZodType, Loose extends z.ZodType = z.ZodType> {
  readonly strict: Strict;
  readonly loose: Loose;
}

/** Type of a response as the service sends it. */
export type Emitted<V extends ResponseSchemas> = z.output<V['strict']>;

/** Type of a response as a caller parses it. */
export type Received<V extends ResponseSchemas> = z.output<V['loose']>;

/** Uses the same schema as strict and as loose schema. */
export function sameInBoth<Schema extends z.ZodType>(schema: Schema): ResponseSchemas<Schema, Schema> {
  return { strict: schema, loose: schema };
}

type Fields = Readonly<Record<string, ResponseSchemas>>;
type StrictShape<F extends Fields> = { [Key in keyof F]: F[Key]['strict'] };
type LooseShape<F extends Fields> = { [Key in keyof F]: F[Key]['loose'] };

/** An object. The strict schema rejects unknown keys, the loose schema keeps them. */
export function objectSchemas<const F extends Fields>(
  fields: F,
): ResponseSchemas<z.ZodObject<StrictShape<F>, z.core.$strict>, z.ZodObject<LooseShape<F>, z.core.$loose>> {
  const shapeOf = (kind: keyof ResponseSchemas) =>
    Object.fromEntries(Object.entries(fields).map(([key, schemas]) => [key, schemas[kind]]));
  return {
    // The type of `Object.fromEntries` doesn't relate keys to schemas. The mapped types restore that.
    strict: z.strictObject(shapeOf('strict') as StrictShape<F>),
    loose: z.looseObject(shapeOf('loose') as LooseShape<F>),
  };
}

/** Adds a description to a field. It appears in the published OpenAPI document. */
export function described<E extends z.ZodType, T extends z.ZodType>(
  field: ResponseSchemas<E, T>,
  text: string,
): ResponseSchemas<E, T> {
  return { strict: field.strict.describe(text), loose: field.loose };
}

/** An array of items. */
export function listSchemas<E extends z.ZodType, T extends z.ZodType>(item: ResponseSchemas<E, T>) {
  return { strict: z.array(item.strict), loose: z.array(item.loose) };
}

/** A field that is null if it has no value. In the loose schema it can also be absent. */
export function nullableSchemas<E extends z.ZodType, T extends z.ZodType>(field: ResponseSchemas<E, T>) {
  return { strict: field.strict.nullable(), loose: field.loose.nullish() };
}

/** A field that is absent if it has no value. The loose schema also accepts null. */
export function optionalSchemas<E extends z.ZodType, T extends z.ZodType>(field: ResponseSchemas<E, T>) {
  return { strict: z.exactOptional(field.strict), loose: field.loose.nullish() };
}

/** A field that can be absent or null. */
export function nullishSchemas<E extends z.ZodType, T extends z.ZodType>(field: ResponseSchemas<E, T>) {
  return { strict: z.exactOptional(field.strict.nullable()), loose: field.loose.nullish() };
}

/**
 * A field that a caller can do without. The loose schema reads a missing field, and any value of another type, as
 * `undefined`. It reads null as `undefined` too, unless the field is nullable.
 */
export function dispensableSchemas<E extends z.ZodType, T extends z.ZodType>(field: ResponseSchemas<E, T>) {
  return { strict: field.strict, loose: field.loose.optional().catch(undefined) };
}

/** A value from a set that can grow. The loose schema accepts any string. */
export function growingSetSchemas<const Values extends readonly string[]>(values: Values) {
  return { strict: z.enum(values), loose: z.string() };
}

export const textSchemas = sameInBoth(z.string().min(1));

export const booleanSchemas = sameInBoth(z.boolean());

/** A UUID in lower case. Callers only store and compare it, so the loose schema accepts any string. */
export const uuidSchemas = {
  strict: z
    .string()
    .regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'not a lower-case UUID')
    .meta({ format: 'uuid' }),
  loose: z.string().min(1),
};

/** An ISO-8601 timestamp with milliseconds and `Z`. The loose schema accepts every notation that requests accept. */
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

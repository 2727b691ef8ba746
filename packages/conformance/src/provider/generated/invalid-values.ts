import fc from 'fast-check';
import type { RequestField } from './request-fields.js';

/** Maximum lengths that the specification states. A service may choose others for other fields. */
const SPECIFIED_LENGTHS = new Set(['utmSource', 'state', 'code_challenge']);
/** Fields with ISO-8601 timestamps. JSON Schema describes them as text. */
const TIMESTAMPS = new Set(['validFrom', 'validUntil']);
/** Fields with absolute URLs. */
const URLS = new Set(['successUrl', 'cancelUrl']);

/** A change that makes a valid request invalid. `undefined` removes the field. */
export interface InvalidField {
  readonly name: string;
  readonly value: unknown;
}

const wordWithoutDigits = fc.stringMatching(/^[g-z]{1,30}$/);

/** Values that a field of a JSON body must not have, by the specification. */
export function invalidInJson(field: RequestField): fc.Arbitrary<InvalidField> {
  const wrongTypes =
    field.type === 'integer' ? fc.constantFrom<unknown>('7', true) : fc.constantFrom<unknown>(7, false);
  const values: fc.Arbitrary<unknown>[] = [
    wrongTypes,
    // Null may mean that an optional field is absent.
    field.isRequired ? fc.constantFrom<unknown>(null, [], {}) : fc.constantFrom<unknown>([], {}),
    ...invalidTexts(field),
    ...(field.minimum === undefined
      ? []
      : [fc.integer({ min: -(2 ** 40), max: field.minimum - 1 }), fc.constant(1.5)]),
  ];
  return withName(field, values);
}

/** Values that a field of a query must not have, by the specification. */
export function invalidInQuery(field: RequestField): fc.Arbitrary<InvalidField> {
  return withName(field, invalidTexts(field));
}

function withName(field: RequestField, values: readonly fc.Arbitrary<unknown>[]): fc.Arbitrary<InvalidField> {
  const present = values.map((value) => value.map((invalid) => ({ name: field.name, value: invalid })));
  const absent = field.isRequired ? [fc.constant({ name: field.name, value: undefined })] : [];
  return fc.oneof(...present, ...absent);
}

/** True if the specification says which values of the field are invalid, or that it is required. */
export function hasInvalidTexts(field: RequestField): boolean {
  return field.isRequired || invalidTexts(field).length > 0;
}

function invalidTexts({
  name,
  format,
  enum: allowed,
  minLength,
  maxLength,
}: RequestField): fc.Arbitrary<string>[] {
  const texts: fc.Arbitrary<string>[] = [];
  if (
    format === 'uuid' ||
    format === 'email' ||
    TIMESTAMPS.has(name) ||
    URLS.has(name) ||
    allowed !== undefined
  ) {
    texts.push(wordWithoutDigits.filter((word) => allowed?.includes(word) !== true));
  }
  if (SPECIFIED_LENGTHS.has(name)) {
    if (maxLength !== undefined) texts.push(lettersOf(maxLength + 1, maxLength + 40));
    if (minLength !== undefined && minLength > 1) texts.push(lettersOf(1, minLength - 1));
  }
  return texts;
}

function lettersOf(minLength: number, maxLength: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...'abcxyz'), minLength, maxLength });
}

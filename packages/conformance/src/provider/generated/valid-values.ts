import fc from 'fast-check';
import type { RequestField } from './request-fields.js';

/** Longest text that any service must accept in a field without a specified length. */
const COMMON_LENGTH = 60;

/** An instant that is relative to the time of the service. */
export class InDays {
  readonly days: number;
  readonly hasMilliseconds: boolean;
  constructor(days: number, hasMilliseconds: boolean) {
    this.days = days;
    this.hasMilliseconds = hasMilliseconds;
  }
}

/** End of access within a year. A service may refuse an end that is many years away. */
const nearEnd = fc
  .tuple(fc.integer({ min: 1, max: 365 }), fc.boolean())
  .map(([days, hasMilliseconds]) => new InDays(days, hasMilliseconds));

/** Generators by field name, where JSON Schema only describes text. */
const BY_NAME: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  validFrom: fc
    .date({ min: new Date('2020-01-01'), max: new Date('2026-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  validUntil: nearEnd,
  successUrl: fc.webUrl({ validSchemes: ['https'], withQueryParameters: true }),
  cancelUrl: fc.webUrl({ validSchemes: ['https'] }),
  phoneNumber: fc.integer({ min: 10_000_000, max: 999_999_999 }).map((number) => `+44${number}`),
  code_challenge: fc.constantFrom(43, 44, 86, 127, 128).map((length) => 'c'.repeat(length)),
  code_challenge_method: fc.constant('S256'),
  state: fc.oneof(
    fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 80 }),
    fc.constantFrom(1, 1_023, 1_024).map((length) => 's'.repeat(length)),
  ),
  scope: fc.constantFrom(
    'memberships.read',
    'products.read',
    'memberships.read products.read',
    'products.read,memberships.read',
  ),
};

/** Values of a field, with those at its limits. */
function validValue(field: RequestField): fc.Arbitrary<unknown> {
  const known = BY_NAME[field.name];
  if (known !== undefined) return known;
  if (field.enum !== undefined) return fc.constantFrom(...field.enum);
  if (field.type === 'integer') {
    const { minimum = 0 } = field;
    return fc.oneof(
      fc.constant(minimum),
      fc.integer({ min: minimum, max: 2 ** 31 - 1 }),
      fc.constant(2 ** 40),
    );
  }
  return validText(field);
}

function validText({ name, minLength = 1, maxLength = COMMON_LENGTH }: RequestField): fc.Arbitrary<string> {
  const longest = name === 'utmSource' ? maxLength : Math.min(maxLength, COMMON_LENGTH);
  return fc.oneof(
    fc.string({ unit: 'grapheme-ascii', minLength: Math.max(1, minLength), maxLength: longest }).map(visible),
    fc.constant('x'.repeat(longest)),
    fc.constant('x'.repeat(Math.max(1, minLength))),
  );
}

/** Some services trim texts, so generated texts do not begin or end with white space. */
function visible(text: string): string {
  return text.trim() === text ? text : text.replaceAll(' ', '-');
}

/** Objects with the required fields and any of the optional ones. Fields of `fixed` have its values. */
export function validFields(
  fields: readonly RequestField[],
  fixed: Readonly<Record<string, unknown>>,
): fc.Arbitrary<Record<string, unknown>> {
  const free = fields.filter(({ name }) => !Object.hasOwn(fixed, name));
  const record = fc.record(Object.fromEntries(free.map((field) => [field.name, validValue(field)])), {
    requiredKeys: free.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    noNullPrototype: true,
  });
  return record.map((generated) => ({ ...generated, ...fixed }));
}

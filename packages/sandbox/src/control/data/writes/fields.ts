import { formatTimestamp } from '@latchkey/contract/constants';
import * as z from 'zod';

const INSTANT_MESSAGE = 'Enter a day and a time with a time zone, such as 2027-01-31T12:00:00Z.';

/** Id of another record. */
export const idText = z.string('Enter a UUID.').trim().toLowerCase().describe('UUID');

export const newId = idText.optional().describe('UUID; by default a new one.');

/** Instant in ISO 8601 with a time zone, as milliseconds since the epoch. */
export const instant = z.iso
  .datetime({ offset: true, error: INSTANT_MESSAGE })
  .refine(isWritable, INSTANT_MESSAGE)
  .transform((text) => Date.parse(text));

/** Name that the service checks. */
export const nameText = z.string('Enter a name.');

/** Accent colour that the service checks. */
export const accentText = z.string('Enter a colour such as #b4541a.').describe('`#rrggbb`');

/** Amount in the minor unit of the currency. */
export const priceMinor = z
  .int('Enter a whole number, in the minor unit of the currency.')
  .describe('In the minor unit of the currency, such as cents.');

/** ISO 4217 code. */
export const currency = z.string('Enter an ISO 4217 currency code such as EUR.').trim().toUpperCase();

/** Removes fields without a value. */
export function defined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

/** False for an instant that no timestamp of the API can have. */
function isWritable(text: string): boolean {
  try {
    formatTimestamp(Date.parse(text));
    return true;
  } catch {
    return false;
  }
}

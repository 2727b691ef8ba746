import * as z from 'zod';
import { fractionDigitsOf, isCurrency } from './currency.js';

const PRICE = /^(\d{1,16})(?:\.(\d+))?$/;

const PRICE_MINOR_MESSAGE = 'Enter whole minor units of the currency, at least 0: 900 is 9.00 EUR.';

/** Price in the currency's minor unit, such as cents. */
export const priceMinorField = z.int(PRICE_MINOR_MESSAGE).min(0, PRICE_MINOR_MESSAGE);

/** Currency code by ISO 4217, in upper case. */
export const currencyField = z.string().refine(isCurrency, 'Enter an ISO 4217 currency code such as EUR.');

/** Price with its currency. */
export const priceSchema = z.object({ priceMinor: priceMinorField, currency: currencyField });

/** Price with its currency. */
export type Price = z.output<typeof priceSchema>;

/**
 * Parses a price in the currency's major unit with a decimal point: `9`, `9.5`, `9.50`. Digits are never converted to a
 * floating-point number. Commas are rejected because `1,000` is ambiguous.
 *
 * @returns the price in the minor unit. `undefined` if the text is not a price, has more digits than the currency, or
 *   exceeds 2^53-1 minor units.
 */
export function parsePrice(text: string, currency: string): number | undefined {
  const [, whole = '', fraction = ''] = PRICE.exec(text.trim()) ?? [];
  const digits = fractionDigitsOf(currency);
  if (whole === '' || fraction.length > digits) return undefined;
  const minor = Number(`${whole}${fraction.padEnd(digits, '0')}`);
  return Number.isSafeInteger(minor) ? minor : undefined;
}

/**
 * Formats a price for {@link parsePrice}: 900 in EUR is `9.00`, in JPY `900`.
 *
 * @param minor whole number, at least 0.
 */
export function priceInput(minor: number, currency: string): `${number}` {
  const digits = fractionDigitsOf(currency);
  const text = `${minor}`.padStart(digits + 1, '0');
  // The template type holds: digits, with a point between them.
  return (digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`) as `${number}`;
}

/** Formats a price for people, without rounding: `€9.00`, `US$9.00`, `JP¥900`. */
export function formatPrice(minor: number, currency: string): string {
  const digits = fractionDigitsOf(currency);
  const format = new Intl.NumberFormat('en-GB', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(priceInput(minor, currency));
}

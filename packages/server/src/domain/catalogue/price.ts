import { fractionDigitsOf } from './currency.js';

const PRICE = /^(\d{1,16})(?:\.(\d+))?$/;

/**
 * Reads a price as a person types it, in the currency's major unit with a point: `9`, `9.5`, `9.50`. Digit by digit,
 * never as a floating-point number. No comma: `1,000` is a thousand to one reader and one to another.
 *
 * @returns the price in the minor unit; `undefined` for anything else, for more digits than the currency has, and for
 * more than 2^53-1 minor units.
 */
export function parsePrice(text: string, currency: string): number | undefined {
  const [, whole = '', fraction = ''] = PRICE.exec(text.trim()) ?? [];
  const digits = fractionDigitsOf(currency);
  if (whole === '' || fraction.length > digits) return undefined;
  const minor = Number(`${whole}${fraction.padEnd(digits, '0')}`);
  return Number.isSafeInteger(minor) ? minor : undefined;
}

/** A price as {@link parsePrice} reads it: 900 in EUR is `9.00`, in JPY `900`. `minor` is a whole number, at least 0. */
export function priceInput(minor: number, currency: string): `${number}` {
  const digits = fractionDigitsOf(currency);
  const text = `${minor}`.padStart(digits + 1, '0');
  // Digits with a point between them: a number's notation.
  return (digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`) as `${number}`;
}

/** A price for people, exact: `€9.00`, `US$9.00`, `JP¥900`. */
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

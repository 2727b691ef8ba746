import { fc, it, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { fuzzRuns } from '../../../../../scripts/fuzz-runs.mjs';
import { speak } from '../../platform/language/language.js';
import {
  CURRENCIES,
  formatPrice,
  fractionDigitsOf,
  isCurrency,
  parsePrice as parse,
  priceInput,
} from './price.js';

const inLocale = (locale: string, format: () => string) => speak('en', format, locale);

const currency = fc.constantFrom(...CURRENCIES);
const minor = fc.maxSafeNat();
const locale = fc.constantFrom('de', 'en', 'fr', 'de-CH', 'es', 'pl');

/** Returns the price in minor units; `undefined` if the string is invalid. */
function parsePrice(text: string, code: string): number | undefined {
  const price = parse(text, code);
  return price.kind === 'parsed' ? price.minor : undefined;
}

/** Returns the message about an invalid price. */
function errorOf(text: string, code: string): string | undefined {
  const price = parse(text, code);
  return price.kind === 'invalid' ? price.message : undefined;
}

/** Formats a price as it's written in a locale, without the currency. */
function written(price: number, code: string, tag: string, useGrouping: boolean): string {
  const digits = fractionDigitsOf(code);
  const format = new Intl.NumberFormat(tag, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping,
  });
  return format.format(priceInput(price, code));
}

describe('price', () => {
  test.prop([minor, currency], fuzzRuns(100))(
    'is parsed exactly as it was formatted, in every currency',
    (price, code) => {
      expect(parsePrice(priceInput(price, code), code)).toBe(price);
    },
  );

  test.prop([minor, currency, locale, fc.boolean()], fuzzRuns(100))(
    'is parsed exactly as people of a locale write it, in every currency',
    (price, code, tag, isGrouped) => {
      expect(parsePrice(written(price, code, tag, isGrouped), code)).toBe(price);
    },
  );

  test.prop([minor, currency, locale], fuzzRuns(100))(
    'is shown to people of a locale with all of its digits',
    (price, code, tag) => {
      expect(inLocale(tag, () => formatPrice(price, code)).replace(/[^\d]/g, '')).toBe(
        priceInput(price, code).replace('.', ''),
      );
    },
  );

  test.prop([fc.bigInt({ min: 0n, max: 10n ** 17n }), fc.nat(9999), fc.nat(4), currency], fuzzRuns(100))(
    'is the exact number of minor units, or undefined if the currency or a safe integer cannot represent it',
    (whole, fraction, digits, code) => {
      const decimals = `${fraction}`.padStart(digits, '0').slice(0, digits);
      const text = digits === 0 ? `${whole}` : `${whole}.${decimals}`;
      const places = fractionDigitsOf(code);
      const exact = BigInt(`${whole}${decimals.padEnd(places, '0')}`);
      // In a currency without decimals, the point separates thousands.
      const isGrouped = places === 0 && decimals.length === 3 && /^[1-9]\d{0,2}$/.test(`${whole}`);
      const isKept = (decimals.length <= places || isGrouped) && exact <= BigInt(Number.MAX_SAFE_INTEGER);
      expect(parsePrice(text, code)).toBe(isKept ? Number(exact) : undefined);
    },
  );

  test.prop([fc.string(), currency], fuzzRuns(100))(
    'is always a whole number of minor units, whatever is typed',
    (text, code) => {
      const price = parsePrice(text, code);
      expect(price === undefined || (Number.isSafeInteger(price) && price >= 0)).toBe(true);
    },
  );

  test.prop([minor, currency], fuzzRuns(100))('is shown with all of its digits', (price, code) => {
    expect(formatPrice(price, code).replace(/[^\d]/g, '')).toBe(priceInput(price, code).replace('.', ''));
  });

  it.each([
    ['9', 'EUR', 900],
    ['9.5', 'EUR', 950],
    [' 0.10 ', 'EUR', 10],
    ['1.10', 'USD', 110],
    ['0.29', 'EUR', 29],
    ['900', 'JPY', 900],
    ['1.234', 'KWD', 1234],
    ['1.2', 'KWD', 1200],
    ['90071992547409.91', 'EUR', Number.MAX_SAFE_INTEGER],
    ['9,5', 'EUR', 950],
    ['9,50', 'EUR', 950],
    ['1000,00', 'EUR', 100_000],
    ['1,000.00', 'EUR', 100_000],
    ['1.000,00', 'EUR', 100_000],
    ['1.000.000', 'EUR', 100_000_000],
    ['1,234,567.8', 'EUR', 123_456_780],
    ['1 000,50', 'EUR', 100_050],
    ['1\u202f000', 'EUR', 100_000],
    ["1'000.50", 'CHF', 100_050],
    ['1’000.50', 'CHF', 100_050],
    ['1,200', 'JPY', 1_200],
    ['1.200', 'JPY', 1_200],
    ['1,234', 'KWD', 1_234],
    ['0,500', 'TND', 500],
    ['1,000.000', 'KWD', 1_000_000],
  ])('typed as "%s" in %s is %i minor units', (text, code, expected) => {
    expect(parsePrice(text, code)).toBe(expected);
  });

  it.each([
    ['900.00', 'JPY'],
    ['1.2345', 'KWD'],
    ['9.999', 'EUR'],
    ['900,00', 'JPY'],
    ['1,000', 'EUR'],
    ['1.000', 'EUR'],
    ['0.500', 'JPY'],
    ['0.500', 'EUR'],
    ['1,00,000', 'INR'],
    ['1,000,00', 'EUR'],
    ['1.000.00', 'EUR'],
    ['1,000.000', 'EUR'],
    ['1000,000.00', 'EUR'],
    ['1,000 000', 'EUR'],
    ['1, 000.00', 'EUR'],
    ['9,,50', 'EUR'],
    [',50', 'EUR'],
    ['9,', 'EUR'],
    ['-1', 'EUR'],
    ['+1', 'EUR'],
    ['1e3', 'EUR'],
    ['0x10', 'EUR'],
    ['.5', 'EUR'],
    ['5.', 'EUR'],
    ['٩', 'EUR'],
    ['NaN', 'EUR'],
    ['', 'EUR'],
    ['90071992547409.92', 'EUR'],
  ])('typed as "%s" in %s is invalid', (text, code) => {
    expect(parsePrice(text, code)).toBeUndefined();
  });

  it.each([
    ['1,000', 'EUR', '“1,000” can mean 1000.00 or 1.00. Enter one of them, without a thousands separator.'],
    [' 1.234 ', 'USD', '“1.234” can mean 1234.00 or 1.23. Enter one of them, without a thousands separator.'],
    ['0.500', 'EUR', 'Enter a price such as 9.50 or 9,50, with at most 2 decimals for EUR.'],
    ['free', 'EUR', 'Enter a price such as 9.50 or 9,50, with at most 2 decimals for EUR.'],
    ['1.2345', 'KWD', 'Enter a price such as 9.500 or 9,500, with at most 3 decimals for KWD.'],
    ['9.50', 'JPY', 'Enter a price such as 900. JPY has no decimals.'],
    [
      '90071992547409.92',
      'EUR',
      'Enter a lower price. Enter a price such as 9.50 or 9,50, with at most 2 decimals for EUR.',
    ],
    ['1000.000', 'EUR', 'Enter a price such as 9.50 or 9,50, with at most 2 decimals for EUR.'],
    ['1,000.000', 'EUR', 'Enter a price such as 9.50 or 9,50, with at most 2 decimals for EUR.'],
  ])('typed as "%s" in %s gets a message with what to enter', (text, code, message) => {
    expect(errorOf(text, code)).toBe(message);
  });

  it('suggests prices that are valid when its text is ambiguous', () => {
    expect(['1000.00', '1.00'].map((text) => parsePrice(text, 'EUR'))).toEqual([100_000, 100]);
  });

  it('follows the locale of the reader', () => {
    expect(inLocale('de', () => formatPrice(123_450, 'EUR')).replace(/\s/g, ' ')).toBe('1.234,50 €');
    expect(inLocale('fr', () => formatPrice(123_450, 'EUR')).replace(/\s/g, ' ')).toBe('1 234,50 €');
    expect(inLocale('en-US', () => formatPrice(123_450, 'EUR'))).toBe('€1,234.50');
    expect(inLocale('ja', () => formatPrice(900, 'JPY'))).toBe('￥900');
  });

  it('is shown with its currency, exact to the last unit', () => {
    expect(formatPrice(900, 'EUR')).toBe('€9.00');
    expect(formatPrice(900, 'USD')).toBe('US$9.00');
    expect(formatPrice(900, 'JPY')).toBe('JP¥900');
    expect(formatPrice(1234, 'KWD').replace(/\s/, ' ')).toBe('KWD 1.234');
    expect(formatPrice(5, 'EUR')).toBe('€0.05');
    expect(formatPrice(Number.MAX_SAFE_INTEGER, 'EUR')).toBe('€90,071,992,547,409.91');
  });
});

describe('currency', () => {
  it('is a code in use, in upper case, listed once', () => {
    expect(new Set(CURRENCIES).size).toBe(CURRENCIES.length);
    expect(CURRENCIES.filter((code) => !/^[A-Z]{3}$/.test(code))).toEqual([]);
    expect(['eur', 'EURO', 'XXX', 'XAU', ''].map(isCurrency)).toEqual([false, false, false, false, false]);
    expect(['EUR', 'JPY', 'KWD'].map(fractionDigitsOf)).toEqual([2, 0, 3]);
  });
});

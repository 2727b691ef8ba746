import { fc, it, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { CURRENCIES, fractionDigitsOf, isCurrency } from '../../src/domain/catalogue/currency.js';
import { formatPrice, parsePrice, priceInput } from '../../src/domain/catalogue/price.js';

const currency = fc.constantFrom(...CURRENCIES);
const minor = fc.maxSafeNat();

describe('price', () => {
  test.prop([minor, currency])('is parsed exactly as it was formatted, in every currency', (price, code) => {
    expect(parsePrice(priceInput(price, code), code)).toBe(price);
  });

  test.prop([fc.bigInt({ min: 0n, max: 10n ** 17n }), fc.nat(9999), fc.nat(4), currency])(
    'is the exact number of minor units, or undefined if the currency or a safe integer cannot represent it',
    (whole, fraction, digits, code) => {
      const decimals = `${fraction}`.padStart(digits, '0').slice(0, digits);
      const text = digits === 0 ? `${whole}` : `${whole}.${decimals}`;
      const places = fractionDigitsOf(code);
      const exact = BigInt(`${whole}${decimals.padEnd(places, '0')}`);
      const isKept = decimals.length <= places && exact <= BigInt(Number.MAX_SAFE_INTEGER);
      expect(parsePrice(text, code)).toBe(isKept ? Number(exact) : undefined);
    },
  );

  test.prop([fc.string(), currency])(
    'is always a whole number of minor units, whatever is typed',
    (text, code) => {
      const price = parsePrice(text, code);
      expect(price === undefined || (Number.isSafeInteger(price) && price >= 0)).toBe(true);
    },
  );

  test.prop([minor, currency])('is shown with all of its digits', (price, code) => {
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
  ])('typed as "%s" in %s is %i minor units', (text, code, expected) => {
    expect(parsePrice(text, code)).toBe(expected);
  });

  it.each([
    ['900.00', 'JPY'],
    ['1.2345', 'KWD'],
    ['9.999', 'EUR'],
    ['9,50', 'EUR'],
    ['1,000', 'EUR'],
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

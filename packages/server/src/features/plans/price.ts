import * as z from 'zod';
import { currentLanguage, keptByKey, phrase, t } from '../../platform/language/language.js';

const PRICE_MINOR_MESSAGE = phrase('Enter whole minor units of the currency, at least 0: 900 is 9.00 EUR.');

export const priceMinorField = z.int(PRICE_MINOR_MESSAGE).min(0, PRICE_MINOR_MESSAGE);

const CURRENCY_MESSAGE = phrase('Enter an ISO 4217 currency code such as EUR.');

export const CURRENCY = {
  schema: z.string(CURRENCY_MESSAGE).trim().toUpperCase().refine(isCurrency, CURRENCY_MESSAGE),
  initial: 'EUR',
  label: phrase('Currency'),
  hint: 'ISO 4217 code, such as EUR.',
} as const;

/** Result of {@link parsePrice}. The message is for the person who entered the price. */
export type ParsedPrice =
  | { readonly kind: 'parsed'; readonly minor: number }
  | { readonly kind: 'invalid'; readonly message: string };

/**
 * Parses a price in the currency's major unit: `9`, `9.50`, `9,50`, `1,000.00`, `1.000,00`, `1 000,00`. Digits are
 * never converted to a floating-point number.
 *
 * Point and comma are both accepted as the decimal sign. A sign is a thousands separator if it occurs twice, if another
 * sign follows it, or if the currency has no decimals. A single sign before three digits is ambiguous: `1.000` in EUR
 * is invalid. It's a decimal sign if the currency has three decimals.
 *
 * @returns the price in the minor unit. Invalid if the string is ambiguous or not a price, has more decimals than the
 *   currency, or exceeds 2^53-1 minor units.
 */
export function parsePrice(text: string, currency: string): ParsedPrice {
  const digits = fractionDigitsOf(currency);
  const { whole, fraction, isGrouped } = splitPrice(text.trim(), digits) ?? {};
  if (whole === undefined || fraction === undefined) return invalid(examplesOf(currency));
  if (fraction.length > digits) {
    const isAmbiguous = digits > 0 && isGrouped === false && isThousands(whole, fraction);
    return invalid(isAmbiguous ? ambiguity(text.trim(), { whole, fraction, digits }) : examplesOf(currency));
  }
  const minor = Number(`${whole}${fraction.padEnd(digits, '0')}`);
  if (!Number.isSafeInteger(minor)) return invalid(`${t('Enter a lower price.')} ${examplesOf(currency)}`);
  return { kind: 'parsed', minor };
}

const PLAIN = /^(\d+)(?:[.,](\d+))?$/;
/** Groups of three digits with one kind of separator, and decimals after another sign. */
const GROUPED = /^([1-9]\d{0,2}(?:([.,' \u2019\u00a0\u202f])\d{3})(?:\2\d{3})*)(?:(?!\2)[.,](\d+))?$/;

/** Returns the digits before and after the decimal sign; `undefined` if the string isn't a number. */
function splitPrice(text: string, digits: number) {
  const grouped = GROUPED.exec(text);
  const plain = PLAIN.exec(text);
  const [, groups = '', separator = '', decimals] = grouped ?? [];
  const isOneSign = grouped !== null && plain !== null;
  if (grouped !== null && (!isOneSign || digits === 0)) {
    return { whole: groups.replaceAll(separator, ''), fraction: decimals ?? '', isGrouped: true };
  }
  return plain === null ? undefined : { whole: plain[1] ?? '', fraction: plain[2] ?? '', isGrouped: false };
}

/** True if the only sign in a string can be a thousands separator. */
function isThousands(whole: string, fraction: string): boolean {
  return fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
}

function ambiguity(
  text: string,
  { whole, fraction, digits }: { whole: string; fraction: string; digits: number },
): string {
  const thousands = `${whole}${fraction}.${'0'.repeat(digits)}`;
  const decimals = `${whole}.${fraction.slice(0, digits)}`;
  return t('“{text}” can mean {thousands} or {decimals}. Enter one of them, without a thousands separator.', {
    text,
    thousands,
    decimals,
  });
}

function examplesOf(currency: string): string {
  const digits = fractionDigitsOf(currency);
  if (digits === 0) return t('Enter a price such as 900. {currency} has no decimals.', { currency });
  const example = '9.50'.padEnd(digits + 2, '0');
  return t('Enter a price such as {point} or {comma}, with at most {digits} decimals for {currency}.', {
    point: example,
    comma: example.replace('.', ','),
    digits,
    currency,
  });
}

function invalid(message: string): ParsedPrice {
  return { kind: 'invalid', message };
}

/** Formats a price for {@link parsePrice}: 900 in EUR is `9.00`, in JPY `900`. */
export function priceInput(minor: number, currency: string): `${number}` {
  const digits = fractionDigitsOf(currency);
  const text = `${minor}`.padStart(digits + 1, '0');
  // Safe: the result is digits with at most one point between them.
  return (digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`) as `${number}`;
}

/** Formats a price for people in the current language, without rounding: `€9.00`, `US$9.00`, `9,00 €`. */
export function formatPrice(minor: number, currency: string): string {
  return moneyFormats(`${currentLanguage().locale} ${currency}`).format(priceInput(minor, currency));
}

const moneyFormats = keptByKey((key) => {
  const [locale, currency = ''] = key.split(' ');
  const digits = fractionDigitsOf(currency);
  return new Intl.NumberFormat(locale, {
    ...{ style: 'currency', currency, numberingSystem: 'latn' },
    ...{ minimumFractionDigits: digits, maximumFractionDigits: digits },
  });
});

/** Currencies by the number of digits of their minor unit (ISO 4217). Funds, metals and testing codes are left out. */
const CODES_BY_FRACTION_DIGITS = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP
      CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES
      KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK
      NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB
      TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VES WST XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
} as const;

const FRACTION_DIGITS: ReadonlyMap<string, number> = new Map(
  Object.entries(CODES_BY_FRACTION_DIGITS).flatMap(([digits, codes]) =>
    codes.split(/\s+/).map((code) => [code, Number(digits)] as const),
  ),
);

export const CURRENCIES: readonly string[] = [...FRACTION_DIGITS.keys()].sort();

/** True if the string is a currency code that a price can have. Codes are in upper case. */
export function isCurrency(code: string): boolean {
  return FRACTION_DIGITS.has(code);
}

/** 2 for EUR, 0 for JPY, 3 for KWD, 2 for unknown codes. Not from `Intl`: ICU follows custom, not ISO 4217. */
export function fractionDigitsOf(currency: string): number {
  return FRACTION_DIGITS.get(currency) ?? 2;
}

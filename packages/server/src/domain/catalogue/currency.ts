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

/** ISO 4217 codes that a price can have, in alphabetical order. */
export const CURRENCIES: readonly string[] = [...FRACTION_DIGITS.keys()].sort();

/** True if the text is a currency code that a price can have. Codes are in upper case. */
export function isCurrency(code: string): boolean {
  return FRACTION_DIGITS.has(code);
}

/**
 * Returns the number of digits after the decimal point (ISO 4217): 2 for EUR, 0 for JPY, 3 for KWD, 2 for unknown codes.
 * `Intl` is not used, because ICU follows custom instead of the standard.
 */
export function fractionDigitsOf(currency: string): number {
  return FRACTION_DIGITS.get(currency) ?? 2;
}

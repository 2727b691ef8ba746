/** Currencies that Stripe counts in other units than ISO 4217: the power of ten between the two. */
const EXTRA_DIGITS: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: -2 };
const THREE_DECIMALS: ReadonlySet<string> = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);

/**
 * Converts an amount in the currency's minor unit to Stripe's `unit_amount`. They're the same, except that Stripe
 * counts hundredths of the Icelandic króna and the Ugandan shilling, and whole Malagasy ariary.
 *
 * @throws Error if Stripe can't take the amount: it rounds currencies with three decimals to two.
 */
export function toStripeAmount(amountMinor: number, currency: string): number {
  const amount = amountMinor * 10 ** (EXTRA_DIGITS[currency] ?? 0);
  if (!Number.isSafeInteger(amount))
    throw new Error(`Stripe takes whole ${currency} only: change the price.`);
  if (THREE_DECIMALS.has(currency) && amount % 10 !== 0)
    throw new Error(`Stripe takes prices in ${currency} with two decimals only: change the third one to 0.`);
  return amount;
}

export function fromStripeAmount(amount: number, currency: string): number {
  return Math.round(amount / 10 ** (EXTRA_DIGITS[currency.toUpperCase()] ?? 0));
}

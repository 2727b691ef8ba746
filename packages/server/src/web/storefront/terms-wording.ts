import { formatPrice } from '../../domain/catalogue/price.js';

/** What is sold and for how long, as pages tell of it. */
export interface OfferedTerms {
  amountMinor: number;
  /** ISO 4217. */
  currency: string;
  /** Days of access for one payment; null for life. */
  periodDays: number | null;
  /** Whether it is paid again at the end of every period until it is cancelled. */
  renews: boolean;
}

/** A price in plain words: `€9.00`, or `free`. */
export function priceInWords({
  amountMinor,
  currency,
}: Pick<OfferedTerms, 'amountMinor' | 'currency'>): string {
  return amountMinor === 0 ? 'free' : formatPrice(amountMinor, currency);
}

/** For how long a payment gives access: `30 days`, `for life`. */
export function accessInWords(periodDays: number | null): string {
  if (periodDays === null) return 'For life';
  return periodDays === 1 ? '1 day' : daysInWords(periodDays);
}

/** What happens at the end of the period. */
export function renewalInWords(terms: OfferedTerms): string {
  if (terms.periodDays === null) return 'One payment, nothing renews';
  if (!terms.renews) return 'Ends by itself, nothing renews';
  return `${priceInWords(terms)} every ${daysInWords(terms.periodDays)} until you cancel`;
}

function daysInWords(days: number): string {
  return days === 1 ? 'day' : `${days.toLocaleString('en-GB')} days`;
}

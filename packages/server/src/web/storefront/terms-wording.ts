import { formatPrice } from '../../domain/catalogue/price.js';

/** Price and period of a plan or product. */
export interface OfferedTerms {
  amountMinor: number;
  /** ISO 4217. */
  currency: string;
  /** Days of access for one payment. Null for lifetime access. */
  periodDays: number | null;
  /** True if each period is paid automatically until the buyer cancels. */
  renews: boolean;
}

/** Formats a price: `€9.00`, or `free`. */
export function priceInWords({
  amountMinor,
  currency,
}: Pick<OfferedTerms, 'amountMinor' | 'currency'>): string {
  return amountMinor === 0 ? 'free' : formatPrice(amountMinor, currency);
}

/** Formats the access that one payment gives: `30 days` or `Lifetime`. */
export function accessInWords(periodDays: number | null): string {
  if (periodDays === null) return 'Lifetime';
  return periodDays === 1 ? '1 day' : daysInWords(periodDays);
}

/** Describes the end of the period. */
export function renewalInWords(terms: OfferedTerms): string {
  if (terms.periodDays === null) return 'One payment, no renewal';
  if (!terms.renews) return 'Ends automatically, no renewal';
  return `${priceInWords(terms)} every ${daysInWords(terms.periodDays)} until you cancel`;
}

function daysInWords(days: number): string {
  return days === 1 ? 'day' : `${days.toLocaleString('en-GB')} days`;
}

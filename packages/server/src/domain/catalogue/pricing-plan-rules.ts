/** Longest period that one payment gives access for, in days. */
export const PERIOD_MAX_DAYS = 36_500;

/** Whether a price can be kept: whole minor units, at least 0. */
export function isPriceMinor(minor: number): boolean {
  return Number.isSafeInteger(minor) && minor >= 0;
}

/** Whether a payment can give access for this many days: a whole number from 1 to 36500. */
export function isPeriodDays(days: number): boolean {
  return Number.isInteger(days) && days >= 1 && days <= PERIOD_MAX_DAYS;
}

import type { PaymentEntry } from '@latchkey/sandbox';

/** Formats an amount in a currency's minor unit, such as "9.00 EUR". */
export function amountText(amountMinor: number, currency: string): string {
  return `${(amountMinor / 10 ** digitsOf(currency)).toFixed(digitsOf(currency))} ${currency}`;
}

/** Returns the number of decimals of a currency. */
export function digitsOf(currency: string): number {
  try {
    return (
      new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ??
      2
    );
  } catch {
    return 2;
  }
}

/** Returns the state of a payment as text, and its kind, which gives the colour. */
export function stateOf({ state, dispute, refundedMinor, amountMinor }: PaymentEntry): {
  text: string;
  kind: string;
} {
  if (state === 'open') return { text: 'open', kind: 'warn' };
  if (state !== 'paid') return { text: state, kind: 'bad' };
  if (dispute === 'open') return { text: 'disputed', kind: 'warn' };
  if (dispute === 'lost') return { text: 'dispute lost', kind: 'bad' };
  if (refundedMinor === amountMinor) return { text: 'refunded', kind: 'neutral' };
  return refundedMinor > 0 ? { text: 'part refunded', kind: 'neutral' } : { text: 'paid', kind: 'good' };
}

import { describe, expect, it } from 'vitest';
import { maskEmail } from '../../src/domain/checkout/masked-email.js';
import { accessInWords, priceInWords, renewalInWords } from '../../src/web/storefront/terms-wording.js';

describe('masked email address', () => {
  it.each([
    ['dana@example.com', 'd•••@example.com'],
    ['abc@sub.example.com', 'a•••@sub.example.com'],
    ['ab@example.com', '•••@example.com'],
    ['a@example.com', '•••@example.com'],
  ])('of %s is %s', (email, masked) => {
    expect(maskEmail(email)).toBe(masked);
  });
});

describe('terms of an offer', () => {
  const month = { amountMinor: 900, currency: 'EUR', periodDays: 30, renews: true };

  it.each([
    [month, '€9.00', '30 days', '€9.00 every 30 days until you cancel'],
    [{ ...month, periodDays: 1 }, '€9.00', '1 day', '€9.00 every day until you cancel'],
    [{ ...month, renews: false }, '€9.00', '30 days', 'Ends automatically, no renewal'],
    [{ ...month, periodDays: null, renews: false }, '€9.00', 'Lifetime', 'One payment, no renewal'],
    [{ ...month, amountMinor: 0 }, 'free', '30 days', 'free every 30 days until you cancel'],
    [{ ...month, periodDays: 3_650 }, '€9.00', '3,650 days', '€9.00 every 3,650 days until you cancel'],
  ])('%j are described in plain words', (terms, price, access, renewal) => {
    expect([priceInWords(terms), accessInWords(terms.periodDays), renewalInWords(terms)]).toEqual([
      price,
      access,
      renewal,
    ]);
  });
});

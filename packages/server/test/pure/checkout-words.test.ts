import { describe, expect, it } from 'vitest';
import { maskEmail } from '../../src/domain/checkout/masked-email.js';
import { simulatedPayments } from '../../src/sandbox/simulated-payments.js';
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
    [{ ...month, renews: false }, '€9.00', '30 days', 'Ends by itself, nothing renews'],
    [{ ...month, periodDays: null, renews: false }, '€9.00', 'For life', 'One payment, nothing renews'],
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

describe('simulated payments', () => {
  const charge = (method: string, isRenewal: boolean) =>
    simulatedPayments.charge({ orderId: 'order', amountMinor: 900, currency: 'EUR', method, isRenewal });

  it.each([
    ['card-4242', 'paid', 'paid'],
    ['card-0341', 'paid', 'card_declined'],
    ['card-9995', 'insufficient_funds', 'insufficient_funds'],
    ['card-0002', 'card_declined', 'card_declined'],
    ['transfer-arrives', 'paid', 'paid'],
    ['transfer-expires', 'transfer_expired', 'transfer_expired'],
  ])('by %s are first %s, and then %s, the same each time', async (method, first, later) => {
    const outcomes = await Promise.all([false, false, true, true].map((again) => charge(method, again)));
    const words = outcomes.map((outcome) => (outcome.kind === 'paid' ? 'paid' : outcome.reason));
    expect(words).toEqual([first, first, later, later]);
  });

  it('are offered separately for cards and crypto, the successful one first', () => {
    expect(simulatedPayments.methods('card').map(({ id }) => id)[0]).toBe('card-4242');
    expect(simulatedPayments.methods('crypto').map(({ id }) => id)).toEqual([
      'transfer-arrives',
      'transfer-expires',
    ]);
  });

  it('by an unknown method throw an internal error', async () => {
    await expect(charge('cash', false)).rejects.toThrow('cash');
  });
});

import { describe, expect, it } from 'vitest';
import { simulatedPayments } from '../src/payments/simulated-payments.js';

describe('the simulated payments', () => {
  const order = { orderId: 'order', amountMinor: 900, currency: 'EUR', reference: null, subscription: null };
  const start = {
    ...order,
    kind: 'card',
    description: '',
    buyerEmail: null,
    renews: null,
    expiresAt: 0,
  } as const;
  const pages = { returnUrl: 'https://service.example', cancelUrl: 'https://service.example' };
  const charge = async (method: string, isRenewal: boolean) =>
    isRenewal
      ? await simulatedPayments.renew?.({ ...order, method, isRenewal })
      : await simulatedPayments.start({ ...start, ...pages, method });

  it.each([
    ['card-4242', 'paid', 'paid'],
    ['card-0341', 'paid', 'card_declined'],
    ['card-9995', 'insufficient_funds', 'insufficient_funds'],
    ['card-0002', 'card_declined', 'card_declined'],
    ['transfer-arrives', 'paid', 'paid'],
    ['transfer-expires', 'transfer_expired', 'transfer_expired'],
  ])(
    'charge %s with the first result %s and the renewal result %s, each time',
    async (method, first, later) => {
      const outcomes = await Promise.all([false, false, true, true].map((again) => charge(method, again)));
      const words = outcomes.map((outcome) =>
        outcome?.kind === 'declined' ? outcome.reason : outcome?.kind,
      );
      expect(words).toEqual([first, first, later, later]);
    },
  );

  it.each(simulatedPayments.methods('card'))(
    'find the result of a charge with $id',
    async ({ id: method }) => {
      for (const isRenewal of [false, true]) {
        const charged = (await charge(method, isRenewal)) ?? {};
        expect(await simulatedPayments.find({ ...order, method, isRenewal })).toMatchObject(charged);
      }
    },
  );

  it('offer methods for cards and for crypto, the successful one first', () => {
    expect(simulatedPayments.methods('card').map(({ id }) => id)[0]).toBe('card-4242');
    expect(simulatedPayments.methods('crypto').map(({ id }) => id)).toEqual([
      'transfer-arrives',
      'transfer-expires',
    ]);
  });

  it('throw an error for an unknown method', async () => {
    await expect(charge('cash', false)).rejects.toThrow('cash');
  });
});

import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { it, type SandboxUnderTest } from './sandbox-under-test.js';

describe('the simulated payments', () => {
  const order = { amountMinor: 900, currency: 'EUR', reference: null, subscription: null };
  const start = {
    ...order,
    kind: 'card',
    description: '',
    buyerEmail: null,
    renews: null,
    expiresAt: 0,
  } as const;
  const pages = { returnUrl: 'https://service.example', cancelUrl: 'https://service.example' };
  /** Charges a new order. */
  const charge = async ({ server }: SandboxUnderTest, method: string, isRenewal: boolean) => {
    const orderId = randomUUID();
    const { provider } = server.bank;
    const charged = isRenewal
      ? await provider.renew?.({ ...order, orderId, method, isRenewal })
      : await provider.start({ ...start, ...pages, orderId, method });
    const found = await provider.find({ ...order, orderId, method, isRenewal });
    return [charged, found].map((result) => (result?.kind === 'declined' ? result.reason : result?.kind));
  };

  it.for([
    ['card-4242', 'paid', 'paid'],
    ['card-0341', 'paid', 'card_declined'],
    ['card-9995', 'insufficient_funds', 'insufficient_funds'],
    ['card-0002', 'card_declined', 'card_declined'],
    ['transfer-arrives', 'paid', 'paid'],
    ['transfer-expires', 'transfer_expired', 'transfer_expired'],
  ] as const)(
    'charge %s with the first result %s and the renewal result %s, and find it',
    async ([method, first, later], { service }) => {
      expect(await charge(service, method, false)).toEqual([first, first]);
      expect(await charge(service, method, true)).toEqual([later, later]);
    },
  );

  it('offer methods for cards and for crypto, the successful one first', ({ service }) => {
    const { methods } = service.server.bank.provider;
    expect(methods('card')[0]?.id).toBe('card-4242');
    expect(methods('crypto').map(({ id }) => id)).toEqual([
      ...['transfer-arrives', 'transfer-expires', 'transfer-late'],
    ]);
  });

  it('throw an error for an unknown method', async ({ service }) => {
    await expect(charge(service, 'cash', false)).rejects.toThrow('cash');
  });
});

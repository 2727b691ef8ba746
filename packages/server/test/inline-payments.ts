import {
  type ChargeResult,
  type DeclinedPayment,
  type FoundPayment,
  InvalidProviderWebhookError,
  type PaymentOrder,
  type PaymentProvider,
} from '../src/index.js';

/** Result of a charge. The reference of a payment is its order id. */
export type Charge = { readonly kind: 'paid' } | DeclinedPayment;
export type FoundCharge = Charge | { readonly kind: 'none' | 'pending' };

/** Provider that charges at once, without a page of its own. */
export interface InlinePayments extends PaymentProvider {
  charge(order: Omit<PaymentOrder, 'reference' | 'subscription'>): Promise<Charge>;
  findCharge(order: PaymentOrder): Promise<FoundCharge>;
}

/** Creates a provider from its charges. Without `findCharge` it has charged nothing that has no stored result. */
export function inlinePayments(
  charges: Pick<InlinePayments, 'charge'> & Partial<Pick<InlinePayments, 'findCharge' | 'methods'>>,
): InlinePayments {
  return {
    ...{ name: 'inline', mode: 'test', renewals: 'server', disclaimer: '' },
    methods: () => [],
    findCharge: async () => ({ kind: 'none' }),
    ...charges,
    async start({ orderId, amountMinor, currency, method }) {
      const order = { orderId, amountMinor, currency, method, isRenewal: false };
      return paid(orderId, await this.charge(order));
    },
    async renew(order) {
      return paid(order.orderId, await this.charge(order));
    },
    async find(order): Promise<FoundPayment> {
      const { orderId: reference, amountMinor, currency } = order;
      const found = await this.findCharge(order);
      return found.kind === 'paid' ? { kind: 'paid', reference, amountMinor, currency } : found;
    },
    refund: async () => ({ kind: 'refunded' }),
    async readEvents() {
      throw new InvalidProviderWebhookError('This provider sends no webhooks.');
    },
  };
}

/** Adds the reference. Anything else that a provider in JavaScript may return stays as it is. */
function paid(reference: string, result: Charge): ChargeResult {
  return result?.kind === 'paid' ? { kind: 'paid', reference } : result;
}

import {
  type ChargeResult,
  type DeclineReason,
  InvalidProviderWebhookError,
  type PaymentKind,
  type PaymentMethod,
  type PaymentOrder,
  type PaymentProvider,
} from '@latchkey/server';
import { hashSecret, priceInput } from '@latchkey/server/extension';

/** What a payment leads to: its result, or a page where the buyer waits for their bank or for a transfer. */
export type SimulatedOutcome = 'paid' | DeclineReason | 'bank-asks' | 'transfer-is-late';

export interface SimulatedMethod extends PaymentMethod {
  readonly kind: PaymentKind;
  readonly first: SimulatedOutcome;
  readonly later: 'paid' | DeclineReason;
}

const transfer = (
  id: string,
  [name, note]: readonly [string, string],
  first: SimulatedOutcome,
  later: SimulatedMethod['later'] = 'paid',
): SimulatedMethod => ({ id: `transfer-${id}`, kind: 'crypto', name, note, first, later });

/** Test cards show only four digits: a whole number might be a real card. */
const card = (
  ending: string,
  note: string,
  first: SimulatedOutcome,
  later: SimulatedMethod['later'] = 'paid',
): SimulatedMethod => ({
  ...{ id: `card-${ending}`, kind: 'card', name: `Test card ending in ${ending}`, note },
  ...{ first, later },
});

/** All methods, the usual one of each kind first. */
export const SIMULATED_METHODS: readonly SimulatedMethod[] = [
  card('4242', 'Pays', 'paid'),
  card('0341', 'Pays now, and is declined at the first renewal', 'paid', 'card_declined'),
  card('9995', 'Has insufficient funds', 'insufficient_funds', 'insufficient_funds'),
  card('0002', 'Is declined', 'card_declined', 'card_declined'),
  card('3220', 'Your bank asks you first (3-D Secure)', 'bank-asks'),
  transfer('arrives', ['The transfer arrives', 'As if you had sent the amount'], 'paid'),
  transfer(
    'expires',
    ['No transfer arrives', 'The time for it runs out'],
    'transfer_expired',
    'transfer_expired',
  ),
  transfer(
    'late',
    ['The transfer arrives late', 'In an hour, by the clock of the service'],
    'transfer-is-late',
  ),
];

/** @throws Error if there is no such method. */
export function simulatedMethod(id: string | null): SimulatedMethod {
  const method = SIMULATED_METHODS.find((known) => known.id === id);
  if (method === undefined) throw new Error(`The simulated payments have no method "${id}".`);
  return method;
}

/** True if the method decides at once, without a page of the provider. */
export function isImmediate({ first }: SimulatedMethod): boolean {
  return first !== 'bank-asks' && first !== 'transfer-is-late';
}

export const SIMULATED_PROVIDER = {
  name: 'simulated',
  mode: 'test',
  renewals: 'server',
  disclaimer: 'Payments are simulated here: no money moves, and no card is asked for.',
  transferDetails: ({ orderId, amountMinor, currency }) => [
    { label: 'Amount', value: `${priceInput(amountMinor, currency)} test ${currency}` },
    { label: 'Network', value: 'Simulated, no real coins' },
    // Unlike any wallet address, so coins can't be sent to it.
    { label: 'To', value: `simulated:${hashSecret(orderId).slice(0, 20)}` },
  ],
} as const satisfies Partial<PaymentProvider>;

/**
 * A payment provider that charges nothing. The chosen method decides the result, like a test card. It stores nothing,
 * so several processes return the same result for an order. A sandbox has more: pages, webhooks, refunds and disputes.
 */
export const simulatedPayments: PaymentProvider = {
  ...SIMULATED_PROVIDER,
  methods: (kind) => SIMULATED_METHODS.filter((method) => method.kind === kind && isImmediate(method)),
  start: async (payment) => simulatedResult({ ...payment, isRenewal: false }),
  renew: async (order) => simulatedResult(order),
  async find(order) {
    const { amountMinor, currency } = order;
    const result = simulatedResult(order);
    return result.kind === 'paid' ? { ...result, amountMinor, currency } : result;
  },
  refund: async () => ({ kind: 'refunded' }),
  async readEvents() {
    throw new InvalidProviderWebhookError('The simulated payments send no webhooks without a sandbox.');
  },
};

/** Returns a method's result. */
function simulatedResult({
  orderId,
  method: id,
  isRenewal,
}: Pick<PaymentOrder, 'orderId' | 'method' | 'isRenewal'>): ChargeResult {
  const { first, later } = simulatedMethod(id);
  const outcome = isRenewal ? later : first;
  if (outcome === 'bank-asks' || outcome === 'transfer-is-late')
    throw new Error(`The simulated method "${id}" needs a page, which only a sandbox has.`);
  return outcome === 'paid' ? { kind: 'paid', reference: orderId } : { kind: 'declined', reason: outcome };
}

import type {
  ChargeResult,
  DeclineReason,
  PaymentKind,
  PaymentMethod,
  PaymentOrder,
  PaymentProvider,
} from '@latchkey/server';
import { hashSecret, priceInput } from '@latchkey/server/extension';

/** Payment method with a fixed result. */
interface SimulatedMethod extends PaymentMethod {
  readonly kind: PaymentKind;
  /** Reason that the first payment is declined for; null if it is paid. */
  readonly declined: DeclineReason | null;
  /** Reason that a renewal is declined for; null if it is paid. */
  readonly declinedLater: DeclineReason | null;
}

/** Test cards show four digits only: a whole number might be a real card. */
const METHODS: readonly SimulatedMethod[] = [
  {
    id: 'card-4242',
    kind: 'card',
    name: 'Test card ending in 4242',
    note: 'Pays',
    declined: null,
    declinedLater: null,
  },
  {
    id: 'card-0341',
    kind: 'card',
    name: 'Test card ending in 0341',
    note: 'Pays now, and is declined at the first renewal',
    declined: null,
    declinedLater: 'card_declined',
  },
  {
    id: 'card-9995',
    kind: 'card',
    name: 'Test card ending in 9995',
    note: 'Has insufficient funds',
    declined: 'insufficient_funds',
    declinedLater: 'insufficient_funds',
  },
  {
    id: 'card-0002',
    kind: 'card',
    name: 'Test card ending in 0002',
    note: 'Is declined',
    declined: 'card_declined',
    declinedLater: 'card_declined',
  },
  {
    id: 'transfer-arrives',
    kind: 'crypto',
    name: 'The transfer arrives',
    note: 'As if you had sent the amount',
    declined: null,
    declinedLater: null,
  },
  {
    id: 'transfer-expires',
    kind: 'crypto',
    name: 'No transfer arrives',
    note: 'The time for it runs out',
    declined: 'transfer_expired',
    declinedLater: 'transfer_expired',
  },
];

/**
 * Payment provider that charges nothing. The chosen method decides the result, like a test card. It stores nothing, so
 * several processes return the same result for an order.
 */
export const simulatedPayments: PaymentProvider = {
  disclaimer: 'Payments are simulated here: no money moves, and no card is asked for.',
  transferDetails: ({ orderId, amountMinor, currency }) => [
    { label: 'Amount', value: `${priceInput(amountMinor, currency)} test ${currency}` },
    { label: 'Network', value: 'Simulated, no real coins' },
    // Unlike the format of every wallet address, so that coins cannot be sent to it.
    { label: 'To', value: `simulated:${hashSecret(orderId).slice(0, 20)}` },
  ],
  methods: (kind) => METHODS.filter((method) => method.kind === kind),
  charge: resultOf,
  findCharge: resultOf,
};

async function resultOf({ method: id, isRenewal }: PaymentOrder): Promise<ChargeResult> {
  const method = METHODS.find((known) => known.id === id);
  if (method === undefined) throw new Error(`The simulated payments have no method "${id}".`);
  const reason = isRenewal ? method.declinedLater : method.declined;
  return reason === null ? { kind: 'paid' } : { kind: 'declined', reason };
}

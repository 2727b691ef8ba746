import { priceInput } from '../domain/catalogue/price.js';
import type {
  ChargeOutcome,
  DeclineReason,
  PaymentKind,
  PaymentMethod,
  PaymentProvider,
} from '../domain/checkout/payment-provider.js';
import { hashSecret } from '../platform/secrets.js';

/** A method of payment whose outcome is known beforehand. */
interface SimulatedMethod extends PaymentMethod {
  readonly kind: PaymentKind;
  /** Why the first payment fails; null when it succeeds. */
  readonly declined: DeclineReason | null;
  /** Why a renewal fails; null when it succeeds. */
  readonly declinedLater: DeclineReason | null;
}

/** The methods are named after their ending, and never after a number that somebody could own. */
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
 * Takes no money: the method that is chosen decides the outcome, as test cards do. It keeps nothing, so any number of
 * processes agree about every order.
 */
export const simulatedPayments: PaymentProvider = {
  disclaimer: 'Payments are simulated here: no money moves, and no card is asked for.',
  transferDetails: ({ orderId, amountMinor, currency }) => [
    { label: 'Amount', value: `${priceInput(amountMinor, currency)} test ${currency}` },
    { label: 'Network', value: 'Simulated, with no coins on it' },
    // Nothing that a wallet would take for an address of its own.
    { label: 'To', value: `simulated:${hashSecret(orderId).slice(0, 20)}` },
  ],
  methods: (kind) => METHODS.filter((method) => method.kind === kind),
  async charge({ method: id, isRenewal }): Promise<ChargeOutcome> {
    const method = METHODS.find((known) => known.id === id);
    if (method === undefined) throw new Error(`The simulated payments have no method "${id}".`);
    const reason = isRenewal ? method.declinedLater : method.declined;
    return reason === null ? { kind: 'paid' } : { kind: 'declined', reason };
  },
};

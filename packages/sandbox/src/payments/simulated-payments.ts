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

type Declined = DeclineReason | null;

const transfer = (id: string, name: string, note: string, declined: Declined): SimulatedMethod => ({
  ...{ id: `transfer-${id}`, kind: 'crypto', name, note, declined, declinedLater: declined },
});
/** Test cards show four digits only: a whole number might be a real card. */
const card = (
  ending: string,
  note: string,
  declined: Declined,
  declinedLater: Declined = declined,
): SimulatedMethod => ({
  ...{ id: `card-${ending}`, kind: 'card', name: `Test card ending in ${ending}`, note },
  ...{ declined, declinedLater },
});

const METHODS: readonly SimulatedMethod[] = [
  card('4242', 'Pays', null),
  card('0341', 'Pays now, and is declined at the first renewal', null, 'card_declined'),
  card('9995', 'Has insufficient funds', 'insufficient_funds'),
  card('0002', 'Is declined', 'card_declined'),
  transfer('arrives', 'The transfer arrives', 'As if you had sent the amount', null),
  transfer('expires', 'No transfer arrives', 'The time for it runs out', 'transfer_expired'),
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

import type { PaymentEntry } from '@latchkey/sandbox';
import { table } from '../command-line/text.js';
import { callCommand } from './control-command.js';

const payment = {
  isArgument: true,
  placeholder: 'payment',
  description: 'Id that "latchkey payments" prints.',
};

export const paymentsList = callCommand({
  name: 'payments',
  call: 'GET /payments',
  settings: {
    state: { placeholder: 'state', defaultText: 'all' },
    text: { flag: 'search', placeholder: 'text', defaultText: 'all' },
    after: { placeholder: 'payment', description: 'Print the payments before this one: the next page.' },
    limit: { placeholder: 'number' },
  },
  examples: ['latchkey payments', 'latchkey payments --state open --json'],
  notes:
    'The newest payment comes first. The simulated provider has them in its own books: an open one waits for an answer of the buyer’s bank, or for a transfer.',
  text: ({ payments, next }) =>
    [
      table(
        ['payment', 'state', 'amount', 'buyer', 'webhooks'],
        payments.map((entry) => [
          ...[entry.id, stateOf(entry), amountText(entry.amountMinor, entry.currency)],
          ...[entry.buyerEmail, entry.webhooks.length],
        ]),
        'No such payments.',
      ),
      ...(next === null ? [] : [`There are older payments: add --after ${next}`]),
    ].join('\n'),
});

export const paymentCommands = [
  callCommand({
    name: 'show',
    call: 'GET /payments/{id}',
    settings: { id: payment },
    examples: ['latchkey payments show sim_00112233445566778899aabb'],
    text: paymentText,
  }),
  callCommand({
    name: 'answer',
    call: 'POST /payments/{id}/answer',
    settings: { id: payment, answer: { isArgument: true } },
    examples: ['latchkey payments answer sim_00112233445566778899aabb approve'],
    text: paymentText,
  }),
  callCommand({
    name: 'refund',
    call: 'POST /payments/{id}/refund',
    settings: { id: payment, amountMinor: { placeholder: 'number', defaultText: 'all that is left' } },
    examples: [
      'latchkey payments refund sim_00112233445566778899aabb',
      'latchkey payments refund sim_00112233445566778899aabb --amount-minor 300',
    ],
    text: paymentText,
  }),
  callCommand({
    name: 'dispute',
    call: 'POST /payments/{id}/dispute',
    settings: { id: payment, step: { isArgument: true } },
    examples: ['latchkey payments dispute sim_00112233445566778899aabb open'],
    text: paymentText,
  }),
  callCommand({
    name: 'webhook',
    call: 'POST /payments/{id}/webhooks/{eventId}',
    settings: {
      id: payment,
      eventId: {
        isArgument: true,
        placeholder: 'event',
        description: 'Id of the provider’s event, as "latchkey payments show" prints it.',
      },
    },
    examples: [
      'latchkey payments webhook sim_00112233445566778899aabb evt_5eed0000-0000-4000-8000-0000000000aa',
    ],
    text: paymentText,
  }),
  callCommand({
    name: 'provider',
    call: 'POST /payment-provider',
    settings: {
      webhooks: { placeholder: 'mode', defaultText: 'unchanged' },
      isDown: { flag: 'down', placeholder: 'true', defaultText: 'unchanged' },
    },
    examples: [
      'latchkey payments provider --webhooks withhold',
      'latchkey payments provider --webhooks send',
    ],
    text: ({ webhooks, isDown }) =>
      `Webhooks: ${webhooks}. The provider ${isDown ? 'is down' : 'can be reached'}.`,
  }),
];

/** `9.00 EUR` */
function amountText(amountMinor: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const { maximumFractionDigits: digits = 2 } = format.resolvedOptions();
  return `${(amountMinor / 10 ** digits).toFixed(digits)} ${currency}`;
}

function stateOf({ state, dispute, refundedMinor, amountMinor, currency }: PaymentEntry): string {
  if (dispute !== null) return `dispute ${dispute}`;
  if (refundedMinor === 0) return state;
  return refundedMinor === amountMinor ? 'refunded' : `refunded ${amountText(refundedMinor, currency)}`;
}

function paymentText(entry: PaymentEntry): string {
  const { id, amountMinor, currency, pageUrl, webhooks } = entry;
  return [
    `${id}: ${amountText(amountMinor, currency)}, ${stateOf(entry)}`,
    ...(pageUrl === null ? [] : [`  page ${pageUrl}`]),
    ...webhooks.map(
      ({ id: eventId, kind, state, answer }) =>
        `  ${eventId} ${kind} ${state}${answer === null ? '' : `, answered ${answer}`}`,
    ),
  ].join('\n');
}

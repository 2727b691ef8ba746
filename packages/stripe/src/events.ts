import { InvalidProviderWebhookError, type ProviderEvent, type ProviderWebhook } from '@latchkey/server';
import Stripe from 'stripe';
import { fromStripeAmount } from './amounts.js';
import { disputeState, idOf, intentOfInvoice, moneyOf, ORDER, readInvoice } from './sessions.js';
import type { StripeOptions } from './stripe-options.js';

/** Types of the events that the webhook endpoint in Stripe's dashboard has to send. */
export const WEBHOOK_EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'payment_intent.payment_failed',
  'invoice.paid',
  'invoice.payment_failed',
  'customer.subscription.deleted',
  'charge.refunded',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.closed',
] as const satisfies readonly Stripe.Event['type'][];

type Details<Event = ProviderEvent> = Event extends unknown
  ? Omit<Event, 'id' | 'createdAt' | 'mode'>
  : never;

/**
 * Verifies a webhook from Stripe, and returns what it reports about our orders.
 *
 * @throws InvalidProviderWebhookError if Stripe didn't sign it with the secret, or if it comes from the other mode.
 */
export async function readStripeEvents(
  stripe: Stripe,
  { headers, body }: ProviderWebhook,
  { webhookSecret, mode }: StripeOptions,
): Promise<readonly ProviderEvent[]> {
  const event = verify(stripe, { headers, body }, webhookSecret);
  const eventMode = event.livemode ? 'live' : 'test';
  if (eventMode !== mode)
    throw new InvalidProviderWebhookError(
      `The event ${event.id} is of ${eventMode} mode, and the server is in ${mode} mode.`,
    );
  const details = await detailsOf(stripe, event);
  return details === undefined ? [] : [{ ...details, id: event.id, createdAt: event.created * 1000, mode }];
}

function verify(stripe: Stripe, { headers, body }: ProviderWebhook, secret: string): Stripe.Event {
  const signature = headers['stripe-signature'];
  if (signature === undefined) throw new InvalidProviderWebhookError('The webhook has no Stripe-Signature.');
  try {
    return stripe.webhooks.constructEvent(Buffer.from(body), signature, secret);
  } catch (error) {
    const isForged =
      error instanceof Stripe.errors.StripeSignatureVerificationError || error instanceof SyntaxError;
    if (isForged) throw new InvalidProviderWebhookError(error.message, { cause: error });
    throw error;
  }
}

/** Returns `undefined` for anything but our orders: other shops can share the account. */
async function detailsOf(stripe: Stripe, event: Stripe.Event): Promise<Details | undefined> {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return await paidPage(stripe, event.data.object);
    case 'checkout.session.async_payment_failed':
      return declined(event.data.object, 'transfer_expired');
    case 'checkout.session.expired':
      return about(event.data.object, (ids) => ({ ...ids, kind: 'expired' }));
    case 'payment_intent.payment_failed':
      return declined(event.data.object, reasonOf(event.data.object));
    case 'invoice.paid':
    case 'invoice.payment_failed':
      return await invoiced(stripe, event.data.object, event.type === 'invoice.paid');
    case 'customer.subscription.deleted':
      return about(event.data.object, (ids) => ({
        ...{ ...ids, kind: 'subscription-ended', subscription: ids.reference },
      }));
    case 'charge.refunded':
      return await refunded(stripe, event.data.object);
    case 'refund.failed':
      return await refunded(stripe, event.data.object.charge);
    case 'charge.dispute.created':
      return await ofCharge(stripe, event.data.object.charge, (ids) => ({ ...ids, kind: 'dispute-opened' }));
    case 'charge.dispute.closed': {
      const kind = disputeState(event.data.object) === 'lost' ? 'dispute-lost' : 'dispute-won';
      return await ofCharge(stripe, event.data.object.charge, (ids) => ({ ...ids, kind }));
    }
    default:
      return undefined;
  }
}

interface Ids {
  readonly orderId: string;
  readonly reference: string;
}

function about(
  { id, metadata }: { readonly id: string; readonly metadata: Stripe.Metadata | null },
  details: (ids: Ids) => Details,
): Details | undefined {
  const orderId = metadata?.[ORDER];
  return orderId === undefined ? undefined : details({ orderId, reference: id });
}

function declined(
  object: { readonly id: string; readonly metadata: Stripe.Metadata | null },
  reason: DeclineReason,
): Details | undefined {
  return about(object, (ids) => ({ ...ids, kind: 'declined', reason }));
}

type DeclineReason = Extract<ProviderEvent, { kind: 'declined' }>['reason'];

function reasonOf({ last_payment_error: error }: Stripe.PaymentIntent): DeclineReason {
  const isShort = [error?.decline_code, error?.code].includes('insufficient_funds');
  return isShort ? 'insufficient_funds' : 'card_declined';
}

async function paidPage(stripe: Stripe, session: Stripe.Checkout.Session): Promise<Details | undefined> {
  const orderId = session.metadata?.[ORDER];
  // Unpaid: the bank is still moving the money, and another event reports the result.
  if (orderId === undefined || session.payment_status !== 'paid') return undefined;
  const { amount_total: amount, currency, subscription } = session;
  const invoiceId = idOf(session.invoice);
  const reference =
    idOf(session.payment_intent) ??
    (invoiceId && intentOfInvoice(await readInvoice(stripe, invoiceId))) ??
    invoiceId ??
    session.id;
  const money = moneyOf(amount ?? 0, currency ?? '');
  return { kind: 'paid', orderId, reference, subscription: idOf(subscription), ...money };
}

/** Reads an event about an invoice. A subscription's first invoice pays the order; the later ones are renewals. */
async function invoiced(
  stripe: Stripe,
  { id }: Stripe.Invoice,
  isPaid: boolean,
): Promise<Details | undefined> {
  const invoice = await readInvoice(stripe, id);
  const { billing_reason: why, total, currency } = invoice;
  const { metadata, subscription } = invoice.parent?.subscription_details ?? {};
  const orderId = metadata?.[ORDER];
  if (orderId === undefined || (why !== 'subscription_create' && why !== 'subscription_cycle'))
    return undefined;
  const reference = intentOfInvoice(invoice) ?? id;
  const ids = { orderId, reference, subscription: idOf(subscription) };
  if (isPaid && why === 'subscription_create') return { ...ids, kind: 'paid', ...moneyOf(total, currency) };
  if (isPaid) return { ...ids, kind: 'renewed', renewalId: id, ...moneyOf(total, currency) };
  const isIntent = reference.startsWith('pi_');
  const reason = isIntent ? reasonOf(await stripe.paymentIntents.retrieve(reference)) : 'card_declined';
  if (why === 'subscription_create') return { orderId, reference, kind: 'declined', reason };
  return { ...ids, kind: 'renewal-failed', renewalId: id, reason };
}

async function refunded(stripe: Stripe, charge: string | Stripe.Charge | null): Promise<Details | undefined> {
  return await ofCharge(stripe, charge, (ids, { amount_refunded: amount, currency }) => ({
    ...ids,
    kind: 'refunded',
    amountMinor: fromStripeAmount(amount, currency),
  }));
}

async function ofCharge(
  stripe: Stripe,
  charge: string | Stripe.Charge | null,
  details: (ids: Ids, charge: Stripe.Charge) => Details,
): Promise<Details | undefined> {
  if (charge === null) return undefined;
  const read = typeof charge === 'string' ? await stripe.charges.retrieve(charge) : charge;
  const reference = idOf(read.payment_intent);
  if (reference === undefined) return undefined;
  const orderId = read.metadata[ORDER] ?? (await orderOfRenewal(stripe, reference, idOf(read.customer)));
  return orderId === undefined ? undefined : details({ orderId, reference }, read);
}

/** Stripe's payments don't refer to their subscription. */
async function orderOfRenewal(
  stripe: Stripe,
  intent: string,
  customer: string | undefined,
): Promise<string | undefined> {
  if (customer === undefined) return undefined;
  // Each subscription has its own customer, so there are few.
  for await (const invoice of stripe.invoices.list({ customer, limit: 100, expand: ['data.payments'] })) {
    if (invoice.payments?.data.some(({ payment }) => idOf(payment.payment_intent) === intent))
      return invoice.parent?.subscription_details?.metadata?.[ORDER];
  }
  return undefined;
}

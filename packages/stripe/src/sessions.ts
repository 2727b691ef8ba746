import { hash } from 'node:crypto';
import type { FoundPayment, PaymentOrder, PaymentStart, StartResult } from '@latchkey/server';
import Stripe from 'stripe';
import { fromStripeAmount, toStripeAmount } from './amounts.js';
import type { StripeOptions } from './stripe-options.js';

export const ORDER = 'latchkey_order';

const MINUTE_MS = 60_000;
/** Stripe's limits for the life of a checkout page. */
const SHORTEST_PAGE_MS = 30 * MINUTE_MS;
const LONGEST_PAGE_MS = 24 * 60 * MINUTE_MS;
/** How long a request to Stripe may take plus how far the clocks may differ. */
const CLOCK_TOLERANCE_MS = 2 * MINUTE_MS;
/** How many pages of an order are looked at until one is open. The earlier ones have all expired, so there are few. */
const MAX_PAGES = 20;
const MAX_PERIOD_DAYS = 1_095;
const MAX_NAME_LENGTH = 250;

type PageState =
  | { readonly kind: 'open' | 'pending' | 'over' }
  | Extract<FoundPayment, { readonly kind: 'paid' }>;

/**
 * Opens Stripe's checkout page for an order, or returns the page that is open already.
 *
 * A page's idempotency key is made from the order and the previous page. Two processes therefore open the same page,
 * and a new one opens only once the last can't be paid any more.
 */
export async function startPayment(
  stripe: Stripe,
  payment: PaymentStart,
  options: StripeOptions,
): Promise<StartResult> {
  let { previous = null } = payment;
  if (previous !== null) {
    const result = await continuePage(stripe, await readPage(stripe, previous), payment);
    if (result !== undefined) return result;
  }
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const session = await createPage(stripe, payment, { previous, options });
    const result = await continuePage(stripe, session, payment);
    if (result !== undefined) return result;
    previous = session.id;
  }
  throw new Error(
    `The order ${payment.orderId} has had ${MAX_PAGES} checkout pages at Stripe, and none is open.`,
  );
}

/** Returns the result of `start` for a page, or `undefined` if the page is over. */
async function continuePage(
  stripe: Stripe,
  session: Stripe.Checkout.Session,
  payment: PaymentStart,
): Promise<StartResult | undefined> {
  const state = await stateOf(stripe, session);
  if (state.kind === 'over') return undefined;
  if (state.kind === 'open' && !sells(session, payment)) {
    // A page that was paid a moment ago can't be expired any more.
    const isOpen = await expirePage(stripe, session.id);
    return isOpen ? undefined : await continuePage(stripe, await readPage(stripe, session.id), payment);
  }
  if (state.kind === 'paid') {
    const { reference, subscription } = state;
    return { kind: 'paid', reference, subscription };
  }
  // While a bank is still moving the money, our page says so.
  const url = state.kind === 'pending' ? payment.returnUrl : session.url;
  if (url === null) throw new Error(`Stripe's checkout page ${session.id} has no address.`);
  return { kind: 'redirect', url, reference: session.id };
}

/** False if the order was started before as a subscription instead of a single payment, or the other way round. */
function sells(session: Stripe.Checkout.Session, { amountMinor, currency, renews }: PaymentStart): boolean {
  const money = moneyOf(session.amount_total ?? 0, session.currency ?? '');
  const isSubscription = session.mode === 'subscription';
  return (
    isSubscription === (renews !== null) && money.amountMinor === amountMinor && money.currency === currency
  );
}

async function expirePage(stripe: Stripe, id: string): Promise<boolean> {
  try {
    await stripe.checkout.sessions.expire(id);
    return true;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return false;
    throw error;
  }
}

async function createPage(
  stripe: Stripe,
  payment: PaymentStart,
  { previous, options }: { previous: string | null; options: StripeOptions },
): Promise<Stripe.Checkout.Session> {
  const params = pageOf(payment, options);
  const idempotencyKey = [payment.orderId, previous].filter((part) => part !== null).join('/');
  const create = async (changes: Stripe.Checkout.SessionCreateParams, key: string) => {
    const session = await stripe.checkout.sessions.create(changes, { idempotencyKey: key });
    // A repeated request gets the first one's response, which can be hours old.
    const isOld = session.lastResponse.headers['idempotent-replayed'] === 'true';
    return isOld ? await readPage(stripe, session.id) : session;
  };
  try {
    return await create(params, idempotencyKey);
  } catch (error) {
    // The buyer then types the address on Stripe's page.
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.param === 'customer_email') {
      const { customer_email: _rejected, ...others } = params;
      return await create(others, idempotencyKey);
    }
    // Another request was sent for the same order: at the same moment, or before and its response was lost.
    if (error instanceof Stripe.errors.StripeIdempotencyError) {
      const known = await findPage(stripe, payment.orderId);
      return known ?? (await create(params, `${idempotencyKey}/${hash('sha1', JSON.stringify(params))}`));
    }
    throw error;
  }
}

function pageOf(
  payment: PaymentStart,
  { tax = 'none', invoices = false }: StripeOptions,
): Stripe.Checkout.SessionCreateParams {
  const { orderId, amountMinor, currency, description, buyerEmail, renews } = payment;
  if (renews !== null && renews.periodDays > MAX_PERIOD_DAYS)
    throw new Error(
      `Stripe renews at least every ${MAX_PERIOD_DAYS} days, and this plan lasts ${renews.periodDays}.`,
    );
  const metadata = { [ORDER]: orderId };
  const name = Array.from(description).slice(0, MAX_NAME_LENGTH).join('').trim() || 'Membership';
  return {
    mode: renews === null ? 'payment' : 'subscription',
    client_reference_id: orderId.slice(0, 200),
    metadata,
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: currency.toLowerCase(),
          unit_amount: toStripeAmount(amountMinor, currency),
          product_data: { name },
          // Our checkout page already said what the buyer pays, so the price includes tax.
          ...(tax === 'automatic' && { tax_behavior: 'inclusive' as const }),
          ...(renews !== null && {
            recurring: { interval: 'day' as const, interval_count: renews.periodDays },
          }),
        },
      },
    ],
    success_url: payment.returnUrl,
    cancel_url: payment.cancelUrl,
    ...expiryOf(payment.expiresAt),
    ...(buyerEmail !== null && { customer_email: buyerEmail }),
    ...(tax === 'automatic' && { automatic_tax: { enabled: true } }),
    ...(renews === null
      ? {
          payment_intent_data: { metadata, description: name },
          ...(invoices && { invoice_creation: { enabled: true, invoice_data: { metadata } } }),
        }
      : { subscription_data: { metadata, description: name } }),
  };
}

/** Returns when the page expires: the nearest time that Stripe accepts. Without one, Stripe takes a day. */
function expiryOf(expiresAt: number): { expires_at?: number } {
  const now = Date.now();
  if (expiresAt >= now + LONGEST_PAGE_MS - CLOCK_TOLERANCE_MS) return {};
  // Rounded up to half hours, so a repeated request contains the same time.
  const earliest =
    Math.ceil((now + SHORTEST_PAGE_MS + CLOCK_TOLERANCE_MS) / SHORTEST_PAGE_MS) * SHORTEST_PAGE_MS;
  return { expires_at: Math.floor(Math.max(expiresAt, earliest) / 1000) };
}

export async function findPayment(
  stripe: Stripe,
  { orderId, reference }: PaymentOrder,
): Promise<FoundPayment> {
  if (reference?.startsWith('pi_')) return await findIntent(stripe, reference);
  // An invoice without a payment intent was paid outside Stripe, so Stripe can't refund it.
  if (reference?.startsWith('in_')) return { kind: 'pending' };
  const session = reference === null ? await findPage(stripe, orderId) : await readPage(stripe, reference);
  if (session === undefined) return { kind: 'none' };
  const state = await stateOf(stripe, session);
  if (state.kind === 'paid') return state;
  return { kind: state.kind === 'over' ? 'none' : 'pending' };
}

async function findIntent(stripe: Stripe, id: string): Promise<FoundPayment> {
  const intent = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
  if (intent.status !== 'succeeded') return { kind: intent.status === 'canceled' ? 'none' : 'pending' };
  const { amount_received: amount, currency } = intent;
  return {
    kind: 'paid',
    reference: id,
    ...moneyOf(amount, currency),
    ...(await reversedMoney(stripe, intent)),
  };
}

/** Finds the newest page of an order among the pages of the last day, for when a crash lost the response. */
async function findPage(stripe: Stripe, orderId: string): Promise<Stripe.Checkout.Session | undefined> {
  const since = (Date.now() - LONGEST_PAGE_MS - CLOCK_TOLERANCE_MS) / 1000;
  for await (const session of stripe.checkout.sessions.list({ limit: 100 })) {
    if (session.created < since) return undefined;
    if (session.metadata?.[ORDER] === orderId) return await readPage(stripe, session.id);
  }
  return undefined;
}

async function readPage(stripe: Stripe, id: string): Promise<Stripe.Checkout.Session> {
  return await stripe.checkout.sessions.retrieve(id);
}

async function stateOf(stripe: Stripe, session: Stripe.Checkout.Session): Promise<PageState> {
  if (session.status === 'open') return { kind: 'open' };
  if (session.status !== 'complete') return { kind: 'over' };
  const intent = await intentOf(stripe, session);
  if (session.payment_status !== 'paid' && intent?.status !== 'succeeded') {
    const isOver = intent?.status === 'requires_payment_method' || intent?.status === 'canceled';
    return { kind: isOver ? 'over' : 'pending' };
  }
  const { subscription } = session;
  return {
    kind: 'paid',
    reference: intent?.id ?? idOf(session.invoice) ?? session.id,
    subscription: idOf(subscription),
    ...moneyOf(session.amount_total ?? 0, session.currency ?? ''),
    ...(intent && (await reversedMoney(stripe, intent))),
  };
}

async function intentOf(stripe: Stripe, session: Stripe.Checkout.Session) {
  const invoiceId = idOf(session.invoice);
  const id =
    idOf(session.payment_intent) ?? (invoiceId && intentOfInvoice(await readInvoice(stripe, invoiceId)));
  return id === undefined
    ? undefined
    : await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
}

/** Returns it as our API version formats it. Events use the version of their webhook endpoint. */
export async function readInvoice(stripe: Stripe, id: string): Promise<Stripe.Invoice> {
  return await stripe.invoices.retrieve(id, { expand: ['payments'] });
}

/** Returns the payment intent that paid an invoice, or would pay it. */
export function intentOfInvoice({ payments }: Stripe.Invoice): string | undefined {
  const all = payments?.data ?? [];
  const payment = all.find(({ status }) => status === 'paid') ?? all.find((one) => one.is_default) ?? all[0];
  return idOf(payment?.payment.payment_intent);
}

async function reversedMoney(stripe: Stripe, { id, currency, latest_charge: charge }: Stripe.PaymentIntent) {
  if (charge === null || typeof charge === 'string') return {};
  const refundedMinor = fromStripeAmount(charge.amount_refunded, currency);
  if (!charge.disputed) return { refundedMinor };
  const [dispute] = (await stripe.disputes.list({ payment_intent: id, limit: 1 })).data;
  return { refundedMinor, ...(dispute && { dispute: disputeState(dispute) }) };
}

/** A closed inquiry or a prevented dispute took no money, so it's won. */
export function disputeState({ status }: Stripe.Dispute): 'open' | 'won' | 'lost' {
  if (status === 'lost') return 'lost';
  return ['won', 'warning_closed', 'prevented'].includes(status) ? 'won' : 'open';
}

export function moneyOf(amount: number, currency: string) {
  return { amountMinor: fromStripeAmount(amount, currency), currency: currency.toUpperCase() };
}

export function idOf(value: string | { readonly id: string } | null | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.id;
}

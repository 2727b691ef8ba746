import { randomBytes } from 'node:crypto';
import Stripe from 'stripe';
import type { Form, FormValue } from './check-request.js';

type Some<Whole extends { id: string }, Used extends keyof Whole> = Partial<Whole> & Pick<Whole, 'id' | Used>;
type Session = Some<Stripe.Checkout.Session, 'created' | 'expires_at'>;
type Intent = Some<Stripe.PaymentIntent, 'amount' | 'currency' | 'customer' | 'latest_charge' | 'metadata'>;
type Charge = Some<Stripe.Charge, 'amount' | 'amount_refunded' | 'currency' | 'metadata' | 'payment_intent'>;
type Refund = Some<Stripe.Refund, 'payment_intent'>;
type Dispute = Some<Stripe.Dispute, 'payment_intent'>;
type Subscription = Some<Stripe.Subscription, 'customer' | 'metadata'>;
type Invoice = Omit<Some<Stripe.Invoice, 'customer'>, 'parent' | 'payments'> & {
  parent: { subscription_details: { metadata: Stripe.Metadata; subscription: string } };
  payments: {
    object: 'list';
    data: { status: string; is_default: boolean; payment: { type: string; payment_intent: string } }[];
  };
};

export class ApiError extends Error {
  readonly status: number;
  readonly body: { readonly type: string; readonly code?: string; readonly param?: string };

  constructor(status: number, message: string, body: Partial<ApiError['body']> = {}) {
    super(message);
    this.status = status;
    this.body = { type: 'invalid_request_error', ...body };
  }
}

export interface AccountEvent {
  readonly id: string;
  readonly object: 'event';
  readonly type: Stripe.Event['type'];
  readonly api_version: string;
  readonly created: number;
  readonly livemode: boolean;
  readonly data: { readonly object: unknown };
}

interface AccountOptions {
  url: string;
  livemode: boolean;
  now: () => number;
  emit: (event: AccountEvent) => void;
}

const HALF_HOUR = 1_800;
const DAY = 86_400;

/** The books of a Stripe account. Each change emits the events that Stripe would send. */
export class FakeAccount {
  readonly sessions = new Map<string, Session>();
  readonly intents = new Map<string, Intent>();
  readonly charges = new Map<string, Charge>();
  readonly refunds = new Map<string, Refund>();
  readonly disputes = new Map<string, Dispute>();
  readonly invoices = new Map<string, Invoice>();
  readonly subscriptions = new Map<
    string,
    Subscription & { readonly price: { amount: number; currency: string } }
  >();
  readonly #metadata = new Map<string, Stripe.Metadata>();
  readonly #options: AccountOptions;

  constructor(options: AccountOptions) {
    this.#options = options;
  }

  openPage(form: Form): Session {
    const { amount, currency, isRecurring } = lineItem(form);
    const mode = text(form.mode);
    if ((mode === 'subscription') !== isRecurring) {
      throw new ApiError(
        400,
        `You specified ${mode} mode, and the price ${isRecurring ? 'is' : 'is not'} recurring.`,
      );
    }
    const now = this.#seconds();
    const expiresAt = form.expires_at === undefined ? now + DAY : Number(form.expires_at);
    if (expiresAt < now + HALF_HOUR || expiresAt > now + DAY) {
      throw new ApiError(400, 'The `expires_at` timestamp must be 30 minutes to 24 hours from now.', {
        param: 'expires_at',
      });
    }
    if (form.customer_email !== undefined && !/^[^@\s]+@[^@\s]+\.\w+$/.test(text(form.customer_email))) {
      throw new ApiError(400, `Invalid email address: ${text(form.customer_email)}`, {
        param: 'customer_email',
        code: 'email_invalid',
      });
    }
    const id = this.#id(`cs_${this.#options.livemode ? 'live' : 'test'}`);
    const data = mode === 'subscription' ? form.subscription_data : form.payment_intent_data;
    this.#metadata.set(id, metadataOf(data));
    const session: Session = {
      id,
      object: 'checkout.session',
      livemode: this.#options.livemode,
      created: now,
      expires_at: expiresAt,
      amount_total: amount,
      currency,
      customer: null,
      invoice: null,
      payment_intent: null,
      subscription: null,
      ...{ client_reference_id: text(form.client_reference_id), metadata: metadataOf(form) },
      mode: mode === 'subscription' ? 'subscription' : 'payment',
      payment_status: 'unpaid',
      status: 'open',
      ...{ success_url: text(form.success_url), cancel_url: text(form.cancel_url) },
      url: `${this.#options.url}/c/pay/${id}`,
    };
    this.sessions.set(id, session);
    return session;
  }

  /** Returns a checkout page, which may just have expired. */
  page(id: string): Session {
    const session = this.sessions.get(id);
    if (session === undefined) throw missing('checkout.session', id);
    if (session.status === 'open' && session.expires_at <= this.#seconds()) this.expirePage(id);
    return session;
  }

  expirePage(id: string): void {
    const session = this.sessions.get(id);
    if (session?.status !== 'open') return;
    Object.assign(session, { status: 'expired', url: null });
    this.#event('checkout.session.expired', session);
  }

  /** Pays an open page. With `later`, the bank is still moving the money. */
  payPage(id: string, { later = false } = {}): void {
    const session = this.page(id);
    if (session.status !== 'open') throw new Error(`The page ${id} can't be paid: it is ${session.status}.`);
    const money = { amount: session.amount_total ?? 0, currency: session.currency ?? '' };
    const metadata = this.#metadata.get(id) ?? {};
    Object.assign(session, { status: 'complete', url: null, payment_status: later ? 'unpaid' : 'paid' });
    if (session.mode === 'payment') {
      const intent = this.#intent(money, { metadata, customer: null, isPaid: !later });
      session.payment_intent = intent.id;
    } else {
      const customer = this.#id('cus');
      const subscription = {
        id: this.#id('sub'),
        object: 'subscription' as const,
        customer,
        metadata,
        price: money,
      };
      this.subscriptions.set(subscription.id, { ...subscription, status: later ? 'incomplete' : 'active' });
      const invoice = this.#invoice(subscription.id, { why: 'subscription_create', isPaid: !later });
      Object.assign(session, { customer, subscription: subscription.id, invoice: invoice.id });
    }
    this.#event('checkout.session.completed', session);
  }

  /** Ends a payment that the bank was moving. */
  settlePage(id: string, isPaid: boolean): void {
    const session = this.page(id);
    const invoice = this.invoices.get(String(session.invoice));
    const intent = this.intents.get(
      String(session.payment_intent ?? invoice?.payments.data[0]?.payment.payment_intent),
    );
    if (intent === undefined) throw new Error(`The page ${id} has no payment.`);
    this.#settle(intent, isPaid);
    if (isPaid) session.payment_status = 'paid';
    if (isPaid && invoice !== undefined) this.#paid(invoice);
    this.#event(`checkout.session.async_payment_${isPaid ? 'succeeded' : 'failed'}`, session);
  }

  /** Declines a card on a page, which stays open. */
  declinePage(id: string): void {
    const session = this.page(id);
    if (session.status !== 'open') throw new Error(`The page ${id} can't be paid: it is ${session.status}.`);
    const metadata = session.mode === 'payment' ? (this.#metadata.get(id) ?? {}) : {};
    const money = { amount: session.amount_total ?? 0, currency: session.currency ?? '' };
    const intent = this.#intent(money, { metadata, customer: null, isPaid: false });
    this.#settle(intent, false);
  }

  refund(form: Form): Refund {
    const intent = this.intents.get(text(form.payment_intent));
    const charge = this.charges.get(String(intent?.latest_charge));
    if (intent === undefined || charge === undefined)
      throw missing('payment_intent', text(form.payment_intent));
    const left = charge.amount - charge.amount_refunded;
    const amount = form.amount === undefined ? left : Number(form.amount);
    if (left === 0) {
      throw new ApiError(400, `Charge ${charge.id} has already been refunded.`, {
        code: 'charge_already_refunded',
      });
    }
    if (amount > left || amount <= 0) {
      throw new ApiError(
        400,
        `Refund amount (${amount}) is greater than unrefunded amount on charge (${left}).`,
        { param: 'amount' },
      );
    }
    const refund: Refund = {
      ...{ id: this.#id('re'), object: 'refund', amount, charge: charge.id, created: this.#seconds() },
      currency: charge.currency,
      metadata: metadataOf(form),
      payment_intent: intent.id,
      status: 'succeeded',
    };
    this.refunds.set(refund.id, refund);
    charge.amount_refunded += amount;
    charge.refunded = charge.amount_refunded === charge.amount;
    this.#event('charge.refunded', charge);
    return refund;
  }

  /** Opens a dispute about a payment, or decides the one that is open. */
  dispute(intentId: string, step: 'open' | 'win' | 'lose'): void {
    const charge = this.charges.get(String(this.intents.get(intentId)?.latest_charge));
    if (charge === undefined) throw missing('payment_intent', intentId);
    if (step === 'open') {
      charge.disputed = true;
      const dispute: Dispute = {
        id: this.#id('du'),
        object: 'dispute',
        amount: charge.amount,
        charge: charge.id,
        currency: charge.currency,
        ...{ created: this.#seconds(), metadata: {}, payment_intent: intentId, status: 'needs_response' },
      };
      this.disputes.set(dispute.id, dispute);
      this.#event('charge.dispute.created', dispute);
      return;
    }
    const dispute = [...this.disputes.values()].find(({ payment_intent: id }) => id === intentId);
    if (dispute === undefined) throw new Error(`Nobody disputes ${intentId}.`);
    dispute.status = step === 'win' ? 'won' : 'lost';
    this.#event('charge.dispute.closed', dispute);
  }

  nextPeriod(id: string, { isPaid }: { isPaid: boolean }): void {
    this.#invoice(id, { why: 'subscription_cycle', isPaid });
  }

  cancelSubscription(id: string): Subscription {
    const subscription = this.subscriptions.get(id);
    if (subscription === undefined || subscription.status === 'canceled') throw missing('subscription', id);
    subscription.status = 'canceled';
    this.#event('customer.subscription.deleted', subscription);
    return subscription;
  }

  chargesOf(orderId: string): readonly Charge[] {
    const isOf = (metadata: Stripe.Metadata) => Object.values(metadata).includes(orderId);
    const ofInvoices = [...this.invoices.values()]
      .filter(({ parent }) => isOf(parent.subscription_details.metadata))
      .map(({ payments }) => payments.data[0]?.payment.payment_intent);
    return [...this.charges.values()].filter(
      ({ metadata, payment_intent: id }) => isOf(metadata) || ofInvoices.includes(String(id)),
    );
  }

  #invoice(
    subscriptionId: string,
    { why, isPaid }: { why: 'subscription_create' | 'subscription_cycle'; isPaid: boolean },
  ) {
    const subscription = this.subscriptions.get(subscriptionId);
    if (subscription === undefined || subscription.status === 'canceled')
      throw missing('subscription', subscriptionId);
    const { customer, metadata, price } = subscription;
    const intent = this.#intent(price, { metadata: {}, customer: String(customer), isPaid });
    const invoice: Invoice = {
      id: this.#id('in'),
      object: 'invoice',
      billing_reason: why,
      created: this.#seconds(),
      status: 'open',
      ...{ currency: price.currency, customer, total: price.amount },
      parent: { subscription_details: { metadata, subscription: subscriptionId } },
      payments: {
        object: 'list',
        data: [
          {
            status: 'open',
            is_default: true,
            payment: { type: 'payment_intent', payment_intent: intent.id },
          },
        ],
      },
    };
    this.invoices.set(invoice.id, invoice);
    if (isPaid) this.#paid(invoice);
    else if (why === 'subscription_cycle') {
      this.#settle(intent, false);
      this.#event('invoice.payment_failed', withoutPayments(invoice));
    }
    return invoice;
  }

  #paid(invoice: Invoice): void {
    const [payment] = invoice.payments.data;
    invoice.status = 'paid';
    if (payment !== undefined) payment.status = 'paid';
    this.#event('invoice.paid', withoutPayments(invoice));
  }

  #intent(
    { amount, currency }: { amount: number; currency: string },
    { metadata, customer, isPaid }: { metadata: Stripe.Metadata; customer: string | null; isPaid: boolean },
  ): Intent {
    const intent: Intent = {
      ...{ id: this.#id('pi'), object: 'payment_intent', amount, amount_received: 0, currency, customer },
      ...{ latest_charge: null, metadata, status: 'processing', last_payment_error: null },
    };
    this.intents.set(intent.id, intent);
    if (isPaid) this.#settle(intent, true);
    return intent;
  }

  #settle(intent: Intent, isPaid: boolean): void {
    if (!isPaid) {
      const error = {
        type: 'card_error' as const,
        code: 'card_declined' as const,
        decline_code: 'generic_decline',
      };
      Object.assign(intent, { status: 'requires_payment_method', last_payment_error: error });
      this.#event('payment_intent.payment_failed', intent);
      return;
    }
    const { amount, currency, customer, metadata } = intent;
    const charge: Charge = {
      id: this.#id('ch'),
      object: 'charge',
      amount,
      amount_refunded: 0,
      created: this.#seconds(),
      currency,
      ...{ customer, disputed: false, metadata, payment_intent: intent.id, refunded: false },
    };
    this.charges.set(charge.id, charge);
    Object.assign(intent, { status: 'succeeded', amount_received: amount, latest_charge: charge.id });
  }

  #event(type: Stripe.Event['type'], object: unknown): void {
    this.#options.emit({
      id: this.#id('evt'),
      object: 'event',
      type,
      api_version: Stripe.API_VERSION,
      created: this.#seconds(),
      ...{ livemode: this.#options.livemode, data: { object: structuredClone(object) } },
    });
  }

  #seconds(): number {
    return Math.floor(this.#options.now() / 1000);
  }

  #id(prefix: string): string {
    return `${prefix}_${randomBytes(12).toString('hex')}`;
  }
}

function missing(kind: string, id: string): ApiError {
  return new ApiError(404, `No such ${kind}: '${id}'`, { code: 'resource_missing' });
}

function withoutPayments({ payments: _payments, ...invoice }: Invoice) {
  return invoice;
}

function lineItem(form: Form) {
  const [item] = Array.isArray(form.line_items) ? form.line_items : [];
  const price = fieldOf(item, 'price_data');
  const amount = Number(fieldOf(price, 'unit_amount')) * Number(fieldOf(item, 'quantity') ?? 1);
  return {
    amount,
    currency: text(fieldOf(price, 'currency')),
    isRecurring: fieldOf(price, 'recurring') !== undefined,
  };
}

function metadataOf(value: FormValue | undefined): Stripe.Metadata {
  const metadata = fieldOf(value, 'metadata');
  if (typeof metadata !== 'object' || Array.isArray(metadata)) return {};
  return Object.fromEntries(Object.entries(metadata).map(([name, entry]) => [name, text(entry)]));
}

function fieldOf(value: FormValue | undefined, name: string): FormValue | undefined {
  return typeof value === 'object' && !Array.isArray(value) ? (value as Form)[name] : undefined;
}

function text(value: FormValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

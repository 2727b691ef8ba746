import { randomUUID } from 'node:crypto';
import type {
  BuyerAct,
  FoundPayment,
  PaymentDriver,
  PaymentOrder,
  PaymentReference,
  PaymentStart,
  ProviderEvent,
  ProviderWebhook,
  StartResult,
} from './payment-driver.js';
import { PaymentLedger } from './payment-ledger.js';

/** A promise of the interface, and how it is checked. */
export interface PaymentCase {
  /** Area and name, such as `refund.part`. */
  readonly id: string;
  /** The sentence that the report shows. */
  readonly text: string;
  /** @throws BrokenPromise if the provider does something else, CannotRun if the driver or the provider lacks something. */
  run(session: PaymentSession): Promise<void>;
}

/** Lists the cases of an area. Each has a title `name: The sentence.` and its check. */
export function casesOf(area: string, cases: Readonly<Record<string, PaymentCase['run']>>): PaymentCase[] {
  return Object.entries(cases).map(([title, run]) => {
    const [name = ''] = title.split(': ', 1);
    return { id: `${area}.${name}`, text: title.slice(name.length + 2), run };
  });
}

export class BrokenPromise extends Error {}

export class CannotRun extends Error {}

export function expectThat(condition: boolean, message: string): asserts condition {
  if (!condition) throw new BrokenPromise(message);
}

/** Returns a function of the driver, or throws {@link CannotRun} if it doesn't have it. */
export function required<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new CannotRun(`the driver has no ${name}`);
  return value;
}

/** Price of an order, unless a case needs another one. */
const PRICE = { amountMinor: 900, currency: 'EUR' };
const DAY_MS = 24 * 3600_000;
/** Time limit of a call, in milliseconds. The same as the server's. */
const CALL_LIMIT_MS = 30_000;
/** How far the provider's clock may differ from the driver's, in milliseconds. */
const CLOCK_TOLERANCE_MS = 10 * 60_000;
const KINDS = {
  start: ['paid', 'declined', 'redirect'],
  find: ['paid', 'declined', 'none', 'pending'],
  refund: ['refunded', 'pending', 'failed'],
  renew: ['paid', 'declined'],
} as const;

/** A shop that buys at the provider, for one case. */
export class PaymentSession {
  readonly driver: PaymentDriver;
  readonly ledger = new PaymentLedger();
  /** Webhooks that this session has read, oldest first. */
  readonly webhooks: ProviderWebhook[] = [];

  constructor(driver: PaymentDriver) {
    this.driver = driver;
  }

  /** Returns a new order that lets a buyer do something. */
  order(act: BuyerAct, changes: Partial<PaymentStart> = {}): PaymentStart {
    const orderId = `conformance-${randomUUID()}`;
    const { currency = PRICE.currency } = changes;
    if (this.driver.currenciesNotTaken?.includes(currency))
      throw new CannotRun(`the provider doesn't take ${currency}`);
    return {
      ...PRICE,
      orderId,
      kind: 'card',
      description: 'Conformance of the payment provider',
      buyerEmail: 'buyer@example.com',
      renews: null,
      method: this.driver.methodFor?.(act) ?? null,
      returnUrl: `https://shop.example/return?order=${orderId}`,
      cancelUrl: `https://shop.example/cancel?order=${orderId}`,
      expiresAt: this.now() + DAY_MS,
      ...changes,
    };
  }

  now(): number {
    return this.driver.now?.() ?? Date.now();
  }

  /** Starts a payment, books the result and checks its format. */
  async start(payment: PaymentStart): Promise<StartResult> {
    const result = await this.call('start', () => this.driver.provider.start(payment));
    if (result.kind === 'redirect') {
      const isUrl = URL.canParse(result.url);
      expectThat(isUrl, `start returned the address ${JSON.stringify(result.url)}, which isn't absolute.`);
      const { protocol, hostname } = new URL(result.url);
      const isSafe = protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
      expectThat(isSafe, `start returned ${result.url}: a payment page needs https.`);
    }
    if (result.kind !== 'declined') checkReference(result.reference, 'start');
    this.ledger.settle(payment.orderId, result);
    return result;
  }

  /** Starts a payment. On the provider's page, the buyer then does something. */
  async buy(act: BuyerAct, changes: Partial<PaymentStart> = {}) {
    return await this.actOn(act, this.order(act, changes));
  }

  /** Starts an order, again or for the first time. On the provider's page, the buyer then does something. */
  async actOn(act: BuyerAct, payment: PaymentStart) {
    const started = await this.start(payment);
    const reference = 'reference' in started ? started.reference : null;
    if (started.kind !== 'redirect') return { payment, reference, page: undefined, wentTo: undefined };
    const page = { ...started, orderId: payment.orderId };
    return { payment, reference, page, wentTo: await this.driver.act(act, page) };
  }

  /** Opens the provider's page where a buyer can do something. Throws {@link CannotRun} if the provider has none. */
  async open(act: BuyerAct, changes: Partial<PaymentStart> = {}) {
    const payment = this.order(act, changes);
    const started = await this.start(payment);
    if (started.kind !== 'redirect') throw new CannotRun(`"${act}" needs no page of the provider`);
    return { payment, page: { ...started, orderId: payment.orderId } };
  }

  /** Pays on the provider's page. If only the buyer's bank has a page, pays with that. */
  async payOnPage(changes: Partial<PaymentStart> = {}) {
    for (const act of ['pay', 'pay-with-action'] as const) {
      const purchase = await this.buy(act, changes);
      if (purchase.page !== undefined) return { ...purchase, page: purchase.page };
    }
    throw new CannotRun('the provider has no page on which a buyer pays');
  }

  /** Pays an order, books everything and returns the payment. */
  async paid(
    changes: Partial<PaymentStart> = {},
    act: BuyerAct = 'pay',
  ): Promise<PaymentReference & { payment: PaymentStart }> {
    const { payment, reference: first } = await this.buy(act, changes);
    await this.readAll();
    const { reference, subscription = null } = await this.findPaid('The buyer has paid', payment, first);
    return { orderId: payment.orderId, reference, subscription, payment };
  }

  async find(payment: PaymentStart, reference: string | null = null): Promise<FoundPayment> {
    const found = await this.call('find', () => this.driver.provider.find(orderOf(payment, reference)));
    if (found.kind === 'paid') {
      checkReference(found.reference, 'find');
      const { amountMinor, currency } = payment;
      const isSame = found.amountMinor === amountMinor && found.currency === currency;
      const seen = `${found.amountMinor} ${found.currency}`;
      expectThat(isSame, `find returned ${seen} for an order of ${amountMinor} ${currency}.`);
    }
    this.ledger.settle(payment.orderId, found);
    return found;
  }

  /** Looks up an order that must be paid. `why` says in the message that it is. */
  async findPaid(why: string, payment: PaymentStart, reference: string | null = null) {
    const found = await this.find(payment, reference);
    expectThat(found.kind === 'paid', `${why}, and find returned "${found.kind}".`);
    return found;
  }

  async refund(
    { orderId, reference }: Pick<PaymentReference, 'orderId' | 'reference'>,
    amountMinor: number,
    { refundId = randomUUID(), currency = PRICE.currency }: { refundId?: string; currency?: string } = {},
  ) {
    const refund = { refundId, orderId, reference, amountMinor, currency };
    return await this.call('refund', () => this.driver.provider.refund(refund));
  }

  async renew(order: PaymentOrder) {
    const { provider } = this.driver;
    const renew = required(provider.renew?.bind(provider), 'provider with renew');
    return await this.call('renew', () => renew(order));
  }

  /** Takes the webhooks that the provider sent, without reading them. */
  async take(): Promise<readonly ProviderWebhook[]> {
    const webhooks = await this.driver.takeWebhooks();
    this.webhooks.push(...webhooks);
    return webhooks;
  }

  /** Reads a webhook, checks its events and books them. */
  async read(webhook: ProviderWebhook): Promise<readonly ProviderEvent[]> {
    const events = await within('readEvents', this.driver.provider.readEvents(webhook));
    for (const event of events) {
      checkEvent(event, { now: this.now(), mode: this.driver.provider.mode });
      this.ledger.apply(event);
    }
    return events;
  }

  async readAll(): Promise<readonly ProviderEvent[]> {
    const events: ProviderEvent[] = [];
    for (const webhook of await this.take()) events.push(...(await this.read(webhook)));
    return events;
  }

  async expectOneCharge({ orderId }: Pick<PaymentOrder, 'orderId'>, what = 'The order'): Promise<void> {
    const { length } = await this.driver.charges(orderId);
    expectThat(length === 1, `${what} was charged ${length} times.`);
  }

  expectOnePayment({ orderId }: PaymentStart): void {
    const { paid } = this.ledger.entry(orderId);
    expectThat(paid.size === 1, `One payment is reported as ${[...paid].join(' and ')}.`);
  }

  async call<Name extends keyof typeof KINDS, Result extends { readonly kind: (typeof KINDS)[Name][number] }>(
    name: Name,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const result = await within(name, work());
    const kinds: readonly string[] = KINDS[name];
    const isKnown = typeof result === 'object' && result !== null && kinds.includes(result.kind);
    expectThat(
      isKnown,
      `${name} returned ${JSON.stringify(result)}. Its "kind" must be ${kinds.join(', ')}.`,
    );
    if (result.kind === 'declined' || result.kind === 'failed') {
      const reason = 'reason' in result ? result.reason : undefined;
      const hasReason = typeof reason === 'string' && reason !== '';
      expectThat(hasReason, `${name} returned "${result.kind}" without a reason.`);
    }
    return result;
  }
}

function orderOf(payment: PaymentStart, reference: string | null): PaymentOrder {
  const { orderId, amountMinor, currency, method } = payment;
  return { orderId, amountMinor, currency, method, reference, isRenewal: false, subscription: null };
}

async function within<Result>(name: string, work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    const message = `${name} took longer than ${CALL_LIMIT_MS / 1000} seconds.`;
    timer = setTimeout(() => reject(new BrokenPromise(message)), CALL_LIMIT_MS);
  });
  return await Promise.race([work, limit]).finally(() => clearTimeout(timer));
}

function checkReference(reference: unknown, name: string): void {
  const isOne = typeof reference === 'string' && reference.length >= 1 && reference.length <= 255;
  expectThat(isOne, `${name} returned the reference ${JSON.stringify(reference)}. Return 1–255 characters.`);
}

function checkEvent(event: ProviderEvent, { now, mode }: { now: number; mode: string }): void {
  const shown = JSON.stringify(event);
  for (const field of ['id', 'orderId', 'reference'] as const) {
    const value = event[field];
    expectThat(typeof value === 'string' && value !== '', `An event has no "${field}": ${shown}`);
  }
  expectThat(event.mode === mode, `The provider's mode is "${mode}", and an event has another one: ${shown}`);
  const isRecent = Math.abs(event.createdAt - now) <= CLOCK_TOLERANCE_MS;
  expectThat(isRecent, `"createdAt" must be in milliseconds, near ${now}: ${shown}`);
}

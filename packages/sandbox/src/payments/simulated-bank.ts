import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import {
  type ChargeResult,
  type DeclineReason,
  type FoundPayment,
  InvalidProviderWebhookError,
  type Money,
  type PaymentOrder,
  type PaymentProvider,
  type PaymentRefund,
  type PaymentStart,
  type ProviderEvent,
  type ProviderWebhook,
  type RefundResult,
  type StartResult,
} from '@latchkey/server';
import { hashSecret, isSameHash, priceInput } from '@latchkey/server/extension';
import type { Needs } from '../services/services.js';
import { sendRequest } from '../services/services.js';
import { PaymentStore, type SimulatedPayment, type SimulatedWebhook } from './payment-store.js';
import type { BuyerAnswer, WebhookMode } from './payment-words.js';
import { isImmediate, SIMULATED_METHODS, SIMULATED_PROVIDER, simulatedMethod } from './simulated-payments.js';

/** Path of the pages where buyers respond to their bank. The payment's secret is appended. */
export const PAYMENT_PAGE_PATH = '/sandbox/pay';
/** Header with the signature of a webhook: HMAC-SHA256 of the body, in hexadecimal. */
const SIGNATURE_HEADER = 'x-simulated-signature';

const WEBHOOK_PATH = `/payments/${SIMULATED_PROVIDER.name}/webhook`;
const ANSWER_MS = 10_000;

const TRANSFER_MS = 3600_000;
const LATE_MS = 10 * 60_000;
/** Pause before a failed webhook is sent again, in milliseconds. Each further pause is longer by this much. */
const RETRY_MS = 60_000;
const ATTEMPTS_MAX = 5;
const PAGE_SIZE = 100;

export type DisputeStep = 'open' | 'win' | 'lose';

/** Something isn't possible in the payment's state. The message says why. */
export class PaymentRefusal extends Error {}

type EventDetails = ProviderEvent extends infer Event
  ? Event extends ProviderEvent
    ? Omit<Event, 'id' | 'createdAt' | 'mode' | 'orderId' | 'reference'>
    : never
  : never;

/**
 * The simulated payment provider: its books, its pages, and its signed webhooks, which reach the service over HTTP like
 * a real provider's. Steps run one after another. If a card needs no page, `start` returns the result, and there is no
 * event.
 */
export class SimulatedBank {
  /** How webhooks are sent from now on. */
  webhooks: WebhookMode = 'send';
  /** True if all of the service's calls fail. */
  isDown = false;
  readonly store: PaymentStore;
  readonly provider: PaymentProvider;
  readonly #services: Needs<'baseUrl' | 'clock' | 'db' | 'hub' | 'logger' | 'ownAddress'>;
  readonly #secret = randomBytes(32);
  readonly #sending = new Map<string, Promise<void>>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(services: Needs<'baseUrl' | 'clock' | 'db' | 'hub' | 'logger' | 'ownAddress'>) {
    this.#services = services;
    this.store = new PaymentStore(services);
    this.provider = {
      ...SIMULATED_PROVIDER,
      methods: (kind) => SIMULATED_METHODS.filter((method) => method.kind === kind),
      start: (payment) => this.#call(() => this.#start(payment)),
      renew: (order) => this.#call(() => this.#renew(order)),
      find: (order) => this.#call(() => this.#find(order)),
      refund: (refund) => this.#call(() => this.#refund(refund)),
      readEvents: async (webhook) => [this.#read(webhook)],
    };
  }

  /** Lets the buyer on a page do something, and returns where they go next. */
  async answer(payment: SimulatedPayment, answer: BuyerAnswer): Promise<string> {
    const answered = await this.#change(payment, (current) => {
      const { first } = simulatedMethod(current.method);
      const wanted = first === 'bank-asks' ? ['approve', 'fail'] : ['arrive'];
      if (this.#isOpen(current) && wanted.includes(answer))
        return answer === 'fail' ? this.#declined(current, 'card_declined') : this.#paid(current);
      throw new PaymentRefusal(
        current.state === 'open' && wanted.includes(answer)
          ? 'The time for this payment has run out.'
          : `This payment can't be answered with "${answer}" now.`,
      );
    });
    return answered.returnUrl;
  }

  /** Refunds a payment or a part of it at the provider, without the service. Without an amount, refunds the rest. */
  async refund({ reference }: Pick<SimulatedPayment, 'reference'>, amountMinor?: number): Promise<void> {
    const payment = await this.require(reference);
    const amount = amountMinor ?? payment.amountMinor - refundedOf(payment);
    const result = await this.#inOrder(() =>
      this.#refund({ refundId: randomUUID(), reference, amountMinor: amount }),
    );
    if (result.kind === 'failed') throw new PaymentRefusal(result.reason);
  }

  async dispute(payment: SimulatedPayment, step: DisputeStep): Promise<void> {
    await this.#change(payment, (current) => {
      if (current.state !== 'paid') throw new PaymentRefusal('Only a paid payment can be disputed.');
      const isOpen = current.dispute === 'open';
      if (step === 'open' && current.dispute !== null)
        throw new PaymentRefusal('This payment was disputed before.');
      if (step !== 'open' && !isOpen) throw new PaymentRefusal('No dispute of this payment is open.');
      const { dispute, kind } = DISPUTE_STEPS[step];
      return this.#tell({ ...current, dispute }, { kind });
    });
  }

  /** Sends a webhook now, for the first time or again, with the same event id, and waits for the response. */
  async sendWebhook({ reference }: SimulatedPayment, id: string): Promise<void> {
    await this.#sending.get(id);
    await this.#deliver(reference, id);
  }

  signed({ body }: Pick<SimulatedWebhook, 'body'>): ProviderWebhook {
    const headers = { 'content-type': 'application/json', [SIGNATURE_HEADER]: this.#sign(Buffer.from(body)) };
    return { headers, body: Buffer.from(body) };
  }

  /** @throws PaymentRefusal if there is no such payment. */
  async require(reference: string): Promise<SimulatedPayment> {
    const payment = await this.store.find('reference', reference);
    if (payment !== undefined) return payment;
    throw new PaymentRefusal('The provider has no such payment.');
  }

  /** Does what is due: transfers arrive, pages expire, webhooks are sent. */
  async runDue(): Promise<void> {
    const now = this.#services.clock.now();
    for (const payment of await this.store.due(now, PAGE_SIZE)) {
      const { orderId, reference } = payment;
      await this.#change({ orderId }, (current) => {
        if (current.state !== 'open') return current;
        if (current.arrivesAt !== null && current.arrivesAt <= now) return this.#paid(current);
        return current.expiresAt <= now ? this.#expired(current) : current;
      });
      await this.#deliverDue(reference);
    }
    await this.settled();
  }

  /** Waits for the webhooks that are on their way. */
  async settled(): Promise<void> {
    await Promise.all(this.#sending.values());
  }

  /** Forgets what isn't in the books. */
  clear(): void {
    this.webhooks = 'send';
    this.isDown = false;
  }

  async #call<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.isDown)
      throw new Error('The simulated provider is down: /sandbox/payments switches it on again.');
    return await this.#inOrder(work);
  }

  async #start(payment: PaymentStart): Promise<StartResult> {
    const method = simulatedMethod(payment.method);
    const known = await this.store.find('order_id', payment.orderId);
    if (known?.state === 'paid') return paidResult(known);
    const subscription = payment.renews === null ? null : `${referenceOf(payment.orderId)}_method`;
    const isSame = known?.method === method.id && known.subscription === subscription;
    if (known !== undefined && this.#isOpen(known) && isSame) return this.#pageOf(known);
    const opened: SimulatedPayment = {
      ...this.#opened(payment, known),
      ...{ description: payment.description, buyerEmail: payment.buyerEmail },
      ...{ returnUrl: payment.returnUrl, cancelUrl: payment.cancelUrl, expiresAt: payment.expiresAt },
      subscription,
      pageKey: isImmediate(method) ? null : randomBytes(24).toString('base64url'),
      arrivesAt: method.first === 'transfer-is-late' ? this.#services.clock.now() + TRANSFER_MS : null,
    };
    switch (method.first) {
      case 'bank-asks':
      case 'transfer-is-late':
        await this.#save(opened);
        return this.#pageOf(opened);
      default:
        return await this.#decide(opened, method.first);
    }
  }

  async #renew(order: PaymentOrder): Promise<ChargeResult> {
    const known = await this.store.find('order_id', order.orderId);
    if (known?.state === 'paid') return paidResult(known);
    const { later } = simulatedMethod(order.method);
    const { subscription } = order;
    const description = 'Next period of a subscription';
    return await this.#decide(
      { ...this.#opened(order, known), description, subscription, isRenewal: true },
      later,
    );
  }

  async #decide(opened: SimulatedPayment, outcome: 'paid' | DeclineReason): Promise<ChargeResult> {
    const isPaid = outcome === 'paid';
    const reason = isPaid ? null : outcome;
    const decided = { ...opened, state: isPaid ? ('paid' as const) : ('declined' as const), reason };
    await this.#save(decided);
    return isPaid ? paidResult(decided) : { kind: 'declined', reason: outcome };
  }

  /** Returns the first state of a payment, or of another attempt at it. */
  #opened(
    order: Pick<PaymentOrder, 'orderId' | 'method' | keyof Money>,
    known: SimulatedPayment | undefined,
  ): SimulatedPayment {
    const { orderId, amountMinor, currency, method } = order;
    const attempt = (known?.attempt ?? 0) + 1;
    const now = this.#services.clock.now();
    return {
      ...{ orderId, amountMinor, currency, method: method ?? '', attempt },
      reference: referenceOf(orderId, attempt),
      ...{ pageKey: null, description: '', buyerEmail: null, isRenewal: false, subscription: null },
      ...{ returnUrl: '', cancelUrl: '', state: 'open', reason: null, arrivesAt: null, dispute: null },
      ...{ createdAt: now, expiresAt: now, refunds: [], webhooks: known?.webhooks ?? [] },
    };
  }

  async #find({ orderId }: Pick<PaymentOrder, 'orderId'>): Promise<FoundPayment> {
    const payment = await this.store.find('order_id', orderId);
    if (payment === undefined) return { kind: 'none' };
    const { state, reason, amountMinor, currency, dispute } = payment;
    if (state === 'declined') return { kind: 'declined', reason: reason ?? 'card_declined' };
    if (state !== 'paid') return { kind: this.#isOpen(payment) ? 'pending' : 'none' };
    const reversed = { refundedMinor: refundedOf(payment), ...(dispute !== null && { dispute }) };
    return { ...paidResult(payment), amountMinor, currency, ...reversed };
  }

  async #refund({
    refundId,
    reference,
    amountMinor,
  }: Omit<PaymentRefund, 'orderId' | 'currency'>): Promise<RefundResult> {
    const payment = await this.store.find('reference', reference);
    if (payment === undefined) return { kind: 'failed', reason: 'The provider has no such payment.' };
    if (payment.refunds.some(({ id }) => id === refundId)) return { kind: 'refunded' };
    if (payment.state !== 'paid') return { kind: 'failed', reason: 'This payment was not made.' };
    if (payment.dispute === 'open' || payment.dispute === 'lost')
      return { kind: 'failed', reason: 'The buyer disputes this payment, so the bank decides about it.' };
    const left = payment.amountMinor - refundedOf(payment);
    if (amountMinor > left || amountMinor <= 0)
      return {
        kind: 'failed',
        reason: `Only ${priceInput(left, payment.currency)} ${payment.currency} are left.`,
      };
    const refunds = [...payment.refunds, { id: refundId, amountMinor }];
    const refunded = { ...payment, refunds };
    await this.#save(this.#tell(refunded, { kind: 'refunded', amountMinor: refundedOf(refunded) }));
    return { kind: 'refunded' };
  }

  #paid(payment: SimulatedPayment): SimulatedPayment {
    const { amountMinor, currency, subscription } = payment;
    const about = { amountMinor, currency, ...(subscription !== null && { subscription }) };
    return this.#tell({ ...payment, state: 'paid', reason: null }, { kind: 'paid', ...about });
  }

  #declined(payment: SimulatedPayment, reason: DeclineReason): SimulatedPayment {
    return this.#tell({ ...payment, state: 'declined', reason }, { kind: 'declined', reason });
  }

  #expired(payment: SimulatedPayment): SimulatedPayment {
    return this.#tell({ ...payment, state: 'expired' }, { kind: 'expired' });
  }

  /** Adds a webhook. It is sent after the payment is saved. */
  #tell(payment: SimulatedPayment, details: EventDetails): SimulatedPayment {
    const { orderId, reference } = payment;
    const now = this.#services.clock.now();
    const id = `evt_${randomUUID()}`;
    const mode = this.webhooks;
    const webhook: SimulatedWebhook = {
      ...{ id, kind: details.kind, createdAt: now, attempts: 0, answer: null },
      body: JSON.stringify({ id, createdAt: now, orderId, reference, ...details }),
      state: mode === 'withhold' ? 'withheld' : 'waiting',
      dueAt: mode === 'late' ? now + LATE_MS : now,
      copies: mode === 'double' ? 2 : 1,
    };
    return { ...payment, webhooks: [...payment.webhooks, webhook] };
  }

  #isOpen({ state, expiresAt }: SimulatedPayment): boolean {
    return state === 'open' && expiresAt > this.#services.clock.now();
  }

  #pageOf({ reference, pageKey }: SimulatedPayment): StartResult {
    return { kind: 'redirect', reference, url: `${this.#services.baseUrl}${PAYMENT_PAGE_PATH}/${pageKey}` };
  }

  async #save(payment: SimulatedPayment): Promise<void> {
    await this.store.save(payment);
    const { reference, state } = payment;
    this.#services.hub.publish('payment', { reference, state });
    void this.#deliverDue(reference, payment);
  }

  async #change(
    { orderId }: Pick<SimulatedPayment, 'orderId'>,
    step: (payment: SimulatedPayment) => SimulatedPayment,
  ): Promise<SimulatedPayment> {
    return await this.#inOrder(async () => {
      const payment = await this.store.find('order_id', orderId);
      if (payment === undefined) throw new PaymentRefusal('The provider has no such payment.');
      const changed = step(payment);
      if (changed !== payment) await this.#save(changed);
      return changed;
    });
  }

  async #inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    const next = this.#last.then(work, work);
    this.#last = next.catch(() => undefined);
    return await next;
  }

  /** Sends a payment's webhooks that are due and not on their way. */
  async #deliverDue(reference: string, known?: SimulatedPayment): Promise<void> {
    const payment = known ?? (await this.store.find('reference', reference));
    const now = this.#services.clock.now();
    for (const { id, state, dueAt } of payment?.webhooks ?? []) {
      if (state === 'waiting' && dueAt <= now) await this.#deliver(reference, id);
    }
  }

  /** Sends a webhook unless it's on its way, and stores the response. */
  async #deliver(reference: string, id: string): Promise<void> {
    const sending = this.#sending.get(id) ?? this.#sendAndStore(reference, id);
    this.#sending.set(id, sending);
    await sending.finally(() => this.#sending.delete(id));
  }

  async #sendAndStore(reference: string, id: string): Promise<void> {
    try {
      const payment = await this.store.find('reference', reference);
      const webhook = payment?.webhooks.find((known) => known.id === id);
      if (payment === undefined || webhook === undefined) return;
      const copies = Array.from({ length: webhook.copies }, () => this.#send(webhook).catch(() => null));
      const [answer = null] = await Promise.all(copies);
      await this.#change(payment, (current) => ({
        ...current,
        webhooks: current.webhooks.map((known) => (known.id === id ? this.#answered(known, answer) : known)),
      }));
    } catch (error) {
      // The data was replaced, or the sandbox is stopping.
      this.#services.logger.info({ error, event: id }, 'A webhook of the simulated provider was not stored');
    }
  }

  #send(webhook: SimulatedWebhook): Promise<number> {
    const { baseUrl, ownAddress } = this.#services;
    const { headers, body } = this.signed(webhook);
    const about = { host: new URL(baseUrl).host, 'content-length': body.byteLength };
    const options = { ...ownAddress, method: 'POST', path: WEBHOOK_PATH, timeout: ANSWER_MS };
    return sendRequest({ ...options, headers: { ...headers, ...about } }, body);
  }

  #answered(webhook: SimulatedWebhook, answer: number | null): SimulatedWebhook {
    const attempts = webhook.attempts + 1;
    const isDelivered = answer !== null && answer >= 200 && answer < 300;
    if (isDelivered) return { ...webhook, attempts, answer, copies: 1, state: 'delivered' };
    const dueAt = this.#services.clock.now() + attempts * RETRY_MS;
    return { ...webhook, attempts, answer, dueAt, state: attempts < ATTEMPTS_MAX ? 'waiting' : 'failed' };
  }

  #sign(body: Uint8Array): string {
    return createHmac('sha256', this.#secret).update(body).digest('hex');
  }

  #read({ headers, body }: ProviderWebhook): ProviderEvent {
    if (!isSameHash(headers[SIGNATURE_HEADER] ?? '', this.#sign(body)))
      throw new InvalidProviderWebhookError('The signature is not that of the simulated provider.');
    return { ...JSON.parse(Buffer.from(body).toString('utf8')), mode: SIMULATED_PROVIDER.mode };
  }
}

const DISPUTE_STEPS = {
  open: { dispute: 'open', kind: 'dispute-opened' },
  win: { dispute: 'won', kind: 'dispute-won' },
  lose: { dispute: 'lost', kind: 'dispute-lost' },
} as const satisfies Record<DisputeStep, object>;

export function refundedOf({ refunds }: Pick<SimulatedPayment, 'refunds'>): number {
  return refunds.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

function referenceOf(orderId: string, attempt = 1): string {
  const reference = `sim_${hashSecret(orderId).slice(0, 24)}`;
  return attempt === 1 ? reference : `${reference}_${attempt}`;
}

function paidResult({ reference, subscription }: SimulatedPayment) {
  return { kind: 'paid' as const, reference, ...(subscription !== null && { subscription }) };
}

import { formatTimestamp } from '@latchkey/contract/constants';
import type * as z from 'zod';
import { dueAt, type SimulatedPayment, type SimulatedWebhook } from '../../payments/payment-store.js';
import type { BuyerAnswer, WebhookMode } from '../../payments/payment-words.js';
import {
  type DisputeStep,
  PAYMENT_PAGE_PATH,
  PaymentRefusal,
  refundedOf,
  type SimulatedBank,
} from '../../payments/simulated-bank.js';
import type { Needs } from '../../services/services.js';
import { ControlFailure, unknown } from '../access/control-failure.js';
import type { paymentFilter } from '../routes/routes.js';

type Hidden = 'reference' | 'pageKey' | 'subscription' | 'returnUrl' | 'cancelUrl';
type Shown = Omit<
  SimulatedPayment,
  Hidden | 'createdAt' | 'expiresAt' | 'arrivesAt' | 'refunds' | 'webhooks'
>;

/** A payment in the simulated provider's books. Times are ISO 8601, amounts in the currency's minor unit. */
export interface PaymentEntry extends Shown {
  /** Reference at the provider. */
  readonly id: string;
  readonly createdAt: string;
  /** Total that was refunded. */
  readonly refundedMinor: number;
  /** When something happens by itself (a transfer arrives, the page expires, a webhook is sent); null if nothing will. */
  readonly nextAt: string | null;
  /** URL of the open page where the buyer responds; null if there is none. */
  readonly pageUrl: string | null;
  /** Newest first. */
  readonly webhooks: readonly PaymentWebhookEntry[];
}

/** A webhook from the simulated provider about a payment. */
export interface PaymentWebhookEntry extends Omit<SimulatedWebhook, 'createdAt' | 'dueAt' | 'copies'> {
  /** ISO 8601, by the service's clock. */
  readonly createdAt: string;
  /** Status of the last response; null if there was none. */
  readonly answer: number | null;
}

/** Settings of the simulated provider. */
export interface PaymentProviderState {
  readonly webhooks: WebhookMode;
  readonly isDown: boolean;
}

/** A page of payments, newest first. */
export interface PaymentPage {
  readonly payments: readonly PaymentEntry[];
  /** Value of `after` for the next page; null if this is the last one. */
  readonly next: string | null;
}

/** The simulated payment provider, for tests: what its dashboard and its buyers can do. */
export class Payments {
  readonly #services: Needs<'baseUrl' | 'hub' | 'deliverDue'>;
  readonly #bank: SimulatedBank;

  constructor(services: Needs<'baseUrl' | 'hub' | 'deliverDue'>, bank: SimulatedBank) {
    this.#services = services;
    this.#bank = bank;
  }

  /** Lists payments, newest first. */
  async list({ limit = 50, ...filter }: Partial<z.output<typeof paymentFilter>> = {}): Promise<PaymentPage> {
    const found = await this.#bank.store.list({ ...filter, limit: limit + 1 });
    const payments = found.slice(0, limit).map((payment) => this.#entryOf(payment));
    return { payments, next: found.length > limit ? (payments.at(-1)?.id ?? null) : null };
  }

  /** @throws ControlFailure `not_found` if there is no such payment. */
  async find(reference: string): Promise<PaymentEntry> {
    return this.#entryOf(await this.#require(reference));
  }

  /** Responds for the buyer: the bank's check is approved or fails, or a late transfer arrives. */
  async answer(reference: string, answer: BuyerAnswer): Promise<PaymentEntry> {
    return await this.#did(reference, (payment) => this.#bank.answer(payment, answer));
  }

  /** Refunds a payment at the provider, without the service. Without an amount, refunds the rest. */
  async refund(reference: string, amountMinor?: number): Promise<PaymentEntry> {
    return await this.#did(reference, (payment) => this.#bank.refund(payment, amountMinor));
  }

  /** Opens a dispute, or decides it for the seller or the buyer. */
  async dispute(reference: string, step: DisputeStep): Promise<PaymentEntry> {
    return await this.#did(reference, (payment) => this.#bank.dispute(payment, step));
  }

  /** Sends a webhook now, for the first time or again, with the same event id. */
  async sendWebhook(reference: string, id: string): Promise<PaymentEntry> {
    return await this.#did(reference, async (payment) => {
      if (!payment.webhooks.some((webhook) => webhook.id === id)) throw unknown('webhook', id);
      await this.#bank.sendWebhook(payment, id);
    });
  }

  get provider(): PaymentProviderState {
    const { webhooks, isDown } = this.#bank;
    return { webhooks, isDown };
  }

  /** Sets how the provider sends its webhooks from now on, and whether it can be reached. */
  set({ webhooks, isDown }: Partial<PaymentProviderState>): PaymentProviderState {
    if (webhooks !== undefined) this.#bank.webhooks = webhooks;
    if (isDown !== undefined) this.#bank.isDown = isDown;
    this.#services.hub.publish('payment', this.provider);
    return this.provider;
  }

  async #did(
    reference: string,
    work: (payment: SimulatedPayment) => Promise<unknown>,
  ): Promise<PaymentEntry> {
    const payment = await this.#require(reference);
    try {
      await work(payment);
    } catch (error) {
      if (error instanceof PaymentRefusal) throw new ControlFailure('conflict', error.message);
      throw error;
    }
    await this.#bank.settled();
    // The service may send its own webhooks about it.
    await this.#services.deliverDue();
    return await this.find(reference);
  }

  async #require(reference: string): Promise<SimulatedPayment> {
    const payment = await this.#bank.store.find('reference', reference);
    if (payment === undefined) throw unknown('payment', reference);
    return payment;
  }

  #entryOf(payment: SimulatedPayment): PaymentEntry {
    const { reference, pageKey, subscription, returnUrl, cancelUrl, ...rest } = payment;
    const { expiresAt, arrivesAt, refunds, ...shown } = rest;
    const next = dueAt(payment);
    const isOpen = shown.state === 'open' && pageKey !== null;
    return {
      id: reference,
      ...shown,
      createdAt: formatTimestamp(shown.createdAt),
      refundedMinor: refundedOf(payment),
      nextAt: next === null ? null : formatTimestamp(next),
      pageUrl: isOpen ? `${this.#services.baseUrl}${PAYMENT_PAGE_PATH}/${pageKey}` : null,
      webhooks: payment.webhooks
        .map(({ createdAt, dueAt: _, copies, ...sent }) => ({
          ...sent,
          createdAt: formatTimestamp(createdAt),
        }))
        .toReversed(),
    };
  }
}

/** Kind of payment page that the checkouts of a plan open. */
export type PaymentKind = 'card' | 'crypto';

/** Payment method on a checkout page. */
export interface PaymentMethod {
  /** Id that orders contain. Subscriptions store it for their renewals. */
  readonly id: string;
  /** Name that buyers see. */
  readonly name: string;
  /** Remark next to the name. */
  readonly note: string;
}

/** Reason of a declined payment. Events and stored payments contain it unchanged. */
export type DeclineReason = 'card_declined' | 'insufficient_funds' | 'transfer_expired';

/** An amount of money. */
export interface Money {
  /** Amount in the currency's minor unit, such as cents. */
  readonly amountMinor: number;
  /** ISO 4217 code in upper case. */
  readonly currency: string;
}

/** Payment that a buyer is about to make. */
export interface PaymentStart extends Money {
  /** Idempotency key of the payment. An order is paid at most once, however often it is started. */
  readonly orderId: string;
  /** Kind of payment page that the seller chose for the plan. */
  readonly kind: PaymentKind;
  /** What is bought and from whom, for the provider's page and receipts. Sellers wrote it, so treat it as untrusted input. */
  readonly description: string;
  /** Email address of the buyer, if there is one. Whoever opened the checkout may have typed it. */
  readonly buyerEmail: string | null;
  /** Days until the next payment if the order starts a subscription; null for a single payment. */
  readonly renews: { readonly periodDays: number } | null;
  /** Id of the method that the buyer chose on our page; null if `methods` returns none for this kind. */
  readonly method: string | null;
  /** Where the provider sends the buyer after paying. Works before and after the webhook. */
  readonly returnUrl: string;
  /** Where the provider sends a buyer who gives up. The order can be started again from there. */
  readonly cancelUrl: string;
  /**
   * Time after which the order should no longer be payable, in milliseconds since the epoch. A provider with limits of its own takes
   * the nearest time that it can.
   */
  readonly expiresAt: number;
  /**
   * `reference` of the last result of `start` for this order, if the server knows of one. A provider that keeps no list of orders finds the
   * open page by it.
   */
  readonly previous?: string | null | undefined;
}

/** A payment that was made. */
export interface PaidPayment {
  readonly kind: 'paid';
  /**
   * The provider's id of the payment: 1–255 characters, different for each payment. Every report of one payment has the same
   * `reference`, and `refund` receives it. Two references for one order are two payments, and the server stores both.
   */
  readonly reference: string;
  /**
   * The provider's id of what later payments are made with, for an order that renews: its subscription, or the saved method of
   * payment. `renew` and `cancelRenewals` receive it.
   */
  readonly subscription?: string | undefined;
}

/** A payment that failed. Nothing was charged. */
export interface DeclinedPayment {
  readonly kind: 'declined';
  readonly reason: DeclineReason;
}

/** Result of a payment that is made without another page. */
export type ChargeResult = PaidPayment | DeclinedPayment;

/** Result of starting a payment. */
export type StartResult =
  | ChargeResult
  /**
   * The buyer pays on a page of the provider. `url` is absolute, with https (http on loopback). `reference` is the provider's id of the
   * attempt: `find` receives it, and an `expired` event contains it.
   */
  | { readonly kind: 'redirect'; readonly url: string; readonly reference: string };

/** Order that was started before. */
export interface PaymentOrder extends Money {
  readonly orderId: string;
  /** Payment method of the last attempt, or the one that the subscription began with; null if our page offered none. */
  readonly method: string | null;
  /**
   * `reference` of the last result of `start`; null if the server knows of none, since a crash or an error lost the answer. A buyer was
   * never redirected then. Null for a renewal.
   */
  readonly reference: string | null;
  /** True for the next period of a subscription. The buyer is not present. */
  readonly isRenewal: boolean;
  /** `subscription` of the first payment, for a renewal. */
  readonly subscription: string | null;
}

/** Money that went back, as far as the provider knows. */
export interface ReversedMoney {
  /** Refunded in total so far, in the minor unit, without tax that the provider added to the price. */
  readonly refundedMinor?: number | undefined;
  readonly dispute?: 'open' | 'won' | 'lost' | undefined;
}

/** Result of looking up an order. */
export type FoundPayment =
  /** `amountMinor` and `currency` are what was paid, without tax that the provider added to the price. */
  | (PaidPayment & Money & ReversedMoney)
  | DeclinedPayment
  /** Nothing was paid, and nobody can pay the order any more unless it is started again. Calls still under way count. */
  | { readonly kind: 'none' }
  /** The result is not final. The server asks again later. */
  | { readonly kind: 'pending' };

/** Refund of a whole payment or of a part. */
export interface PaymentRefund extends Money {
  /** Idempotency key of the refund. A repeated call refunds nothing more and returns the current result. */
  readonly refundId: string;
  readonly orderId: string;
  /** `reference` of the payment. */
  readonly reference: string;
}

/** Result of a refund. */
export type RefundResult =
  | { readonly kind: 'refunded' }
  /** The provider will refund, and a `refunded` event follows. The server also asks again with the same `refundId`. */
  | { readonly kind: 'pending' }
  /** Nothing is refunded. `reason` is shown to the seller. */
  | { readonly kind: 'failed'; readonly reason: string };

/** Mode of a provider: `test` if no money moves. */
export type PaymentMode = 'live' | 'test';

/** Something that happened to an order, as the provider's webhook reports it. */
export type ProviderEvent = {
  /** Id of the event at the provider. The server handles each id once. */
  readonly id: string;
  /** Time of the event at the provider, in milliseconds since the epoch. Events arrive in any order. */
  readonly createdAt: number;
  readonly mode: PaymentMode;
  /** Order as `start` received it. For renewals: the order that began the subscription. */
  readonly orderId: string;
  /** The provider's id of the payment that the event is about, or of the attempt: see {@link PaidPayment} and {@link StartResult}. */
  readonly reference: string;
} & ProviderEventDetails;

type ProviderEventDetails =
  /** The order was paid. Amount and currency are compared with the order: another price gives no access. */
  | ({ readonly kind: 'paid'; readonly subscription?: string | undefined } & Money)
  /** An attempt failed. The buyer may still try again on the provider's page. */
  | { readonly kind: 'declined'; readonly reason: DeclineReason }
  /** The attempt can no longer be paid. */
  | { readonly kind: 'expired' }
  /** Part or all of the payment went back. `amountMinor` is the total so far, without tax that the provider added. */
  | { readonly kind: 'refunded'; readonly amountMinor: number }
  | { readonly kind: 'dispute-opened' | 'dispute-won' | 'dispute-lost' }
  /** The provider charged the next period. `renewalId` is its id of the period, and `reference` that of the new payment. */
  | ({ readonly kind: 'renewed'; readonly renewalId: string } & OfSubscription & Money)
  /** The provider could not charge the next period, and stops trying only with `subscription-ended`. */
  | ({
      readonly kind: 'renewal-failed';
      readonly renewalId: string;
      readonly reason?: DeclineReason | undefined;
    } & OfSubscription)
  /** The provider will charge no more periods. */
  | ({ readonly kind: 'subscription-ended' } & OfSubscription);

interface OfSubscription {
  /** `subscription` of the payment that began it. Without it, an order that was paid twice can't tell its subscriptions apart. */
  readonly subscription?: string | undefined;
}

/** Webhook as it arrived. */
export interface ProviderWebhook {
  /** Header values by name in lower case. Repeated headers are joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** Body as sent, at most 1 MB. */
  readonly body: Uint8Array;
}

/**
 * Thrown by `readEvents` if a webhook was not sent by the provider: a missing or wrong signature, or one that is too old. The server
 * answers 400. Any other error counts as ours: the server answers 500, and the provider sends the webhook again.
 */
export class InvalidProviderWebhookError extends Error {
  override readonly name = 'InvalidProviderWebhookError';
}

/**
 * Connection to a payment service, passed to `startServer` as the option `payments`. Without one nothing can be sold.
 *
 * The server stores who paid for what. The provider receives orders only. All ids are the caller's: pass `orderId` on to the provider
 * as idempotency key and metadata, so that its webhooks can return it.
 *
 * A payment is settled once, whichever comes first: the result of `start`, an event, the buyer's return (the server asks `find`), or a
 * look-up of the server. A call that throws has an unknown result. The server calls again, or asks `find`.
 */
export interface PaymentProvider {
  /** 1–32 of `a-z`, `0-9` and `-`. Webhooks arrive at `POST /payments/<name>/webhook`. Stored with each payment. */
  readonly name: string;
  readonly mode: PaymentMode;
  /** Sentence that buyers see before they pay. */
  readonly disclaimer: string;
  /** Who charges the next period of a subscription: the server by `renew`, or the provider, which reports `renewed`. */
  readonly renewals: 'server' | 'provider';
  /**
   * Returns the payment methods that a buyer can choose from on our page, the usual one first. Empty if the provider's page offers
   * them. `buy-plan` then returns the address of that page.
   */
  methods(kind: PaymentKind): readonly PaymentMethod[];
  /** Returns labels and values for a transfer that the buyer makes elsewhere, such as the amount and the address. */
  transferDetails?(order: Money & { readonly orderId: string }): readonly { label: string; value: string }[];
  /**
   * Starts the payment of an order. The server calls it before the transaction that stores the result, possibly several times and
   * from several processes.
   *
   * - A repeated call for a paid order returns `paid` and charges nothing.
   * - A repeated call for an order with an open page returns that page. If `renews` is another now, nobody can pay on the old page any
   *   more.
   * - A declined or expired order can be started again.
   *
   * @throws Error if the result is unknown. The buyer sees that the payment cannot be made at the moment, and can try again.
   */
  start(payment: PaymentStart): Promise<StartResult>;
  /**
   * Charges the next period of a subscription, while the buyer is not present. Required for `renewals: 'server'`. A repeated call for a
   * paid order returns `paid` and charges nothing.
   *
   * @throws Error if the result is unknown. The server charges the same order again later, also after 30 seconds without a result.
   */
  renew?(order: PaymentOrder): Promise<ChargeResult>;
  /**
   * Looks up an order that was passed to `start` or `renew`, and charges nothing.
   *
   * The server asks while it has no stored result: when a buyer returns, when an event arrives before its payment, and 15 minutes after
   * a start, then at least once an hour. For 120 days it also asks once a day for each stored payment, so that a lost event about a refund or
   * a dispute is found. `reference` is then that of the payment, also of a renewal that the provider charged.
   *
   * @throws Error if the provider cannot be asked. The server asks again later.
   */
  find(order: PaymentOrder): Promise<FoundPayment>;
  /**
   * Refunds a payment or a part of it.
   *
   * @throws Error if the result is unknown. The server calls again later with the same `refundId`.
   */
  refund(refund: PaymentRefund): Promise<RefundResult>;
  /**
   * Ends a subscription at the provider, so that nothing is charged any more. Required for `renewals: 'provider'`. Resolves for one that
   * has ended already.
   *
   * @throws Error if the result is unknown. The server calls again later.
   */
  cancelRenewals?(subscription: { readonly reference: string }): Promise<void>;
  /**
   * Verifies a webhook and returns what it reports; none if it is about something else. It may return the same event again.
   *
   * @throws InvalidProviderWebhookError if the signature is not valid.
   */
  readEvents(webhook: ProviderWebhook): Promise<readonly ProviderEvent[]>;
}

/** The kind of payment page that a plan's checkouts open. */
export type PaymentKind = 'card' | 'crypto';

/** A payment method on a checkout page. */
export interface PaymentMethod {
  /** Id that orders contain. Subscriptions keep it for their renewals. */
  readonly id: string;
  /** Name that buyers see. */
  readonly name: string;
  /** Remark next to the name. */
  readonly note: string;
}

/** Why a payment was declined. Events and stored payments contain it unchanged. */
export type DeclineReason = 'card_declined' | 'insufficient_funds' | 'transfer_expired';

/** An amount of money. */
export interface Money {
  /** Amount in the currency's minor unit, such as cents. */
  readonly amountMinor: number;
  /** ISO 4217 code in upper case. */
  readonly currency: string;
}

/** A payment that a buyer is about to make. */
export interface PaymentStart extends Money {
  /** Idempotency key of the payment. An order is paid at most once, however often it is started. */
  readonly orderId: string;
  /** The kind of payment page that the seller chose for the plan. */
  readonly kind: PaymentKind;
  /**
   * What is bought and from whom, for the provider's page and receipts. It's written by sellers, so treat it as
   * untrusted input.
   */
  readonly description: string;
  /** The buyer's email address, if there is one. It may have been typed by whoever opened the checkout. */
  readonly buyerEmail: string | null;
  /** Days until the next payment if the order starts a subscription; null for a one-off payment. */
  readonly renews: { readonly periodDays: number } | null;
  /** Id of the method that the buyer chose on our page; null if `methods` returns none for this kind. */
  readonly method: string | null;
  /** Where the provider sends the buyer after paying. It works before and after the webhook. */
  readonly returnUrl: string;
  /** Where the provider sends a buyer who gives up. They can start the order again from there. */
  readonly cancelUrl: string;
  /**
   * When the order should stop being payable, in milliseconds since the epoch. If the provider has its own limits, it
   * uses the nearest time that it can.
   */
  readonly expiresAt: number;
  /**
   * `reference` of the last result of `start` for this order, if the server knows one. A provider that keeps no list of
   * orders can find the open page by it.
   */
  readonly previous?: string | null | undefined;
}

/** A payment that was made. */
export interface PaidPayment {
  readonly kind: 'paid';
  /**
   * The provider's id of the payment: 1–255 characters, unique per payment. Every report about a payment has the same
   * `reference`, and `refund` receives it. Two references for one order are two payments, and the server stores both.
   */
  readonly reference: string;
  /**
   * For an order that renews, the provider's id of what later payments are made with: its subscription, or the saved
   * payment method. `renew` and `cancelRenewals` receive it.
   */
  readonly subscription?: string | undefined;
}

/** A payment that failed. Nothing was charged. */
export interface DeclinedPayment {
  readonly kind: 'declined';
  readonly reason: DeclineReason;
}

/** Result of a payment that needs no further page. */
export type ChargeResult = PaidPayment | DeclinedPayment;

/** Result of starting a payment. */
export type StartResult =
  | ChargeResult
  /**
   * The buyer pays on a page of the provider. `url` is absolute, with https (http on loopback). `reference` is the
   * provider's id of the attempt: `find` receives it, and an `expired` event contains it.
   */
  | { readonly kind: 'redirect'; readonly url: string; readonly reference: string };

/** An order that was started before. */
export interface PaymentOrder extends Money {
  readonly orderId: string;
  /** Payment method of the last attempt, or the one that the subscription began with; null if our page offered none. */
  readonly method: string | null;
  /**
   * `reference` of the last result of `start`. Null if the server knows none: the answer was lost to a crash or an
   * error, and the buyer was never redirected. Null for a renewal.
   */
  readonly reference: string | null;
  /** True for the next period of a subscription. The buyer isn't present. */
  readonly isRenewal: boolean;
  /** `subscription` of the first payment, if this is a renewal. */
  readonly subscription: string | null;
}

/** Money that went back to the buyer, as far as the provider knows. */
export interface ReversedMoney {
  /** Total refunded so far, in the minor unit, without any tax that the provider added to the price. */
  readonly refundedMinor?: number | undefined;
  readonly dispute?: 'open' | 'won' | 'lost' | undefined;
}

/** Result of looking up an order. */
export type FoundPayment =
  /** `amountMinor` and `currency` are what was paid, without any tax that the provider added to the price. */
  | (PaidPayment & Money & ReversedMoney)
  | DeclinedPayment
  /**
   * Nothing was paid, and nobody can pay the order any more unless it's started again. Don't return this while a call
   * is still under way.
   */
  | { readonly kind: 'none' }
  /** The result isn't final. The server asks again later. */
  | { readonly kind: 'pending' };

/** A refund of all or part of a payment. */
export interface PaymentRefund extends Money {
  /** Idempotency key of the refund. Repeating the call refunds nothing more and returns the current result. */
  readonly refundId: string;
  readonly orderId: string;
  /** `reference` of the payment. */
  readonly reference: string;
}

/** Result of a refund. */
export type RefundResult =
  | { readonly kind: 'refunded' }
  /**
   * The provider will make the refund, and a `refunded` event follows. The server also asks again with the same
   * `refundId`.
   */
  | { readonly kind: 'pending' }
  /** Nothing is refunded. The seller sees `reason`. */
  | { readonly kind: 'failed'; readonly reason: string };

/** Mode of a provider: `test` if no real money moves. */
export type PaymentMode = 'live' | 'test';

/** Something that happened to an order, as reported by the provider's webhook. */
export type ProviderEvent = {
  /** The provider's id of the event. The server handles each id once. */
  readonly id: string;
  /** The provider's time of the event, in milliseconds since the epoch. Events can arrive in any order. */
  readonly createdAt: number;
  readonly mode: PaymentMode;
  /** The order id that `start` received. For renewals, that is the order that began the subscription. */
  readonly orderId: string;
  /**
   * The provider's id of the payment or the attempt that the event is about: see {@link PaidPayment} and
   * {@link StartResult}.
   */
  readonly reference: string;
} & ProviderEventDetails;

type ProviderEventDetails =
  /** The order was paid. The server compares amount and currency with the order: a different price gives no access. */
  | ({ readonly kind: 'paid'; readonly subscription?: string | undefined } & Money)
  /** An attempt failed. The buyer may still try again on the provider's page. */
  | { readonly kind: 'declined'; readonly reason: DeclineReason }
  /** The attempt can no longer be paid. */
  | { readonly kind: 'expired' }
  /**
   * Some or all of the payment was refunded. `amountMinor` is the total so far, without any tax that the provider
   * added.
   */
  | { readonly kind: 'refunded'; readonly amountMinor: number }
  | { readonly kind: 'dispute-opened' | 'dispute-won' | 'dispute-lost' }
  /**
   * The provider charged the next period. `renewalId` is its id of the period, and `reference` its id of the new
   * payment.
   */
  | ({ readonly kind: 'renewed'; readonly renewalId: string } & OfSubscription & Money)
  /** The provider couldn't charge the next period. It keeps trying until it sends `subscription-ended`. */
  | ({
      readonly kind: 'renewal-failed';
      readonly renewalId: string;
      readonly reason?: DeclineReason | undefined;
    } & OfSubscription)
  /** The provider will charge no more periods. */
  | ({ readonly kind: 'subscription-ended' } & OfSubscription);

interface OfSubscription {
  /**
   * `subscription` of the payment that began it. Without it, the subscriptions of an order that was paid twice can't be
   * told apart.
   */
  readonly subscription?: string | undefined;
}

/** A webhook as it arrived. */
export interface ProviderWebhook {
  /** Header values by lower-case name. Repeated headers are joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** Body as sent, at most 1 MB. */
  readonly body: Uint8Array;
}

/**
 * Throw it from `readEvents` if the provider didn't send the webhook: its signature is missing, wrong or too old. The
 * server answers 400. For any other error it answers 500, and the provider sends the webhook again.
 */
export class InvalidProviderWebhookError extends Error {
  override readonly name = 'InvalidProviderWebhookError';
}

/**
 * Connection to a payment service: the option `payments` of `startServer`. Without one, nothing can be sold.
 *
 * The server stores who paid for what; the provider only receives orders. Pass `orderId` on to the payment service as
 * idempotency key and metadata, for its webhooks to return.
 *
 * A payment is settled once, by whichever comes first: the result of `start`, an event, the buyer's return (the server
 * asks `find`), or one of the server's look-ups. If a call throws, the server doesn't know the result. It calls again,
 * or asks `find`.
 */
export interface PaymentProvider {
  /** 1–32 of `a-z`, `0-9` and `-`. Webhooks arrive at `POST /payments/<name>/webhook`. Stored with each payment. */
  readonly name: string;
  readonly mode: PaymentMode;
  /** A sentence that buyers see before they pay. */
  readonly disclaimer: string;
  /**
   * Who charges the next period of a subscription: the server, by calling `renew`, or the provider, which reports
   * `renewed`.
   */
  readonly renewals: 'server' | 'provider';
  /**
   * Returns the payment methods that a buyer can choose from on our page, the usual one first. Return an empty array if
   * the provider's page offers them; `buy-plan` then returns the URL of that page.
   */
  methods(kind: PaymentKind): readonly PaymentMethod[];
  /** Returns labels and values for a transfer that the buyer makes elsewhere, such as the amount and the address. */
  transferDetails?(order: Money & { readonly orderId: string }): readonly { label: string; value: string }[];
  /**
   * Starts the payment of an order. The server calls it before the transaction that stores the result, possibly several
   * times and from several processes.
   *
   * - A repeated call for a paid order returns `paid` and charges nothing.
   * - A repeated call for an order with an open page returns that page. If `renews` has changed, nobody can pay on the
   *   old page any more.
   * - A declined or expired order can be started again.
   *
   * @throws Error if the result is unknown. The buyer sees that payment isn't possible at the moment, and can try
   * again.
   */
  start(payment: PaymentStart): Promise<StartResult>;
  /**
   * Charges the next period of a subscription, without the buyer being present. Required for `renewals: 'server'`. A
   * repeated call for a paid order returns `paid` and charges nothing.
   *
   * @throws Error if the result is unknown. The server charges the same order again later, and does the same if there
   * is no result after 30 seconds.
   */
  renew?(order: PaymentOrder): Promise<ChargeResult>;
  /**
   * Looks up an order that was passed to `start` or `renew`. Charges nothing.
   *
   * While the server has no stored result, it asks when a buyer returns, when an event arrives before its payment, and
   * 15 minutes after a start, then at least once an hour. For 120 days it also asks once a day about each stored
   * payment, to find refunds and disputes if their event was lost. `reference` is then the payment's, even for a
   * renewal that the provider charged.
   *
   * @throws Error if the provider can't be asked. The server asks again later.
   */
  find(order: PaymentOrder): Promise<FoundPayment>;
  /**
   * Refunds all or part of a payment.
   *
   * @throws Error if the result is unknown. The server calls again later with the same `refundId`.
   */
  refund(refund: PaymentRefund): Promise<RefundResult>;
  /**
   * Ends a subscription at the provider: nothing is charged any more. Required for `renewals: 'provider'`. Resolves if
   * the subscription has already ended.
   *
   * @throws Error if the result is unknown. The server calls again later.
   */
  cancelRenewals?(subscription: { readonly reference: string }): Promise<void>;
  /**
   * Verifies a webhook and returns the events it reports, or an empty array if it's about something else. It may return
   * the same event again.
   *
   * @throws InvalidProviderWebhookError if the signature isn't valid.
   */
  readEvents(webhook: ProviderWebhook): Promise<readonly ProviderEvent[]>;
}

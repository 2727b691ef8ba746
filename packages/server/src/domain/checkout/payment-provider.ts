/** Kind of payment page that the checkouts of a plan open. */
export type PaymentKind = 'card' | 'crypto';

/** Payment to charge. */
export interface PaymentOrder {
  /** Idempotency key of the payment: an order is charged once, however often it is passed to `charge`. */
  readonly orderId: string;
  /** Amount in the currency's minor unit, such as cents. */
  readonly amountMinor: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Id of the payment method: the buyer's choice, or for a renewal the method that the subscription began with. */
  readonly method: string;
  /** True for the next period of a subscription. The buyer is not present. */
  readonly isRenewal: boolean;
}

/** Reason of a declined payment. Events and stored payments contain it unchanged. */
export type DeclineReason = 'card_declined' | 'insufficient_funds' | 'transfer_expired';

/** Result of a payment. */
export type ChargeResult =
  | { readonly kind: 'paid' }
  | { readonly kind: 'declined'; readonly reason: DeclineReason };

/** Result of looking up an order that was charged before. */
export type FoundCharge =
  | ChargeResult
  /** The provider has not charged the order, and does not receive it later from a call that is still on its way. */
  | { readonly kind: 'none' }
  /** The result is not final. The server asks again later. */
  | { readonly kind: 'pending' };

/** Payment method on a checkout page. */
export interface PaymentMethod {
  /** Id that orders contain. Subscriptions store it for their renewals. */
  readonly id: string;
  /** Name that buyers see. */
  readonly name: string;
  /** Remark beside the name. */
  readonly note: string;
}

/**
 * Connection to a payment service, passed to `startServer` as the option `payments`. Without one nothing can be sold.
 *
 * The server stores who paid for what. The provider receives orders only.
 */
export interface PaymentProvider {
  /** Text that buyers see before they pay. */
  readonly disclaimer: string;
  /** Returns labels and values for a transfer that the buyer makes elsewhere, such as the amount and the address. */
  transferDetails(
    order: Omit<PaymentOrder, 'method' | 'isRenewal'>,
  ): readonly { label: string; value: string }[];
  /** Returns the payment methods that a buyer can choose from, the usual one first. */
  methods(kind: PaymentKind): readonly PaymentMethod[];
  /**
   * Charges an order. The server calls it before the transaction that stores the result, possibly again from another
   * process. A repeated call for a paid order returns `paid` and charges nothing. A declined order can be tried again.
   *
   * @throws Error if the result is unknown. The request fails, and the server stores no result. A renewal is charged again later,
   * also if it takes longer than 30 seconds.
   */
  charge(order: PaymentOrder): Promise<ChargeResult>;
  /**
   * Returns the result of an order that was passed to `charge`, and charges nothing. The order has the method of its last attempt.
   *
   * A crash or an error of `charge` leaves orders without a stored result. The server looks up those of checkouts, 15 minutes after the
   * last attempt at the earliest. It looks up those of renewals if the subscription was cancelled or replaced meanwhile.
   *
   * Without this method, the result of a checkout is stored only if the buyer pays again, and the server logs the order.
   *
   * @throws Error if the provider cannot be asked. The server asks again later.
   */
  findCharge?(order: PaymentOrder): Promise<FoundCharge>;
}

/** Whose payment page a plan's checkouts open. */
export type PaymentKind = 'card' | 'crypto';

/** A payment to take. */
export interface PaymentOrder {
  /** What is paid, once: see {@link PaymentProvider.charge}. */
  readonly orderId: string;
  readonly amountMinor: number;
  /** ISO 4217. */
  readonly currency: string;
  /** Id of one of the provider's methods: the one that the buyer chose, or the one that a subscription began with. */
  readonly method: string;
  /** A subscription's next period: the buyer is not there to ask. */
  readonly isRenewal: boolean;
}

/** Why a payment was not made. Events and the stored payment carry it as it is. */
export type DeclineReason = 'card_declined' | 'insufficient_funds' | 'transfer_expired';

/** What became of a payment. */
export type ChargeOutcome =
  | { readonly kind: 'paid' }
  | { readonly kind: 'declined'; readonly reason: DeclineReason };

/** A way to pay, as the checkout page offers it. */
export interface PaymentMethod {
  readonly id: string;
  readonly name: string;
  /** What comes of it, or what to know about it. */
  readonly note: string;
}

/** Who takes the money. The service's own data says who paid for what; the provider knows orders only. */
export interface PaymentProvider {
  /** What a buyer has to know of it before they pay. */
  readonly disclaimer: string;
  /** What to send and where to, for a payment that the buyer makes elsewhere. */
  transferDetails(
    order: Omit<PaymentOrder, 'method' | 'isRenewal'>,
  ): readonly { label: string; value: string }[];
  /** What a buyer can choose from, the usual first. */
  methods(kind: PaymentKind): readonly PaymentMethod[];
  /**
   * Takes a payment. Called before the transaction that keeps its outcome, so it has to be repeatable: an order that
   * was paid is paid again without money moving, by whichever process asks. One that was declined can be tried again.
   */
  charge(order: PaymentOrder): Promise<ChargeOutcome>;
}

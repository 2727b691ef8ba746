export interface Money {
  /** In the currency's minor unit. */
  readonly amountMinor: number;
  readonly currency: string;
}

/** A payment that begins. */
export interface PaymentStart extends Money {
  readonly orderId: string;
  readonly kind: 'card' | 'crypto';
  readonly description: string;
  readonly buyerEmail: string | null;
  /** Null for a single payment. */
  readonly renews: { readonly periodDays: number } | null;
  readonly method: string | null;
  readonly returnUrl: string;
  readonly cancelUrl: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface Paid {
  readonly kind: 'paid';
  readonly reference: string;
  readonly subscription?: string | undefined;
}

export interface Declined {
  readonly kind: 'declined';
  readonly reason: string;
}

export type StartResult =
  | Paid
  | Declined
  | { readonly kind: 'redirect'; readonly url: string; readonly reference: string };

/** An order that is looked up or renewed. */
export interface PaymentOrder extends Money {
  readonly orderId: string;
  readonly method: string | null;
  readonly reference: string | null;
  readonly isRenewal: boolean;
  readonly subscription: string | null;
}

export type FoundPayment =
  | (Paid &
      Money & {
        readonly refundedMinor?: number | undefined;
        readonly dispute?: 'open' | 'won' | 'lost' | undefined;
      })
  | Declined
  | { readonly kind: 'none' | 'pending' };

export type RefundResult =
  | { readonly kind: 'refunded' | 'pending' }
  | { readonly kind: 'failed'; readonly reason: string };

/** A webhook request from the provider, byte for byte. */
export interface ProviderWebhook {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export type ProviderEvent = {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly mode: 'live' | 'test';
  readonly orderId: string;
  readonly reference: string;
} & (
  | ({ readonly kind: 'paid'; readonly subscription?: string | undefined } & Money)
  | Declined
  | {
      readonly kind: 'expired' | 'dispute-opened' | 'dispute-won' | 'dispute-lost';
    }
  | { readonly kind: 'subscription-ended'; readonly subscription?: string | undefined }
  | { readonly kind: 'refunded'; readonly amountMinor: number }
  | ({
      readonly kind: 'renewed';
      readonly renewalId: string;
      readonly subscription?: string | undefined;
    } & Money)
  | {
      readonly kind: 'renewal-failed';
      readonly renewalId: string;
      readonly subscription?: string | undefined;
    }
);

/**
 * The provider under test. `PaymentProvider` of `@latchkey/server` describes each call. These types are the kit's own,
 * and contain only what the kit uses.
 */
export interface TestedProvider {
  readonly name: string;
  readonly mode: 'live' | 'test';
  /** Who charges the next period of a subscription. */
  readonly renewals: 'server' | 'provider';
  start(payment: PaymentStart): Promise<StartResult>;
  find(order: PaymentOrder): Promise<FoundPayment>;
  refund(
    refund: Money & { readonly refundId: string; readonly orderId: string; readonly reference: string },
  ): Promise<RefundResult>;
  readEvents(webhook: ProviderWebhook): Promise<readonly ProviderEvent[]>;
  renew?(order: PaymentOrder): Promise<Paid | Declined>;
  cancelRenewals?(subscription: { readonly reference: string }): Promise<void>;
}

/**
 * What the buyer does. `pay-with-action` confirms at the buyer's bank (3-D Secure), and `fail-action` fails to.
 * `cancel` goes back to the shop without paying.
 */
export type BuyerAct = 'pay' | 'pay-with-action' | 'fail-action' | 'decline' | 'cancel';

/** The provider's page that a buyer is on. */
export interface ProviderPage {
  readonly url: string;
  readonly orderId: string;
  readonly reference: string;
}

/** A payment at the provider. */
export interface PaymentReference {
  readonly orderId: string;
  readonly reference: string;
  /** The subscription, for a payment that renews. */
  readonly subscription: string | null;
}

/**
 * What the kit needs in addition to the provider: something that plays the buyer, the bank and the passing of time.
 * Write one for the provider's test mode. Cases that need a function that your driver doesn't have aren't run.
 */
export interface PaymentDriver {
  readonly provider: TestedProvider;
  /** Currencies that the provider doesn't take. @default none */
  readonly currenciesNotTaken?: readonly string[];
  /**
   * Returns the payment method on our checkout page that lets a buyer do this; null if buyers choose on the provider's
   * page.
   *
   * @default null for everything
   */
  methodFor?(act: BuyerAct): string | null;
  /**
   * Plays the buyer on the provider's page.
   *
   * @returns the URL that the provider sent the buyer to; undefined if the buyer stayed on the page.
   * @throws Error if the page doesn't offer this, such as a payment after the page has expired.
   */
  act(act: BuyerAct, page: ProviderPage): Promise<string | undefined>;
  /** Waits for webhooks that are on their way, and takes those that came since the last call, oldest first. */
  takeWebhooks(): Promise<readonly ProviderWebhook[]>;
  /** Lists what the provider charged for an order, by its own books. Empty if it charged nothing. */
  charges(orderId: string): Promise<readonly Money[]>;
  /** Makes the time for a payment run out. */
  expire?(page: ProviderPage): Promise<void>;
  dispute?(payment: PaymentReference, step: 'open' | 'win' | 'lose'): Promise<void>;
  /** A method that succeeds for a first payment and is declined for its renewal. For `renewals: 'server'`. */
  readonly methodDeclinedLater?: string;
  /** Makes the next period of a subscription begin, with a card that pays or doesn't. For `renewals: 'provider'`. */
  nextPeriod?(payment: PaymentReference, card: 'pays' | 'declined'): Promise<void>;
  /** Ends a subscription at the provider, as its support staff would. For `renewals: 'provider'`. */
  endSubscription?(payment: PaymentReference): Promise<void>;
  /** Makes the provider unreachable, or reachable again. */
  setDown?(isDown: boolean): Promise<void>;
  /** Time by the provider's clock, in milliseconds since the epoch. @default the machine's */
  now?(): number;
  /** Releases what the driver holds, after the last case. */
  close?(): Promise<void>;
}

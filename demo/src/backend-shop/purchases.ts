import { type Html, html } from '../html.js';

/** Payment that the event `payment.success` confirmed. */
export interface Purchase {
  /** Price in the currency's minor unit, such as cents. */
  readonly amount: number;
  /** Currency code, such as EUR. */
  readonly currency: string;
  /** Milliseconds since the epoch, by the service's clock. */
  readonly paidAt: number;
}

/** Maximum number of memberships whose last payment is kept. */
const MAX_KEPT = 1_000;

/** Last payment of each membership, in memory. A real shop stores it in its database. */
export class Purchases {
  readonly #byMembership = new Map<string, Purchase>();

  record(membershipId: string, purchase: Purchase): void {
    this.#byMembership.set(membershipId.toLowerCase(), purchase);
    const oldest = this.#byMembership.keys().next().value;
    if (this.#byMembership.size > MAX_KEPT && oldest !== undefined) this.#byMembership.delete(oldest);
  }

  /** Returns the last payment of a membership. */
  find(membershipId: string): Purchase | undefined {
    return this.#byMembership.get(membershipId.toLowerCase());
  }
}

/** Writes a price as the shop shows it: €9, or €9.50. */
export function priceOf({ amount, currency }: Pick<Purchase, 'amount' | 'currency'>): Html {
  const fractionDigits = amount % 100 === 0 ? 0 : 2;
  const price = new Intl.NumberFormat('en-IE', {
    style: 'currency',
    currency,
    minimumFractionDigits: fractionDigits,
    maximumFractionDigits: 2,
  }).format(amount / 100);
  return html`<bdi>${price}</bdi>`;
}

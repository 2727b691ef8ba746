import { sandboxScenario } from '@latchkey/sandbox';
import { type Html, html } from '../html.js';

/** The fields of a membership that the shop's pages show. */
export interface ListedMembership {
  readonly id: string;
  readonly communityId: string | null;
  readonly productId: string | null;
  readonly pricingPlanId: string | null;
  readonly isKnown: boolean;
  readonly validFrom?: string | undefined;
  readonly validUntil?: string | null | undefined;
}

const { community, products } = sandboxScenario;

/** Names of what the shop sells, by id. The service sends no names of communities and products. */
export const MEMBERSHIP_NAMES: Readonly<Record<string, string>> = {
  [community.id]: 'The Roaster’s Table',
  ...Object.fromEntries(Object.values(products).map(({ id, name }) => [id, name])),
};

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Writes the day of an instant, on one line. */
export function dayOf(instant: string | number): Html {
  return html`<bdi class="unbroken">${day.format(new Date(instant))}</bdi>`;
}

/** Names what a membership of this shop opens. */
export function nameOfMembership({ productId }: ListedMembership): string {
  return MEMBERSHIP_NAMES[productId ?? community.id] ?? 'A product of this shop';
}

/** Writes the period of a membership. */
export function periodOf({ validFrom, validUntil }: ListedMembership): Html {
  const since = validFrom === undefined ? '' : html`Since ${dayOf(validFrom)}, `;
  return validUntil ? html`${since}paid until ${dayOf(validUntil)}` : html`${since}for life`;
}

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

/** Time after the start of a membership during which the pages welcome its owner, in milliseconds. */
const FRESH_MS = 10 * 60_000;

/**
 * Welcomes a new member; empty for everybody else. The membership can arrive before the event that confirms its payment, so
 * the price is shown only if it is known.
 */
export function welcomeBanner(
  memberships: readonly ListedMembership[],
  { purchases, now }: { purchases: Purchases; now: number },
): Html {
  for (const { id, pricingPlanId, validFrom, validUntil } of memberships) {
    const purchase = purchases.find(id);
    const since = purchase?.paidAt ?? (pricingPlanId === null ? Number.NaN : Date.parse(validFrom ?? ''));
    // False for an unknown start too.
    if (!(now - since < FRESH_MS)) continue;
    const paid = purchase === undefined ? '' : html` You paid ${priceOf(purchase)}.`;
    const next = validUntil ? html` Your seat is paid until ${dayOf(validUntil)}.` : '';
    return html`<p class="notice" role="status"><strong>${purchase === undefined ? 'Welcome' : 'Payment complete'}. You’re a member.</strong>${paid}${next}</p>`;
  }
  return html``;
}

import { type Html, html } from '../html.js';
import { type Purchases, priceOf } from './purchases.js';
import { dayOf, type ListedMembership } from './site-memberships.js';

/** Time after a payment during which the pages thank for it, in milliseconds. */
const FRESH_MS = 10 * 60_000;

/** Thanks for a payment of the last minutes; empty without one. */
export function welcomeBanner(
  memberships: readonly ListedMembership[],
  { purchases, now }: { purchases: Purchases; now: number },
): Html {
  for (const { id, validUntil } of memberships) {
    const purchase = purchases.find(id);
    if (purchase === undefined || now - purchase.paidAt >= FRESH_MS) continue;
    const next = validUntil ? ` Your seat is paid until ${dayOf(validUntil)}.` : '';
    return html`<p class="notice" role="status"><strong>Payment complete. You’re a member.</strong> You paid ${priceOf(purchase)}.${next}</p>`;
  }
  return html``;
}

import { type Html, html } from '../html.js';
import { type Purchases, priceOf } from './purchases.js';
import { dayOf, type ListedMembership } from './site-memberships.js';

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

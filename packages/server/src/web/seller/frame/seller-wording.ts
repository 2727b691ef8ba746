import type { SellerProductType } from '@latchkey/contract/constants';
import type { Price } from '../../../domain/catalogue/price.js';
import { formatPrice } from '../../../domain/catalogue/price.js';
import type { CommunityRole } from '../../../domain/communities/community.js';
import type { DropState } from '../../../domain/drops/drop.js';

/** Returns the label of a role. */
export function roleInWords(role: CommunityRole): string {
  return role === 'OWNER' ? 'Owner' : 'Admin';
}

/** Returns the label of a product type. */
export function productTypeInWords(type: SellerProductType | null): string {
  if (type === null) return 'Product';
  return type === 'ebook' ? 'E-book' : `${type.charAt(0).toUpperCase()}${type.slice(1)}`;
}

/** Formats the price of a product, or `not for sale`. */
export function productPriceInWords(price: Price | null): string {
  return price === null ? 'not for sale' : formatPrice(price.priceMinor, price.currency);
}

/** Describes the access that one payment gives. */
function periodInWords(periodDays: number | null): string {
  if (periodDays === null) return 'for life';
  return periodDays === 1 ? 'for 1 day' : `for ${periodDays} days`;
}

/** Describes the terms of a plan: "for 30 days, paid by card, renews automatically". */
export function saleInWords(plan: {
  periodDays: number | null;
  renews: boolean;
  provider: 'card' | 'crypto';
}): string {
  const payment = plan.provider === 'card' ? 'by card' : 'in crypto';
  return `${periodInWords(plan.periodDays)}, paid ${payment}${plan.renews ? ', renews automatically' : ''}`;
}

/** Labels of the states of a drop. */
export const DROP_STATE_WORDING: Readonly<Record<DropState, string>> = {
  upcoming: 'Upcoming',
  running: 'Running',
  ended: 'Ended',
  cancelled: 'Cancelled',
};

/** Returns the name of a user in lists: name, e-mail address or messenger account. */
export function personInWords(person: {
  name: string | null;
  email: string | null;
  messengerUserId?: number | null;
}): string {
  const { messengerUserId = null } = person;
  return (
    person.name ??
    person.email ??
    (messengerUserId === null ? 'User without e-mail address' : `Messenger account ${messengerUserId}`)
  );
}

/** Describes how many slots of a drop are taken. */
export function slotsInWords({ slots, slotsUsed }: { slots: number | null; slotsUsed: number }): string {
  return slots === null
    ? `${slotsUsed} signed up, no limit`
    : `${slotsUsed} of ${slots} ${slots === 1 ? 'slot' : 'slots'} taken`;
}

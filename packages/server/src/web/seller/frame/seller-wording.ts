import type { SellerProductType } from '@latchkey/contract/constants';
import type { Price } from '../../../domain/catalogue/price.js';
import { formatPrice } from '../../../domain/catalogue/price.js';
import type { CommunityRole } from '../../../domain/communities/community.js';
import type { DropState } from '../../../domain/drops/drop.js';

/** A role in plain words. */
export function roleInWords(role: CommunityRole): string {
  return role === 'OWNER' ? 'Owner' : 'Admin';
}

/** A kind of product in plain words. */
export function productTypeInWords(type: SellerProductType | null): string {
  if (type === null) return 'Product';
  return type === 'ebook' ? 'E-book' : `${type.charAt(0).toUpperCase()}${type.slice(1)}`;
}

/** What a product costs, or that it is not sold. */
export function productPriceInWords(price: Price | null): string {
  return price === null ? 'not for sale' : formatPrice(price.priceMinor, price.currency);
}

/** For how long one payment gives access. */
function periodInWords(periodDays: number | null): string {
  if (periodDays === null) return 'for life';
  return periodDays === 1 ? 'for 1 day' : `for ${periodDays} days`;
}

/** How a plan is sold: "for 30 days, paid by card, renews by itself". */
export function saleInWords(plan: {
  periodDays: number | null;
  renews: boolean;
  provider: 'card' | 'crypto';
}): string {
  const payment = plan.provider === 'card' ? 'by card' : 'in crypto';
  return `${periodInWords(plan.periodDays)}, paid ${payment}${plan.renews ? ', renews by itself' : ''}`;
}

/** Where a drop stands, in a word. */
export const DROP_STATE_WORDING: Readonly<Record<DropState, string>> = {
  upcoming: 'Upcoming',
  running: 'Running',
  ended: 'Ended',
  cancelled: 'Called off',
};

/** What people are called in a list: name, address or messenger account. */
export function personInWords(person: {
  name: string | null;
  email: string | null;
  messengerUserId?: number | null;
}): string {
  const { messengerUserId = null } = person;
  return (
    person.name ??
    person.email ??
    (messengerUserId === null ? 'Somebody without an address' : `Messenger account ${messengerUserId}`)
  );
}

/** How full a drop is. */
export function slotsInWords({ slots, slotsUsed }: { slots: number | null; slotsUsed: number }): string {
  return slots === null
    ? `${slotsUsed} signed up, no limit`
    : `${slotsUsed} of ${slots} ${slots === 1 ? 'slot' : 'slots'} taken`;
}

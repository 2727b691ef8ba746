import type { SellerProductType } from '@latchkey/contract/constants';
import { DAY_MS } from '@latchkey/contract/constants';
import type { CommunityRole } from '../../../domain/communities/community.js';

export function roleInWords(role: CommunityRole): string {
  return role === 'OWNER' ? 'Owner' : 'Admin';
}

export function productTypeInWords(type: SellerProductType | null): string {
  if (type === null) return 'Product';
  return type === 'ebook' ? 'E-book' : `${type.charAt(0).toUpperCase()}${type.slice(1)}`;
}

/** Describes the access that one payment gives: "30 days", "Lifetime". */
export function periodInWords(periodDays: number | null): string {
  if (periodDays === null) return 'Lifetime';
  return periodDays === 1 ? '1 day' : `${periodDays} days`;
}

/** Describes how a plan is paid: "Card, renews automatically". */
export function paymentInWords({
  renews,
  provider,
}: {
  renews: boolean;
  provider: 'card' | 'crypto';
}): string {
  return `${provider === 'card' ? 'Card' : 'Crypto'}${renews ? ', renews automatically' : ''}`;
}

export interface ListedPerson {
  readonly name: string | null;
  readonly email: string | null;
  readonly messengerUserId?: number | null;
  /**
   * True if the person deleted the account.
   *
   * @default false
   */
  readonly isDeleted?: boolean;
}

/** Returns the name of a user in lists: name, e-mail address or messenger account. */
export function personInWords(person: ListedPerson): string {
  if (person.isDeleted === true) return 'Deleted account';
  const { messengerUserId = null } = person;
  return (
    person.name ??
    person.email ??
    (messengerUserId === null ? 'User without e-mail address' : `Messenger account ${messengerUserId}`)
  );
}

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', DAY_MS],
  ['hour', 3600_000],
  ['minute', 60_000],
];

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** Describes the time until a later instant in its largest unit: "in 3 days", "in less than a minute". */
export function timeUntilInWords(at: number, now: number): string {
  const [unit, size] = UNITS.find(([, ms]) => at - now >= ms) ?? [];
  return unit === undefined || size === undefined
    ? 'in less than a minute'
    : RELATIVE.format(Math.floor((at - now) / size), unit);
}

import { isRenewing } from '../memberships/membership-state.js';

/** Payment that a subscription makes next. */
export interface NextPayment {
  /** End of the paid time, in milliseconds since the epoch. The payment is made shortly before. */
  readonly at: number;
  readonly amountMinor: number;
  /** ISO 4217. */
  readonly currency: string;
}

/** Access that a membership gives. */
export interface AccessTerms {
  /** End of the paid time in milliseconds since the epoch; null for lifetime access. */
  readonly endsAt: number | null;
  /** Null if nothing renews the membership. */
  readonly nextPayment: NextPayment | null;
}

/** Membership with the price of its subscription. */
interface MembershipWithPrice {
  readonly valid_until: number | null;
  readonly subscription_id: string | null;
  readonly subscription_cancelled_at: number | null;
  /** Null without a subscription. */
  readonly amount_minor: number | null;
  readonly currency: string | null;
}

/** Returns the access of a membership and its next payment. */
export function accessTermsOf(row: MembershipWithPrice): AccessTerms {
  const { valid_until: endsAt, amount_minor: amountMinor, currency } = row;
  const hasNext = isRenewing(row) && endsAt !== null && amountMinor !== null && currency !== null;
  return {
    endsAt,
    nextPayment: hasNext ? { at: endsAt, amountMinor, currency } : null,
  };
}

/** Facts that decide a signup for a community's next drop. */
export interface SignupFacts {
  /** True if a user has the email address, in all communities or in this one. */
  readonly hasAccount: boolean;
  /** True if the email address is signed up for this drop. */
  readonly isSignedUp: boolean;
  /** Null if the drop is unlimited. */
  readonly availableSlots: number | null;
}

/** Result of {@link decideSignup}. */
export type SignupDecision = 'has-account' | 'duplicate' | 'full' | 'sign-up';

/**
 * Decides a signup (spec, "POST /api/drop-notification/signup"). The first matching row applies:
 *
 * | email address         | free slots | decision      |
 * |-----------------------|------------|---------------|
 * | has an account        | any        | `has-account` |
 * | is already signed up  | any        | `duplicate`   |
 * | is new                | none       | `full`        |
 * | is new                | some       | `sign-up`     |
 */
export function decideSignup({ hasAccount, isSignedUp, availableSlots }: SignupFacts): SignupDecision {
  if (hasAccount) return 'has-account';
  if (isSignedUp) return 'duplicate';
  return availableSlots === 0 ? 'full' : 'sign-up';
}

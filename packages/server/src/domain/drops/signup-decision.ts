/** What is known when somebody signs up for a community's next drop. */
export interface SignupFacts {
  /** Whether the address belongs to any user of the service: the lookup is global. */
  readonly hasAccount: boolean;
  /** Whether the address is signed up for this very drop. */
  readonly isSignedUp: boolean;
  /** Null when the drop is unlimited. */
  readonly availableSlots: number | null;
}

/** What a signup comes to. */
export type SignupVerdict = 'has-account' | 'duplicate' | 'full' | 'sign-up';

/**
 * Decides a signup (spec, "POST /api/drop-notification/signup"); the first row that fits:
 *
 * | the address           | slots left | verdict       |
 * |-----------------------|------------|---------------|
 * | has an account        | any        | `has-account` |
 * | is signed up already  | any        | `duplicate`   |
 * | is new                | none       | `full`        |
 * | is new                | some       | `sign-up`     |
 */
export function judgeSignup({ hasAccount, isSignedUp, availableSlots }: SignupFacts): SignupVerdict {
  if (hasAccount) return 'has-account';
  if (isSignedUp) return 'duplicate';
  return availableSlots === 0 ? 'full' : 'sign-up';
}

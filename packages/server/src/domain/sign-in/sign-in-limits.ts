/**
 * Limits of sign-in codes. A client is an IPv4 address or an IPv6 network of 64 bits. Addresses that differ in a tag after
 * `+` share a mailbox. Browsers that signed in with the address before have an allowance of their own.
 */
export interface SignInLimits {
  /**
   * Codes that one client can request for one mailbox in a day.
   *
   * @default 10
   */
  codesPerClientAndMailbox: number;
  /**
   * Codes that one client can request for all mailboxes in 15 minutes.
   *
   * @default 60
   */
  codesPerClient: number;
  /**
   * Codes that all clients can request for one mailbox in a day.
   *
   * @default 30
   */
  codesPerMailbox: number;
  /**
   * Codes that all clients can request in an hour.
   *
   * @default 3000
   */
  codesPerService: number;
  /**
   * Wrong codes that one client can enter for one mailbox in a day.
   *
   * @default 15
   */
  wrongCodesPerClientAndMailbox: number;
  /**
   * Wrong codes that one client can enter for all mailboxes in an hour.
   *
   * @default 60
   */
  wrongCodesPerClient: number;
  /**
   * Wrong codes that all clients can enter for one mailbox in a day.
   *
   * @default 60
   */
  wrongCodesPerMailbox: number;
  /**
   * Wrong codes that all clients can enter in an hour.
   *
   * @default 1000
   */
  wrongCodesPerService: number;
}

export const DEFAULT_SIGN_IN_LIMITS: SignInLimits = {
  codesPerClientAndMailbox: 10,
  codesPerClient: 60,
  codesPerMailbox: 30,
  codesPerService: 3000,
  wrongCodesPerClientAndMailbox: 15,
  wrongCodesPerClient: 60,
  wrongCodesPerMailbox: 60,
  wrongCodesPerService: 1000,
};

/**
 * Completes the limits of the options.
 *
 * @throws Error if a limit is unknown, or is not a positive integer.
 */
export function checkSignInLimits(limits: Partial<SignInLimits> = {}): SignInLimits {
  for (const [name, value] of Object.entries(limits)) {
    if (!(name in DEFAULT_SIGN_IN_LIMITS)) {
      const known = Object.keys(DEFAULT_SIGN_IN_LIMITS).join(', ');
      throw new Error(`Option "signInLimits" has no limit "${name}". Its limits are ${known}.`);
    }
    if (value !== undefined && !(Number.isSafeInteger(value) && value > 0)) {
      throw new Error(`Option "signInLimits.${name}" must be an integer of at least 1; got ${value}.`);
    }
  }
  const given = Object.entries(limits).filter(([, value]) => value !== undefined);
  return { ...DEFAULT_SIGN_IN_LIMITS, ...Object.fromEntries(given) };
}

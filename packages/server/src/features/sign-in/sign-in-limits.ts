import { checkLimits } from '../budgets/budgets.js';

/** Default limits of sign-in codes. A client is an IPv4 address or an IPv6 network of 64 bits. */
export const DEFAULT_SIGN_IN_LIMITS = {
  /** Codes that one client can request for one mailbox in a day. @default 10 */
  codesPerClientAndMailbox: 10,
  /** Codes that one client can request for all mailboxes in 15 minutes. @default 60 */
  codesPerClient: 60,
  /** Codes that all clients can request for one mailbox in a day. @default 30 */
  codesPerMailbox: 30,
  /** Codes that all clients can request in an hour. @default 3000 */
  codesPerService: 3000,
  /** Wrong codes that one client can enter for one mailbox in a day. @default 15 */
  wrongCodesPerClientAndMailbox: 15,
  /** Wrong codes that one client can enter for all mailboxes in an hour. @default 60 */
  wrongCodesPerClient: 60,
  /** Wrong codes that all clients can enter for one mailbox in a day. @default 60 */
  wrongCodesPerMailbox: 60,
  /** Wrong codes that all clients can enter in an hour. @default 1000 */
  wrongCodesPerService: 1000,
};

/**
 * Limits of sign-in codes. Addresses that differ only in a tag after `+` share a mailbox. Browsers that have signed in
 * with the address before have a separate allowance.
 */
export type SignInLimits = typeof DEFAULT_SIGN_IN_LIMITS;

/** Fills in the defaults. @throws Error if a limit is unknown, or isn't a positive integer. */
export function checkSignInLimits(limits?: Partial<SignInLimits>): SignInLimits {
  return checkLimits('signInLimits', limits, DEFAULT_SIGN_IN_LIMITS);
}

import { checkLimits } from '../budgets/check-limits.js';

/** Limits of sign-in codes by default. A client is an IPv4 address or an IPv6 network of 64 bits. */
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
 * Limits of sign-in codes. Addresses that differ in a tag after `+` share a mailbox. Browsers that signed in with the address
 * before have an allowance of their own.
 */
export type SignInLimits = typeof DEFAULT_SIGN_IN_LIMITS;

/**
 * Completes the limits of the option.
 *
 * @throws Error if a limit is unknown, or is not a positive integer.
 */
export function checkSignInLimits(limits?: Partial<SignInLimits>): SignInLimits {
  return checkLimits('signInLimits', limits, DEFAULT_SIGN_IN_LIMITS);
}

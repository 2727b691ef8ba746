import { DAY_MS, HOUR_MS } from '@latchkey/contract/constants';
import { type Budget, checkLimits, mailboxOf } from '../budgets/budgets.js';

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

const MINUTE_MS = 60_000;

const CODES_AT_ONCE = 5;
const AT_ONCE_MS = 15 * MINUTE_MS;
const WRONG_CODES_OF_KNOWN_BROWSER = 25;

/** A site's clients share the budgets of this many clients. */
const CLIENTS_PER_SITE = 4;

export interface SignInVisitor {
  readonly client: string;
  readonly site: string | undefined;
  /** Hash of the secret of a browser that has proved the address before; `undefined` for other browsers. */
  readonly knownBrowser: string | undefined;
}

export type BudgetScope = 'mailbox' | 'client' | 'service' | 'browser';

export type SignInBudget = Budget & { readonly scope: BudgetScope };

/** An attacker's own budgets come first and run out before the ones shared with other visitors. */
export function codeBudgets(email: string, visitor: SignInVisitor, limits: SignInLimits): SignInBudget[] {
  const { client, site, knownBrowser } = visitor;
  if (knownBrowser !== undefined) {
    return [budget('browser', ['codes', knownBrowser], CODES_AT_ONCE, AT_ONCE_MS)];
  }
  const mailbox = mailboxOf(email);
  return [
    budget('mailbox', ['codes at once', mailbox, client], CODES_AT_ONCE, AT_ONCE_MS),
    budget('mailbox', ['codes', mailbox, client], limits.codesPerClientAndMailbox, DAY_MS),
    budget('client', ['codes', client], limits.codesPerClient, AT_ONCE_MS),
    ...(site === undefined ? [] : [siteBudget(['codes', site], limits.codesPerClient, AT_ONCE_MS)]),
    budget('mailbox', ['codes', mailbox], limits.codesPerMailbox, DAY_MS),
    budget('service', ['codes'], limits.codesPerService, HOUR_MS),
  ];
}

export function wrongCodeBudgets(email: string, visitor: SignInVisitor, limits: SignInLimits) {
  const { client, site, knownBrowser } = visitor;
  if (knownBrowser !== undefined) {
    return [budget('browser', ['wrong codes', knownBrowser], WRONG_CODES_OF_KNOWN_BROWSER, DAY_MS)];
  }
  const mailbox = mailboxOf(email);
  return [
    budget('mailbox', ['wrong codes', mailbox, client], limits.wrongCodesPerClientAndMailbox, DAY_MS),
    budget('client', ['wrong codes', client], limits.wrongCodesPerClient, HOUR_MS),
    ...(site === undefined ? [] : [siteBudget(['wrong codes', site], limits.wrongCodesPerClient, HOUR_MS)]),
    budget('mailbox', ['wrong codes', mailbox], limits.wrongCodesPerMailbox, DAY_MS),
    budget('service', ['wrong codes'], limits.wrongCodesPerService, HOUR_MS),
  ];
}

/**
 * Returns the budgets that show whether others could block the person behind a mailbox. They're half used before the
 * person is blocked, so an email sent until then contains the link that makes a browser known.
 */
export function attackBudgets(email: string, visitor: SignInVisitor, limits: SignInLimits): SignInBudget[] {
  const mailbox = mailboxOf(email);
  const codes = Math.min(CODES_AT_ONCE, limits.codesPerClientAndMailbox, limits.codesPerMailbox);
  const wrongCodes = Math.min(limits.wrongCodesPerClientAndMailbox, limits.wrongCodesPerMailbox);
  const shared = wrongCodeBudgets(email, { ...visitor, knownBrowser: undefined }, limits);
  return [
    budget('mailbox', ['codes', mailbox], codes, DAY_MS),
    budget('mailbox', ['wrong codes', mailbox], wrongCodes, DAY_MS),
    ...shared.filter(({ scope }) => scope !== 'mailbox'),
  ];
}

function siteBudget(counted: readonly string[], limit: number, periodMs: number): SignInBudget {
  return budget('client', counted, limit * CLIENTS_PER_SITE, periodMs);
}

function budget(scope: BudgetScope, counted: readonly string[], limit: number, periodMs: number) {
  return { scope, counted: [scope, ...counted], limit, periodMs };
}

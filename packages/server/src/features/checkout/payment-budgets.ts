import { DAY_MS, HOUR_MS } from '@latchkey/contract/constants';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { type Budget, useBudgets } from '../budgets/budgets.js';
import { checkLimits } from '../budgets/check-limits.js';
import { mailboxOf } from '../budgets/mailbox-of.js';
import type { OpenCheckout } from './checkout.js';
import { shopOf } from './offer.js';

/**
 * Limits of payments that fail, by default. A client is an IPv4 address or an IPv6 network of 64 bits. A shop is a community, or a
 * product.
 */
export const DEFAULT_PAYMENT_LIMITS = {
  /** Failed payments of one signed-in buyer in a day, in all checkouts. @default 20 */
  failuresPerBuyer: 20,
  /** Failed payments of one client in one checkout in 15 minutes. @default 5 */
  failuresPerClientAndCheckout: 5,
  /** Failed payments of one client in all checkouts in an hour. @default 20 */
  failuresPerClient: 20,
  /** Failed payments of all clients for one buyer in a day. @default 20 */
  failuresPerMailbox: 20,
  /** Failed payments of all clients at one shop in an hour. @default 100 */
  failuresPerShop: 100,
};

/** Limits of payments that fail. A buyer who is signed in has an allowance that nobody else can use up. */
export type PaymentLimits = typeof DEFAULT_PAYMENT_LIMITS;

/**
 * Completes the limits of the option.
 *
 * @throws Error if a limit is unknown, or is not a positive integer.
 */
export function checkPaymentLimits(limits?: Partial<PaymentLimits>): PaymentLimits {
  return checkLimits('paymentLimits', limits, DEFAULT_PAYMENT_LIMITS);
}

/** Each conditional write decides by itself. Many payers of one shop at once would otherwise fail each other's transactions. */
const COUNTING = { isolation: 'read committed' } as const;

const CLIENTS_PER_SITE = 4;

/** Someone who presses "Pay". */
export interface Payer {
  readonly isBuyer: boolean;
  /** Client network; see `clientNetwork`. */
  readonly client: string;
  /** Network that contains many clients of one site; see `clientSite`. */
  readonly site: string | undefined;
}

/**
 * Counts an attempt to pay before it is made, so attempts at the same time can't exceed a limit. `settle` takes the count back, unless the
 * payment failed. An attempt that leads to the provider's page stays counted in the payer's own budget: each asks the provider once more.
 * The payer's own budget comes first, so it is used up before those shared with others.
 *
 * Without limits a checkout's address would be enough to try out stolen cards, or to flood a seller with failed payments.
 */
export async function usePaymentAttempt(
  db: Database,
  { checkout, payer, limits }: { checkout: OpenCheckout; payer: Payer; limits: PaymentLimits },
  now: number,
) {
  const [own, ...shared] = budgetsOf(checkout, payer, limits);
  const use = async (transaction: Database) => {
    const first = await useBudgets(transaction, own === undefined ? [] : [own], now);
    if (first.kind === 'exhausted') return first;
    const others = await useBudgets(transaction, shared, now);
    if (others.kind === 'exhausted') {
      await first.undo(transaction);
      return others;
    }
    const settle = async (result: string) => {
      if (result === 'declined') return;
      const undo = async (later: Database) => {
        // In the order in which they were used, which prevents deadlocks.
        if (result !== 'redirect') await first.undo(later);
        await others.undo(later);
      };
      await inTransaction(db, undo, COUNTING);
    };
    return { kind: 'used' as const, settle };
  };
  return await inTransaction(db, use, COUNTING);
}

function budgetsOf(checkout: OpenCheckout, { isBuyer, client, site }: Payer, limits: PaymentLimits) {
  const { buyer, reservationId, offer } = checkout;
  if (offer.amountMinor === 0) return [];
  const person = buyer.email === null ? buyer.id : mailboxOf(buyer.email);
  if (isBuyer) return [budget(['buyer', person], limits.failuresPerBuyer, DAY_MS)];
  const perSite = limits.failuresPerClient * CLIENTS_PER_SITE;
  return [
    budget(['checkout', reservationId, client], limits.failuresPerClientAndCheckout, HOUR_MS / 4),
    budget(['client', client], limits.failuresPerClient, HOUR_MS),
    ...(site === undefined ? [] : [budget(['site', site], perSite, HOUR_MS)]),
    // Per shop: otherwise a seller could use it up for all others.
    budget(['mailbox', shopOf(offer.subject), person], limits.failuresPerMailbox, DAY_MS),
    budget(['shop', shopOf(offer.subject)], limits.failuresPerShop, HOUR_MS),
  ];
}

function budget(counted: readonly string[], limit: number, periodMs: number): Budget {
  return { counted: ['payments', ...counted], limit, periodMs };
}

/** Checkouts that one community can open with API keys in an hour. Each is a row until it is purged, paid or not. */
const CHECKOUTS_PER_COMMUNITY = 10_000;
/** Checkouts that one person can open on the pages of the service in an hour. */
const CHECKOUTS_PER_BUYER = 120;

/**
 * Counts a checkout before it is opened. A flood, such as by bots at a shop that calls buy-plan for everybody, only stops the checkouts of
 * its own community or buyer.
 */
export async function useCheckout(
  db: Database,
  { by, id }: { by: 'community' | 'buyer'; id: string },
  now: number,
) {
  const limit = by === 'community' ? CHECKOUTS_PER_COMMUNITY : CHECKOUTS_PER_BUYER;
  const one = { counted: ['checkouts', by, id], limit, periodMs: HOUR_MS };
  return await inTransaction(db, (transaction) => useBudgets(transaction, [one], now), COUNTING);
}

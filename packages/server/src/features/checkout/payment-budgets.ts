import { DAY_MS, HOUR_MS } from '@latchkey/contract/constants';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { type Budget, checkLimits, mailboxOf, useBudgets } from '../budgets/budgets.js';
import { type OpenCheckout, shopOf } from './checkout.js';

/** Limits for failed payments. A client is an IPv4 address or a /64 IPv6 network, a shop a community or a product. */
export const DEFAULT_PAYMENT_LIMITS = {
  /** Failed payments per day of one signed-in buyer, across all checkouts. @default 20 */
  failuresPerBuyer: 20,
  /** Failed payments per 15 minutes of one client in one checkout. @default 5 */
  failuresPerClientAndCheckout: 5,
  /** Failed payments per hour of one client, across all checkouts. Its signed-in buyers have four times it. @default 20 */
  failuresPerClient: 20,
  /** Failed payments per day for one buyer at one shop, by all clients. @default 20 */
  failuresPerMailbox: 20,
  /** Failed payments per hour at one shop, by all clients. @default 100 */
  failuresPerShop: 100,
};

/** A signed-in buyer has an allowance that only other signed-in buyers of the same client can use up. */
export type PaymentLimits = typeof DEFAULT_PAYMENT_LIMITS;

/** Fills in the defaults. @throws Error if a limit is unknown, or isn't a positive integer. */
export function checkPaymentLimits(limits?: Partial<PaymentLimits>): PaymentLimits {
  return checkLimits('paymentLimits', limits, DEFAULT_PAYMENT_LIMITS);
}

/** At a stricter isolation level, many people paying at one shop would make each other's transactions fail. */
const COUNTING = { isolation: 'read committed' } as const;

const CLIENTS_PER_SITE = 4;
/** An office can be one client. Without this limit, each new mailbox would be an allowance for another 20 stolen cards. */
const BUYERS_PER_CLIENT = 4;

/** Results that tell whoever tries a typed address, without a charge, that its holder has the access already. */
const TELLING = ['adds-nothing', 'already-owned', 'paid-before'];

export interface Payer {
  readonly isBuyer: boolean;
  readonly client: string;
  readonly site: string | undefined;
}

/**
 * Counts an attempt to pay before it's made, so concurrent attempts can't exceed a limit. Call `settle` with the
 * result: it takes the count back unless the payment failed. An attempt that leads to the provider's page still counts
 * in the payer's own budget, since each one asks the provider again. One that tells a stranger what an address has still
 * counts in all but the shop's: it takes no card, and could stop all guests of a shop. The payer's own budget comes
 * first: it runs out before the ones shared with others.
 *
 * Without limits, knowing a checkout's URL would be enough to try out stolen cards, or to flood a seller with failed
 * payments.
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
      const tells = !payer.isBuyer && TELLING.includes(result);
      const undo = async (later: Database) => {
        // In the order in which they were used, which prevents deadlocks.
        if (result !== 'redirect' && !tells) await first.undo(later);
        // The shop's is the last.
        await others.undo(later, tells ? -1 : 0);
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
  const networks = (of: string, limit: number) => [
    budget([`${of}client`, client], limit, HOUR_MS),
    ...(site === undefined ? [] : [budget([`${of}site`, site], limit * CLIENTS_PER_SITE, HOUR_MS)]),
  ];
  if (isBuyer) {
    const own = budget(['buyer', person], limits.failuresPerBuyer, DAY_MS);
    return [own, ...networks('buyers of ', limits.failuresPerClient * BUYERS_PER_CLIENT)];
  }
  return [
    budget(['checkout', reservationId, client], limits.failuresPerClientAndCheckout, HOUR_MS / 4),
    ...networks('', limits.failuresPerClient),
    // Per shop, or one seller could use it up for all others.
    budget(['mailbox', shopOf(offer.subject), person], limits.failuresPerMailbox, DAY_MS),
    budget(['shop', shopOf(offer.subject)], limits.failuresPerShop, HOUR_MS),
  ];
}

function budget(counted: readonly string[], limit: number, periodMs: number): Budget {
  return { counted: ['payments', ...counted], limit, periodMs };
}

/** Checkouts per hour that API keys can open for one community. Each is a row until it's purged. */
const CHECKOUTS_PER_COMMUNITY = 10_000;
/** Checkouts per hour that one person can open on the pages of the service. */
const CHECKOUTS_PER_BUYER = 120;

/** Counts a checkout before it's opened. A flood only blocks checkouts of the same community or buyer. */
export async function useCheckout(
  db: Database,
  { by, id }: { by: 'community' | 'buyer'; id: string },
  now: number,
) {
  const limit = by === 'community' ? CHECKOUTS_PER_COMMUNITY : CHECKOUTS_PER_BUYER;
  const one = { counted: ['checkouts', by, id], limit, periodMs: HOUR_MS };
  return await inTransaction(db, (transaction) => useBudgets(transaction, [one], now), COUNTING);
}

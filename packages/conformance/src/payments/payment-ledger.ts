import type { FoundPayment, ProviderEvent, StartResult } from './payment-driver.js';

/** What a shop knows about an order. */
export interface LedgerEntry {
  readonly state: 'open' | 'paid' | 'expired';
  /** References of the payments for the order. Two references are two payments. */
  readonly paid: ReadonlySet<string>;
  readonly wasDeclined: boolean;
  /** Total that was refunded, in the minor unit. */
  readonly refundedMinor: number;
  readonly dispute: 'none' | 'opened' | 'won' | 'lost';
  /** Ids of the paid renewals, and of the failed ones. */
  readonly renewed: ReadonlySet<string>;
  readonly failedRenewals: ReadonlySet<string>;
  readonly hasEnded: boolean;
}

const NEW: LedgerEntry = {
  ...{ state: 'open', paid: new Set(), wasDeclined: false, refundedMinor: 0, dispute: 'none' },
  ...{ renewed: new Set(), failedRenewals: new Set(), hasEnded: false },
};

/** The books of a shop that settles like the server. */
export class PaymentLedger {
  readonly #entries = new Map<string, LedgerEntry>();
  readonly #seen = new Set<string>();

  entry(orderId: string): LedgerEntry {
    return this.#entries.get(orderId) ?? NEW;
  }

  settle(orderId: string, result: StartResult | FoundPayment): void {
    const entry = this.entry(orderId);
    if (result.kind === 'declined') this.#entries.set(orderId, { ...entry, wasDeclined: true });
    if (result.kind !== 'paid') return;
    const refunded = 'refundedMinor' in result ? (result.refundedMinor ?? 0) : 0;
    const changes = { ...paidAs(entry, result.reference), ...refundedTo(entry, refunded) };
    this.#entries.set(orderId, { ...entry, ...changes });
  }

  /** Books an event. Booking it again is a no-op. */
  apply(event: ProviderEvent): void {
    if (this.#seen.has(event.id)) return;
    this.#seen.add(event.id);
    const entry = this.entry(event.orderId);
    this.#entries.set(event.orderId, { ...entry, ...changesOf(entry, event) });
  }
}

/** Events arrive in any order: a paid order stays paid, refunds are totals, and a decided dispute stays decided. */
function changesOf(entry: LedgerEntry, event: ProviderEvent): Partial<LedgerEntry> {
  switch (event.kind) {
    case 'paid':
      return paidAs(entry, event.reference);
    case 'declined':
      return { wasDeclined: true };
    case 'expired':
      return entry.state === 'paid' ? {} : { state: 'expired' };
    case 'refunded':
      return refundedTo(entry, event.amountMinor);
    case 'renewed':
      return { renewed: new Set([...entry.renewed, event.renewalId]) };
    case 'renewal-failed':
      return { failedRenewals: new Set([...entry.failedRenewals, event.renewalId]) };
    case 'subscription-ended':
      return { hasEnded: true };
    case 'dispute-opened':
      return entry.dispute === 'none' ? { dispute: 'opened' } : {};
    case 'dispute-won':
      return { dispute: 'won' };
    case 'dispute-lost':
      return { dispute: 'lost' };
  }
}

function paidAs({ paid }: LedgerEntry, reference: string): Partial<LedgerEntry> {
  return { state: 'paid', paid: new Set([...paid, reference]) };
}

function refundedTo({ refundedMinor }: LedgerEntry, total: number): Partial<LedgerEntry> {
  return { refundedMinor: Math.max(refundedMinor, total) };
}

import { takeValue } from '../browser/write-value.js';

/** A purchase that continues on the next page of this tab, after a sign-in by redirect. */
export interface PendingPurchase {
  backend: string;
  planId: string;
  returnTo: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
}

const NAME = 'latchkey:purchase';

/** How long a purchase can continue by itself, in milliseconds. After that, the visitor has moved on. */
const LIMIT_MS = 15 * 60_000;

/** Stores the purchase for the next page of this tab. */
export function storePurchase(purchase: PendingPurchase): void {
  try {
    sessionStorage.setItem(NAME, JSON.stringify(purchase));
  } catch {
    // The storage is full or disabled. After the sign-in, the visitor has to click again.
  }
}

export function forgetPurchase(): void {
  takeValue(NAME);
}

/**
 * Removes and returns the purchase that an earlier page stored, if it is for this backend and one of the plans. Leaves
 * other purchases in place, and one that this page stored: its element still follows it.
 */
export function takePurchase(backend: string, planIds: readonly string[]): PendingPurchase | undefined {
  const purchase = takeValue(NAME) as PendingPurchase | undefined;
  if (!purchase?.planId) return undefined;
  const { planId, startedAt } = purchase;
  if (purchase.backend !== backend || !planIds.includes(planId) || startedAt > performance.timeOrigin) {
    storePurchase(purchase);
    return undefined;
  }
  return Date.now() - startedAt < LIMIT_MS ? purchase : undefined;
}

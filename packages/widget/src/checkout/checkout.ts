import type { LoginSession } from '../session/login-session.js';
import type { CheckoutSnapshot } from '../state/checkout-state.js';

/** A purchase that the visitor starts. */
export interface Purchase {
  planId: string;
  /** Path of this site to which the buyer returns. */
  returnTo: string;
  /** Signs the visitor in before the purchase. Without it, a visitor who is signed out goes to the kit's sign-in page. */
  session?: LoginSession | undefined;
}

/** The plans of one backend, and one purchase at a time. */
export interface Checkout {
  readonly snapshot: CheckoutSnapshot;
  /**
   * Calls the listener with the new snapshot after each change.
   * @returns a function that removes the listener.
   */
  subscribe(listener: (snapshot: CheckoutSnapshot) => void): () => void;
  /**
   * Requests the plans. Never throws: snapshots report the result.
   * @param isReload true to request them even if the page already has them.
   */
  load(isReload?: boolean): Promise<void>;
  /**
   * Goes to the checkout of a plan. Call it synchronously in a click, because it may open the sign-in window. While a
   * purchase runs, it shows that window again, or does nothing.
   */
  buy(purchase: Purchase): void;
  /** Continues the purchase that a sign-in by redirect interrupted, if it was of one of these plans. */
  resume(planIds: readonly string[], session: LoginSession | undefined): void;
  /** Ends a running sign-in or dismisses a failure. */
  cancel(): void;
  /** Stops following the session, and ignores requests that still run. */
  dispose(): void;
}

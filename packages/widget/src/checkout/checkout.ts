import type { LoginSession } from '../session/login-session.js';
import type { CheckoutFailure, CheckoutSnapshot } from '../state/checkout-state.js';
import { log } from '../state/login-failure.js';
import type { SessionSnapshot } from '../state/login-state.js';
import { kitAddress, offeredPlans, requestCheckout, SettingError } from './kit-requests.js';
import { forgetPurchase, storePurchase, takePurchase } from './pending-purchase.js';

/** A purchase that the visitor starts. */
interface Purchase {
  planId: string;
  /** Path of this site to which the buyer returns. */
  returnTo: string;
  /** Signs the visitor in before the purchase. Without it, a signed-out visitor goes to the kit's sign-in page. */
  session?: LoginSession | undefined;
}

/** The plans of one backend, and at most one purchase at a time. */
export interface Checkout {
  readonly snapshot: CheckoutSnapshot;
  /**
   * Calls the listener with the new snapshot after each change.
   * @returns a function that removes the listener.
   */
  subscribe(listener: (snapshot: CheckoutSnapshot) => void): () => void;
  /**
   * Requests the plans. Never throws: snapshots report the result.
   * @param isReload true to request them even if the page already has them. Default false.
   */
  load(isReload?: boolean): Promise<void>;
  /**
   * Goes to a plan's checkout. Call it synchronously in a click: it may open the sign-in window. During the sign-in, it
   * shows that window again. While the checkout opens, it goes there again if the address is known.
   */
  buy(purchase: Purchase): void;
  /** Continues the purchase that a sign-in by redirect interrupted, if it was for one of these plans. */
  resume(planIds: readonly string[], session: LoginSession | undefined): void;
  /** Cancels a running sign-in, or dismisses a failure. Does nothing while the checkout opens. */
  cancel(): void;
  /** Stops following the session, removes all listeners, and ignores requests that are still running. */
  dispose(): void;
}

interface KitCheckoutOptions {
  /** Path of this site where the Express kit is mounted, such as `/auth`. */
  backend: string | undefined;
  /** Called before the browser leaves for the checkout. Return false to stay on the page. */
  onCheckout?: ((detail: { planId: string; checkoutUrl: string }) => boolean) | undefined;
}

export function createCheckout(options: KitCheckoutOptions): Checkout {
  return new KitCheckout(options);
}

class KitCheckout implements Checkout {
  snapshot: CheckoutSnapshot = { status: 'ready' };
  readonly #options: KitCheckoutOptions;
  readonly #listeners = new Set<(snapshot: CheckoutSnapshot) => void>();
  /** The running purchase. Results of any other are ignored. */
  #purchase: Purchase | undefined;
  /** The checkout that the browser is on its way to. */
  #checkoutUrl: string | undefined;
  #unfollow = () => {};
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(options: KitCheckoutOptions) {
    this.#options = options;
    addEventListener('pageshow', this.#restore);
  }

  readonly subscribe = (listener: (snapshot: CheckoutSnapshot) => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly load = async (isReload = false, pauseMs = 0) => {
    // A retry leaves the failure on the page until the plans arrive.
    if (!pauseMs) this.#set({ status: 'loading', plans: undefined });
    try {
      const result = await offeredPlans(this.#options.backend, isReload);
      clearTimeout(this.#retry);
      if (result.kind === 'loaded') return this.#set({ status: 'ready', plans: result.plans });
      if (!pauseMs) this.#fail(result.failure);
      const nextMs = Math.min(pauseMs * 2 || 1000, 60_000);
      if (this.#listeners.size) this.#retry = setTimeout(this.load, nextMs, false, nextMs);
    } catch (error) {
      this.#failWith(error, 'load');
    }
  };

  readonly buy = (purchase: Purchase) => {
    const { status } = this.snapshot;
    if (status === 'signing-in') return this.#purchase?.session?.signIn();
    // The visitor may have stopped the browser on its way to the checkout.
    if (status === 'opening') return this.#go();
    this.#end();
    this.#purchase = purchase;
    const session = purchase.session?.snapshot;
    // While the session is being checked, only the backend knows whether the visitor is signed in.
    if (session && !session.signedIn && session.status !== 'checking') this.#signIn(purchase);
    else void this.#open(purchase, { mayLeave: true });
  };

  readonly resume = (planIds: readonly string[], session: LoginSession | undefined) => {
    const { backend = '' } = this.#options;
    const pending = this.#purchase ? undefined : takePurchase(backend, planIds);
    if (!pending) return;
    const purchase = { ...pending, session };
    this.#purchase = purchase;
    this.#set({ status: 'opening', planId: pending.planId });
    const proceed = ({ status, signedIn }: SessionSnapshot) => {
      if (status === 'checking' || status === 'exchanging') return;
      this.#unfollow();
      if (signedIn) void this.#open(purchase, { mayLeave: false });
      // The visitor came back without signing in.
      else this.#become('ready');
    };
    if (!session) return void this.#open(purchase, { mayLeave: false });
    this.#unfollow = session.subscribe(proceed);
    proceed(session.snapshot);
  };

  readonly cancel = () => {
    const { session } = this.#purchase ?? {};
    if (this.snapshot.status === 'opening') return;
    this.#end();
    session?.cancel();
    this.#become('ready');
  };

  readonly dispose = () => {
    removeEventListener('pageshow', this.#restore);
    this.#end();
    this.#listeners.clear();
  };

  /** Signs the visitor in, then continues the purchase. Opens the window synchronously, for the click. */
  #signIn(purchase: Purchase): void {
    const { planId, returnTo, session } = purchase;
    const { backend = '' } = this.#options;
    if (!session) return;
    this.#set({ status: 'signing-in', planId });
    // If the browser blocks the window, the sign-in leaves this page, and the next page continues the purchase.
    storePurchase({ backend, planId, returnTo, startedAt: Date.now() });
    this.#unfollow = session.subscribe((snapshot) => this.#followSignIn(purchase, snapshot));
    session.signIn();
  }

  #followSignIn(purchase: Purchase, { status, signedIn, failure }: SessionSnapshot): void {
    const hasFailed = this.snapshot.status === 'failed';
    if (signedIn && !hasFailed) {
      this.#end();
      this.#purchase = purchase;
      void this.#open(purchase, { mayLeave: false });
    } else if (status === 'failed' && failure) {
      forgetPurchase();
      // The session logs the failures for the owner. A late response can still complete the sign-in.
      const { code, message } = failure;
      this.#set({ status: 'failed', failure: { during: 'sign-in', code, message } });
    } else if (status === 'signed-out' || (hasFailed && status !== 'exchanging')) {
      // After a failure, only a late response belongs to this purchase. Another sign-in must not lead to a checkout.
      this.#end();
      this.#become('ready');
    } else this.#become('signing-in');
  }

  /** @param mayLeave false after a sign-in: otherwise the page and the sign-in could redirect in a loop. */
  async #open(purchase: Purchase, { mayLeave }: { mayLeave: boolean }): Promise<void> {
    const { planId, returnTo } = purchase;
    this.#set({ status: 'opening', planId });
    try {
      const result = await requestCheckout(this.#options.backend, { planId, returnTo });
      if (this.#purchase !== purchase) return;
      if (result.kind === 'created') {
        const { checkoutUrl } = result;
        if (this.#options.onCheckout?.({ planId, checkoutUrl }) === false) return this.#become('ready');
        this.#checkoutUrl = checkoutUrl;
        this.#go();
      } else if (result.kind === 'email-required') this.#postForm(purchase);
      else if (result.kind === 'sign-in-required' && mayLeave)
        await this.#requireSignIn(purchase, result.signInUrl);
      else if (result.kind === 'sign-in-required') {
        this.#fail({
          code: 'sign_in_required',
          during: 'checkout',
          message: 'The backend has no session.',
        });
      } else {
        this.#fail(result.failure);
        // The page doesn't know this membership yet.
        if (result.failure.code === 'already_member') void purchase.session?.refresh();
      }
    } catch (error) {
      this.#failWith(error, 'checkout');
    }
  }

  /** Signs in again: whatever this page shows, the backend has no session, or one that lacks a permission. */
  async #requireSignIn(purchase: Purchase, signInUrl: string | undefined): Promise<void> {
    const { planId, returnTo, session } = purchase;
    if (!signInUrl) await session?.refresh();
    if (this.#purchase !== purchase) return;
    if (session && !signInUrl && !session.snapshot.signedIn) return this.#signIn(purchase);
    const { backend = '' } = this.#options;
    const here = location.pathname + location.search + location.hash;
    storePurchase({ backend, planId, returnTo, startedAt: Date.now() });
    location.assign(signInUrl ?? `${kitAddress(backend, 'login')}?returnTo=${encodeURIComponent(here)}`);
  }

  /** Leaves for the kit's page, which asks for the missing email address. */
  #postForm({ planId, returnTo }: Purchase): void {
    const form = document.createElement('form');
    form.method = 'post';
    form.action = kitAddress(this.#options.backend, 'checkout');
    for (const [name, value] of Object.entries({ plan: planId, returnTo })) {
      const input = document.createElement('input');
      Object.assign(input, { type: 'hidden', name, value });
      form.append(input);
    }
    document.body.append(form);
    form.submit();
    form.remove();
  }

  #go(): void {
    if (this.#checkoutUrl) location.assign(this.#checkoutUrl);
  }

  /** Handles a visitor who comes back from the checkout to this page, as the browser kept it. */
  readonly #restore = ({ persisted }: PageTransitionEvent) => {
    if (!persisted || this.snapshot.status !== 'opening') return;
    this.#end();
    this.#become('ready');
  };

  /** Ends the running purchase without changing the snapshot. */
  #end(): void {
    if (this.snapshot.status === 'signing-in') forgetPurchase();
    this.#unfollow();
    this.#unfollow = () => {};
    this.#purchase = undefined;
    this.#checkoutUrl = undefined;
  }

  #failWith(error: unknown, during: 'load' | 'checkout'): void {
    const code = error instanceof SettingError ? 'misconfigured' : 'service_unavailable';
    this.#fail({ code, during, message: (error as Error).message });
  }

  #fail(failure: CheckoutFailure): void {
    this.#purchase = undefined;
    this.#set({ status: 'failed', failure });
    if (failure.code === 'misconfigured') log('error', 'checkout_misconfigured', failure.message);
  }

  #become(status: 'ready' | 'signing-in'): void {
    if (this.snapshot.status !== status) this.#set({ status });
  }

  /** Changes the snapshot. The plans and the chosen plan stay unless the change replaces them. */
  #set(change: Partial<CheckoutSnapshot>): void {
    const { plans, planId } = this.snapshot;
    this.snapshot = { status: 'ready', plans, planId, ...change };
    for (const listener of [...this.#listeners]) listener(this.snapshot);
  }
}

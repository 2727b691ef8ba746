import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { baseHint } from '../browser/addresses.js';
import { SessionElement } from '../element/session-element.js';
import { takePanel } from '../element/shared.js';
import type { Messages } from '../messages/en.js';
import { type PlansMessages, plansEn } from '../messages/plans-en.js';
import type { LoginSession, LoginSessionOptions } from '../session/login-session.js';
import { type CheckoutFailure, type CheckoutSnapshot, isBuying, type Plan } from '../state/checkout-state.js';
import { log } from '../state/login-failure.js';
import type { Membership } from '../state/login-state.js';
import type { WidgetEventDetails } from '../state/widget-events.js';
import { type Checkout, createCheckout } from './checkout.js';
import { sitePath } from './kit-requests.js';

/** Failures that aren't shown as a problem: nothing is wrong, or it was the visitor's choice. */
const CALM: readonly string[] = ['already_member', 'already_paid', 'access_denied', 'popup_closed'];

/** Failures that only the site's owner can fix. Trying again doesn't help. */
const FOR_OWNER: readonly string[] = ['plan_unknown', 'checkout_refused', 'misconfigured'];

/** Base class of the elements that sell plans. Shows one checkout and the visitor's session. */
export abstract class CheckoutElement extends SessionElement {
  static override properties: PropertyDeclarations = {
    returnTo: { attribute: 'return-to', reflect: true },
    checkout: { attribute: false, noAccessor: true },
  };

  /** Path of this site to which a buyer returns, and where a member's button leads. Default: this page. */
  declare returnTo: string | null | undefined;

  #checkout: Checkout | undefined;
  /** The backend of `#checkout`. `null` if the page assigned the checkout, or there is none. */
  #connected: string | null | undefined = null;
  #hasResumed = false;
  #unsubscribe = () => {};
  #texts: Partial<PlansMessages> | undefined;
  readonly #whenLoaded = () => this.requestUpdate();

  /** The checkout of this element. Assign one of `createStillCheckout` in stories and tests. */
  get checkout(): Checkout | undefined {
    return this.#checkout;
  }
  set checkout(checkout: Checkout | undefined) {
    this.#follow(checkout, null);
    this.requestUpdate();
  }

  /** All texts, in the language of the nearest `lang`. Assign an object with some of them to replace those. */
  override get messages(): Messages {
    return super.messages;
  }
  override set messages(texts: Partial<Messages> | undefined) {
    const { plans, ...others } = texts ?? {};
    this.#texts = plans;
    super.messages = others;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('load', this.#whenLoaded);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('load', this.#whenLoaded);
    // Moving the element disconnects it and connects it again at once. A purchase survives that.
    queueMicrotask(() => {
      if (!this.isConnected && this.#connected !== null) this.#follow(undefined, null);
    });
  }

  /** The state of the purchase. Styles select it as `:state(ready)`. */
  get state(): CheckoutSnapshot['status'] | 'empty' {
    return this.buying.status;
  }

  protected get plansMessages(): PlansMessages {
    return { ...plansEn, ...this.messages.plans, ...this.#texts };
  }

  protected get buying(): CheckoutSnapshot {
    return this.#checkout?.snapshot ?? { status: 'loading' };
  }

  /** Path of this site where the kit is mounted. Default: the session's backend. */
  protected get kit(): string | undefined {
    return this.backend ?? this.session?.backend;
  }

  /** Path of the page to which the buyer returns: `returnTo`, or this page if that is missing or on another site. */
  protected get destination(): string {
    const here = location.pathname + location.search + location.hash;
    return (this.returnTo && sitePath(this.returnTo)) || here;
  }

  /** Like a gate, an element without a `client-id` uses the page's first session. */
  protected override sessionSettings(): LoginSessionOptions | undefined {
    return this.clientId == null ? undefined : super.sessionSettings();
  }

  /** Called after the element has created a checkout, but not when the page assigns one. */
  protected started(_checkout: Checkout): void {}

  protected abstract planIds(): readonly string[];

  protected override willUpdate(): void {
    const { kit, isConnected } = this;
    const isAssigned = this.#connected === null && this.#checkout !== undefined;
    if (!isConnected || isAssigned) return;
    // A session with a backend may appear later.
    if (kit === undefined && document.readyState !== 'complete') return;
    if (!this.#checkout || kit !== this.#connected) this.#start(kit);
    this.#resume();
  }

  protected override update(changed: Map<PropertyKey, unknown>): void {
    const { shadowRoot, buying } = this;
    const focused = shadowRoot?.activeElement;
    this.showState(this.state);
    super.update(changed);
    if (!focused || shadowRoot.activeElement) return;
    // The focused control is gone. Its replacement has the same id. Without an id, the plan's button gets the focus.
    const id = focused.id || `button-${encodeURIComponent(buying.planId ?? '')}`;
    shadowRoot.getElementById(id)?.focus();
  }

  /** Returns the user's active memberships with this id in the field, if they're in the site's directory. */
  protected held(field: 'pricingPlanId' | 'communityId', id = 'none'): readonly Membership[] {
    return (this.memberships ?? []).filter(
      (one) => one.isActive && one.isKnown && one[field]?.toLowerCase() === id.toLowerCase(),
    );
  }

  /**
   * Renders a plan's button and, below it, the state of its purchase with the next step. For a member with this plan,
   * the button is a link to `destination`. A member for life with another plan of the community gets no button.
   * @param name id of the element with the plan's name. Without it, the page can replace the label.
   */
  protected purchase(
    { id: planId, communityId }: Pick<Plan, 'id' | 'communityId'>,
    name?: string,
  ): TemplateResult | typeof nothing {
    const { messages, plansMessages: texts, buying } = this;
    const { status, failure } = buying;
    const held = this.held('communityId', communityId);
    // A membership without a known plan may be for this one.
    const own = this.held('pricingPlanId', planId)[0] ?? held.find(({ pricingPlanId }) => !pricingPlanId);
    // Another plan adds nothing to a membership for life.
    if (!own && !held.every(({ validUntil }) => validUntil)) return nothing;
    const text = held.length ? texts.buy : texts.join;
    const label = name ? text : html`<slot>${text}</slot>`;
    const concerns = !own && buying.planId === planId && failure?.during !== 'load';
    const isBusy = isBuying(buying);
    const isSigningIn = concerns && status === 'signing-in';
    const shows = isSigningIn || (concerns && failure);
    const href = own ? this.destination : concerns && failure?.continueUrl;
    const id = encodeURIComponent(planId);
    return html`${
      href
        ? html`<a
              class=${own ? 'main' : 'main accent'}
              part="button"
              href=${href}
              id="button-${id}"
              aria-labelledby=${name ? `button-${id} ${name}` : nothing}>${own ? texts.open : texts.continue}</a>`
        : html`<button
              class="main accent"
              part="button"
              type="button"
              id="button-${id}"
              aria-labelledby=${name ? `button-${id} ${name}` : nothing}
              aria-describedby="status-${id}"
              aria-disabled=${isBusy && !concerns ? 'true' : nothing}
              aria-busy=${isBusy && concerns ? 'true' : nothing}
              @click=${() => this.#buy(planId)}>${isBusy && concerns ? html`<span class="spinner"></span>` : nothing}
              ${concerns ? (this.#nextStep(buying) ?? label) : label}
            </button>`
    }
      <div class=${shows ? `notice ${failure && !CALM.includes(failure.code) ? 'problem' : ''}` : 'quiet'} part=${shows ? 'notice' : nothing}>
        <p id="status-${id}" role="status">${concerns ? this.#status(buying) : ''}</p>
        ${
          isSigningIn
            ? html`<button part="action" type="button" @click=${() => this.#checkout?.cancel()}>
                ${messages.cancel}
              </button>`
            : nothing
        }
      </div>`;
  }

  #status({ status, failure }: CheckoutSnapshot): string {
    if (failure) return this.failureText(failure);
    if (status === 'opening') return this.plansMessages.opening;
    return status === 'signing-in' ? this.messages.waiting : '';
  }

  /** Returns the message for a failure, with its code if only the site's owner can fix it. */
  protected failureText({ during, code }: CheckoutFailure): string {
    const { failures, errorCode } = this.messages;
    const text = during === 'sign-in' ? failures[code] : this.plansMessages.failures[code];
    return isForOwner(code) ? `${text} ${errorCode(code)}` : text;
  }

  /** Returns the button's label while its plan is being bought, or `undefined` for the usual label. */
  #nextStep({ status, failure }: CheckoutSnapshot): string | undefined {
    if (status === 'signing-in') return this.messages.showWindow;
    if (failure?.code === 'sign_in_required') return this.messages.signInAgain;
    return failure && !isForOwner(failure.code) ? this.messages.tryAgain : undefined;
  }

  #buy(planId: string): void {
    const { buying, session, destination } = this;
    if (isBuying(buying) && buying.planId !== planId) return;
    if (this.returnTo && !sitePath(this.returnTo)) {
      const message = `return-to must be a path of ${location.origin}; ignored "${this.returnTo}".${baseHint(this.returnTo)}`;
      log('warn', 'return_to_ignored', message);
    }
    this.#checkout?.buy({ planId, returnTo: destination, session });
  }

  /** Shows a purchase's sign-in in place of the session's login elements. The page then shows it once. */
  #takePanel({ status, failure }: CheckoutSnapshot): void {
    const { session } = this;
    if (status === 'signing-in' || failure?.during === 'sign-in') takePanel(this, session);
    else if (session?.shownBy === this) session.shownBy = undefined;
  }

  #start(kit: string | undefined): void {
    const onCheckout = (detail: { planId: string; checkoutUrl: string }) =>
      emitCheckout(this, 'latchkey-checkout', detail);
    const checkout = createCheckout({ backend: kit, onCheckout });
    this.#follow(checkout, kit);
    this.started(checkout);
  }

  #resume(): void {
    const session: LoginSession | undefined = this.session;
    const planIds = this.planIds();
    if (this.#hasResumed || planIds.length === 0) return;
    // While the page is loading, the element with the `client-id` may still follow.
    if (!session && document.readyState !== 'complete') return;
    this.#hasResumed = true;
    this.#checkout?.resume(planIds, session);
  }

  #follow(checkout: Checkout | undefined, kit: string | null | undefined): void {
    this.#unsubscribe();
    if (this.#connected !== null) this.#checkout?.dispose();
    this.#checkout = checkout;
    this.#connected = kit;
    this.#unsubscribe =
      checkout?.subscribe((snapshot) => {
        const { failure } = snapshot;
        this.requestUpdate();
        this.#takePanel(snapshot);
        if (failure) emitCheckout(this, 'latchkey-checkout-error', failure);
      }) ?? (() => {});
  }
}

export function isForOwner(code: string): boolean {
  return FOR_OWNER.includes(code);
}

/** Dispatches an event. Returns false if a listener prevented the default, which only `latchkey-checkout` allows. */
function emitCheckout<Type extends 'latchkey-checkout' | 'latchkey-checkout-error'>(
  target: EventTarget,
  type: Type,
  detail: WidgetEventDetails[Type],
): boolean {
  const cancelable = type === 'latchkey-checkout';
  return target.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable }));
}

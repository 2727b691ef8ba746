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

/** Failures without a mark of alarm: nothing is wrong, or the visitor chose so. */
const CALM: readonly string[] = ['already_member', 'already_paid', 'access_denied', 'popup_closed'];

/** Failures that no second try mends, only the site's owner. */
const FOR_OWNER: readonly string[] = ['plan_unknown', 'checkout_refused', 'misconfigured'];

/** The base of the elements that sell plans: a view of one checkout and of the visitor's session. */
export abstract class CheckoutElement extends SessionElement {
  static override properties: PropertyDeclarations = {
    returnTo: { attribute: 'return-to', reflect: true },
    checkout: { attribute: false, noAccessor: true },
  };

  /** Path of this site to which a buyer returns, and where a member's button leads. Default: this page. */
  declare returnTo: string | null | undefined;

  #checkout: Checkout | undefined;
  /** The backend of `#checkout`. `null` if the page assigned it. */
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
    // A move within the page disconnects the element and connects it again at once. A purchase survives it.
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

  /** Path of this site where the kit is mounted. Default: that of the session. */
  protected get kit(): string | undefined {
    return this.backend ?? this.session?.backend;
  }

  /** Address of the page to which the buyer returns. An address of another site counts as this page. */
  protected get destination(): string {
    const here = location.pathname + location.search + location.hash;
    return (this.returnTo && sitePath(this.returnTo)) || here;
  }

  /** Like a gate, an element without a client uses the page's first session. */
  protected override sessionSettings(): LoginSessionOptions | undefined {
    return this.clientId == null ? undefined : super.sessionSettings();
  }

  /** Called after the element got a checkout of its own. */
  protected started(_checkout: Checkout): void {}

  protected abstract planIds(): readonly string[];

  protected override willUpdate(): void {
    const { kit, isConnected } = this;
    const isAssigned = this.#connected === null && this.#checkout !== undefined;
    if (!isConnected || isAssigned) return;
    // The session that names the backend may follow later.
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
    // The focused control was replaced by another with the same id, or removed.
    const id = focused.id || `button-${encodeURIComponent(buying.planId ?? '')}`;
    shadowRoot.getElementById(id)?.focus();
  }

  /** Returns the user's running memberships with this field, as far as the site knows. */
  protected held(field: 'pricingPlanId' | 'communityId', id = 'none'): readonly Membership[] {
    return (this.memberships ?? []).filter(
      (one) => one.isActive && one.isKnown && one[field]?.toLowerCase() === id.toLowerCase(),
    );
  }

  /**
   * Renders the button of a plan, and below it the state of its purchase with the next step. For a member by this plan the
   * button is the way in. A member for life gets no button.
   * @param name id of the element with the plan's name. Without it, the page can replace the label.
   */
  protected purchase(
    { id: planId, communityId }: Pick<Plan, 'id' | 'communityId'>,
    name?: string,
  ): TemplateResult | typeof nothing {
    const { messages, plansMessages: texts, buying } = this;
    const { status, failure } = buying;
    const held = this.held('communityId', communityId);
    // A membership of an unknown plan can be of this one.
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

  /** Returns the text of a failure, with its code if only the site's owner can mend it. */
  protected failureText({ during, code }: CheckoutFailure): string {
    const { failures, errorCode } = this.messages;
    const text = during === 'sign-in' ? failures[code] : this.plansMessages.failures[code];
    return isForOwner(code) ? `${text} ${errorCode(code)}` : text;
  }

  /** Returns the label of a button whose plan is being bought. */
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

  /** Shows the sign-in of a purchase instead of the login elements of the session, so that the page shows it once. */
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
    // The element that names the client may follow later in a page that is still loading.
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

/** Dispatches an event. Returns false if a listener prevented the default, which only `latchkey-checkout` has. */
function emitCheckout<Type extends 'latchkey-checkout' | 'latchkey-checkout-error'>(
  target: EventTarget,
  type: Type,
  detail: WidgetEventDetails[Type],
): boolean {
  const cancelable = type === 'latchkey-checkout';
  return target.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable }));
}

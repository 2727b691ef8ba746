import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { splitList } from '../element/shared.js';
import { theme } from '../element/theme.styles.js';
import type { LatchkeyGate } from '../gate/gate-element.js';
import type { PlansMessages } from '../messages/plans-en.js';
import type { CheckoutFailure, CheckoutSnapshot, Plan } from '../state/checkout-state.js';
import type { Checkout } from './checkout.js';
import { CheckoutElement, isForOwner } from './checkout-element.js';
import { plansStyles } from './plans-element.styles.js';

/**
 * The plans that the site sells, as cards with a button each. The button opens the checkout. A visitor who is signed out
 * signs in first. The card of the plan that the user has is marked, and its button is the way in. Members for life are
 * offered no other plan of that community. Needs `latchkey.js` on the page, and a backend with `auth.checkout` of the Express kit.
 *
 * @slot - Shown above the plans, such as a heading.
 * @slot details-… - Shown in the card of the plan with this id, such as a list of benefits.
 * @slot loading - Replaces the text while the plans are requested.
 * @slot empty - Replaces the text if no plan is available.
 * @slot failed - Replaces the text and the button if the plans could not be loaded.
 * @cssState loading - The plans are requested.
 * @cssState empty - No plan is available.
 * @cssState ready - The plans are shown.
 * @cssState signing-in - The visitor signs in.
 * @cssState opening - The checkout opens.
 * @cssState failed - A purchase, or the request for the plans, failed.
 * @csspart plans - The list of cards.
 * @csspart card - A card.
 * @csspart current - The card of the plan that the user has.
 * @csspart name - Name of a plan.
 * @csspart badge - Mark of the plan that the user has.
 * @csspart price - Price of a plan.
 * @csspart term - Term of a price.
 * @csspart description - Description of a plan.
 * @csspart button - The button of a plan, or the link that replaces it.
 * @csspart notice - Progress of a purchase, or a failure with the next step.
 * @csspart action - Another button.
 * @cssproperty --latchkey-accent - Background of the buttons, mark of the current plan, and colour of the focus ring.
 * @cssproperty --latchkey-on-accent - Text on the accent.
 * @cssproperty --latchkey-surface - Background of the cards.
 * @cssproperty --latchkey-text - Text.
 * @cssproperty --latchkey-muted - Secondary text.
 * @cssproperty --latchkey-line - Borders.
 * @cssproperty --latchkey-danger - Mark of a failure.
 * @cssproperty --latchkey-radius - Corner radius. Default 10px.
 * @cssproperty --latchkey-font - The `font` shorthand of all texts.
 * @fires latchkey-checkout - The checkout was created; `detail` is its `planId` and `checkoutUrl`. Prevent the default to
 *   stay on the page.
 * @fires latchkey-checkout-error - A purchase, or the request for the plans, failed; `detail.code` is the reason.
 */
export class LatchkeyPlans extends CheckoutElement {
  static override styles = [theme, plansStyles];
  static override properties: PropertyDeclarations = {
    community: { reflect: true },
    plan: { reflect: true },
  };

  /** Ids of communities, separated by spaces. Shows their plans only. */
  declare community: string | null | undefined;
  /** Ids of plans, separated by spaces. Shows these only. */
  declare plan: string | null | undefined;
  /** The gate that shows the plans in its notice. The element uses the gate's attributes, session and messages. */
  #gate: LatchkeyGate | undefined;
  readonly #gateController = { hostUpdated: () => this.requestUpdate() };

  /** The state of the element. Styles select it as `:state(ready)`. */
  override get state(): CheckoutSnapshot['status'] | 'empty' {
    return this.buying.plans && this.#plans().length === 0 ? 'empty' : super.state;
  }

  /** Requests the plans again. */
  reload(): void {
    void this.checkout?.load(true);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const { host } = this.getRootNode() as ShadowRoot;
    if (host?.localName !== 'latchkey-gate') return;
    this.#gate = host as LatchkeyGate;
    this.#gate.addController(this.#gateController);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#gate?.removeController(this.#gateController);
    this.#gate = undefined;
  }

  /** In a gate, `undefined` while there is nothing to offer: the gate isn't locked, or has no backend. */
  protected override get kit(): string | undefined {
    const gate = this.#gate;
    if (!gate) return super.kit;
    return gate.state === 'locked' ? (gate.backend ?? super.kit) : undefined;
  }

  protected override started(checkout: Checkout): void {
    if (!this.#gate || this.kit !== undefined) void checkout.load();
  }

  protected override get plansMessages(): PlansMessages {
    return { ...super.plansMessages, ...this.#gate?.messages.plans };
  }

  protected override planIds(): readonly string[] {
    return this.#plans().map(({ id }) => id);
  }

  protected override willUpdate(): void {
    if (this.#gate && this.session !== this.#gate.session) this.session = this.#gate.session;
    super.willUpdate();
  }

  protected override update(changed: Map<PropertyKey, unknown>): void {
    if (this.#gate) {
      this.hidden = this.#isNeedless();
      this.style.marginBlockStart = '1rem';
    }
    super.update(changed);
  }

  protected override render(): TemplateResult {
    const { buying, plansMessages: texts } = this;
    const plans = this.#plans();
    const failure = buying.failure?.during === 'load' ? buying.failure : undefined;
    return html`<slot></slot>
      ${plans.length > 0 ? html`<ul part="plans" role="list">${plans.map((plan) => this.#card(plan))}</ul>` : nothing}
      <div role="status">
        ${
          failure
            ? html`<slot name="failed">${this.#loadFailure(failure)}</slot>`
            : !buying.plans
              ? html`<slot name="loading"><p class="muted">${texts.loading}</p></slot>`
              : plans.length === 0
                ? html`<slot name="empty"><p class="muted">${texts.empty}</p></slot>`
                : nothing
        }
      </div>`;
  }

  #card(plan: Plan): TemplateResult {
    const { id, name, price, term, description } = plan;
    const [own] = this.held('pricingPlanId', id);
    const nameId = `name-${encodeURIComponent(id)}`;
    return html`<li part=${own ? 'card current' : 'card'} class=${own ? 'card current' : 'card'}>
      <p class="head">
        <strong part="name" id=${nameId} dir="auto">${name}</strong>
        ${own ? html`<span part="badge" class="badge">${this.plansMessages.yourPlan}</span>` : nothing}
      </p>
      <p class="cost">
        <span part="price" class="price" dir="auto">${price}</span>
        <span part="term" class="muted" dir="auto">${term}</span>
      </p>
      <div>
        ${description ? html`<p part="description" class="muted" dir="auto">${description}</p>` : nothing}
        <slot name="details-${id}"></slot>
      </div>
      ${this.purchase(plan, nameId)}
    </li>`;
  }

  #loadFailure(failure: CheckoutFailure): TemplateResult {
    return html`<div class="notice problem" part="notice">
      <p>${this.failureText(failure)}</p>
      ${
        isForOwner(failure.code)
          ? nothing
          : html`<button part="action" type="button" @click=${this.reload}>${this.messages.tryAgain}</button>`
      }
    </div>`;
  }

  /** Returns the loaded plans that the attributes select. */
  #plans(): readonly Plan[] {
    const [communities, ids] = [this.#list('community'), this.#list('plan')];
    return (this.buying.plans ?? []).filter(
      ({ id, communityId = '' }) =>
        (communities.length === 0 || communities.includes(communityId.toLowerCase())) &&
        (ids.length === 0 || ids.includes(id.toLowerCase())),
    );
  }

  #list(name: 'community' | 'plan'): string[] {
    return splitList(this[name] ?? this.#gate?.[name]).map((id) => id.toLowerCase());
  }

  /** Returns true if a gate has nothing to offer. The gate's own message is enough then. */
  #isNeedless(): boolean {
    const { kit, buying, state } = this;
    return (
      kit === undefined ||
      buying.failure?.code === 'misconfigured' ||
      state === 'empty' ||
      state === 'loading'
    );
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'latchkey-plans': LatchkeyPlans;
  }
}

import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { CheckoutElement } from './checkout-element.js';
import { plansStyles } from './plans-element.styles.js';
import { theme } from './theme.styles.js';

/**
 * A button that opens the checkout of one plan. A visitor who is signed out signs in first. If the user has the plan, the
 * button is the way in. Needs `latchkey.js` on the page, and a backend with `auth.checkout` of the Express kit.
 *
 * @attr {'ready' | 'signing-in' | 'opening' | 'failed'} state - State of the purchase, for styles. Read-only.
 * @slot - Label of the button. Default "Join".
 * @csspart button - The button, or the link that replaces it.
 * @csspart notice - Progress of the purchase, or a failure with the next step.
 * @csspart action - Another button.
 * @cssproperty --latchkey-accent - Background of the button, and colour of the focus ring.
 * @cssproperty --latchkey-on-accent - Text on the accent.
 * @cssproperty --latchkey-surface - Text on the mark of a failure.
 * @cssproperty --latchkey-text - Text.
 * @cssproperty --latchkey-muted - Secondary text.
 * @cssproperty --latchkey-line - Borders.
 * @cssproperty --latchkey-danger - Mark of a failure.
 * @cssproperty --latchkey-radius - Corner radius. Default 10px.
 * @cssproperty --latchkey-font - The `font` shorthand of all texts.
 * @fires latchkey-checkout - The checkout was created; `detail` is its `planId` and `checkoutUrl`. Prevent the default to
 *   stay on the page.
 * @fires latchkey-checkout-error - The purchase failed; `detail.code` is the reason.
 */
export class LatchkeyJoin extends CheckoutElement {
  static override styles = [theme, plansStyles];
  static override properties: PropertyDeclarations = { plan: { reflect: true } };

  /** Id of the plan. */
  declare plan: string | null | undefined;

  protected override planIds(): readonly string[] {
    return this.plan ? [this.plan] : [];
  }

  protected override update(changed: Map<PropertyKey, unknown>): void {
    this.setAttribute('state', this.buying.status);
    super.update(changed);
  }

  protected override render(): TemplateResult | typeof nothing {
    const label = html`<slot>${this.plansMessages.join}</slot>`;
    return this.plan ? this.purchase(this.plan, label, this.held('pricingPlanId', this.plan)[0]) : nothing;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'latchkey-join': LatchkeyJoin;
  }
}

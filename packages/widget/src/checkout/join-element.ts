import { nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { theme } from '../element/theme.styles.js';
import { CheckoutElement } from './checkout-element.js';
import { plansStyles } from './plans-element.styles.js';

/**
 * A button that opens the checkout of one plan. A visitor who is signed out signs in first. If the user has the plan, the
 * button is the way in. With `community`, other members of that community see "Buy", and members for life no button. Needs
 * `latchkey.js` on the page, and a backend with `auth.checkout` of the Express kit.
 *
 * @slot - Label of the button. Default "Join", or "Buy" for a member of `community`.
 * @cssState ready - The button opens the checkout.
 * @cssState signing-in - The visitor signs in.
 * @cssState opening - The checkout opens.
 * @cssState failed - The purchase failed.
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
  static override properties: PropertyDeclarations = {
    community: { reflect: true },
    plan: { reflect: true },
  };

  /** Id of the plan's community, so that the button suits its members. */
  declare community: string | null | undefined;
  /** Id of the plan. */
  declare plan: string | null | undefined;

  protected override planIds(): readonly string[] {
    return this.plan ? [this.plan] : [];
  }

  protected override render(): TemplateResult | typeof nothing {
    const { plan, community } = this;
    return plan ? this.purchase({ id: plan, communityId: community ?? undefined }) : nothing;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'latchkey-join': LatchkeyJoin;
  }
}

import { html, nothing, type TemplateResult } from 'lit/html.js';
import { gateStyles } from './gate-element.styles.js';
import { type GateState, gateState } from './gate-state.js';
import { SessionElement } from './session-element.js';
import { theme } from './theme.styles.js';
import { reflectAttributes } from './view-element.js';
import { words } from './words.js';

/**
 * Shows its content to those whose membership opens it, and everybody else why not, with the next step. It hides, it
 * does not protect: what is on the page can be read in its source, so what must stay secret is gated by a server.
 *
 * @slot - What the membership opens.
 * @slot loading - While the session is looked up.
 * @slot signed-out - For visitors nobody knows. Default: the reason and a sign-in button.
 * @slot locked - For users without such a membership; the place for a link to join.
 * @slot error - When the memberships could not be looked up. Default: the reason and a button to try again.
 * @csspart notice - The default content of a closed gate.
 * @csspart action - A button in it.
 */
export class LatchkeyGate extends SessionElement {
  static override styles = [theme, gateStyles];
  static override observedAttributes = [...SessionElement.observedAttributes, 'product-type', 'membership'];

  /** Kinds of membership that open the gate, separated by spaces. See `MembershipRule`. */
  declare productType: string | null;
  /** Ids of memberships that open the gate, separated by spaces. */
  declare membership: string | null;

  protected override readonly followsFirst = true;

  /** What the gate shows; also the attribute `state`, for styles. */
  get state(): GateState {
    const { snapshot } = this;
    // Until the page is there, the element that names the client may still be on its way.
    if (!snapshot) return document.readyState === 'complete' ? 'error' : 'loading';
    return gateState(snapshot, {
      productTypes: words(this.productType),
      membershipIds: words(this.membership),
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('load', () => this.requestUpdate(), { once: true });
  }

  protected override update(rendering: () => void): void {
    const { state } = this;
    const changed = state !== this.getAttribute('state');
    const hadFocus = changed && this.contains(document.activeElement);
    this.setAttribute('state', state);
    rendering();
    if (!hadFocus) return;
    // What had the focus is no longer shown: keep the visitor's place on the page.
    this.tabIndex = -1;
    this.focus({ preventScroll: true });
  }

  protected override render(): TemplateResult {
    const { state, messages } = this;
    if (state === 'open') return html`<slot></slot>`;
    const own = this.querySelector(`:scope > [slot="${state}"]`);
    return html`<slot name=${state} @slotchange=${() => this.requestUpdate()}>${
      own
        ? nothing
        : html`<div part="notice" class="notice">
            <p role="status">${messages.gate[state]}</p>
            ${
              state === 'signed-out'
                ? html`<latchkey-login .session=${this.session}></latchkey-login>`
                : state === 'error'
                  ? html`<button part="action" type="button" @click=${() => this.session?.refresh()}>
                      ${messages.tryAgain}
                    </button>`
                  : nothing
            }
          </div>`
    }</slot>`;
  }
}

reflectAttributes(LatchkeyGate);

declare global {
  interface HTMLElementTagNameMap {
    'latchkey-gate': LatchkeyGate;
  }
}

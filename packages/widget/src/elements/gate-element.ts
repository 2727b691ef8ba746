import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import { gateStyles } from './gate-element.styles.js';
import { type GateState, gateState } from './gate-state.js';
import { SessionElement } from './session-element.js';
import { theme } from './theme.styles.js';

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
  static override properties: PropertyDeclarations = {
    productType: { attribute: 'product-type' },
    membership: {},
    state: { reflect: true },
  };

  /** Kinds of membership that open the gate, separated by spaces; see `MembershipRule`. */
  declare productType: string | null | undefined;
  /** Ids of memberships that open the gate, separated by spaces. */
  declare membership: string | null | undefined;
  /** What the gate shows. Read only; also an attribute, for styles. */
  declare state: GateState;

  protected override readonly followsFirst = true;
  #hadFocus = false;

  constructor() {
    super();
    this.state = 'loading';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Until then the element that names the client may still be on its way.
    if (document.readyState !== 'complete') {
      addEventListener('load', () => this.requestUpdate(), { once: true });
    }
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const { snapshot } = this;
    if (snapshot) {
      const rule = { productTypes: words(this.productType), membershipIds: words(this.membership) };
      this.state = gateState(snapshot, rule);
    } else this.state = document.readyState === 'complete' ? 'error' : 'loading';
  }

  protected override update(changed: PropertyValues): void {
    this.#hadFocus = changed.has('state') && this.contains(document.activeElement);
    super.update(changed);
  }

  protected override updated(): void {
    if (!this.#hadFocus) return;
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

function words(text: string | null | undefined): string[] {
  return text?.split(/[\s,]+/).filter(Boolean) ?? [];
}

declare global {
  interface HTMLElementTagNameMap {
    'latchkey-gate': LatchkeyGate;
  }
}

import { html, nothing, type TemplateResult } from 'lit/html.js';
import { fetchContent, type GateContent, placeContent } from './gate-content.js';
import { gateStyles } from './gate-element.styles.js';
import { type GateState, gateState } from './gate-state.js';
import { SessionElement } from './session-element.js';
import { theme } from './theme.styles.js';
import { reflectAttributes } from './view-element.js';
import { words } from './words.js';

/**
 * Shows its content to those whose membership opens it, and everybody else why not, with the next step. Alone it hides and
 * does not protect: what is on the page can be read in its source. With `src` the site's server is asked for the content
 * as the signed-in user, and decides; what the page was not given, nobody can read in it.
 *
 * @attr {'loading' | 'signed-out' | 'locked' | 'error' | 'open'} state - Set by the gate, for styles: what it shows.
 * @slot - What the membership opens.
 * @slot loading - While the session is looked up.
 * @slot signed-out - For visitors nobody knows. Default: the reason and a sign-in button.
 * @slot locked - For users without such a membership; the place for a link to join.
 * @slot error - When the memberships could not be looked up. Default: the reason and a button to try again.
 * @csspart notice - The default content of a closed gate.
 * @csspart action - A button in it.
 * @cssproperty --latchkey-accent - Background of the sign-in button, and the focus ring.
 * @cssproperty --latchkey-on-accent - Text on the accent.
 * @cssproperty --latchkey-surface - Background of the notice.
 * @cssproperty --latchkey-text - Text.
 * @cssproperty --latchkey-muted - Secondary text.
 * @cssproperty --latchkey-line - Borders.
 * @cssproperty --latchkey-danger - Mark of a failure.
 * @cssproperty --latchkey-radius - Corner radius. Default 10px.
 * @cssproperty --latchkey-font - The `font` shorthand of every text.
 * @cssproperty --latchkey-inline-size - Width of the sign-in button. Default 12.5rem.
 */
export class LatchkeyGate extends SessionElement {
  static override styles = [theme, gateStyles];
  static override observedAttributes = [
    ...SessionElement.observedAttributes,
    'product-type',
    'membership',
    'src',
  ];

  /** Kinds of membership that open the gate, separated by spaces. See `MembershipRule`. */
  declare productType: string | null;
  /** Ids of memberships that open the gate, separated by spaces. */
  declare membership: string | null;

  /** An address of this site that gives the content to who may have it, 403 to who may not, and 401 to who is unknown. */
  declare src: string | null;

  protected override readonly followsFirst = true;
  #content: GateContent | undefined;
  /** For whom, from where and by which memberships `#content` was asked for. */
  #asked: string | undefined;
  #asking = new AbortController();

  /** What the gate shows; also the attribute `state`, for styles. */
  get state(): GateState {
    const { snapshot } = this;
    // Until the page is there, the element that names the client may still be on its way.
    if (!snapshot) return document.readyState === 'complete' ? 'error' : 'loading';
    const rule = { productTypes: words(this.productType), membershipIds: words(this.membership) };
    if (this.src === null) return gateState(snapshot, rule);
    const hasRule = rule.productTypes.length + rule.membershipIds.length > 0;
    // Without conditions of its own the gate leaves it to the server alone.
    const state = snapshot.signedIn && !hasRule ? 'open' : gateState(snapshot, rule);
    return state === 'open' ? (this.#content?.state ?? 'loading') : state;
  }

  /** Asks the server again, with `src`. */
  reload(): void {
    this.#asked = undefined;
    this.requestUpdate();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('load', () => this.requestUpdate(), { signal: this.connection.signal });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#forget();
  }

  /** Asks for the content when somebody is there to have it, anew whenever that changes. */
  #follow(): void {
    const { src, session, snapshot } = this;
    if (src === null || !session || !snapshot?.signedIn) {
      this.#forget();
      return;
    }
    const asked = JSON.stringify([src, snapshot.user?.sub, snapshot.memberships]);
    if (asked === this.#asked) return;
    this.#forget();
    this.#asked = asked;
    const { signal } = this.#asking;
    void fetchContent(session, src, signal).then((content) => {
      if (signal.aborted) return;
      this.#content = content;
      this.requestUpdate();
    });
  }

  #forget(): void {
    this.#asking.abort();
    this.#asking = new AbortController();
    this.#content = undefined;
    this.#asked = undefined;
  }

  protected override update(rendering: () => void): void {
    this.#follow();
    const { state } = this;
    const changed = state !== this.getAttribute('state');
    const hadFocus = changed && this.contains(document.activeElement);
    // Out of the page, not only out of sight.
    placeContent(this, state === 'open' ? this.#content?.markup : undefined);
    this.setAttribute('state', state);
    rendering();
    if (!hadFocus) return;
    // What had the focus is no longer shown: keep the visitor's place on the page.
    this.tabIndex = -1;
    this.focus({ preventScroll: true });
  }

  readonly #again = async () => {
    // First, for it may replace the token the content is asked for with.
    await this.session?.refresh();
    this.reload();
  };

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
                ? html`<latchkey-login .session=${this.session} .messages=${messages}></latchkey-login>`
                : state === 'error'
                  ? html`<button part="action" type="button" @click=${this.#again}>
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

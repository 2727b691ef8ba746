import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { SessionElement } from '../element/session-element.js';
import { takePanel } from '../element/shared.js';
import { theme } from '../element/theme.styles.js';
import type { LoginSessionOptions } from '../session/login-session.js';
import { isForOwner, type LoginFailure, logFailure, misconfigured } from '../state/login-failure.js';
import { emit } from '../state/widget-events.js';
import { GateContentController, placeContent } from './gate-content.js';
import { gateStyles } from './gate-element.styles.js';
import {
  conditionProblem,
  type GateConditions,
  type GateState,
  gateState,
  type ProductTypes,
  ruleOf,
  warnAboutProductType,
} from './gate-rule.js';

/** Time in which a login element may follow after the page has loaded, in milliseconds. Frameworks add it in a script. */
const LOGIN_WAIT_MS = 3000;

/**
 * Shows its content to members. Shows everyone else the reason and the next step. Without `src` the gate hides its content
 * but does not protect it, because the page's source contains it. With `src` the gate requests the content from the site's
 * server as the signed-in user, and the server decides.
 *
 * `community`, `product` and `plan` admit your own members. They need a `backend`. Without them the gate is cosmetic: it
 * opens for the members of any seller, also with `product-type`.
 *
 * @attr {'loading' | 'signed-out' | 'locked' | 'error' | 'open'} state - State of the gate, for styles. Read-only.
 * @slot - The content for members.
 * @slot loading - Shown while the session is checked.
 * @slot signed-out - Shown to visitors who are signed out. Default: the reason and a sign-in button.
 * @slot locked - Shown to users without a required membership. Use it for a link to join. Default: the reason and, if
 *   `latchkey-plans.js` is on the page, the plans that the backend offers.
 * @slot error - Shown if the memberships could not be checked, or the gate is not set up correctly. Default: the reason
 *   and a button to try again.
 * @csspart notice - The default content of a closed gate.
 * @csspart action - A button in the notice.
 * @cssproperty --latchkey-accent - Background of the sign-in button, and colour of the focus ring.
 * @cssproperty --latchkey-on-accent - Text on the accent.
 * @cssproperty --latchkey-surface - Background of the notice.
 * @cssproperty --latchkey-text - Text.
 * @cssproperty --latchkey-muted - Secondary text.
 * @cssproperty --latchkey-line - Borders.
 * @cssproperty --latchkey-danger - Mark of a failure.
 * @cssproperty --latchkey-radius - Corner radius. Default 10px.
 * @cssproperty --latchkey-font - The `font` shorthand of all texts.
 * @cssproperty --latchkey-inline-size - Greatest width of the sign-in button. Default 16rem.
 * @fires latchkey-error - The gate cannot work as it is set up, or its `src` does not answer. `detail.message` names the reason. A
 *   closed gate also dispatches the events of the login in it.
 */
export class LatchkeyGate extends SessionElement implements GateConditions {
  static override styles = [theme, gateStyles];
  static override properties: PropertyDeclarations = {
    productType: { attribute: 'product-type', reflect: true },
    membership: { reflect: true },
    community: { reflect: true },
    product: { reflect: true },
    plan: { reflect: true },
    src: { reflect: true },
  };

  /**
   * Product types that open the gate, separated by spaces: `community`, `digital_product`, `clipping_campaign`, `agency`.
   * Alone, it is a cosmetic gate for the members of any seller. To admit your own members only, set `community`, `product`
   * or `plan`.
   */
  declare productType: ProductTypes | null | undefined;
  /** Ids of memberships that open the gate, separated by spaces. */
  declare membership: string | null | undefined;
  /** Ids of your communities whose members the gate admits, separated by spaces. Needs a `backend`. */
  declare community: string | null | undefined;
  /** Ids of your products whose buyers the gate admits, separated by spaces. Needs a `backend`. */
  declare product: string | null | undefined;
  /** Ids of your pricing plans whose members the gate admits, separated by spaces. Needs a `backend`. */
  declare plan: string | null | undefined;
  /** Address of this site that returns the content to members, 403 to other users, and 401 to signed-out visitors. */
  declare src: string | null | undefined;

  readonly #content = new GateContentController(this);
  readonly #requestUpdate = () => this.requestUpdate();
  #reported: string | undefined;
  /** True if a login element has had its time to follow. */
  #isLate = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #waitForLogin = () => {
    this.#timer = setTimeout(() => {
      this.#isLate = true;
      this.requestUpdate();
    }, LOGIN_WAIT_MS);
  };

  /** The state of the gate. The attribute `state` has the same value, for styles. */
  get state(): GateState {
    const { snapshot } = this;
    if (this.#settingProblem) return 'error';
    if (!snapshot) return 'loading';
    if (this.#isServerRule && snapshot.signedIn) return this.#content.response.state;
    const state = gateState(snapshot, ruleOf(this));
    return state === 'open' && this.src != null ? this.#content.response.state : state;
  }

  /** True if the gate has no conditions of its own, so that the server alone decides. */
  get #isServerRule(): boolean {
    return this.src != null && Object.values(ruleOf(this)).every(({ length }) => length === 0);
  }

  /** The setting because of which the gate can't work on this page, for the owner. */
  get #settingProblem(): string | undefined {
    const { session, snapshot } = this;
    if (!session)
      return this.#isLate
        ? 'no element on the page names a client. Set client-id on <latchkey-login>, or on the gate.'
        : undefined;
    if (snapshot?.signedIn && !snapshot.memberships && !this.#isServerRule)
      return 'No membership is known: the sign-in did not grant memberships.read. Add it to scope.';
    return conditionProblem(this, session);
  }

  /** The reason why the gate is closed, if the owner of the site can mend it. */
  get #failure(): LoginFailure | undefined {
    const problem = this.#settingProblem;
    return problem ? misconfigured(problem) : this.#content.response.failure;
  }

  /** Requests the content of `src` again. */
  reload(): void {
    this.#content.invalidate();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (document.readyState === 'complete') this.#waitForLogin();
    else addEventListener('load', this.#waitForLogin);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('load', this.#waitForLogin);
    clearTimeout(this.#timer);
  }

  /** A gate without a client uses the page's first session. */
  protected override sessionSettings(): LoginSessionOptions | undefined {
    return this.clientId == null ? undefined : super.sessionSettings();
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('productType')) warnAboutProductType(this.productType);
    const { src, session, isConnected } = this;
    // Lit also updates an element that has left the page.
    if (isConnected && src != null && session?.snapshot.signedIn && !this.#settingProblem)
      this.#content.load(session, src);
    else this.#content.clear();
  }

  protected override update(changed: Map<PropertyKey, unknown>): void {
    const { state } = this;
    const { activeElement } = this.getRootNode() as ShadowRoot;
    const hadFocus = state !== this.getAttribute('state') && this.contains(activeElement);
    // A closed gate removes the content from the page.
    this.#takePanel(state);
    placeContent(this, state === 'open' ? this.#content.response.content : undefined);
    this.setAttribute('state', state);
    super.update(changed);
    this.#report(this.#failure);
    if (!hadFocus) return;
    // The focused control is no longer shown. The focus stays at this place of the page.
    this.tabIndex = -1;
    this.focus({ preventScroll: true });
  }

  protected override render(): TemplateResult {
    const { state } = this;
    if (state === 'open') return html`<slot></slot>`;
    const hasOwnContent = this.querySelector(`:scope > [slot="${state}"]`);
    return html`<slot name=${state} @slotchange=${this.#requestUpdate}>${
      hasOwnContent ? nothing : this.#notice(state)
    }</slot>`;
  }

  #notice(state: Exclude<GateState, 'open'>): TemplateResult {
    const { session, messages, snapshot } = this;
    const failure = state === 'error' ? (this.#failure ?? snapshot?.failure) : undefined;
    const code = failure && isForOwner(failure) ? failure.code : undefined;
    const isMember = state !== 'locked' || snapshot?.memberships?.length;
    const text = code ? messages.failures[code] : messages.gate[isMember ? state : 'none'];
    return html`<div part="notice" class="notice">
      <p role="status">${text}</p>
      ${
        state === 'signed-out'
          ? html`<latchkey-login .session=${session} .messages=${messages}></latchkey-login>`
          : code
            ? html`<p class="muted">${messages.errorCode(code)}</p>`
            : state === 'error'
              ? html`<button part="action" type="button" @click=${this.#retry}>
                ${messages.tryAgain}
              </button>`
              : nothing
      }
    </div>
    <latchkey-plans></latchkey-plans>`;
  }

  /** Shows a failed check instead of the login elements of the session, so that the page shows it once. */
  #takePanel(state: GateState): void {
    const { session } = this;
    if (state === 'error' && session?.snapshot.failure) takePanel(this, session);
    else if (session?.shownBy === this) session.shownBy = undefined;
  }

  /** Logs a failure and dispatches its event, once. */
  #report(failure: LoginFailure | undefined): void {
    if (failure?.message === this.#reported) return;
    this.#reported = failure?.message;
    if (!failure) return;
    logFailure(failure);
    emit(this, 'latchkey-error', failure);
  }

  async #retry(): Promise<void> {
    // The refresh comes first, because it may replace the token that the request for the content uses.
    await this.session?.refresh();
    this.reload();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'latchkey-gate': LatchkeyGate;
  }
}

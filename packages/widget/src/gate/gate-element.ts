import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import {
  createGateContent,
  explainSetting,
  mayPlace,
  placeContent,
  warnAboutProductType,
} from '../element/rest.js';
import { SessionElement } from '../element/session-element.js';
import { afterLoad, takePanel } from '../element/shared.js';
import { theme } from '../element/theme.styles.js';
import type { LoginSessionOptions } from '../session/login-session.js';
import { isForOwner, type LoginFailure, logFailure, misconfigured } from '../state/login-failure.js';
import { emit } from '../state/widget-events.js';
import { gateStyles } from './gate-element.styles.js';
import {
  type GateConditions,
  type GateState,
  gateState,
  type ProductTypes,
  ruleOf,
  uncheckedCondition,
} from './gate-rule.js';

/** How long a login element may take to appear after the page has loaded, in milliseconds. Scripts may add it late. */
const LOGIN_WAIT_MS = 3000;

/** How often to check whether content may be placed, in milliseconds. Frameworks don't report their hydration. */
const PLACE_POLL_MS = 50;

/**
 * Shows its content to members. Shows everyone else the reason and the next step. Without `src` the gate hides its content
 * but does not protect it, because the page's source contains it. With `src` the gate requests the content from the site's
 * server as the signed-in user, and the server decides.
 *
 * `community`, `product` and `plan` admit your own members. They need a `backend`. Without them the gate is cosmetic: it
 * opens for the members of any seller, also with `product-type`.
 *
 * @slot - The content for members.
 * @slot loading - Shown while the session is checked.
 * @slot signed-out - Shown to visitors who are signed out. Default: the reason and a sign-in button.
 * @slot locked - Shown to users without a required membership. Use it for a link to join. Default: the reason and, if
 *   `latchkey-plans.js` is on the page, the plans that the backend offers.
 * @slot error - Shown if the memberships could not be checked, or the gate is not set up correctly. Default: the reason
 *   and a button to try again.
 * @cssState loading - The session is checked.
 * @cssState signed-out - The visitor is signed out.
 * @cssState locked - The user has no required membership.
 * @cssState error - The memberships could not be checked, or the gate is not set up correctly.
 * @cssState open - The members' content is shown.
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
  /** True until the gates that are already in the page have been upgraded to this class. */
  static isDefining = true;
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

  readonly #content = createGateContent(this);
  readonly #requestUpdate = () => this.requestUpdate();
  /** Waits for the end of the update, in which happy-dom already reports the change. */
  readonly #slotChanged = () => queueMicrotask(this.#requestUpdate);
  #reported: string | undefined;
  #shown: GateState | undefined;
  /** True if the session's check had failed at the last update. */
  #hasFailed = false;
  /** True once a login element has had time to appear, and a framework time to hydrate the page. */
  #isLate = false;
  /** False if a framework may hydrate the gate: it was in the page before its class, or is parsed with the page. */
  readonly #isOwn = !(this.isConnected && LatchkeyGate.isDefining) && document.readyState !== 'loading';
  readonly #waitForLogin = () => {
    setTimeout(() => {
      this.#isLate = this.isConnected;
      this.requestUpdate();
    }, LOGIN_WAIT_MS);
  };

  /** The state of the gate. Styles select it as `:state(open)`. */
  get state(): GateState {
    const { snapshot } = this;
    if (this.#settingProblem) return 'error';
    if (!snapshot) return 'loading';
    const state = this.#isServerRule && snapshot.signedIn ? 'open' : gateState(snapshot, ruleOf(this));
    if (state !== 'open' || this.src == null) return state;
    const { response } = this.#content;
    return response.content && !(this.#isOwn || mayPlace(this, this.#isLate)) ? 'loading' : response.state;
  }

  /** True if the gate has `src` but no conditions. The server alone decides. */
  get #isServerRule(): boolean {
    return this.src != null && Object.values(ruleOf(this)).every(({ length }) => length === 0);
  }

  /** The setting that keeps the gate from working on this page. */
  get #settingProblem(): string | undefined {
    const { session, snapshot } = this;
    if (!session) return this.#isLate ? 'client-id' : undefined;
    if (snapshot?.signedIn && !snapshot.memberships && !this.#isServerRule) return 'scope';
    return uncheckedCondition(this, session);
  }

  /** Why the gate is closed, if the site's owner can fix it. */
  get #failure(): LoginFailure | undefined {
    const problem = this.#settingProblem;
    return problem ? misconfigured(explainSetting(problem)) : this.#content.response.failure;
  }

  /** Requests the content of `src` again. */
  reload(): void {
    this.#content.clear();
    this.requestUpdate();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    afterLoad(this.#waitForLogin);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#hasFailed = false;
  }

  /** A gate without a `client-id` uses the page's first session. */
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
    const hadFocus = state !== this.#shown && this.contains(activeElement);
    const { content } = this.#content.response;
    this.#takePanel(state);
    // A closed gate removes the content from the page.
    placeContent(this, state === 'open' ? content : undefined);
    if (content && state === 'loading') setTimeout(this.#requestUpdate, PLACE_POLL_MS);
    this.#shown = state;
    this.showState(state);
    super.update(changed);
    this.#report(this.#failure);
    // The focused control is no longer shown. Keep the focus at this place in the page.
    if (hadFocus) this.renderRoot.querySelector('span')?.focus({ preventScroll: true });
  }

  protected override render(): TemplateResult {
    const { state } = this;
    const isOpen = state === 'open';
    // If a script replaces the children, `slotchange` brings the content back.
    return html`<span tabindex="-1"></span><slot name=${isOpen ? nothing : state} @slotchange=${this.#slotChanged}>${
      isOpen || this.querySelector(`:scope > [slot="${state}"]`) ? nothing : this.#notice(state)
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

  /**
   * Shows a failed check in place of the session's login elements. The page then shows it once. Takes the panel only
   * when the failure begins: the element that had the panel updates too, and the two would fight over it forever.
   */
  #takePanel(state: GateState): void {
    const { session } = this;
    const hasFailed = state === 'error' && session?.snapshot.failure !== undefined;
    if (hasFailed && !this.#hasFailed) takePanel(this, session);
    else if (!hasFailed && session?.shownBy === this) session.shownBy = undefined;
    this.#hasFailed = hasFailed && this.isConnected;
  }

  /** Logs a failure and dispatches its event, once for as long as it lasts. */
  #report(failure: LoginFailure | undefined): void {
    if (failure?.message === this.#reported) return;
    this.#reported = failure?.message;
    // The message is empty until the rest of the widget has loaded and explains the setting.
    if (!failure?.message) return;
    logFailure(failure);
    emit(this, 'latchkey-error', failure);
  }

  async #retry(): Promise<void> {
    // Refresh first: it may replace the token that the request for the content uses.
    await this.session?.refresh();
    this.reload();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'latchkey-gate': LatchkeyGate;
  }
}

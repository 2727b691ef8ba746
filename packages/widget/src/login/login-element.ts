import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { accountMenu, placePanel, statusPanel } from '../element/rest.js';
import { SessionElement } from '../element/session-element.js';
import { showsPanel, takePanel } from '../element/shared.js';
import { theme } from '../element/theme.styles.js';
import { isForOwner, isOwnChoice } from '../state/login-failure.js';
import { isPending, type SessionSnapshot } from '../state/login-state.js';
import { emit, eventsBetween } from '../state/widget-events.js';
import { chevron, keyIcon } from './icons.js';
import { loginStyles } from './login-element.styles.js';
import type { Action, MembershipNames, Panel } from './panel.js';
import { findSide } from './placement.js';

/**
 * A button that signs the visitor in through a popup. While a user is signed in, it opens the account menu.
 *
 * @slot - Label of the button while signed out. Default: the `label` attribute.
 * @slot menu - Additional entries of the account menu, such as a link to an orders page.
 * @slot opening - Replaces the panel's content while the popup opens.
 * @slot waiting - Replaces the panel's content while the visitor is in the popup.
 * @slot exchanging - Replaces the panel's content while the sign-in finishes.
 * @slot signed-in - Replaces the content of the account menu.
 * @slot expired - Replaces the panel's content after the session expired.
 * @slot failed - Replaces the panel's content after a failure.
 * @csspart button - The main button.
 * @csspart panel - The box below the button: progress, a failure with the next step, or the account menu.
 * @csspart action - A button or a link in the panel.
 * @cssproperty --latchkey-accent - Background of the main button, and colour of the focus ring.
 * @cssproperty --latchkey-on-accent - Text on the accent.
 * @cssproperty --latchkey-surface - Background of the panel and of the account button.
 * @cssproperty --latchkey-text - Text.
 * @cssproperty --latchkey-muted - Secondary text.
 * @cssproperty --latchkey-line - Borders.
 * @cssproperty --latchkey-danger - Mark of a failure.
 * @cssproperty --latchkey-radius - Corner radius. Default 10px.
 * @cssproperty --latchkey-font - The `font` shorthand of all texts.
 * @cssproperty --latchkey-inline-size - Width that is reserved for the button in every state, so that the page does not
 *   shift. The button is as wide as its content, and at most this wide. Below 6rem it is an icon. Default 16rem.
 * @fires latchkey-change - The session changed; `detail` is its snapshot.
 * @fires latchkey-signed-in - A user signed in, or a session was restored.
 * @fires latchkey-signed-out - The user signed out.
 * @fires latchkey-expired - The session expired.
 * @fires latchkey-error - An operation failed; `detail.code` is the reason.
 */
export class LatchkeyLogin extends SessionElement {
  static override styles = [theme, loginStyles];
  static override properties: PropertyDeclarations = {
    label: { reflect: true },
    variant: { reflect: true },
    size: { reflect: true },
    // Without `useDefault`, Lit would rewrite the page's own attribute, such as `full-width="true"`.
    fullWidth: { attribute: 'full-width', type: Boolean, reflect: true, useDefault: true },
    compact: { type: Boolean, reflect: true, useDefault: true },
    accountUrl: { attribute: 'account-url', reflect: true },
    membershipNames: { attribute: 'membership-names', type: Object, reflect: true },
    _menuIsOpen: { state: true },
  };

  /** Label of the button while signed out. Default "Sign in". */
  declare label: string | null | undefined;
  /** Look of the button while signed out: `filled` (default), `outlined` or `plain`. */
  declare variant: 'filled' | 'outlined' | 'plain' | null | undefined;
  /** `small`, `medium` (default) or `large`. */
  declare size: 'small' | 'medium' | 'large' | null | undefined;
  /** Makes the button as wide as its container. */
  declare fullWidth: boolean;
  /** Reduces the button to a square of 44 px: a key while signed out, the user's initial while signed in. */
  declare compact: boolean;
  /**
   * Page where users manage their account. The account menu links to it. Default: the account page of the service if the
   * script came from there, and otherwise none. An empty value removes the link.
   */
  declare accountUrl: string | null | undefined;
  /**
   * Names of memberships in the account menu, as JSON: `{"id": "name"}`. Keys are ids of plans, products, communities or
   * memberships, or product types. Default: the names that the backend sends, and otherwise the product type.
   */
  declare membershipNames: MembershipNames | null | undefined;
  declare private _menuIsOpen: boolean;

  /** Aborts when the element leaves the page. */
  #connection = new AbortController();
  /** Places the panel. It's in the top layer, so it doesn't move with the page. */
  readonly #place = () => {
    const panel = this.shadowRoot?.querySelector<HTMLElement>('.panel');
    if (panel && this.isConnected) placePanel(panel, this);
  };
  readonly #side = findSide(this, this.#place);
  readonly #closeMenuOutside = (event: Event) => {
    if (!event.composedPath().includes(this)) this._menuIsOpen = false;
  };

  constructor() {
    super();
    this.fullWidth = false;
    this.compact = false;
    this._menuIsOpen = false;
    this.addEventListener('keydown', (event) => {
      // Keeps a dialog around the element open.
      if (event.key === 'Escape' && this.#dismiss()) event.preventDefault();
    });
    // A slot that isn't shown doesn't report changes to its content.
    new MutationObserver(() => this.requestUpdate()).observe(this, {
      subtree: true,
      childList: true,
      characterData: true,
      attributeFilter: ['slot'],
    });
  }

  /** Opens the popup, or focuses the open one. Call it in a click, or the browser blocks the popup. */
  signIn(): void {
    takePanel(this, this.session);
    this.session?.signIn();
  }

  /** Signs in with another account. Call it in a click, or the browser blocks the popup. */
  switchAccount(): void {
    takePanel(this, this.session);
    this.session?.switchAccount();
  }

  /** Ends the session. */
  async signOut(): Promise<void> {
    takePanel(this, this.session);
    await this.session?.signOut();
  }

  /** Checks the session and its memberships now. */
  async refresh(): Promise<void> {
    await this.session?.refresh();
  }

  /** Focuses the main button. */
  override focus(options?: FocusOptions): void {
    this.renderRoot.querySelector('button')?.focus(options);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const { signal } = this.#connection;
    for (const type of ['pointerdown', 'focusin'])
      document.addEventListener(type, this.#closeMenuOutside, { signal });
    // `capture` also catches scrolling inside the page.
    for (const type of ['resize', 'scroll']) addEventListener(type, this.#place, { capture: true, signal });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#connection.abort();
    this.#connection = new AbortController();
  }

  protected override sessionChanged(before: SessionSnapshot, after: SessionSnapshot): void {
    if (!after.signedIn) this._menuIsOpen = false;
    for (const [type, detail] of eventsBetween(before, after)) emit(this, type, detail);
  }

  protected override update(changed: Map<PropertyKey, unknown>): void {
    const focused = this.shadowRoot?.activeElement;
    super.update(changed);
    this.#place();
    // If the focused control is gone, the main button gets the focus. It always exists.
    if (focused && !this.shadowRoot?.activeElement) this.focus();
  }

  protected override render(): TemplateResult {
    const snapshot = this.snapshot ?? { status: 'signed-out', signedIn: false };
    const { status, signedIn } = snapshot;
    const [text, ...actions] = this.#panel(snapshot);
    const failure = actions[0] && snapshot.failure;
    const isCalm = failure && isOwnChoice(failure);
    const showsMenu = signedIn && this._menuIsOpen && !snapshot.failure;
    const shown = showsMenu || actions[0];
    return html`<div class="box">${signedIn ? this.#accountButton() : this.#signInButton(snapshot)}</div>
      <div id="panel" part=${shown ? 'panel' : ''} popover="manual" class="panel ${this.#side.value} ${shown ? '' : 'quiet'} ${isCalm ? 'calm' : ''}">
        <slot name=${status}>
          <div class="head">
            ${showsMenu ? this.#initial() : failure ? html`<span class="mark" aria-hidden="true">${isCalm ? 'i' : '!'}</span>` : nothing}
            <p id="status" role="status">${text}</p>
          </div>
          ${failure && isForOwner(failure) ? html`<p class="muted code">${this.messages.errorCode(failure.code)}</p>` : nothing}
          ${showsMenu ? accountMenu(this) : shown ? this.#actions(actions, !isCalm) : nothing}
        </slot>
      </div>`;
  }

  #signInButton(snapshot: SessionSnapshot): TemplateResult {
    const busy = snapshot.status === 'checking' || isPending(snapshot);
    return html`<button
      class="main accent ${this.#side.value}"
      part="button"
      type="button"
      aria-describedby="status"
      @click=${this.signIn}
    >
      ${busy ? html`<span class="spinner"></span>` : keyIcon}
      <span class="text"><slot name=${this.#hasLabel ? nothing : '-'}>${this.label || this.messages.signIn}</slot></span>
    </button>`;
  }

  #accountButton(): TemplateResult {
    return html`<button
      class="main account ${this.#side.value}"
      part="button"
      type="button"
      aria-expanded=${this._menuIsOpen}
      aria-controls="panel"
      @click=${this.#toggleMenu}
    >
      ${this.#initial()}
      <span class="text name" dir="auto">${this.#name}</span>
      ${chevron}
    </button>`;
  }

  /** Returns the panel of the current state. It's empty if another element shows the session's panel. */
  #panel(snapshot: SessionSnapshot): Panel {
    const { messages, signIn, session } = this;
    const { status, failure } = snapshot;
    const dismiss: Action = [messages.dismiss, this.#dismiss];
    if (!session || status === 'checking' || status === 'signed-out' || !showsPanel(this, session))
      return [''];
    if (failure) {
      const { code, during } = failure;
      const retry = { check: this.refresh, 'sign-in': signIn, 'sign-out': this.signOut }[during];
      // A session that the page created can fail before all messages have loaded.
      const text = `${during === 'sign-out' ? `${messages.stillSignedIn} ` : ''}${messages.failures[code] ?? ''}`;
      return isForOwner(failure) && !failure.canRetry
        ? [text, dismiss]
        : [text, [messages.tryAgain, retry], dismiss];
    }
    return statusPanel(this, snapshot, this.#dismiss);
  }

  #actions(actions: Action[], hasPrimary: boolean): TemplateResult {
    const buttons = actions.map(([label, onClick], index) => {
      const kind = index === 0 && actions[1] && hasPrimary ? 'accent' : '';
      return html`<button class=${kind} part="action" type="button" @click=${onClick}>${label}</button>`;
    });
    return html`<div class="actions">${buttons}</div>`;
  }

  /** True if the page has put a label into the element. White space around entries of the menu doesn't count. */
  get #hasLabel(): boolean {
    const nodes = [...this.childNodes] as { slot?: string; wholeText?: string }[];
    return nodes.some(({ slot, wholeText }) => slot === '' || wholeText?.trim());
  }

  get #name(): string {
    return this.user?.email ?? this.messages.account;
  }

  #initial(): TemplateResult {
    return html`<span class="initial" aria-hidden="true">${this.#name.charAt(0)}</span>`;
  }

  #toggleMenu(): void {
    takePanel(this, this.session);
    this._menuIsOpen = !this._menuIsOpen;
  }

  /**
   * Closes the menu. If it is closed, cancels the sign-in or dismisses the failure.
   * @returns true if anything changed.
   */
  #dismiss(): boolean {
    const { snapshot, _menuIsOpen } = this;
    if (_menuIsOpen) this._menuIsOpen = false;
    else this.session?.cancel();
    return _menuIsOpen || snapshot !== this.snapshot;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'latchkey-login': LatchkeyLogin;
  }
}

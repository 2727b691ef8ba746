import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { emit, eventsBetween } from '../events/widget-events.js';
import { isPending } from '../state/login-state.js';
import type { SessionSnapshot } from '../state/session-snapshot.js';
import { chevron, keyIcon } from './icons.js';
import { keepInView } from './keep-in-view.js';
import { loginStyles } from './login-element.styles.js';
import { membershipLine } from './membership-line.js';
import { SessionElement } from './session-element.js';
import { theme } from './theme.styles.js';

/** A button in the panel. */
type Action = [label: string, onClick: () => void];

/** The text of the panel below the button, and its actions. Without actions, only screen readers receive the text. */
type Panel = [text: string, ...actions: Action[]];

/**
 * A button that signs the visitor in through a popup. While a user is signed in, it opens the account menu.
 *
 * @slot - Label of the button while signed out. Default: the `label` attribute.
 * @slot menu - Additional entries of the account menu, such as a link to an account page.
 * @slot opening - Replaces the panel's content while the popup opens.
 * @slot waiting - Replaces the panel's content while the visitor is in the popup.
 * @slot exchanging - Replaces the panel's content while the sign-in finishes.
 * @slot signed-in - Replaces the content of the account menu.
 * @slot expired - Replaces the panel's content after the session expired.
 * @slot failed - Replaces the panel's content after a failure.
 * @csspart button - The main button.
 * @csspart panel - The box below the button: progress, a failure with the next step, or the account menu.
 * @csspart action - A button in the panel.
 * @cssproperty --latchkey-accent - Background of the main button, and colour of the focus ring.
 * @cssproperty --latchkey-on-accent - Text on the accent.
 * @cssproperty --latchkey-surface - Background of the panel and of the account button.
 * @cssproperty --latchkey-text - Text.
 * @cssproperty --latchkey-muted - Secondary text.
 * @cssproperty --latchkey-line - Borders.
 * @cssproperty --latchkey-danger - Mark of a failure.
 * @cssproperty --latchkey-radius - Corner radius. Default 10px.
 * @cssproperty --latchkey-font - The `font` shorthand of all texts.
 * @cssproperty --latchkey-layer - `z-index` of the panel. Default 1000.
 * @cssproperty --latchkey-inline-size - Width of the button in every state, so that the page does not shift. Default
 *   12.5rem.
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
    fullWidth: { attribute: 'full-width', type: Boolean, reflect: true },
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
  declare private _menuIsOpen: boolean;

  readonly #closeMenuOutside = (event: Event) => {
    if (!event.composedPath().includes(this)) this._menuIsOpen = false;
  };

  constructor() {
    super();
    this.fullWidth = false;
    this._menuIsOpen = false;
    this.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') this.#dismiss();
    });
  }

  /** Opens the popup, or focuses the open one. Call it in a click, or the browser blocks the popup. */
  signIn(): void {
    this.session?.signIn();
  }

  /** Ends the session. */
  async signOut(): Promise<void> {
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
    for (const type of ['pointerdown', 'focusin']) document.addEventListener(type, this.#closeMenuOutside);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const type of ['pointerdown', 'focusin']) document.removeEventListener(type, this.#closeMenuOutside);
  }

  protected override sessionChanged(before: SessionSnapshot, after: SessionSnapshot): void {
    if (!after.signedIn) this._menuIsOpen = false;
    for (const [type, detail] of eventsBetween(before, after)) emit(this, type, detail);
  }

  protected override update(changed: Map<PropertyKey, unknown>): void {
    const focused = this.shadowRoot?.activeElement;
    super.update(changed);
    // A hidden panel is not measured, because measuring forces a layout.
    const panel = this.renderRoot.querySelector<HTMLElement>('.panel:not(.quiet)');
    if (panel) keepInView(panel, this);
    // If the focused control was removed, the main button, which always exists, gets the focus.
    if (focused && !this.shadowRoot?.activeElement) this.focus();
  }

  protected override render(): TemplateResult {
    const snapshot = this.snapshot ?? { status: 'signed-out', signedIn: false };
    const { status, signedIn, failure } = snapshot;
    const [text, ...actions] = this.#panel(snapshot);
    const showsMenu = signedIn && this._menuIsOpen && !failure;
    const shown = showsMenu || actions.length > 0;
    return html`${signedIn ? this.#accountButton(snapshot) : this.#signInButton(snapshot)}
      <div id="panel" part=${shown ? 'panel' : ''} class="panel ${shown ? '' : 'quiet'} ${failure ? 'problem' : ''}">
        <slot name=${status}>
          <p id="status" role="status">${text}</p>
          ${showsMenu ? this.#menu(snapshot) : shown ? this.#actions(actions) : nothing}
        </slot>
      </div>`;
  }

  #signInButton(snapshot: SessionSnapshot): TemplateResult {
    const busy = snapshot.status === 'checking' || isPending(snapshot);
    return html`<button class="main accent" part="button" type="button" aria-describedby="status" @click=${this.signIn}>
      ${busy ? html`<span class="spinner"></span>` : keyIcon}
      <slot>${this.label || this.messages.signIn}</slot>
    </button>`;
  }

  #accountButton(snapshot: SessionSnapshot): TemplateResult {
    const name = snapshot.user?.email ?? this.messages.account;
    return html`<button
      class="main account"
      part="button"
      type="button"
      aria-expanded=${this._menuIsOpen}
      aria-controls="panel"
      @click=${this.#toggleMenu}
    >
      <span class="initial" aria-hidden="true">${name.charAt(0)}</span>
      <span class="name" dir="auto">${name}</span>
      ${chevron}
    </button>`;
  }

  #panel({ status, failure, user }: SessionSnapshot): Panel {
    const { messages, signIn } = this;
    const dismiss: Action = [messages.dismiss, this.#dismiss];
    const cancel: Action = [messages.cancel, this.#dismiss];
    if (failure) {
      const retry = { check: this.refresh, 'sign-in': signIn, 'sign-out': this.signOut }[failure.during];
      return [messages.failures[failure.code], [messages.tryAgain, retry], dismiss];
    }
    switch (status) {
      case 'opening':
      case 'exchanging':
        return [messages[status], cancel];
      case 'waiting':
        return [messages.waiting, [messages.showWindow, signIn], cancel];
      case 'expired':
        return [messages.expired, [messages.signInAgain, signIn], dismiss];
      case 'signed-in':
        return [user?.email ? messages.signedInAs(user.email) : messages.signedIn];
      default:
        return [''];
    }
  }

  #menu({ memberships }: SessionSnapshot): TemplateResult {
    const { messages } = this;
    const list = memberships?.length
      ? memberships.map((membership) => membershipLine(membership, messages))
      : html`<li class="muted">${messages.noMemberships}</li>`;
    return html`${memberships ? html`<ul>${list}</ul>` : nothing}
      <slot name="menu"></slot>
      ${this.#actions([[messages.signOut, this.signOut]])}`;
  }

  #actions(actions: Action[]): TemplateResult {
    const buttons = actions.map(([label, onClick], index) => {
      const kind = index === 0 && actions[1] ? 'accent' : '';
      return html`<button class=${kind} part="action" type="button" @click=${onClick}>${label}</button>`;
    });
    return html`<div class="actions">${buttons}</div>`;
  }

  #toggleMenu(): void {
    this._menuIsOpen = !this._menuIsOpen;
  }

  /** Closes the menu. Without a menu, cancels the attempt or dismisses the failure. */
  #dismiss(): void {
    if (this._menuIsOpen) this._menuIsOpen = false;
    else this.session?.cancel();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'latchkey-login': LatchkeyLogin;
  }
}

import { html, nothing, type TemplateResult } from 'lit/html.js';
import { isUnderWay } from '../core/login-state.js';
import type { SessionSnapshot } from '../core/session-snapshot.js';
import { emit, eventsBetween } from '../events/widget-events.js';
import { chevron, keyIcon } from './icons.js';
import { keepInView } from './keep-in-view.js';
import { loginStyles } from './login-element.styles.js';
import { membershipLine } from './membership-line.js';
import { SessionElement } from './session-element.js';
import { theme } from './theme.styles.js';
import { reflectAttributes } from './view-element.js';

/** What the panel below the button says. The text is there for the ears also while nothing is shown. */
interface Panel {
  text: string;
  shown?: boolean;
  rest?: TemplateResult;
}

/**
 * A button that signs the visitor in through a popup, and then shows who is signed in.
 *
 * @attr {boolean} full-width - Fills the line.
 * @slot - What the button says when nobody is signed in. Default: the `label`.
 * @slot menu - More for the account menu, such as a link to an account page.
 * @slot opening - Instead of the panel's content in this state; so do the others.
 * @slot waiting - While the visitor is in the popup.
 * @slot exchanging - While the sign-in is finished.
 * @slot signed-in - Instead of the account menu's content.
 * @slot expired - When the session ended by itself.
 * @slot failed - When something failed.
 * @csspart button - The main button.
 * @csspart panel - What opens below it: progress, a failure with the next step, or the account menu.
 * @csspart action - A button in the panel.
 * @cssproperty --latchkey-accent - Background of the main button, and the focus ring.
 * @cssproperty --latchkey-on-accent - Text on the accent.
 * @cssproperty --latchkey-surface - Background of the panel and of the account button.
 * @cssproperty --latchkey-text - Text.
 * @cssproperty --latchkey-muted - Secondary text.
 * @cssproperty --latchkey-line - Borders.
 * @cssproperty --latchkey-danger - Mark of a failure.
 * @cssproperty --latchkey-radius - Corner radius. Default 10px.
 * @cssproperty --latchkey-font - The `font` shorthand of every text.
 * @cssproperty --latchkey-layer - `z-index` of the panel. Default 1000.
 * @cssproperty --latchkey-inline-size - Width of the button in every state, so that nothing moves when it changes. Default
 *   12.5rem.
 * @fires latchkey-change - Anything about the session changed; `detail` is its snapshot.
 * @fires latchkey-signed-in - Somebody is signed in now.
 * @fires latchkey-signed-out - The user signed out.
 * @fires latchkey-expired - The session ended by itself.
 * @fires latchkey-error - Something failed; `detail.code` says what.
 */
export class LatchkeyLogin extends SessionElement {
  static override styles = [theme, loginStyles];
  static override observedAttributes = [...SessionElement.observedAttributes, 'label', 'variant', 'size'];

  /** What the button says when nobody is signed in. Default "Sign in". */
  declare label: string | null;
  /** How the button looks before somebody is signed in: `filled` (the default), `outlined`, or `plain`. */
  declare variant: 'filled' | 'outlined' | 'plain' | null;
  /** `small`, `medium` (the default) or `large`. */
  declare size: 'small' | 'medium' | 'large' | null;
  #menuIsOpen = false;

  constructor() {
    super();
    this.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') this.#dismiss();
    });
  }

  /** Opens the popup, or brings it forward. Call it in a click: browsers block windows that open by themselves. */
  signIn(): void {
    this.session?.signIn();
  }

  /** Ends the session. */
  async signOut(): Promise<void> {
    await this.session?.signOut();
  }

  /** Looks at the session again now: whether it still stands, and its memberships. */
  async refresh(): Promise<void> {
    await this.session?.refresh();
  }

  /** Focuses the main button. */
  override focus(options?: FocusOptions): void {
    this.shadowRoot?.querySelector('button')?.focus(options);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const close = (event: Event) => {
      if (!event.composedPath().includes(this)) this.#showMenu(false);
    };
    for (const type of ['pointerdown', 'focusin']) {
      document.addEventListener(type, close, { signal: this.connection.signal });
    }
  }

  protected override sessionChanged(before: SessionSnapshot, after: SessionSnapshot): void {
    if (!after.signedIn) this.#menuIsOpen = false;
    for (const [type, detail] of eventsBetween(before, after)) emit(this, type, detail);
  }

  protected override update(rendering: () => void): void {
    const hadFocus = this.shadowRoot?.activeElement;
    rendering();
    const panel = this.shadowRoot?.querySelector<HTMLElement>('.panel');
    if (panel) keepInView(panel, this);
    // The control that had the focus may be gone; the main button never is.
    if (hadFocus && !this.shadowRoot?.activeElement) this.focus();
  }

  protected override render(): TemplateResult {
    const snapshot = this.snapshot ?? { status: 'signed-out', signedIn: false };
    const { text, shown, rest } = this.#panel(snapshot);
    const { status } = snapshot;
    return html`${snapshot.signedIn ? this.#accountButton(snapshot) : this.#signInButton(snapshot)}
      <div id="panel" part=${shown ? 'panel' : ''} class="panel ${shown ? '' : 'quiet'} ${snapshot.failure ? 'problem' : ''}">
        <slot name=${status}>
          <p id="status" role="status">${text}</p>
          ${shown ? rest : nothing}
        </slot>
      </div>`;
  }

  #signInButton(snapshot: SessionSnapshot): TemplateResult {
    const busy = snapshot.status === 'checking' || isUnderWay(snapshot);
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
      aria-expanded=${this.#menuIsOpen}
      aria-controls="panel"
      @click=${() => this.#showMenu(!this.#menuIsOpen)}
    >
      <span class="initial" aria-hidden="true">${name.charAt(0)}</span>
      <span class="name" dir="auto">${name}</span>
      ${chevron}
    </button>`;
  }

  #panel(snapshot: SessionSnapshot): Panel {
    const { messages } = this;
    const { status, failure, user } = snapshot;
    if (failure) {
      const again = { check: this.refresh, 'sign-in': this.signIn, 'sign-out': this.signOut }[failure.during];
      return {
        text: messages.failures[failure.code],
        shown: true,
        rest: this.#actions([messages.tryAgain, again], [messages.dismiss, this.#dismiss]),
      };
    }
    switch (status) {
      case 'opening':
      case 'exchanging':
        return { text: messages[status], shown: true, rest: this.#actions([messages.cancel, this.#dismiss]) };
      case 'waiting':
        return {
          text: messages.waiting,
          shown: true,
          rest: this.#actions([messages.showWindow, this.signIn], [messages.cancel, this.#dismiss]),
        };
      case 'expired':
        return {
          text: messages.expired,
          shown: true,
          rest: this.#actions([messages.signInAgain, this.signIn], [messages.dismiss, this.#dismiss]),
        };
      case 'signed-in':
        return {
          text: user?.email ? messages.signedInAs(user.email) : messages.signedIn,
          shown: this.#menuIsOpen,
          rest: this.#menu(snapshot),
        };
      default:
        return { text: '' };
    }
  }

  #menu({ memberships }: SessionSnapshot): TemplateResult {
    const { messages } = this;
    const list = memberships?.length
      ? memberships.map((membership) => membershipLine(membership, messages))
      : html`<li class="muted">${messages.noMemberships}</li>`;
    return html`${memberships ? html`<ul>${list}</ul>` : nothing}
      <slot name="menu"></slot>
      ${this.#actions([messages.signOut, this.signOut])}`;
  }

  #actions(...actions: [text: string, onClick: () => void][]): TemplateResult {
    const buttons = actions.map(([text, onClick], place) => {
      const kind = place === 0 && actions[1] ? 'accent' : '';
      return html`<button class=${kind} part="action" type="button" @click=${onClick}>${text}</button>`;
    });
    return html`<div class="actions">${buttons}</div>`;
  }

  #showMenu(open: boolean): void {
    if (open === this.#menuIsOpen) return;
    this.#menuIsOpen = open;
    this.requestUpdate();
  }

  /** Closes the menu, or else ends what the panel is about. */
  #dismiss(): void {
    if (this.#menuIsOpen) this.#showMenu(false);
    else this.session?.cancel();
  }
}

reflectAttributes(LatchkeyLogin);

declare global {
  interface HTMLElementTagNameMap {
    'latchkey-login': LatchkeyLogin;
  }
}

import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { baseStyles } from './base.styles.js';
import { checkIcon, copyIcon } from './icons.js';

const SHOWN_MS = 2000;

/**
 * A button that copies text. As an icon, it goes next to a value or in its corner.
 *
 * @slot - Label. Default: "Copy".
 */
@customElement('console-copy')
export class ConsoleCopy extends LitElement {
  static override styles = [
    baseStyles,
    css`
      :host {
        display: inline-block;
      }
      :host([icon]) {
        margin-block: -0.375rem;
        vertical-align: middle;
      }
      /* This element is the script that the styles of the pages wait for. */
      .copy-button {
        display: inline-flex;
        visibility: visible;
      }
      .copy-button.failed {
        padding-inline: 0.375rem;
        color: var(--danger);
      }
    `,
  ];

  @property() text!: string;
  /** What is copied, for screen readers: "Copy" becomes "Copy the curl command". */
  @property() name!: string;
  /**
   * True to show an icon in place of the label.
   *
   * @default false
   */
  @property({ type: Boolean, reflect: true }) icon = false;
  @state() private _outcome: '' | 'Copied' | 'Not allowed' = '';

  async #copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.text);
      this._outcome = 'Copied';
    } catch {
      this._outcome = 'Not allowed';
    }
    setTimeout(() => {
      this._outcome = '';
    }, SHOWN_MS);
  }

  protected override render(): TemplateResult {
    return html`${this.icon ? this.#iconButton() : this.#textButton()}
      <span class="visually-hidden" role="status">${this._outcome === '' ? '' : `${this._outcome}: ${this.name}`}</span>`;
  }

  #textButton(): TemplateResult {
    return html`<button class="button secondary small" type="button" @click=${this.#copy}>
      ${this._outcome === '' ? html`<slot>Copy</slot>` : this._outcome}
      <span class="visually-hidden">${this.name}</span>
    </button>`;
  }

  #iconButton(): TemplateResult {
    const isCopied = this._outcome === 'Copied';
    const isRefused = this._outcome === 'Not allowed';
    return html`<button
      class="copy-button ${isCopied ? 'copied' : ''} ${isRefused ? 'failed' : ''}"
      type="button"
      title="Copy"
      @click=${this.#copy}
    >
      ${isRefused ? this._outcome : isCopied ? checkIcon : copyIcon}
      <span class="visually-hidden">Copy ${this.name}</span>
    </button>`;
  }
}

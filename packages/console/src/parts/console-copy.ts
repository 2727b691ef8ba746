import { css, html, LitElement, type PropertyDeclarations, type TemplateResult } from 'lit';
import { baseStyles } from './base.styles.js';
import { formStyles } from './form.styles.js';

const SHOWN_MS = 2000;

/**
 * Button that copies a text.
 *
 * @slot - Label. Default: "Copy".
 */
export class ConsoleCopy extends LitElement {
  static override styles = [
    baseStyles,
    formStyles,
    css`
      :host {
        display: inline-block;
      }
    `,
  ];
  static override properties: PropertyDeclarations = {
    text: {},
    name: {},
    _outcome: { state: true },
  };

  /** Text to copy. */
  declare text: string;
  /** Name of the text, for screen readers: "Copy" becomes "Copy the curl command". */
  declare name: string;
  declare private _outcome: '' | 'Copied' | 'Not allowed';

  constructor() {
    super();
    this._outcome = '';
  }

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
    return html`<button class="button secondary small" type="button" @click=${this.#copy}>
        ${this._outcome === '' ? html`<slot>Copy</slot>` : this._outcome}
        <span class="visually-hidden">${this.name}</span>
      </button>
      <span class="visually-hidden" role="status">${this._outcome === '' ? '' : `${this._outcome}: ${this.name}`}</span>`;
  }
}

customElements.define('console-copy', ConsoleCopy);

import { css, html, LitElement, type PropertyDeclarations, type TemplateResult } from 'lit';
import { baseStyles } from './base.styles.js';
import { formStyles } from './form.styles.js';
import { closeIcon } from './icons.js';

/**
 * Message at the top of a view.
 *
 * @slot - Text.
 * @fires console-dismiss - The visitor closed it.
 */
export class ConsoleNotice extends LitElement {
  static override styles = [
    baseStyles,
    formStyles,
    css`
      :host {
        margin-block-end: 0.75rem;
      }
      .notice {
        justify-content: space-between;
        padding-block: 0.375rem;
      }
      .text {
        align-self: center;
        min-inline-size: 0;
        overflow-wrap: anywhere;
      }
    `,
  ];
  static override properties: PropertyDeclarations = { kind: {} };

  /** `alert` for a failure, `status` for anything else. */
  declare kind: 'alert' | 'status';

  protected override render(): TemplateResult {
    return html`<div class="notice ${this.kind === 'alert' ? 'refusal' : ''}">
      <div class="text" role=${this.kind}><slot></slot></div>
      <button class="icon-button" type="button" aria-label="Close" @click=${() => this.dispatchEvent(new Event('console-dismiss'))}>
        ${closeIcon}
      </button>
    </div>`;
  }
}

customElements.define('console-notice', ConsoleNotice);

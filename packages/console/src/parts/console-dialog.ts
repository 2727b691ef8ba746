import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { baseStyles } from './base.styles.js';

/**
 * A native modal dialog. The browser keeps the focus inside and returns it afterwards; Escape closes it.
 *
 * @slot - Content, with its buttons.
 * @fires console-close - It closed.
 */
@customElement('console-dialog')
export class ConsoleDialog extends LitElement {
  static override styles = [
    baseStyles,
    css`
      /* A closed dialog is no item of the page's layout. */
      :host {
        display: contents;
      }
      .dialog {
        inline-size: min(100vw - 2rem, 36rem);
      }
      .dialog-heading {
        margin-block-end: 0.75rem;
      }
    `,
  ];

  @property() heading = '';
  @property({ type: Boolean }) open = false;

  protected override updated(): void {
    const dialog = this.renderRoot.querySelector('dialog');
    if (dialog === null || dialog.open === this.open) return;
    if (this.open) dialog.showModal();
    else dialog.close();
  }

  /**
   * Escape closes it by setting `open`: the browser reports the end of a dialog in a later task, and would close a
   * dialog that the visitor has reopened meanwhile.
   */
  #cancel(event: Event): void {
    event.preventDefault();
    this.#tellClosed();
  }

  /** Ignores a report about an earlier opening. */
  #closed({ currentTarget }: Event): void {
    if (currentTarget instanceof HTMLDialogElement && !currentTarget.open && this.open) this.#tellClosed();
  }

  #tellClosed(): void {
    this.open = false;
    this.dispatchEvent(new Event('console-close'));
  }

  protected override render(): TemplateResult {
    return html`<dialog class="dialog" aria-labelledby="heading" @cancel=${this.#cancel} @close=${this.#closed}>
      <div class="dialog-heading">
        <h2 id="heading">${this.heading}</h2>
        <button
          class="button quiet small"
          type="button"
          @click=${this.#tellClosed}
        >
          Close
        </button>
      </div>
      <slot></slot>
    </dialog>`;
  }
}

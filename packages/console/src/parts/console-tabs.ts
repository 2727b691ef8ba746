import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { baseStyles } from './base.styles.js';

/**
 * A row of tabs. The slot with the name of the selected tab is its panel.
 *
 * @fires console-tab - Another tab was selected: `detail` is its name.
 */
@customElement('console-tabs')
export class ConsoleTabs extends LitElement {
  static override styles = [
    baseStyles,
    css`
      [role='tablist'] {
        display: flex;
        gap: 0.25rem;
        overflow-x: auto;
        border-block-end: 1px solid var(--line);
      }
      [role='tab'] {
        min-block-size: 2.25rem;
        padding-inline: 0.75rem;
        font: inherit;
        font-weight: 500;
        color: var(--muted);
        background: none;
        border: 0;
        border-block-end: 2px solid transparent;
        cursor: pointer;
        white-space: nowrap;
      }
      [role='tab'][aria-selected='true'] {
        color: var(--text);
        border-block-end-color: var(--accent);
      }
      [role='tab']:focus-visible {
        outline-offset: -2px;
        border-radius: 6px;
      }
      [role='tabpanel'] {
        padding-block-start: 0.75rem;
      }
    `,
  ];

  @property({ attribute: false }) tabs: readonly { readonly name: string; readonly label: string }[] = [];
  @property() selected = '';
  /** Name of the whole row, for screen readers. */
  @property() label = '';

  #choose(name: string): void {
    if (name === this.selected) return;
    this.selected = name;
    this.dispatchEvent(new CustomEvent('console-tab', { detail: name }));
  }

  #move(event: KeyboardEvent): void {
    const isRtl = getComputedStyle(this).direction === 'rtl';
    const step = { ArrowRight: isRtl ? -1 : 1, ArrowLeft: isRtl ? 1 : -1 }[event.key];
    const index = this.tabs.findIndex(({ name }) => name === this.selected);
    const ends: Record<string, number> = { Home: 0, End: this.tabs.length - 1 };
    const to = step === undefined ? ends[event.key] : (index + step + this.tabs.length) % this.tabs.length;
    const tab = to === undefined ? undefined : this.tabs[to];
    if (tab === undefined) return;
    event.preventDefault();
    this.#choose(tab.name);
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLElement>('[aria-selected="true"]')?.focus(),
    );
  }

  protected override render(): TemplateResult {
    return html`<div role="tablist" aria-label=${this.label} @keydown=${this.#move}>
        ${this.tabs.map(
          ({ name, label }) =>
            html`<button
              type="button"
              role="tab"
              id="tab-${name}"
              aria-selected=${name === this.selected}
              aria-controls="panel"
              tabindex=${name === this.selected ? 0 : -1}
              @click=${() => this.#choose(name)}
            >
              ${label}
            </button>`,
        )}
      </div>
      <div role="tabpanel" id="panel" aria-labelledby="tab-${this.selected}">
        <slot name=${this.selected}></slot>
      </div>`;
  }
}

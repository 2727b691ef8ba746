import type { Fault } from '@latchkey/sandbox';
import { css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { baseStyles } from '../parts/base.styles.js';
import { formStyles } from '../parts/form.styles.js';
import { faultText, isActive } from './active-faults.js';
import { type ConsoleContext, ConsoleErrorEvent } from './console-view.js';

/** Note above each view while faults are active: failures then come from the sandbox and not from your site. */
export class FaultBanner extends LitElement {
  static override styles = [
    baseStyles,
    formStyles,
    css`
      .banner {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.5rem 0.75rem;
        margin-block-end: 0.75rem;
        padding: 0.375rem 0.375rem 0.375rem 0.875rem;
        color: var(--ribbon-text);
        background: var(--ribbon);
        border-radius: var(--radius);
      }
      p {
        flex: 1;
        min-inline-size: 12rem;
        overflow-wrap: anywhere;
      }
      a {
        color: inherit;
      }
    `,
  ];
  static override properties: PropertyDeclarations = {
    context: { attribute: false },
    isOnFaults: { type: Boolean, attribute: 'is-on-faults' },
    _active: { state: true },
  };
  declare context: ConsoleContext;
  /** True above the list of faults, which has the link's target and the button. */
  declare isOnFaults: boolean;
  declare private _active: readonly Fault[];
  #end: (() => void) | undefined;
  /** Grows with each reading. Answers to earlier ones are dropped. */
  #round = 0;

  constructor() {
    super();
    this.isOnFaults = false;
    this._active = [];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#end = this.context.live.subscribe(({ type }) => {
      // A call or a delivery can use up the last time of a fault.
      const usesUp = (type === 'request' || type === 'delivery') && this._active.length > 0;
      if (['connected', 'faults', 'reset'].includes(type) || usesUp) void this.#load();
    });
    void this.#load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#end?.();
  }

  async #load(): Promise<void> {
    this.#round += 1;
    const round = this.#round;
    try {
      const { faults } = await this.context.api.get<{ faults: readonly Fault[] }>('/faults');
      if (round === this.#round) this._active = faults.filter(isActive);
    } catch (error) {
      this.dispatchEvent(new ConsoleErrorEvent(error));
    }
  }

  async #clear(): Promise<void> {
    try {
      await this.context.api.delete('/faults');
      await this.#load();
    } catch (error) {
      this.dispatchEvent(new ConsoleErrorEvent(error));
    }
  }

  protected override render(): TemplateResult {
    const [first, ...others] = this._active;
    return html`<div role="status">${
      first === undefined
        ? nothing
        : html`<div class="banner">
            <p>
              <strong>${this._active.length === 1 ? 'A fault is active' : `${this._active.length} faults are active`}:</strong>
              ${faultText(first)}${others.length === 0 ? '' : ` and ${others.length} more`}.
              ${this.isOnFaults ? nothing : html`<a href="/sandbox/faults">Show faults</a>`}
            </p>
            ${this.isOnFaults ? nothing : html`<button class="button secondary small" type="button" @click=${this.#clear}>Clear all faults</button>`}
          </div>`
    }</div>`;
  }
}

customElements.define('console-fault-banner', FaultBanner);

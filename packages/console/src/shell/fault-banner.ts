import type { Fault } from '@latchkey/sandbox';
import { css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { LiveEvent } from '../api/live.js';
import { baseStyles } from '../parts/base.styles.js';
import { ConsoleView } from './console-view.js';

/** A note above each view while faults are active: failures may then come from the sandbox instead of your site. */
@customElement('console-fault-banner')
export class FaultBanner extends ConsoleView {
  static override styles = [
    baseStyles,
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
  /** True above the list of faults, where the link and the button aren't needed. */
  @property({ type: Boolean, attribute: 'is-on-faults' }) isOnFaults = false;
  @state() private _active: readonly Fault[] = [];

  protected override liveEvent({ type }: LiveEvent): void {
    // A call or a delivery can use up a fault's last time.
    const usesUp = (type === 'request' || type === 'delivery') && this._active.length > 0;
    if (['connected', 'faults', 'reset'].includes(type) || usesUp) void this.load();
  }

  override async load(): Promise<void> {
    const read = await this.latest(() => this.api.call('GET /faults'));
    if (read !== undefined) this._active = read.faults.filter(isActive);
  }

  async #clear(): Promise<void> {
    if (await this.succeeds(() => this.api.call('DELETE /faults'))) await this.load();
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

export function isActive({ times, changed }: Fault): boolean {
  return times === undefined || changed < times;
}

function faultText({ effect, endpoint, client, webhook, event }: Fault): string {
  const amount = 'ms' in effect ? ` ${effect.ms} ms` : 'status' in effect ? ` ${effect.status}` : '';
  const target = endpoint ?? event ?? (webhook === undefined ? 'everything' : 'one webhook');
  return `${effect.kind}${amount}, ${target}${client === undefined ? '' : `, ${client}`}`;
}

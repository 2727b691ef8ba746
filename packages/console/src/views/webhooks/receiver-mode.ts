import type { ReceiverState } from '@latchkey/sandbox';
import { css, html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { baseStyles } from '../../parts/base.styles.js';
import { ControlElement } from '../../shell/console-view.js';

const MODES = [
  ['accept', '204'],
  ['fail', '500'],
  ['hang', 'timeout'],
] as const;

/** Controls the built-in receiver: how it responds, and what arrived last. */
@customElement('console-receiver-mode')
export class ReceiverModeControl extends ControlElement {
  static override styles = [
    baseStyles,
    css`
      fieldset {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.375rem 0.625rem;
      }
      legend {
        float: inline-start;
      }
    `,
  ];
  @state() private _state: ReceiverState | undefined;

  override async load(): Promise<void> {
    this._state = (await this.attempt(() => this.api.call('GET /receiver'))) ?? this._state;
  }

  async #choose(mode: ReceiverState['mode'], label: string): Promise<void> {
    const state = await this.attempt(() => this.api.call('POST /receiver', { mode }));
    if (state === undefined) return;
    this._state = state;
    this.announce(`The built-in receiver replies with ${label}.`);
  }

  protected override render(): TemplateResult {
    const [last] = this._state?.arrived ?? [];
    return html`<fieldset>
      <legend>Built-in receiver: reply with</legend>
      <div class="segments">
        ${MODES.map(
          ([mode, label]) => html`<div class="segment">
            <input
              id=${mode}
              name="mode"
              type="radio"
              .checked=${mode === this._state?.mode}
              @change=${() => this.#choose(mode, label)}
            />
            <label for=${mode}>${label}</label>
          </div>`,
        )}
      </div>
      <span class="muted" id="last">
        ${
          last === undefined
            ? 'Nothing has arrived yet.'
            : html`Last: <code>${last.eventType === '' ? 'no type' : last.eventType}</code>,
                ${last.verified ? 'signature verified' : 'wrong signature'}${last.repeated ? ', seen before' : ''},
                ${last.answered === null ? 'not answered' : `answered ${last.answered}`}`
        }
      </span>
      ${this._state === undefined ? nothing : html`<span class="visually-hidden">It listens at ${this._state.url}.</span>`}
    </fieldset>`;
  }
}

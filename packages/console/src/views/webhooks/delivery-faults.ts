import { WEBHOOK_EVENT_TYPES } from '@latchkey/contract/constants';
import type { Fault, FaultInput } from '@latchkey/sandbox';
import { css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { baseStyles } from '../../parts/base.styles.js';
import { formStyles } from '../../parts/form.styles.js';
import { fieldsOf, type Option, selectField } from '../../parts/form-parts.js';
import { ControlElement } from '../../shell/console-view.js';

const KINDS: Readonly<Record<string, string>> = {
  duplicate: 'Duplicate: send two copies at once',
  delay: 'Delay: send later',
  reorder: 'Reorder: send after the next delivery',
  drop: 'Drop: send nothing, then retry',
  'wrong-signature': 'Wrong signature: sign with another secret',
};

/** Faults of webhook deliveries: a form that adds one, and the list of active ones. */
@customElement('console-delivery-faults')
export class DeliveryFaults extends ControlElement {
  static override styles = [
    baseStyles,
    formStyles,
    css`
      :host {
        display: grid;
        gap: 1rem;
      }
      form {
        display: grid;
        gap: 0.75rem;
        grid-template-columns: repeat(auto-fit, minmax(min(13rem, 100%), 1fr));
      }
      .wide {
        grid-column: 1 / -1;
      }
      li {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: 0.375rem 0.75rem;
        padding-block: 0.5rem;
        border-block-start: 1px solid var(--line);
      }
    `,
  ];
  @property({ attribute: false }) webhooks: readonly Option[] = [];
  @state() private _faults: readonly Fault[] = [];
  @state() private _kind: string = 'duplicate';
  /** True if the fault is for a share of the deliveries instead of the next ones. */
  @state() private _share = false;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.refresh();
  }

  async refresh(): Promise<void> {
    const list = await this.attempt(() => this.api.call('GET /faults'));
    if (list === undefined) return;
    this._faults = list.faults.filter(({ effect }) => effect.kind in KINDS);
    this.dispatchEvent(new CustomEvent('console-count', { detail: this._faults.length }));
  }

  async #add(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const fields = fieldsOf(event.target as HTMLFormElement);
    const { kind = '', minutes, webhook, event: type, times, percent, seed } = fields;
    const fault = {
      effect: { kind, ...(kind === 'delay' && { ms: Math.round(Number(minutes) * 60_000) }) },
      webhook,
      event: type,
      ...(times !== undefined && { times: Number(times) }),
      ...(percent !== undefined && { rate: Number(percent) / 100, seed: Number(seed ?? 1) }),
    };
    const added = await this.attempt(() => this.api.call('POST /faults', fault as FaultInput));
    if (added === undefined) return;
    this.announce(`Added ${added.id}.`);
    await this.refresh();
  }

  async #remove(ids: readonly string[]): Promise<void> {
    await this.attempt(async () => {
      for (const id of ids) await this.api.call('DELETE /faults/{id}', { id });
    });
    await this.refresh();
  }

  protected override render(): TemplateResult {
    return html`${this.#form()} ${this.#list()}`;
  }

  #form(): TemplateResult {
    return html`<form @submit=${this.#add}>
      <div class="field wide">
        <label for="kind">Fault</label>
        <select id="kind" name="kind" @change=${(event: Event) => {
          this._kind = (event.target as HTMLSelectElement).value;
        }}>
          ${Object.entries(KINDS).map(([kind, label]) => html`<option value=${kind}>${label}</option>`)}
        </select>
      </div>
      ${this._kind === 'delay' ? numberField({ name: 'minutes', label: 'Minutes of the service’s clock', value: 10, max: 43_200 }) : nothing}
      ${selectField('Webhook', { id: 'webhook', options: [['', 'All'], ...this.webhooks] })}
      ${selectField('Event', { id: 'event', options: [['', 'All'], ...WEBHOOK_EVENT_TYPES] })}
      ${selectField('Deliveries', {
        id: 'amount',
        options: [
          ['next', 'The next ones'],
          ['share', 'A share of all'],
        ],
        onChange: (value) => {
          this._share = value === 'share';
        },
      })}
      ${
        this._share
          ? html`${numberField({ name: 'percent', label: 'Percent', value: 20, max: 100 })}
            ${numberField({ name: 'seed', label: 'Seed', value: 1, max: 0xffffffff })}`
          : numberField({ name: 'times', label: 'Number', value: 1, max: 1_000_000 })
      }
      <div class="row wide"><button class="button primary small">Add fault</button></div>
    </form>`;
  }

  #list(): TemplateResult {
    if (this._faults.length === 0) return html`<p class="muted">No faults of deliveries.</p>`;
    return html`<div>
      <ul aria-label="Faults of deliveries">
        ${this._faults.map(
          (fault) => html`<li>
            <span><code>${fault.id}</code> ${faultText(fault)}</span>
            <button class="button secondary small" type="button" aria-label="Remove ${fault.id}" @click=${() => this.#remove([fault.id])}>Remove</button>
          </li>`,
        )}
      </ul>
      <button type="button" class="button danger small" @click=${() => this.#remove(this._faults.map(({ id }) => id))}>
        Remove all faults of deliveries
      </button>
    </div>`;
  }
}

function faultText({ effect, event, times, rate, seed, changed, seen }: Fault): string {
  const facts = [
    'ms' in effect ? `${effect.kind} ${effect.ms / 60_000} min` : effect.kind,
    event ?? 'all events',
    ...(times === undefined ? [] : [`next ${times}`]),
    ...(rate === undefined ? [] : [`${Math.round(rate * 100)}%, seed ${seed}`]),
    `changed ${changed} of ${seen}`,
  ];
  return facts.join(', ');
}

function numberField(field: { name: string; label: string; value: number; max: number }): TemplateResult {
  const { name, label, value, max } = field;
  return html`<div class="field">
    <label for=${name}>${label}</label>
    <input id=${name} name=${name} type="number" required min="1" max=${max} step="1" .value=${String(value)} />
  </div>`;
}

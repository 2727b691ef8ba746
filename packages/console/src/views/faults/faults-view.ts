import { PATHS, WEBHOOK_EVENT_TYPES } from '@latchkey/contract/constants';
import type { Fault, FaultInput } from '@latchkey/sandbox';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { ControlApiError } from '../../api/control-api.js';
import type { LiveEvent } from '../../api/live.js';
import { baseStyles } from '../../parts/base.styles.js';
import { formStyles } from '../../parts/form.styles.js';
import { toolStyles } from '../../parts/tool.styles.js';
import { isActive, limitText } from '../../shell/active-faults.js';
import { ConsoleView } from '../../shell/console-view.js';
import { EFFECTS, type OfferedEffect } from './fault-effects.js';

/** Faults: a form that adds one, and the list with their hits. */
export class FaultsView extends ConsoleView {
  static override styles = [baseStyles, formStyles, toolStyles];
  static override properties: PropertyDeclarations = {
    _faults: { state: true },
    _kind: { state: true },
    _limit: { state: true },
    _errors: { state: true },
  };
  declare private _faults: readonly Fault[] | undefined;
  declare private _kind: string;
  declare private _limit: 'always' | 'times' | 'rate';
  declare private _errors: Readonly<Record<string, string>>;
  /** Grows with each reading. Answers to earlier ones are dropped. */
  #round = 0;

  constructor() {
    super();
    this._faults = undefined;
    this._kind = 'status';
    this._limit = 'times';
    this._errors = {};
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.placeChanged();
    void this.#load();
  }

  /** `?effect=` selects an effect in the form, for links from other pages. */
  protected override placeChanged(): void {
    this._kind = EFFECTS.find(({ kind }) => kind === this.place.get('effect'))?.kind ?? 'status';
  }

  protected override liveEvent({ type }: LiveEvent): void {
    if (['connected', 'faults', 'request', 'delivery', 'reset'].includes(type)) void this.#load();
  }

  async #load(): Promise<void> {
    this.#round += 1;
    const round = this.#round;
    const read = await this.attempt(() => this.api.get<{ faults: readonly Fault[] }>('/faults'));
    if (read !== undefined && round === this.#round) this._faults = read.faults;
  }

  get #effect(): OfferedEffect {
    const effect = EFFECTS.find(({ kind }) => kind === this._kind);
    if (effect === undefined) throw new Error(`There is no effect "${this._kind}".`);
    return effect;
  }

  async #add(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    this._errors = {};
    try {
      const { id } = await this.api.post<Fault>('/faults', faultInputOf(form, this.#effect));
      this.announce(`Added ${id}. It changes ${this.#effect.of} from now on.`);
      await this.#load();
    } catch (error) {
      if (error instanceof ControlApiError) this._errors = error.fields;
      this.report(error);
    }
  }

  async #remove(id: string): Promise<void> {
    const done = await this.attempt(async () => {
      await this.api.delete(`/faults/${encodeURIComponent(id)}`);
      return true;
    });
    if (done) this.announce(`Removed ${id}.`);
    await this.#load();
    this.renderRoot.querySelector<HTMLElement>('#list-heading')?.focus();
  }

  async #clear(): Promise<void> {
    const done = await this.attempt(async () => {
      await this.api.delete('/faults');
      return true;
    });
    if (done) this.announce('Removed all faults.');
    await this.#load();
    this.renderRoot.querySelector<HTMLElement>('#list-heading')?.focus();
  }

  protected override render(): TemplateResult {
    return html`<div class="columns">
      ${this.#form()}
      <section class="panel" aria-labelledby="list-heading">
        <div class="panel-heading">
          <h2 id="list-heading" tabindex="-1">Faults in the order in which they apply</h2>
          <button class="button secondary small" type="button" ?disabled=${(this._faults ?? []).length === 0} @click=${this.#clear}>
            Clear all faults
          </button>
        </div>
        ${this.#list()}
      </section>
    </div>`;
  }

  #list(): TemplateResult {
    if (this._faults === undefined) return html`<p class="muted">Loading…</p>`;
    if (this._faults.length === 0) {
      return html`<p class="muted">No faults. Every call and every delivery works as it should. A reset removes all faults.</p>`;
    }
    return html`<ul class="rows">
      ${this._faults.map(
        (fault) => html`<li class="entry">
          <div class="entry-text">
            <p>
              <strong>${labelOf(fault)}</strong>
              <span class="pill pill-${isActive(fault) ? 'warn' : 'neutral'}">${isActive(fault) ? 'active' : 'used up'}</span>
            </p>
            <p class="muted">${targetOf(fault)} · ${limitText(fault)}</p>
            <p><b>${fault.changed}</b> changed of ${fault.seen} that matched <code class="muted">${fault.id}</code></p>
          </div>
          <button type="button" class="button danger small" @click=${() => this.#remove(fault.id)}>
            Clear<span class="visually-hidden"> ${fault.id}</span>
          </button>
        </li>`,
      )}
    </ul>`;
  }

  #form(): TemplateResult {
    const effect = this.#effect;
    const option = ({ kind, label }: OfferedEffect) =>
      html`<option value=${kind} ?selected=${kind === this._kind}>${label}</option>`;
    return html`<form class="panel form" @submit=${this.#add} aria-labelledby="form-heading">
      <h2 id="form-heading">Add a fault</h2>
      <div class="field">
        <label for="kind">Effect</label>
        <select
          id="kind"
          name="kind"
          aria-describedby="kind-hint"
          @change=${({ target }: Event) => {
            this._kind = (target as HTMLSelectElement).value;
          }}
        >
          <optgroup label="Calls of your site">${EFFECTS.filter(({ of }) => of === 'calls').map(option)}</optgroup>
          <optgroup label="Webhook deliveries">
            ${EFFECTS.filter(({ of }) => of === 'deliveries').map(option)}
          </optgroup>
        </select>
        <p class="muted" id="kind-hint">${effect.hint}</p>
      </div>
      ${
        effect.needs === undefined
          ? nothing
          : this.#field(
              effect.needs === 'ms'
                ? { name: 'ms', label: 'Milliseconds', value: '2000' }
                : { name: 'status', label: 'Status', value: '503' },
            )
      }
      ${effect.of === 'calls' ? this.#callFields() : this.#deliveryFields()}
      <fieldset class="field">
        <legend>How often</legend>
        <div class="row">
          ${(
            [
              ['times', 'The next calls'],
              ['rate', 'A share'],
              ['always', 'Always'],
            ] as const
          ).map(
            ([value, label]) => html`<label class="check">
              <input
                type="radio"
                name="limit"
                value=${value}
                .checked=${this._limit === value}
                @change=${() => {
                  this._limit = value;
                }}
              />${label}
            </label>`,
          )}
        </div>
      </fieldset>
      ${this._limit === 'times' ? this.#field({ name: 'times', label: 'Number', value: '1' }) : nothing}
      ${
        this._limit === 'rate'
          ? html`${this.#field({ name: 'rate', label: 'Share from 0 to 1', value: '0.2' })}
            ${this.#field({ name: 'seed', label: 'Seed: the same one changes the same calls', value: '1' })}`
          : nothing
      }
      <div><button class="button primary small">Add fault</button></div>
    </form>`;
  }

  #callFields(): TemplateResult {
    return html`<div class="field">
        <label for="endpoint">Endpoint</label>
        <select id="endpoint" name="endpoint">
          <option value="">All calls</option>
          ${Object.entries(PATHS).map(([name, path]) => html`<option value=${name}>${name} · ${path}</option>`)}
        </select>
      </div>
      ${this.#field({ name: 'client', label: 'Client id, key name or email of the key’s owner (optional)', value: '' })}`;
  }

  #deliveryFields(): TemplateResult {
    return html`<div class="field">
        <label for="event">Event</label>
        <select id="event" name="event">
          <option value="">All events</option>
          ${WEBHOOK_EVENT_TYPES.map((type) => html`<option>${type}</option>`)}
        </select>
      </div>
      ${this.#field({ name: 'webhook', label: 'Webhook id (optional)', value: '' })}`;
  }

  #field({ name, label, value }: { name: string; label: string; value: string }): unknown {
    const error = this._errors[name] ?? this._errors[`effect.${name}`];
    // A typed value must not move on to the field of another name at this place.
    const field = html`<div class="field">
      <label for=${name}>${label}</label>
      <input
        id=${name}
        name=${name}
        value=${value}
        autocomplete="off"
        spellcheck="false"
        inputmode=${value === '' ? 'text' : 'decimal'}
        ?required=${value !== ''}
        aria-invalid=${error === undefined ? 'false' : 'true'}
        aria-describedby="${name}-error"
      />
      <p class="field-error" id="${name}-error">${error ?? ''}</p>
    </div>`;
    return keyed(name, field);
  }
}

function labelOf({ effect }: Fault): string {
  const label = EFFECTS.find(({ kind }) => kind === effect.kind)?.label ?? effect.kind;
  if ('ms' in effect) return `${label} ${effect.ms} ms`;
  return 'status' in effect ? `${label} ${effect.status}` : label;
}

function targetOf({ endpoint, client, webhook, event, effect }: Fault): string {
  const isOfDelivery = EFFECTS.some(({ kind, of }) => kind === effect.kind && of === 'deliveries');
  const target = isOfDelivery ? (event ?? 'all events') : (endpoint ?? 'all calls');
  const party = isOfDelivery ? webhook && `webhook ${webhook}` : client;
  return party === undefined ? target : `${target}, ${party}`;
}

customElements.define('console-faults', FaultsView);

/** Returns the fault that the form describes. The control API checks it. */
function faultInputOf(form: FormData, { kind, needs }: OfferedEffect): FaultInput {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const given = (name: string) => (text(name) === '' ? {} : { [name]: text(name) });
  const number = (name: string) => (text(name) === '' ? {} : { [name]: Number(text(name)) });
  const effect = { kind, ...(needs !== undefined && { [needs]: Number(text(needs)) }) };
  return {
    effect: effect as FaultInput['effect'],
    ...given('endpoint'),
    ...given('client'),
    ...given('event'),
    ...given('webhook'),
    ...number('times'),
    ...number('rate'),
    ...number('seed'),
  };
}

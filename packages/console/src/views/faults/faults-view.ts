import { PATHS, WEBHOOK_EVENT_TYPES } from '@latchkey/contract/constants';
import type { Fault, FaultEffect, FaultInput } from '@latchkey/sandbox';
import { ControlError } from '@latchkey/sandbox/client';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { baseStyles } from '../../parts/base.styles.js';
import { fieldsOf, type Option, selectField } from '../../parts/form-parts.js';
import { toolStyles } from '../../parts/tool.styles.js';
import { ConsoleView, webhookOptions } from '../../shell/console-view.js';
import { isActive } from '../../shell/fault-banner.js';

interface OfferedEffect {
  readonly kind: FaultEffect['kind'];
  readonly title: string;
  /** What changes for the caller, and how a good site behaves. */
  readonly description: string;
  readonly isOfDelivery: boolean;
  readonly needs?: 'ms' | 'status';
}

/** All effects, as the control API states them. `vite.config.ts` puts them here. */
declare const FAULT_EFFECTS: readonly OfferedEffect[];

/** The faults: a form that adds one, and the list with their hits. */
@customElement('console-faults')
export class FaultsView extends ConsoleView {
  static override styles = [baseStyles, toolStyles];
  protected override readonly reloadsAfter = ['connected', 'faults', 'request', 'delivery', 'reset'];
  @state() private _faults: readonly Fault[] | undefined;
  @state() private _webhooks: readonly Option[] = [];
  @state() private _kind: string = '';
  @state() private _limit: 'always' | 'times' | 'rate' = 'times';
  @state() private _errors: Readonly<Record<string, string>> = {};

  override connectedCallback(): void {
    super.connectedCallback();
    this.placeChanged();
  }

  /** `?effect=` selects an effect in the form, for links from other pages. */
  protected override placeChanged(): void {
    this._kind = FAULT_EFFECTS.find(({ kind }) => kind === this.place.get('effect'))?.kind ?? 'status';
  }

  override async load(): Promise<void> {
    const read = await this.latest(async () => ({
      ...(await this.api.call('GET /faults')),
      webhooks: await webhookOptions(this.api),
    }));
    if (read === undefined) return;
    this._faults = read.faults;
    this._webhooks = read.webhooks;
  }

  get #effect(): OfferedEffect {
    const effect = FAULT_EFFECTS.find(({ kind }) => kind === this._kind);
    if (effect === undefined) throw new Error(`There is no effect "${this._kind}".`);
    return effect;
  }

  async #add(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    this._errors = {};
    try {
      const { id } = await this.api.call(
        'POST /faults',
        faultInputOf(event.target as HTMLFormElement, this.#effect),
      );
      this.announce(
        `Added ${id}. It changes ${this.#effect.isOfDelivery ? 'deliveries' : 'calls'} from now on.`,
      );
      await this.load();
    } catch (error) {
      if (error instanceof ControlError) this._errors = error.fields;
      this.report(error);
    }
  }

  async #remove(id?: string): Promise<void> {
    const remove = () =>
      id === undefined ? this.api.call('DELETE /faults') : this.api.call('DELETE /faults/{id}', { id });
    if (await this.succeeds(remove)) this.announce(`Removed ${id ?? 'all faults'}.`);
    await this.load();
    this.renderRoot.querySelector<HTMLElement>('#list-heading')?.focus();
  }

  protected override render(): TemplateResult {
    return html`<div class="columns">
      ${this.#form()}
      <section class="panel" aria-labelledby="list-heading">
        <div class="panel-heading">
          <h2 id="list-heading" tabindex="-1">Faults in the order in which they apply</h2>
          <button class="button secondary small" type="button" ?disabled=${(this._faults ?? []).length === 0} @click=${() => this.#remove()}>
            Clear all faults
          </button>
        </div>
        ${this.#list()}
      </section>
    </div>`;
  }

  #list(): TemplateResult {
    if (this._faults === undefined) return html`<p class="muted">Loading…</p>`;
    if (this._faults.length === 0)
      return html`<p class="muted">No faults. Every call and every delivery works as it should. A reset removes all faults.</p>`;
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
    const option = ({ kind, title }: OfferedEffect) =>
      html`<option value=${kind} ?selected=${kind === this._kind}>${title}</option>`;
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
          ${[false, true].map((isOfDelivery) => {
            const effects = FAULT_EFFECTS.filter((offered) => offered.isOfDelivery === isOfDelivery);
            const label = isOfDelivery ? 'Webhook deliveries' : 'Calls of your site';
            return html`<optgroup label=${label}>${effects.map(option)}</optgroup>`;
          })}
        </select>
        <p class="muted" id="kind-hint">${effect.description}</p>
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
      ${effect.isOfDelivery ? this.#deliveryFields() : this.#callFields()}
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
    const endpoints = Object.entries(PATHS).map(([name, path]) => [name, `${name} · ${path}`] as const);
    return html`${selectField('Endpoint', { id: 'endpoint', options: [['', 'All calls'], ...endpoints] })}
      ${this.#field({ name: 'client', label: 'Client id, key name or email of the key’s owner (optional)', value: '' })}`;
  }

  #deliveryFields(): TemplateResult {
    return html`${selectField('Event', { id: 'event', options: [['', 'All events'], ...WEBHOOK_EVENT_TYPES] })}
      ${selectField('Webhook', { id: 'webhook', options: [['', 'All webhooks'], ...this._webhooks] })}`;
  }

  #field({ name, label, value }: { name: string; label: string; value: string }): unknown {
    const error = this._errors[name] ?? this._errors[`effect.${name}`];
    // A typed value must not move to a field with another name in the same place.
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
  const label = FAULT_EFFECTS.find(({ kind }) => kind === effect.kind)?.title ?? effect.kind;
  if ('ms' in effect) return `${label} ${effect.ms} ms`;
  return 'status' in effect ? `${label} ${effect.status}` : label;
}

function targetOf({ endpoint, client, webhook, event, effect }: Fault): string {
  const isOfDelivery = FAULT_EFFECTS.some(({ kind, isOfDelivery }) => kind === effect.kind && isOfDelivery);
  const target = isOfDelivery ? (event ?? 'all events') : (endpoint ?? 'all calls');
  const party = isOfDelivery ? webhook && `webhook ${webhook}` : client;
  return party === undefined ? target : `${target}, ${party}`;
}

function limitText({ times, rate, seed }: Fault): string {
  const limits = [
    ...(times === undefined ? [] : [`the next ${times}`]),
    ...(rate === undefined ? [] : [`share ${rate}, seed ${seed}`]),
  ];
  return limits.length === 0 ? 'always' : limits.join(', ');
}

/** Returns the fault that the form describes. The control API checks it. */
function faultInputOf(form: HTMLFormElement, { kind, needs }: OfferedEffect): FaultInput {
  const { endpoint, client, event, webhook, ...texts } = fieldsOf(form);
  const number = (name: string) => (texts[name] === undefined ? undefined : Number(texts[name]));
  return {
    effect: { kind, ...(needs !== undefined && { [needs]: number(needs) ?? 0 }) },
    ...{ endpoint, client, event, webhook },
    ...{ times: number('times'), rate: number('rate'), seed: number('seed') },
  } as FaultInput;
}

import type { DataRecord, RecordField, RecordKind } from '@latchkey/sandbox';
import { type ControlClient, ControlError } from '@latchkey/sandbox/client';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { baseStyles } from '../../parts/base.styles.js';
import { fieldsOf, type Labels, withArticle, wordingOf } from './record-kinds.js';

/** Membership types that have a community or a product. The first of each list requires it. */
const TYPES_WITH: Readonly<Record<string, readonly string[]>> = {
  communityId: ['community', 'clipping_campaign', 'agency'],
  productId: ['digital_product'],
};

type Options = readonly { readonly id: string; readonly label: string }[];

/** How many records a form offers to choose from. If there are more, the visitor types the id. */
const OFFERED = 100;

/**
 * A form that creates or changes a record. It sends only the fields that differ.
 *
 * @fires record-saved - The record was stored: `detail` has its id, and new secrets.
 * @fires record-cancel - The visitor left the form.
 */
@customElement('record-form')
export class RecordForm extends LitElement {
  static override styles = [
    baseStyles,
    css`
      form {
        display: grid;
        gap: 0.75rem;
      }
      .hint {
        font-size: 0.8125rem;
      }
      textarea {
        min-block-size: 4.5rem;
      }
      .failure {
        color: var(--danger);
      }
    `,
  ];

  @property() kind!: RecordKind;
  /** The record to change; undefined to create one. */
  @property({ attribute: false }) record: DataRecord | undefined;
  @property({ attribute: false }) given: Labels = {};
  @property({ attribute: false }) api!: ControlClient;
  @state() private _failure = '';
  @state() private _fields: Readonly<Record<string, string>> = {};
  @state() private _options: Readonly<Record<string, Options>> = {};
  @state() private _isBusy = false;
  /** Selected value of the field `productType`; empty before the first choice. */
  @state() private _type = '';

  override connectedCallback(): void {
    super.connectedCallback();
    const kinds = new Set(this.#allFields.map(({ of }) => of));
    for (const kind of kinds) if (kind !== undefined) void this.#offer(kind);
  }

  get #allFields(): readonly RecordField[] {
    return fieldsOf(this.kind, this.record === undefined ? 'create' : 'edit');
  }

  get #fields(): readonly RecordField[] {
    const all = this.#allFields;
    const type = this._type || all.find(({ name }) => name === 'productType')?.options?.[0];
    return type === undefined ? all : fieldsOfType(all, type);
  }

  async #offer(kind: RecordKind): Promise<void> {
    try {
      const page = await this.api.call('GET /data/{kind}', { kind, limit: OFFERED });
      if (page.next !== null) return;
      const { title } = wordingOf(kind);
      const options = (page[kind] ?? []).map((record) => ({
        id: String(record.id),
        label: title(record, {}),
      }));
      this._options = { ...this._options, [kind]: options };
    } catch {
      // The field then takes an id.
    }
  }

  #valueOf(field: RecordField): string | boolean {
    if (this.record === undefined && this.given[field.name] !== undefined)
      return this.given[field.name] ?? '';
    return formValueOf(field, this.record);
  }

  #read(form: FormData): DataRecord {
    const sent: Record<string, unknown> = {};
    for (const field of this.#fields) {
      const raw = field.type === 'flag' ? form.has(field.name) : textIn(form, field);
      if (this.record !== undefined && raw === this.#valueOf(field)) continue;
      const value = sentValueOf(field, raw);
      if (
        this.record === undefined &&
        ((value === false && !field.isOn) ||
          (Array.isArray(value) && value.length === 0 && !field.isRequired))
      )
        continue;
      if (value !== undefined) sent[field.name] = value;
      else if (this.record !== undefined) sent[field.name] = field.isNullable === true ? null : '';
    }
    return sent;
  }

  async #save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (this._isBusy) return;
    const sent = this.#read(new FormData(event.target as HTMLFormElement));
    this._isBusy = true;
    this._failure = '';
    this._fields = {};
    try {
      const { kind, record } = this;
      const answer =
        record === undefined
          ? await this.api.call('POST /data/{kind}', { ...sent, kind })
          : await this.api.call('PATCH /data/{kind}/{id}', { ...sent, kind, id: String(record.id) });
      this.dispatchEvent(new CustomEvent('record-saved', { detail: answer }));
    } catch (error) {
      await this.#show(error, sent);
    } finally {
      this._isBusy = false;
    }
  }

  /** Shows each message next to its field, and all others above the form. */
  async #show(error: unknown, sent: DataRecord): Promise<void> {
    const messages = error instanceof ControlError ? error.fields : {};
    const known: Record<string, string> = {};
    for (const [path, message] of Object.entries(messages)) {
      const [name = '', index] = path.split('.');
      known[name] ??= index === undefined ? message : `Line ${Number(index) + 1}: ${message}`;
    }
    // The control API asks for an id, which the visitor doesn't see.
    for (const { name, of } of this.#fields)
      if (name in known && of !== undefined && of in this._options && sent[name] === undefined)
        known[name] = `Choose ${withArticle(wordingOf(of).one)}.`;
    const isBeside = this.#fields.some(({ name }) => name in known);
    this._fields = known;
    if (!isBeside) this._failure = error instanceof Error ? error.message : String(error);
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('[aria-invalid="true"], .failure')?.focus();
  }

  protected override render(): TemplateResult {
    const isNew = this.record === undefined;
    return html`<form @submit=${this.#save} novalidate>
      ${this._failure === '' ? nothing : html`<p class="failure" role="alert" tabindex="-1">${this._failure}</p>`}
      ${this.#fields.map((field) => this.#field(field))}
      <div class="row">
        <button class="button primary small" ?disabled=${this._isBusy}>${isNew ? `Create ${wordingOf(this.kind).one}` : 'Save changes'}</button>
        <button class="button secondary small" type="button" @click=${() => this.dispatchEvent(new Event('record-cancel'))}>Cancel</button>
      </div>
    </form>`;
  }

  #field(field: RecordField): TemplateResult {
    const error = this._fields[field.name];
    const described = [field.hint && `${field.name}-hint`, error && `${field.name}-error`]
      .filter(Boolean)
      .join(' ');
    const hint =
      field.hint === undefined
        ? nothing
        : html`<p class="muted hint" id="${field.name}-hint">${field.hint}</p>`;
    const message =
      error === undefined ? nothing : html`<p class="field-error" id="${field.name}-error">${error}</p>`;
    if (field.type === 'flag') {
      return html`<div class="field">
        <label class="check">
          <input type="checkbox" name=${field.name} ?checked=${this.#valueOf(field) === true} aria-describedby=${described}
            aria-invalid=${error !== undefined} />
          ${field.label}
        </label>
        ${hint}${message}
      </div>`;
    }
    if (field.type === 'choices') {
      return html`<fieldset class="field" aria-describedby=${described}>
        <legend>${field.label}</legend>
        ${(field.options ?? []).map(
          (option) => html`<label class="check"><input type="checkbox" name=${field.name} value=${option}
            aria-invalid=${error !== undefined} />${option}</label>`,
        )}
        ${hint}${message}
      </fieldset>`;
    }
    return html`<div class="field">
      <label for=${field.name}>${field.label}${field.isRequired ? '' : html` <span class="muted">(optional)</span>`}</label>
      ${this.#control(field, { described, isWrong: error !== undefined })}
      ${hint}${message}
    </div>`;
  }

  #chosen(event: Event): void {
    const { name, value } = event.target as HTMLSelectElement;
    if (name === 'productType') this._type = value;
  }

  #control(
    field: RecordField,
    { described, isWrong }: { described: string; isWrong: boolean },
  ): TemplateResult {
    const { name, type } = field;
    const value = String(this.#valueOf(field));
    if (type === 'list') {
      return html`<textarea id=${name} name=${name} dir="ltr" aria-describedby=${described} aria-invalid=${isWrong}
        .defaultValue=${value}></textarea>`;
    }
    const records = field.of === undefined ? undefined : this._options[field.of];
    const options = records ?? field.options?.map((option) => ({ id: option, label: option }));
    if (options !== undefined) {
      const mayBeEmpty =
        field.isNullable === true || (records !== undefined && (value === '' || !field.isRequired));
      return html`<select id=${name} name=${name} aria-describedby=${described} aria-invalid=${isWrong} @change=${this.#chosen}>
        ${mayBeEmpty ? html`<option value="">${records === undefined ? 'None' : 'Choose…'}</option>` : nothing}
        ${options.map(({ id, label }) => html`<option value=${id} ?selected=${id === value}>${label}</option>`)}
      </select>`;
    }
    if (type === 'time') return timeControls(field, { value, described, isWrong });
    return html`<input id=${name} name=${name} type="text"
      inputmode=${type === 'number' ? 'numeric' : 'text'} dir=${type === 'record' ? 'ltr' : 'auto'} autocomplete="off" spellcheck="false"
      placeholder=${type === 'record' ? 'Id' : ''} .defaultValue=${value}
      aria-describedby=${described} aria-invalid=${isWrong} />`;
  }
}

function timeControls(
  { name, label }: RecordField,
  { value, described, isWrong }: { value: string; described: string; isWrong: boolean },
): TemplateResult {
  const [day = '', time = ''] = value.split('T');
  return html`<div class="date-inputs">
    <input id=${name} name=${name} type="date" autocomplete="off" .defaultValue=${day}
      aria-describedby=${described} aria-invalid=${isWrong} />
    <input name=${timeNameOf(name)} type="time" autocomplete="off" aria-label="${label}: time (optional)" .defaultValue=${time}
      aria-invalid=${isWrong} />
  </div>`;
}

function fieldsOfType(fields: readonly RecordField[], type: string): readonly RecordField[] {
  return fields.flatMap((field) => {
    const types = TYPES_WITH[field.name] ?? [type];
    return types.includes(type)
      ? { ...field, isRequired: field.isRequired || (types[0] === type && field.name in TYPES_WITH) }
      : [];
  });
}

function formValueOf(field: RecordField, record: DataRecord | undefined): string | boolean {
  const value = record?.[field.name];
  // The state `archived` is the time `archivedAt`.
  const since = record?.[`${field.name}At`] ?? null;
  if (field.type === 'flag') return record === undefined ? field.isOn : value === true || since !== null;
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.join(field.type === 'choices' ? ' ' : '\n');
  // The controls for times have no seconds and no zone: they use UTC, like everything in the sandbox.
  return field.type === 'time' ? String(value).slice(0, 16) : String(value);
}

/** Returns the text of a field in a form, with line breaks as in the record. A day without a time begins at midnight. */
function textIn(form: FormData, { name, type }: RecordField): string {
  if (type === 'choices') return form.getAll(name).join(' ');
  const text = String(form.get(name) ?? '').replaceAll('\r\n', '\n');
  if (type !== 'time') return text;
  const time = String(form.get(timeNameOf(name)) ?? '');
  return text === '' && time === '' ? '' : `${text}T${time === '' ? '00:00' : time}`;
}

function timeNameOf(name: string): string {
  return `${name}-time`;
}

/** Returns the value of a field for the control API; undefined for an empty one. */
function sentValueOf({ type }: RecordField, value: string | boolean): unknown {
  if (typeof value === 'boolean') return value;
  if (type === 'list')
    return value
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
  if (type === 'choices') return value.split(' ').filter(Boolean);
  const text = value.trim();
  if (text === '') return undefined;
  if (type === 'time') return `${text.length === 16 ? `${text}:00` : text}Z`;
  return type === 'number' && Number.isFinite(Number(text)) ? Number(text) : text;
}

import type { DataRecord, RecordKind } from '@latchkey/sandbox';
import { type ControlAnswer, ControlError } from '@latchkey/sandbox/client';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { baseStyles } from '../../parts/base.styles.js';
import '../../parts/console-dialog.js';
import '../../parts/console-list.js';
import type { ConsoleList, ConsoleListEvent } from '../../parts/console-list.js';
import { ConsoleView } from '../../shell/console-view.js';
import { dataStyles, rowStyles } from './data.styles.js';
import { addressOf, type FoundRecord, type ShownOnce, shownOnce, shownOncePanel } from './record-detail.js';
import './record-form.js';
import {
  KINDS,
  type KindWording,
  type Labels,
  OWNER_FIELDS,
  withArticle,
  wordingOf,
} from './record-kinds.js';

const PAGE_ROWS = 200;
@customElement('console-data')
export class RecordsView extends ConsoleView {
  static override styles = [baseStyles, dataStyles];
  protected override readonly reloadsAfter = [
    'connected',
    'clock',
    'data',
    'faults',
    'payment',
    'request',
    'reset',
  ];

  @state() private _records: readonly DataRecord[] = [];
  @state() private _labels: Labels = {};
  @state() private _counts: Readonly<Record<string, number>> = {};
  @state() private _found: FoundRecord | undefined;
  @state() private _dialog: 'create' | 'edit' | 'end' | undefined;
  /** Secrets in the last response. */
  @state() private _once: readonly ShownOnce[] = [];
  @state() private _isLoaded = false;
  #next: string | null = null;
  #run = 0;
  #isLoadingMore = false;

  get #wording(): KindWording {
    return wordingOf(this.place.get('kind'));
  }

  get #kind(): RecordKind {
    return this.#wording.kind;
  }

  get #owners(): Labels {
    const given = OWNER_FIELDS.map((field) => [field, this.place.get(field)] as const);
    return Object.fromEntries(given.filter(([, id]) => id !== ''));
  }

  protected override placeChanged(): void {
    this._once = [];
    void this.load();
  }

  /** Reads the visible part of the list, and the selected record. */
  override async load(): Promise<void> {
    this.#run += 1;
    const kind = this.#kind;
    const limit = Math.min(1000, Math.max(PAGE_ROWS, this._isLoaded ? this._records.length : 0));
    const result = await this.latest(async () => ({
      page: await this.#page({ limit }),
      counts: await this.api.call('GET /data'),
      found: await this.#find(kind, this.place.get('id')),
    }));
    if (result === undefined) return;
    this._records = result.page[kind] ?? [];
    this._labels = { ...result.page.labels, ...result.found?.labels };
    this.#next = result.page.next;
    this._counts = result.counts;
    this._found = result.found;
    this._isLoaded = true;
  }

  #page(more: { limit: number; after?: string }): Promise<ControlAnswer<'GET /data/{kind}'>> {
    const query = { kind: this.#kind, text: this.place.get('text'), ...this.#owners, ...more };
    return this.api.call('GET /data/{kind}', query);
  }

  /** If the record is gone, nothing is selected. */
  async #find(kind: RecordKind, id: string): Promise<FoundRecord | undefined> {
    if (id === '') return undefined;
    try {
      return await this.api.call('GET /data/{kind}/{id}', { kind, id });
    } catch (error) {
      if (!(error instanceof ControlError && error.status === 404)) throw error;
      this.announce(`There is no ${this.#wording.one} with the id ${id}. It may have been deleted.`);
      this.place.replace({ id: null });
      return undefined;
    }
  }

  async #loadMore(): Promise<void> {
    if (this.#next === null || this.#isLoadingMore) return;
    this.#isLoadingMore = true;
    const run = this.#run;
    const page = await this.attempt(() => this.#page({ limit: PAGE_ROWS, after: this.#next ?? '' }));
    this.#isLoadingMore = false;
    if (page === undefined || run !== this.#run) return;
    this.#next = page.next;
    this._records = [...this._records, ...(page[this.#kind] ?? [])];
    this._labels = { ...this._labels, ...page.labels };
  }

  async #open(id: string): Promise<void> {
    this._once = [];
    this.place.push({ id });
    const kind = this.#kind;
    const found = await this.attempt(() => this.#find(kind, id));
    if (this.place.get('id') === id) this._found = found;
  }

  #search(event: Event): void {
    this.place.replace({ text: (event.target as HTMLInputElement).value, id: null });
    this._found = undefined;
    void this.load();
  }

  async #saved({ detail: answer }: CustomEvent<DataRecord>): Promise<void> {
    const isNew = this._dialog === 'create';
    this._dialog = undefined;
    this._once = shownOnce(answer);
    if (isNew) this.place.push({ id: String(answer.id) });
    await this.load();
    this.announce(isNew ? `Created: ${this.#wording.one}.` : 'Changes saved.');
  }

  async #end(): Promise<void> {
    const id = String(this._found?.record.id);
    const { end, one } = this.#wording;
    this._dialog = undefined;
    const remove = () => this.api.call('DELETE /data/{kind}/{id}', { kind: this.#kind, id });
    if (!(await this.succeeds(remove))) return;
    if (['roles', 'products', 'clients', 'webhooks'].includes(this.#kind)) this.place.replace({ id: null });
    await this.load();
    this.announce(`Done: ${end?.button ?? ''} (${one}).`);
  }

  protected override render(): TemplateResult {
    const wording = this.#wording;
    const isChosen = this._found !== undefined;
    return html`
      ${kindNav(wording.kind, this._counts)}
      ${this.#tools(wording)}
      <div class="columns ${isChosen ? 'chosen' : ''}">
        <div class="list">${this.#list(wording)}</div>
        <div class="detail">
          ${shownOncePanel(this._once)}
          <div class="panel">${this.#detail(wording)}</div>
        </div>
      </div>
      ${this.#dialogs(wording)}
    `;
  }

  #tools({ kind, one, label }: KindWording): TemplateResult {
    const owners = Object.entries(this.#owners);
    return html`<div class="row tools">
        <div class="field">
          <label for="search">Search ${label.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())}</label>
          <input id="search" type="search" autocomplete="off" placeholder="Name, address or id" .value=${this.place.get('text')}
            @change=${this.#search} @search=${this.#search} />
        </div>
        <button class="button primary small" type="button" @click=${() => (this._dialog = 'create')}>Create ${one}</button>
      </div>
      ${
        owners.length === 0
          ? nothing
          : html`<p class="row">
              Only those of ${owners.map(([, id]) => html`<strong><bdi>${this._labels[id] ?? id}</bdi></strong>`)}
              <a href=${addressOf({ kind })}>Show all</a>
            </p>`
      }`;
  }

  #list({ kind, label, empty, title, about }: KindWording): TemplateResult {
    if (!this._isLoaded) return html`<p class="muted loading">Loading…</p>`;
    if (this._records.length === 0) {
      const isLimited = this.place.get('text') !== '' || Object.keys(this.#owners).length > 0;
      const [title = '', ...rest] = (
        isLimited ? 'Nothing matches. Search for another text, or show all.' : empty
      ).split(/(?<=\.) /);
      return html`<div class="empty-state">
        <p class="empty-title">${title}</p>
        <p class="empty-text">${rest.join(' ')}</p>
      </div>`;
    }
    return html`<console-list
      label=${label}
      .items=${this._records}
      .keyOf=${(record: DataRecord) => String(record.id)}
      .rowStyles=${rowStyles}
      .selected=${String(this._found?.record.id ?? '')}
      total=${this.#next === null ? this._records.length : (this._counts[kind] ?? -1)}
      .renderItem=${(
        record: DataRecord,
      ) => html`<div class="title"><bdi>${title(record, this._labels)}</bdi></div>
        <div class="about"><bdi>${about(record, this._labels)}</bdi></div>`}
      @console-open=${({ detail: { item } }: ConsoleListEvent<DataRecord>) => void this.#open(String(item.id))}
      @console-end=${() => void this.#loadMore()}
    ></console-list>`;
  }

  #detail({ kind, one }: KindWording): TemplateResult {
    if (this._found === undefined)
      return html`<p class="muted">Choose ${withArticle(one)} from the list, or create one.</p>`;
    return html`<button class="button secondary small back" type="button" @click=${this.#back}>Back to the list</button>
      <record-detail
        .kind=${kind}
        .found=${this._found}
        @record-edit=${() => (this._dialog = 'edit')}
        @record-end=${() => (this._dialog = 'end')}
      ></record-detail>`;
  }

  async #back(): Promise<void> {
    this.place.push({ id: null });
    this._found = undefined;
    await this.updateComplete;
    this.renderRoot.querySelector<ConsoleList>('console-list')?.focus();
  }

  #dialogs({ kind, one, end, title }: KindWording): TemplateResult {
    const dialog = this._dialog;
    const close = () => (this._dialog = undefined);
    const name = this._found === undefined ? '' : title(this._found.record, this._found.labels);
    const button = end?.button ?? '';
    const headings = { create: `Create ${one}`, edit: `Edit ${name}`, end: `${button}: ${name}` };
    const form = () => html`<record-form
      .kind=${kind}
      .api=${this.api}
      .record=${dialog === 'edit' ? this._found?.record : undefined}
      .given=${this.#owners}
      @record-saved=${this.#saved}
      @record-cancel=${close}
    ></record-form>`;
    const ending = () => html`<div class="choice">
      <p>${end?.summary ?? ''}${end?.isFinal === true ? ' You can’t undo it.' : ''}</p>
      <div class="row">
        <button class="button danger small" type="button" @click=${this.#end}>${button}</button>
        <button class="button secondary small" type="button" @click=${close}>Cancel</button>
      </div>
    </div>`;
    return html`<console-dialog .heading=${dialog === undefined ? '' : headings[dialog]}
      .open=${dialog !== undefined} @console-close=${close}>
      ${dialog === undefined ? nothing : dialog === 'end' ? ending() : form()}
    </console-dialog>`;
  }
}

function kindNav(current: RecordKind, counts: Readonly<Record<string, number>>): TemplateResult {
  return html`<nav class="sub-nav kinds" aria-label="Kinds of records">
    ${KINDS.map(
      ({
        kind,
        label,
      }) => html`<a href=${addressOf({ kind })} aria-current=${kind === current ? 'page' : nothing}>
        ${label} <span class="count">${counts[kind]?.toLocaleString('en') ?? ''}</span>
      </a>`,
    )}
  </nav>`;
}

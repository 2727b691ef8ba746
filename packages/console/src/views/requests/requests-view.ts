import type { RequestPage, RequestSummary } from '@latchkey/sandbox';
import { html, type PropertyDeclarations, type ReactiveController, type TemplateResult } from 'lit';
import { baseStyles } from '../../parts/base.styles.js';
import { formStyles } from '../../parts/form.styles.js';
import { splitViewStyles } from '../../parts/split-view.styles.js';
import { type LogTemplates, LogView } from '../../shell/log-view.js';
import './request-detail.js';
import type { LiveEvent } from '../../api/live.js';
import type { ConsoleView } from '../../shell/console-view.js';
import type { RequestDetails } from './request-detail.js';
import {
  ENDPOINT_NAMES,
  filtersOf,
  hasFilters,
  NO_FILTERS,
  parametersOf,
  queryOf,
  type RequestFilters,
} from './request-filters.js';
import { requestRow, rowStyles } from './request-row.js';

/** Entries per call. */
const PAGE = 200;
/** Milliseconds in which new entries are collected for one call. */
const COLLECT_MS = 150;

/** The loaded part of the log: newest entries first, older ones on demand, and new ones as they happen. */
class RequestFeed implements ReactiveController {
  /** Loaded entries, newest first. */
  entries: readonly RequestSummary[] = [];
  /** Number of all entries that match. */
  total = 0;
  /** True once the first page is loaded. */
  isLoaded = false;
  /** True while new entries are held back. */
  isPaused = false;
  /** Number of requests since the pause. */
  missed = 0;
  readonly #view: ConsoleView;
  readonly #filters: () => RequestFilters;
  #next: string | null = null;
  /** Grows with each reload. Answers to earlier calls are dropped. */
  #round = 0;
  #isLoadingMore = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(view: ConsoleView, filters: () => RequestFilters) {
    this.#view = view;
    this.#filters = filters;
    view.addController(this);
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
  }

  /** Loads the newest entries, in place of all that are loaded. */
  async reload(): Promise<void> {
    this.#round += 1;
    const page = await this.#load();
    if (page === undefined) return;
    this.isLoaded = true;
    this.missed = 0;
    this.#show(page.requests, page);
    this.#next = page.next;
  }

  /** Loads older entries, if there are any. */
  async loadMore(): Promise<void> {
    if (this.#next === null || this.#isLoadingMore) return;
    this.#isLoadingMore = true;
    const page = await this.#load(this.#next);
    this.#isLoadingMore = false;
    if (page === undefined) return;
    this.#next = page.next;
    this.#show([...this.entries, ...page.requests], page);
  }

  /** Holds new entries back, or shows them again. */
  pause(isPaused: boolean): void {
    this.isPaused = isPaused;
    if (isPaused) this.#view.requestUpdate();
    else void this.#catchUp();
  }

  /** Receives an event of the sandbox. */
  receive({ type }: LiveEvent): void {
    if (type === 'reset' || type === 'connected') return void this.reload();
    if (type !== 'request') return;
    if (this.isPaused) {
      this.missed += 1;
      this.#view.requestUpdate();
      return;
    }
    this.#timer ??= setTimeout(() => void this.#catchUp(), COLLECT_MS);
  }

  /** Loads the entries that are newer than the newest one. */
  async #catchUp(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const page = await this.#load();
    if (page === undefined) return;
    this.missed = 0;
    const known = new Set(this.entries.map(({ id }) => id));
    const fresh = page.requests.filter(({ id }) => !known.has(id));
    // So many are new that some lie between the page and the loaded entries.
    if (fresh.length === page.requests.length && page.next !== null) {
      this.#next = page.next;
      return this.#show(fresh, page);
    }
    this.#show([...fresh, ...this.entries], page);
  }

  async #load(after?: string): Promise<RequestPage | undefined> {
    const round = this.#round;
    const query = { ...queryOf(this.#filters()), limit: PAGE, after };
    const page = await this.#view.attempt(() => this.#view.api.get<RequestPage>('/requests', query));
    return round === this.#round ? page : undefined;
  }

  #show(entries: readonly RequestSummary[], { total }: RequestPage): void {
    this.entries = entries;
    this.total = total;
    this.#view.requestUpdate();
  }
}

/** Request log: every call of the service, live, with filters and the whole entry beside the list. */
export class RequestsView extends LogView<RequestSummary, RequestDetails> {
  static override styles = [baseStyles, formStyles, splitViewStyles];
  static override properties: PropertyDeclarations = { _isReplaying: { state: true } };
  declare private _isReplaying: boolean;
  protected readonly feed = new RequestFeed(this, () => filtersOf(this.place));

  constructor() {
    super();
    this._isReplaying = false;
  }

  protected override loadEntry(id: string): Promise<RequestDetails> {
    return this.api.get<RequestDetails>(`/requests/${encodeURIComponent(id)}`);
  }

  #filter(change: Partial<RequestFilters>): void {
    this.filter(parametersOf({ ...filtersOf(this.place), ...change }));
  }

  #type(change: Partial<RequestFilters>): void {
    this.afterTyping(() => this.#filter(change));
  }

  async #clear(): Promise<void> {
    await this.attempt(async () => {
      await this.api.delete('/requests');
      this.close();
      await this.feed.reload();
      this.announce('The log is empty.');
    });
  }

  async #replay(): Promise<void> {
    const id = this.entry?.id ?? '';
    this._isReplaying = true;
    const entry = await this.attempt(() => this.api.post<RequestSummary>(`/requests/${id}/replay`));
    this._isReplaying = false;
    if (entry === undefined) return;
    this.announce(`Sent again as ${entry.id}: ${entry.status ?? 'no answer'}.`);
    this.select(entry.id);
    this.reveal();
  }

  protected override templates(): LogTemplates<RequestSummary> {
    const filters = filtersOf(this.place);
    const { total, isPaused, missed } = this.feed;
    return {
      above: this.#filterBar(filters),
      label: 'Requests, newest first',
      count: `${total} ${total === 1 ? 'request' : 'requests'}`,
      total,
      state: isPaused ? `Paused, ${missed} new` : undefined,
      row: requestRow,
      rowStyles,
      empty: this.#empty(filters),
      detail: this.entry && {
        label: `Request ${this.entry.id}`,
        content: html`<console-request-detail
          .entry=${this.entry}
          .isReplaying=${this._isReplaying}
          @console-replay=${this.#replay}
          @console-close=${this.closeToList}
        ></console-request-detail>`,
      },
    };
  }

  #filterBar({ text, status, client, endpoint, failed }: RequestFilters): TemplateResult {
    return html`<form class="bar" role="search" aria-label="Requests" @submit=${(event: Event) => event.preventDefault()}>
      <div class="field search">
        <label for="text">Text</label>
        <input id="text" type="search" maxlength="300" .value=${text} placeholder="Anywhere in a request or its answer"
          @input=${(event: Event) => this.#type({ text: valueIn(event) })} />
      </div>
      <div class="field">
        <label for="status">Status</label>
        <select id="status" @change=${(event: Event) => this.#filter({ status: valueIn(event) })}>
          ${options(['', '2xx', '3xx', '4xx', '5xx', ...(/^\d{3}$/.test(status) ? [status] : [])], status, 'Any')}
        </select>
      </div>
      <div class="field">
        <label for="endpoint">Endpoint</label>
        <select id="endpoint" @change=${(event: Event) => this.#filter({ endpoint: valueIn(event) })}>
          ${options(['', ...ENDPOINT_NAMES], endpoint, 'All')}
        </select>
      </div>
      <div class="field">
        <label for="client">Client or key</label>
        <input id="client" type="search" maxlength="300" .value=${client} placeholder="Id, name or owner"
          @input=${(event: Event) => this.#type({ client: valueIn(event) })} />
      </div>
      <label class="check">
        <input type="checkbox" .checked=${failed}
          @change=${(event: Event) => this.#filter({ failed: (event.target as HTMLInputElement).checked })} />
        Failures only
      </label>
      <button class="button secondary small" type="button" aria-pressed=${this.feed.isPaused} @click=${() => this.feed.pause(!this.feed.isPaused)}>
        ${this.feed.isPaused ? 'Resume' : 'Pause'}
      </button>
      <button type="button" class="button danger small" @click=${this.#clear}>Clear log</button>
    </form>`;
  }

  #empty(filters: RequestFilters): TemplateResult {
    if (!hasFilters(filters)) {
      return html`<div class="empty-state">
        <p class="empty-title">No requests yet.</p>
        <p class="empty-text">Sign in at a shop, or call the API: each request appears here at once.</p>
      </div>`;
    }
    return html`<div class="empty-state">
      <p class="empty-title">No request matches.</p>
      <button class="button secondary small" type="button" @click=${() => this.#filter(NO_FILTERS)}>Remove all filters</button>
    </div>`;
  }
}

const valueIn = (event: Event) => (event.target as HTMLInputElement).value.trim();

function options(values: readonly string[], selected: string, all: string): TemplateResult[] {
  return values.map(
    (value) =>
      html`<option value=${value} ?selected=${value === selected}>${value === '' ? all : value}</option>`,
  );
}

customElements.define('console-requests', RequestsView);

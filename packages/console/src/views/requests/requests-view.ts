import type { RequestSummary } from '@latchkey/sandbox';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { LiveEvent, LiveState } from '../../api/live.js';
import { baseStyles } from '../../parts/base.styles.js';
import { splitViewStyles } from '../../parts/split-view.styles.js';
import '../../parts/console-list.js';
import type { ConsoleList, ConsoleListEvent } from '../../parts/console-list.js';
import { formStyles } from '../../parts/form.styles.js';
import { ConsoleView } from '../../shell/console-view.js';
import './request-detail.js';
import type { RequestDetail, RequestDetails } from './request-detail.js';
import { RequestFeed } from './request-feed.js';
import {
  ENDPOINT_NAMES,
  filtersOf,
  hasFilters,
  NO_FILTERS,
  parametersOf,
  type RequestFilters,
} from './request-filters.js';
import { requestRow, rowStyles } from './request-row.js';

const TYPING_MS = 200;

/** Request log: every call of the service, live, with filters and the whole entry beside the list. */
export class RequestsView extends ConsoleView {
  static override styles = [baseStyles, formStyles, splitViewStyles];
  static override properties: PropertyDeclarations = {
    _entry: { state: true },
    _isReplaying: { state: true },
    _liveState: { state: true },
  };
  declare private _entry: RequestDetails | undefined;
  declare private _isReplaying: boolean;
  declare private _liveState: LiveState;
  readonly #feed = new RequestFeed(this, () => filtersOf(this.place));
  #typing: ReturnType<typeof setTimeout> | undefined;
  #endWatch: (() => void) | undefined;
  readonly #pressed = (event: KeyboardEvent) => this.#press(event);

  constructor() {
    super();
    this._isReplaying = false;
    this._liveState = 'connecting';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#endWatch = this.live.watchState((state) => {
      this._liveState = state;
    });
    document.addEventListener('keydown', this.#pressed);
    void this.#feed.reload().then(() => this.#list?.reveal());
    void this.#showEntry();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('keydown', this.#pressed);
    this.#endWatch?.();
    clearTimeout(this.#typing);
  }

  protected override liveEvent(event: LiveEvent): void {
    this.#feed.receive(event);
    if (event.type === 'reset') this.#close();
  }

  protected override placeChanged(): void {
    void this.#feed.reload();
    void this.#showEntry();
  }

  get #selected(): string {
    return this.place.get('id');
  }

  get #list(): ConsoleList<RequestSummary> | null {
    return this.renderRoot.querySelector<ConsoleList<RequestSummary>>('console-list');
  }

  get #detail(): RequestDetail | null {
    return this.renderRoot.querySelector<RequestDetail>('console-request-detail');
  }

  async #showEntry(): Promise<void> {
    const id = this.#selected;
    if (id === '') {
      this._entry = undefined;
      return;
    }
    const entry = await this.attempt(() =>
      this.api.get<RequestDetails>(`/requests/${encodeURIComponent(id)}`),
    );
    if (id === this.#selected) this._entry = entry;
  }

  #select(id: string): void {
    this.place.replace({ id });
    this.requestUpdate();
    void this.#showEntry();
  }

  /** Shows the entry after its row was opened: in focus after a key, and in view if it is below the list. */
  async #open(isByKey: boolean): Promise<void> {
    await this.#showEntry();
    await this.updateComplete;
    if (isByKey) this.#detail?.focus();
    else if (matchMedia('(max-width: 899.98px)').matches) this.#detail?.scrollIntoView({ block: 'nearest' });
  }

  #close(): void {
    this.place.replace({ id: null });
    this._entry = undefined;
    this.requestUpdate();
  }

  #filter(change: Partial<RequestFilters>): void {
    this.place.replace(parametersOf({ ...filtersOf(this.place), ...change }));
    this.requestUpdate();
    void this.#feed.reload();
  }

  #type(change: Partial<RequestFilters>): void {
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => this.#filter(change), TYPING_MS);
  }

  async #clear(): Promise<void> {
    await this.attempt(async () => {
      await this.api.delete('/requests');
      this.#close();
      await this.#feed.reload();
      this.announce('The log is empty.');
    });
  }

  async #replay(): Promise<void> {
    const id = this._entry?.id ?? '';
    this._isReplaying = true;
    const entry = await this.attempt(() => this.api.post<RequestSummary>(`/requests/${id}/replay`));
    this._isReplaying = false;
    if (entry === undefined) return;
    this.announce(`Sent again as ${entry.id}: ${entry.status ?? 'no answer'}.`);
    this.#select(entry.id);
    this.#list?.reveal();
  }

  #press(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    const [target] = event.composedPath();
    if (event.key === 'Escape') {
      this.#escape(target);
      return;
    }
    if (target instanceof Element && target.matches('input, select, textarea')) return;
    const actions: Readonly<Record<string, () => void>> = {
      '/': () => this.#search?.focus(),
      j: () => this.#list?.move(1),
      k: () => this.#list?.move(-1),
    };
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  }

  get #search(): HTMLInputElement | null {
    return this.renderRoot.querySelector<HTMLInputElement>('#text');
  }

  /** Leaves the search, then closes the entry. */
  #escape(target: EventTarget | undefined): void {
    if (target !== this.#search) this.#close();
    this.#list?.focus();
  }

  protected override render(): TemplateResult {
    const filters = filtersOf(this.place);
    const isOpen = this._entry !== undefined;
    return html`
      ${this.#filterBar(filters)}
      <div class="split ${isOpen ? 'open' : ''}">
        <div class="list">
          ${this.#stateLine()}
          ${this.#feed.isLoaded && this.#feed.entries.length === 0 ? this.#empty(filters) : this.#rows()}
        </div>
        ${
          isOpen
            ? html`<section class="detail" aria-label="Request ${this._entry?.id ?? ''}">
              <console-request-detail
                .entry=${this._entry}
                .isReplaying=${this._isReplaying}
                @console-replay=${this.#replay}
                @console-close=${() => {
                  this.#close();
                  this.#list?.focus();
                }}
              ></console-request-detail>
            </section>`
            : nothing
        }
      </div>
    `;
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
      <button type="button" aria-pressed=${this.#feed.isPaused} @click=${() => this.#feed.pause(!this.#feed.isPaused)}>
        ${this.#feed.isPaused ? 'Resume' : 'Pause'}
      </button>
      <button type="button" class="danger" @click=${this.#clear}>Clear log</button>
    </form>`;
  }

  #stateLine(): TemplateResult {
    const { total, isPaused, missed, isLoaded } = this.#feed;
    const texts: Readonly<Record<LiveState, string>> = {
      connecting: 'Connecting…',
      open: 'Live',
      closed: 'Not connected',
    };
    const state = isPaused ? `Paused, ${missed} new` : texts[this._liveState];
    return html`<p class="state">
      <span class="dot ${isPaused ? '' : this._liveState}" id="live">${state}</span>
      <span role="status">${isLoaded ? `${total} ${total === 1 ? 'request' : 'requests'}` : ''}</span>
      <span>Times in UTC</span>
      <span class="keys"><kbd>j</kbd> <kbd>k</kbd> move, <kbd>/</kbd> search, <kbd>Esc</kbd> close</span>
    </p>`;
  }

  #rows(): TemplateResult {
    return html`<console-list
      label="Requests, newest first"
      .items=${this.#feed.entries}
      .total=${this.#feed.total}
      .keyOf=${keyOf}
      .renderItem=${requestRow}
      .rowStyles=${rowStyles}
      .selected=${this.#selected}
      @console-select=${({ item }: ConsoleListEvent<RequestSummary>) => this.#select(item.id)}
      @console-open=${({ isByKey }: ConsoleListEvent<RequestSummary>) => this.#open(isByKey)}
      @console-end=${() => this.#feed.loadMore()}
    ></console-list>`;
  }

  #empty(filters: RequestFilters): TemplateResult {
    if (!hasFilters(filters)) {
      return html`<div class="empty">
        <p>No requests yet.</p>
        <p>Sign in at a shop, or call the API: each request appears here at once.</p>
      </div>`;
    }
    return html`<div class="empty">
      <p>No request matches.</p>
      <p><button type="button" @click=${() => this.#filter(NO_FILTERS)}>Remove all filters</button></p>
    </div>`;
  }
}

const valueIn = (event: Event) => (event.target as HTMLInputElement).value.trim();
const keyOf = ({ id }: RequestSummary) => id;

function options(values: readonly string[], selected: string, all: string): TemplateResult[] {
  return values.map(
    (value) =>
      html`<option value=${value} ?selected=${value === selected}>${value === '' ? all : value}</option>`,
  );
}

customElements.define('console-requests', RequestsView);

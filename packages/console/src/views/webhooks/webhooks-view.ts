import { WEBHOOK_EVENT_TYPES } from '@latchkey/contract/constants';
import type { EventEntry } from '@latchkey/sandbox';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { LiveEvent, LiveState } from '../../api/live.js';
import { baseStyles } from '../../parts/base.styles.js';
import '../../parts/console-dialog.js';
import type { ConsoleList, ConsoleListEvent } from '../../parts/console-list.js';
import '../../parts/console-list.js';
import { formStyles } from '../../parts/form.styles.js';
import { ConsoleView } from '../../shell/console-view.js';
import './delivery-faults.js';
import type { DeliveryFaults, WebhookChoice } from './delivery-faults.js';
import './event-detail.js';
import type { EventDetail, VerifyRequestEvent } from './event-detail.js';
import { EventFeed } from './event-feed.js';
import {
  type EventFilters,
  filtersOf,
  hasFilters,
  NO_FILTERS,
  parametersOf,
  STATUS_LABELS,
} from './event-filters.js';
import { eventRow, rowStyles } from './event-row.js';
import './receiver-mode.js';
import type { ReceiverModeControl } from './receiver-mode.js';
import './test-event-form.js';
import type { TestSentEvent } from './test-event-form.js';
import './verify-form.js';
import { splitViewStyles } from '../../parts/split-view.styles.js';
import { viewStyles } from './webhooks-view.styles.js';

const TYPING_MS = 200;
const REFRESH_MS = 250;

type DialogName = '' | 'test' | 'verify' | 'faults';

/** Webhook inspector: every event with its deliveries and attempts, live, and the tools that send, change and verify them. */
export class WebhooksView extends ConsoleView {
  static override styles = [baseStyles, formStyles, splitViewStyles, viewStyles];
  static override properties: PropertyDeclarations = {
    _event: { state: true },
    _dialog: { state: true },
    _pasted: { state: true },
    _webhooks: { state: true },
    _faultCount: { state: true },
    _liveState: { state: true },
  };
  declare private _event: EventEntry | undefined;
  declare private _dialog: DialogName;
  declare private _pasted: { body: string; signature: string };
  declare private _webhooks: readonly WebhookChoice[];
  declare private _faultCount: number;
  declare private _liveState: LiveState;
  readonly #feed = new EventFeed(this, () => filtersOf(this.place));
  #typing: ReturnType<typeof setTimeout> | undefined;
  #refreshing: ReturnType<typeof setTimeout> | undefined;
  #endWatch: (() => void) | undefined;
  readonly #pressed = (event: KeyboardEvent) => this.#press(event);

  constructor() {
    super();
    this._dialog = '';
    this._pasted = { body: '', signature: '' };
    this._webhooks = [];
    this._faultCount = 0;
    this._liveState = 'connecting';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#endWatch = this.live.watchState((state) => {
      this._liveState = state;
    });
    document.addEventListener('keydown', this.#pressed);
    void this.#feed.reload().then(() => this.#list?.reveal());
    void this.#showEvent();
    void this.#loadWebhooks();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('keydown', this.#pressed);
    this.#endWatch?.();
    clearTimeout(this.#typing);
    clearTimeout(this.#refreshing);
  }

  protected override liveEvent(event: LiveEvent): void {
    this.#feed.receive(event);
    if (event.type === 'reset') {
      this.#close();
      void this.#loadWebhooks();
    }
    this.#refreshing ??= setTimeout(() => {
      this.#refreshing = undefined;
      void this.renderRoot.querySelector<ReceiverModeControl>('console-receiver-mode')?.refresh();
      void this.renderRoot.querySelector<DeliveryFaults>('console-delivery-faults')?.refresh();
      void this.#showEvent();
    }, REFRESH_MS);
  }

  protected override placeChanged(): void {
    void this.#feed.reload();
    void this.#showEvent();
  }

  get #selected(): string {
    return this.place.get('id');
  }

  get #list(): ConsoleList<EventEntry> | null {
    return this.renderRoot.querySelector<ConsoleList<EventEntry>>('console-list');
  }

  get #search(): HTMLInputElement | null {
    return this.renderRoot.querySelector<HTMLInputElement>('#text');
  }

  async #loadWebhooks(): Promise<void> {
    const list = await this.attempt(() =>
      this.api.get<{ webhooks: readonly Record<string, unknown>[] }>('/data/webhooks', { limit: 500 }),
    );
    this._webhooks = (list?.webhooks ?? []).map(({ id, url, communityId }) => ({
      id: String(id),
      label: `${communityId === null ? 'Product' : 'Community'}, ${String(url)}, ${String(id)}`,
    }));
  }

  async #showEvent(): Promise<void> {
    const id = this.#selected;
    if (id === '') {
      this._event = undefined;
      return;
    }
    const event = await this.attempt(() => this.api.get<EventEntry>(`/events/${encodeURIComponent(id)}`));
    if (id === this.#selected) this._event = event;
  }

  /** Focuses the event after its row was opened, as soon as it is there. */
  async #focusEvent(): Promise<void> {
    await this.#showEvent();
    await this.updateComplete;
    this.renderRoot.querySelector<EventDetail>('console-event-detail')?.focus();
  }

  #select(id: string): void {
    this.place.replace({ id });
    this.requestUpdate();
    void this.#showEvent();
  }

  #close(): void {
    this.place.replace({ id: null });
    this._event = undefined;
    this.requestUpdate();
  }

  #filter(change: Partial<EventFilters>): void {
    this.place.replace(parametersOf({ ...filtersOf(this.place), ...change }));
    this.requestUpdate();
    void this.#feed.reload();
  }

  #type(text: string): void {
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => this.#filter({ text }), TYPING_MS);
  }

  #verify({ body, signature }: VerifyRequestEvent): void {
    this._pasted = { body, signature };
    this._dialog = 'verify';
  }

  #sent({ entry }: TestSentEvent): void {
    this._dialog = '';
    this.announce(
      entry.deliveries.length === 0
        ? `Recorded ${entry.type}. No webhook receives it.`
        : `Sent ${entry.type} to ${entry.deliveries.length === 1 ? 'one webhook' : `${entry.deliveries.length} webhooks`}.`,
    );
    this.#select(entry.id);
    void this.#feed.reload().then(() => this.#list?.reveal());
  }

  #press(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented || this._dialog !== '')
      return;
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

  /** Leaves the search, then closes the event. */
  #escape(target: EventTarget | undefined): void {
    if (target !== this.#search && this._event !== undefined) this.#close();
    this.#list?.focus();
  }

  protected override render(): TemplateResult {
    const filters = filtersOf(this.place);
    const isOpen = this._event !== undefined;
    return html`
      ${this.#top()} ${this.#filterBar(filters)}
      <div class="split ${isOpen ? 'open' : ''}">
        <div class="list">
          ${this.#stateLine()}
          ${this.#feed.isLoaded && this.#feed.entries.length === 0 ? this.#empty(filters) : this.#rows()}
        </div>
        ${
          isOpen
            ? html`<section class="detail" aria-label="Event ${this._event?.type ?? ''}">
              <console-event-detail
                .api=${this.api}
                .event=${this._event}
                @console-verify=${this.#verify}
                @console-close=${() => {
                  this.#close();
                  this.#list?.focus();
                }}
              ></console-event-detail>
            </section>`
            : nothing
        }
      </div>
      ${this.#dialogs()}
    `;
  }

  #top(): TemplateResult {
    const open = (name: DialogName) => () => {
      if (name === 'verify') this._pasted = { body: '', signature: '' };
      this._dialog = name;
    };
    return html`<div class="top">
      <console-receiver-mode .api=${this.api}></console-receiver-mode>
      <div class="row">
        <button type="button" class="primary" @click=${open('test')}>Send a test event</button>
        <button type="button" @click=${open('verify')}>Verify a signature</button>
        <button type="button" @click=${open('faults')}>
          Faults${this._faultCount === 0 ? '' : ` (${this._faultCount})`}
        </button>
      </div>
    </div>`;
  }

  #dialogs(): TemplateResult {
    const close = (name: DialogName) => () => {
      if (this._dialog === name) this._dialog = '';
    };
    return html`
      <console-dialog heading="Send a test event" .open=${this._dialog === 'test'} @console-close=${close('test')}>
        ${this._dialog === 'test' ? html`<console-test-event-form .api=${this.api} @console-sent=${this.#sent}></console-test-event-form>` : nothing}
      </console-dialog>
      <console-dialog heading="Verify a signature" .open=${this._dialog === 'verify'} @console-close=${close('verify')}>
        ${
          this._dialog === 'verify'
            ? html`<console-verify-form .api=${this.api} .body=${this._pasted.body} .signature=${this._pasted.signature}></console-verify-form>`
            : nothing
        }
      </console-dialog>
      <console-dialog heading="Faults of deliveries" .open=${this._dialog === 'faults'} @console-close=${close('faults')}>
        <console-delivery-faults
          .api=${this.api}
          .webhooks=${this._webhooks}
          @console-count=${({ detail }: CustomEvent<number>) => {
            this._faultCount = detail;
          }}
        ></console-delivery-faults>
      </console-dialog>
    `;
  }

  #filterBar({ text, type, status, webhook }: EventFilters): TemplateResult {
    const textOf = (event: Event) => (event.target as HTMLInputElement).value.trim();
    return html`<form class="bar" role="search" aria-label="Events" @submit=${(event: Event) => event.preventDefault()}>
      <div class="field search">
        <label for="text">Text</label>
        <input id="text" type="search" maxlength="200" .value=${text} placeholder="In the body, the URL, or a delivery id"
          @input=${(event: Event) => this.#type(textOf(event))} />
      </div>
      <div class="field">
        <label for="type">Type</label>
        <select id="type" @change=${(event: Event) => this.#filter({ type: textOf(event) })}>
          <option value="">All</option>
          ${WEBHOOK_EVENT_TYPES.map((known) => html`<option ?selected=${known === type}>${known}</option>`)}
        </select>
      </div>
      <div class="field">
        <label for="status">State</label>
        <select id="status" @change=${(event: Event) => this.#filter({ status: textOf(event) })}>
          <option value="">Any</option>
          ${Object.entries(STATUS_LABELS).map(
            ([value, label]) => html`<option value=${value} ?selected=${value === status}>${label}</option>`,
          )}
        </select>
      </div>
      <div class="field">
        <label for="webhook">Webhook</label>
        <select id="webhook" @change=${(event: Event) => this.#filter({ webhook: textOf(event) })}>
          <option value="">All</option>
          ${this._webhooks.map(
            ({ id, label }) => html`<option value=${id} ?selected=${id === webhook}>${label}</option>`,
          )}
        </select>
      </div>
    </form>`;
  }

  #stateLine(): TemplateResult {
    const { entries, hasMore, isLoaded } = this.#feed;
    const texts: Readonly<Record<LiveState, string>> = {
      connecting: 'Connecting…',
      open: 'Live',
      closed: 'Not connected',
    };
    const count = `${entries.length}${hasMore ? '+' : ''} ${entries.length === 1 ? 'event' : 'events'}`;
    return html`<p class="state">
      <span class="dot ${this._liveState}" id="live">${texts[this._liveState]}</span>
      <span role="status">${isLoaded ? count : ''}</span>
      <span>Times in UTC</span>
      <span class="keys"><kbd>j</kbd> <kbd>k</kbd> move, <kbd>/</kbd> search, <kbd>Esc</kbd> close</span>
    </p>`;
  }

  #rows(): TemplateResult {
    return html`<console-list
      label="Events, newest first"
      .items=${this.#feed.entries}
      .total=${this.#feed.hasMore ? -1 : this.#feed.entries.length}
      .keyOf=${keyOf}
      .renderItem=${eventRow}
      .rowStyles=${rowStyles}
      .selected=${this.#selected}
      @console-select=${({ item }: ConsoleListEvent<EventEntry>) => this.#select(item.id)}
      @console-open=${() => void this.#focusEvent()}
      @console-end=${() => this.#feed.loadMore()}
    ></console-list>`;
  }

  #empty(filters: EventFilters): TemplateResult {
    if (!hasFilters(filters)) {
      return html`<div class="empty">
        <p>No events yet.</p>
        <p>Buy or provision a membership, or send a test event.</p>
      </div>`;
    }
    return html`<div class="empty">
      <p>No event matches.</p>
      <p><button type="button" @click=${() => this.#filter(NO_FILTERS)}>Remove all filters</button></p>
    </div>`;
  }
}

const keyOf = ({ id }: EventEntry) => id;

customElements.define('console-webhooks', WebhooksView);

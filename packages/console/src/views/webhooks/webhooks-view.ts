import { WEBHOOK_EVENT_TYPES } from '@latchkey/contract/constants';
import type { EventEntry } from '@latchkey/sandbox';
import { css, html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { LiveEvent } from '../../api/live.js';
import { baseStyles } from '../../parts/base.styles.js';
import '../../parts/console-dialog.js';
import { formStyles } from '../../parts/form.styles.js';
import { splitViewStyles } from '../../parts/split-view.styles.js';
import { type LogTemplates, LogView } from '../../shell/log-view.js';
import type { DeliveryFaults, WebhookChoice } from './delivery-faults.js';
import './delivery-faults.js';
import type { VerifyRequestEvent } from './event-detail.js';
import './event-detail.js';
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
import type { ReceiverModeControl } from './receiver-mode.js';
import './receiver-mode.js';
import type { TestSentEvent } from './test-event-form.js';
import './test-event-form.js';
import './verify-form.js';

/** Styles of the inspector besides those of a log: the row of the receiver above the filters. */
const viewStyles = css`
  .top {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.75rem 1.5rem;
    margin-block-end: 0.75rem;
  }
  .split {
    --split-max: max(28rem, 100dvh - 22.5rem);
  }
`;

const REFRESH_MS = 250;

type DialogName = '' | 'test' | 'verify' | 'faults';

/** Webhook inspector: every event with its deliveries and attempts, live, and the tools that send, change and verify them. */
export class WebhooksView extends LogView<EventEntry, EventEntry> {
  static override styles = [baseStyles, formStyles, splitViewStyles, viewStyles];
  static override properties: PropertyDeclarations = {
    _dialog: { state: true },
    _pasted: { state: true },
    _webhooks: { state: true },
    _faultCount: { state: true },
  };
  declare private _dialog: DialogName;
  declare private _pasted: { body: string; signature: string };
  declare private _webhooks: readonly WebhookChoice[];
  declare private _faultCount: number;
  protected readonly feed = new EventFeed(this, () => filtersOf(this.place));
  #refreshing: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this._dialog = '';
    this._pasted = { body: '', signature: '' };
    this._webhooks = [];
    this._faultCount = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#loadWebhooks();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#refreshing);
  }

  protected override get ignoresKeys(): boolean {
    return this._dialog !== '';
  }

  protected override loadEntry(id: string): Promise<EventEntry> {
    return this.api.get<EventEntry>(`/events/${encodeURIComponent(id)}`);
  }

  protected override liveEvent(event: LiveEvent): void {
    super.liveEvent(event);
    if (event.type === 'reset') void this.#loadWebhooks();
    this.#refreshing ??= setTimeout(() => {
      this.#refreshing = undefined;
      void this.renderRoot.querySelector<ReceiverModeControl>('console-receiver-mode')?.refresh();
      void this.renderRoot.querySelector<DeliveryFaults>('console-delivery-faults')?.refresh();
      void this.showEntry();
    }, REFRESH_MS);
  }

  async #loadWebhooks(): Promise<void> {
    const list = await this.attempt(() =>
      this.api.get<{
        webhooks: readonly Record<string, unknown>[];
        labels: Readonly<Record<string, string>>;
      }>('/data/webhooks', { limit: 500 }),
    );
    this._webhooks = (list?.webhooks ?? []).map(({ id, url, communityId, productId }) => ({
      id: String(id),
      label: `${list?.labels[String(communityId ?? productId)] ?? 'Unknown'}, ${String(url)}`,
    }));
  }

  #filter(change: Partial<EventFilters>): void {
    this.filter(parametersOf({ ...filtersOf(this.place), ...change }));
  }

  #type(text: string): void {
    this.afterTyping(() => this.#filter({ text }));
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
    this.select(entry.id);
    void this.reloadList();
  }

  protected override templates(): LogTemplates<EventEntry> {
    const filters = filtersOf(this.place);
    const { entries, hasMore } = this.feed;
    return {
      above: html`${this.#top()} ${this.#filterBar(filters)}`,
      label: 'Events, newest first',
      count: `${entries.length}${hasMore ? '+' : ''} ${entries.length === 1 ? 'event' : 'events'}`,
      total: hasMore ? -1 : entries.length,
      row: eventRow,
      rowStyles,
      empty: this.#empty(filters),
      detail: this.entry && {
        label: `Event ${this.entry.type}`,
        content: html`<console-event-detail
          .api=${this.api}
          .event=${this.entry}
          @console-verify=${this.#verify}
          @console-close=${this.closeToList}
        ></console-event-detail>`,
      },
      below: this.#dialogs(),
    };
  }

  #top(): TemplateResult {
    const open = (name: DialogName) => () => {
      if (name === 'verify') this._pasted = { body: '', signature: '' };
      this._dialog = name;
    };
    return html`<div class="top">
      <console-receiver-mode .api=${this.api}></console-receiver-mode>
      <div class="row">
        <button type="button" class="button primary small" @click=${open('test')}>Send a test event</button>
        <button class="button secondary small" type="button" @click=${open('verify')}>Verify a signature</button>
        <button class="button secondary small" type="button" @click=${open('faults')}>
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

  #empty(filters: EventFilters): TemplateResult {
    if (!hasFilters(filters)) {
      return html`<div class="empty-state">
        <p class="empty-title">No events yet.</p>
        <p class="empty-text">Buy or provision a membership, or send a test event.</p>
      </div>`;
    }
    return html`<div class="empty-state">
      <p class="empty-title">No event matches.</p>
      <button class="button secondary small" type="button" @click=${() => this.#filter(NO_FILTERS)}>Remove all filters</button>
    </div>`;
  }
}

customElements.define('console-webhooks', WebhooksView);

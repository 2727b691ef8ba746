import type { RequestSummary } from '@latchkey/sandbox';
import { html, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { baseStyles } from '../../parts/base.styles.js';
import { splitViewStyles } from '../../parts/split-view.styles.js';
import { LogFeed } from '../../shell/log-feed.js';
import { type LogFilters, type LogTemplates, LogView } from '../../shell/log-view.js';
import './request-detail.js';
import type { RequestDetails } from './request-detail.js';
import { requestRow, rowStyles } from './request-detail.js';

/** The service's endpoints, by the names that the log uses; `page` for forms on pages. */
const ENDPOINT_NAMES = [
  ...['authorize', 'token', 'revoke', 'userinfo', 'memberships', 'products', 'clientIdentity'],
  ...['provisionExternal', 'inviteLink', 'checkMessenger', 'buyPlan', 'dropSignup', 'page'],
];

@customElement('console-requests')
export class RequestsView extends LogView<RequestSummary, RequestDetails> {
  static override styles = [baseStyles, splitViewStyles];
  @state() private _isReplaying = false;
  protected readonly filters: LogFilters = {
    text: () => true,
    status: (value) => /^[1-5](?:\d\d|xx)$/.test(value),
    // Client id, key name, or owner of a key.
    client: () => true,
    endpoint: () => true,
    failed: (value) => value === 'true',
  };
  protected readonly feed = new LogFeed<RequestSummary>(this, {
    path: 'requests',
    limit: 200,
    changes: ['request'],
    query: () => this.filterValues,
  });

  protected override loadEntry(id: string): Promise<RequestDetails> {
    return this.api.call('GET /requests/{id}', { id });
  }

  async #clear(): Promise<void> {
    await this.attempt(async () => {
      await this.api.call('DELETE /requests');
      this.close();
      await this.feed.reload();
      this.announce('The log is empty.');
    });
  }

  async #replay(): Promise<void> {
    const id = this.entry?.id ?? '';
    this._isReplaying = true;
    const entry = await this.attempt(() => this.api.call('POST /requests/{id}/replay', { id }));
    this._isReplaying = false;
    if (entry === undefined) return;
    this.announce(`Sent again as ${entry.id}: ${entry.status ?? 'no answer'}.`);
    this.select(entry.id);
    this.reveal();
  }

  protected override templates(): LogTemplates<RequestSummary> {
    const { isPaused, missed } = this.feed;
    return {
      above: this.#filterBar(),
      one: 'request',
      hint: 'Sign in at a shop, or call the API: each request appears here at once.',
      state: isPaused ? `Paused, ${missed} new` : undefined,
      row: requestRow,
      rowStyles,
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

  #filterBar(): TemplateResult {
    const { status = '', failed } = this.filterValues;
    const statuses = ['2xx', '3xx', '4xx', '5xx', ...(/^\d{3}$/.test(status) ? [status] : [])];
    return html`<form class="bar" role="search" aria-label="Requests" @submit=${(event: Event) => event.preventDefault()}>
      ${this.textFilter('text', { label: 'Text', placeholder: 'Anywhere in a request or its answer' })}
      ${this.choiceFilter('status', 'Status', [['', 'Any'], ...statuses])}
      ${this.choiceFilter('endpoint', 'Endpoint', [['', 'All'], ...ENDPOINT_NAMES])}
      ${this.textFilter('client', { label: 'Client or key', placeholder: 'Id, name or owner' })}
      <label class="check">
        <input type="checkbox" .checked=${failed === 'true'}
          @change=${({ target }: Event) => this.filter({ failed: (target as HTMLInputElement).checked ? 'true' : '' })} />
        Failures only
      </label>
      <button class="button secondary small" type="button" aria-pressed=${this.feed.isPaused} @click=${() => this.feed.pause(!this.feed.isPaused)}>
        ${this.feed.isPaused ? 'Resume' : 'Pause'}
      </button>
      <button type="button" class="button danger small" @click=${this.#clear}>Clear log</button>
    </form>`;
  }
}

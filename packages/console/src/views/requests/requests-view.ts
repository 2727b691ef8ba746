import type { RequestPage, RequestSummary } from '@latchkey/sandbox';
import { css, html, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { LiveEvent } from '../../api/live.js';
import { baseStyles } from '../../parts/base.styles.js';
import '../../parts/console-list.js';
import { ConsoleView } from '../../shell/console-view.js';

/** Request log. */
export class RequestsView extends ConsoleView {
  static override styles = [
    baseStyles,
    css`
      .list {
        block-size: 60vh;
        border: 1px solid var(--line);
        background: var(--surface);
      }
    `,
  ];
  static override properties: PropertyDeclarations = { _entries: { state: true } };
  declare private _entries: readonly RequestSummary[];

  constructor() {
    super();
    this._entries = [];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#load();
  }

  async #load(): Promise<void> {
    const page = await this.attempt(() => this.api.get<RequestPage>('/requests'));
    if (page !== undefined) this._entries = page.requests;
  }

  protected override liveEvent({ type }: LiveEvent): void {
    if (['connected', 'request', 'reset'].includes(type)) void this.#load();
  }

  protected override render(): TemplateResult {
    return html`<div class="list">
      <console-list
        label="Requests"
        .items=${this._entries}
        .keyOf=${(entry: RequestSummary) => entry.id}
        .renderItem=${({ method, path, status }: RequestSummary) => html`<code>${status} ${method} ${path}</code>`}
      ></console-list>
    </div>`;
  }
}

customElements.define('console-requests', RequestsView);

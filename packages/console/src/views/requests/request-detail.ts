import '../../parts/console-copy.js';
import '../../parts/console-json.js';
import type { DecidingRule, LoggedBody, LoggedHeaders, RequestSummary } from '@latchkey/sandbox';
import type { ControlAnswer } from '@latchkey/sandbox/client';
import { css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { logRowStyles } from '../../parts/split-view.styles.js';
import { EntryDetail, headerList, type State } from '../../shell/entry-detail.js';

function statusKind({ status, answered }: Pick<RequestSummary, 'status' | 'answered'>): State['kind'] {
  if (status === null || !answered || status >= 500) return 'bad';
  if (status >= 400) return 'warn';
  return status >= 300 ? 'neutral' : 'good';
}

/** Returns a status as text: `lost` for a response that didn't arrive completely. */
function statusText({ status, answered }: Pick<RequestSummary, 'status' | 'answered'>): string {
  if (status === null) return 'none';
  return answered ? `${status}` : `${status} lost`;
}

function callerName({ caller }: Pick<RequestSummary, 'caller'>): string {
  if (caller === null) return '';
  return caller.kind === 'client' ? caller.clientId : caller.keyName;
}

function timeOf(instant: string): string {
  return instant.slice(11, 19);
}

function durationText(milliseconds: number): string {
  return milliseconds < 10_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

export function requestRow(entry: RequestSummary): TemplateResult {
  const { method, path, serviceTime, durationMs, fault, replayOf } = entry;
  return html`<span class="request-row">
    <span class="pill pill-${statusKind(entry)}">${statusText(entry)}</span>
    <span class="method" translate="no">${method}</span>
    <span class="path" translate="no">${path}</span>
    <span class="marks"
      >${fault === null ? nothing : html`<span class="mark">fault</span>`}${
        replayOf === null ? nothing : html`<span class="mark">replay</span>`
      }</span
    >
    <span class="caller">${callerName(entry)}</span>
    <span class="duration">${durationText(durationMs)}</span>
    <span class="time">${timeOf(serviceTime)}</span>
  </span>`;
}

export const rowStyles = css`
  ${logRowStyles}
  .request-row {
    grid-template-columns: minmax(4.25rem, max-content) 3.75rem minmax(0, 1fr) auto minmax(0, 9rem) 4.5rem 4.5rem;
  }
  .mark {
    padding: 0 0.375rem;
    border: 1px solid var(--line-strong);
    border-radius: 4px;
    font-size: 0.75rem;
    color: var(--text);
  }
  .marks {
    display: flex;
    gap: 0.25rem;
  }
  @container (max-width: 46rem) {
    .request-row {
      grid-template-columns: minmax(4.25rem, max-content) 3.25rem minmax(0, 1fr) auto 4.5rem;
    }
    .caller,
    .duration {
      display: none;
    }
  }
  @container (max-width: 26rem) {
    .request-row {
      grid-template-columns: auto auto 1fr auto;
      gap: 0 0.5rem;
    }
    .path {
      grid-row: 2;
      grid-column: 1 / -1;
    }
    .time {
      grid-column: 4;
    }
  }
`;

export type RequestDetails = ControlAnswer<'GET /requests/{id}'>;

/**
 * A complete entry of the log.
 *
 * @fires console-replay - The visitor wants to send the request again.
 */
@customElement('console-request-detail')
export class RequestDetail extends EntryDetail {
  @property({ attribute: false }) entry!: RequestDetails;
  @property({ attribute: false }) isReplaying!: boolean;

  protected override render(): TemplateResult {
    const { entry } = this;
    const { method, path, curl, rules, endpoint } = entry;
    return html`
      ${this.header(
        html`<span class="pill pill-${statusKind(entry)}">${statusText(entry)}</span> <code>${method} ${path}</code>`,
        html`<button class="button primary small" type="button" ?disabled=${this.isReplaying}
            @click=${() => this.dispatchEvent(new Event('console-replay'))}>${this.isReplaying ? 'Replaying…' : 'Replay'}</button>
          <console-copy .text=${curl} name="as a curl command">Copy as curl</console-copy>
          <console-copy .text=${location.href} name="to this entry">Copy link</console-copy>`,
      )}
      ${rules.length === 0 ? nothing : rulesBox(rules)}
      ${this.#facts()}
      ${body('Request body', entry.requestBody, 'No body.')}
      ${body('Response body', entry.responseBody, endpoint === null ? 'Bodies of pages are not logged.' : 'No body.')}
      ${headers('Request headers', entry.requestHeaders)}
      ${headers('Response headers', entry.responseHeaders)}
    `;
  }

  #facts(): TemplateResult {
    const { entry } = this;
    const { caller, fault, replayOf, endpoint, location: redirect } = entry;
    const name = callerName(entry);
    const link = (query: Record<string, string>, text: string) =>
      html`<a href="?${new URLSearchParams(query)}">${text}</a>`;
    return this.facts([
      ['Id', entry.id, 'code'],
      ['Service time', entry.serviceTime, 'time'],
      ['Real time', entry.realTime, 'time'],
      ['Duration', durationText(entry.durationMs)],
      ['Endpoint', link({ endpoint: endpoint ?? 'page' }, endpoint ?? 'A form of a page')],
      [
        caller?.kind === 'api-key' ? 'API key' : 'Client',
        name === '' ? 'unknown' : link({ client: name }, name),
      ],
      ['User', caller?.kind === 'client' ? caller.userId : null, 'code'],
      ['Owner of the key', caller?.kind === 'api-key' ? (caller.owner ?? caller.ownerId) : null],
      ['Answer', entry.answered ? null : 'The caller did not receive a whole answer.'],
      ['Fault', fault, 'code'],
      ['Replay of', replayOf === null ? null : link({ id: replayOf }, replayOf)],
      ['Redirect', redirect, 'code'],
    ]);
  }
}

function rulesBox(rules: readonly DecidingRule[]): TemplateResult {
  return html`<section class="rule" aria-label="Rule that decided the answer">
    <h3>Decided by</h3>
    ${rules.map(
      ({ id, text, section }) => html`<p>
        <a href="/sandbox/rules#${id}"><code>${id}</code></a> ${ruleText(text)}
        <span class="muted">${section}</span>
      </p>`,
    )}
  </section>`;
}

/** Renders text in which backticks mark code. */
function ruleText(text: string): readonly unknown[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

function body(label: string, content: LoggedBody | null, without: string): TemplateResult {
  if (content === null) return html`<section><h3>${label}</h3><p class="muted">${without}</p></section>`;
  const { contentType, bytes, text, truncated } = content;
  return html`<section>
    <h3>
      ${label}
      <span class="muted">${contentType}, ${bytes} bytes${truncated ? ', cut' : ''}</span>
    </h3>
    <console-json .value=${contentType.includes('form') ? formText(text) : text} .name=${label}></console-json>
  </section>`;
}

function formText(text: string): string {
  return text.replaceAll('&', '\n&');
}

function headers(label: string, values: LoggedHeaders): TemplateResult {
  return html`<details>
    <summary>${label} <span class="muted">${Object.keys(values).length}</span></summary>
    ${headerList(values)}
  </details>`;
}

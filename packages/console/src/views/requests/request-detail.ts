import type { DecidingRule, LoggedBody, LoggedHeaders } from '@latchkey/sandbox';
import type { ControlAnswer } from '@latchkey/sandbox/client';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { baseStyles } from '../../parts/base.styles.js';
import '../../parts/console-copy.js';
import '../../parts/console-json.js';
import { backToList, entryDetailStyles, headerList } from '../../parts/entry-detail.js';
import { callerName, durationText, statusKind, statusText } from './request-row.js';

/** An entry of the log, as the control API returns it. */
export type RequestDetails = ControlAnswer<'GET /requests/{id}'>;

/**
 * A complete entry of the log.
 *
 * @fires console-replay - The visitor wants to send the request again.
 * @fires console-close - The visitor closed it.
 */
@customElement('console-request-detail')
export class RequestDetail extends LitElement {
  static override styles = [baseStyles, entryDetailStyles];

  @property({ attribute: false }) entry!: RequestDetails;
  /** True while it's being replayed. */
  @property({ attribute: false }) isReplaying!: boolean;

  /** Focuses the heading. */
  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>('h2')?.focus();
  }

  #tell(type: 'console-replay' | 'console-close'): void {
    this.dispatchEvent(new Event(type));
  }

  protected override render(): TemplateResult {
    const { entry } = this;
    const { method, path, curl, rules, endpoint } = entry;
    return html`
      <header>
        ${backToList(this)}
        <h2 tabindex="-1"><span class="pill pill-${statusKind(entry)}">${statusText(entry)}</span> <code>${method} ${path}</code></h2>
        <div class="row">
          <button class="button primary small" type="button" ?disabled=${this.isReplaying} @click=${() => this.#tell('console-replay')}>
            ${this.isReplaying ? 'Replaying…' : 'Replay'}
          </button>
          <console-copy .text=${curl} name="as a curl command">Copy as curl</console-copy>
          <console-copy .text=${location.href} name="to this entry">Copy link</console-copy>
          <button class="button quiet small close" type="button" @click=${() => this.#tell('console-close')}>Close</button>
        </div>
      </header>
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
    const facts: readonly (readonly [string, unknown])[] = [
      ['Id', html`<code>${entry.id}</code>`],
      ['Service time', html`<time datetime=${entry.serviceTime}>${entry.serviceTime}</time>`],
      ['Real time', html`<time datetime=${entry.realTime}>${entry.realTime}</time>`],
      ['Duration', durationText(entry.durationMs)],
      ['Endpoint', link({ endpoint: endpoint ?? 'page' }, endpoint ?? 'A form of a page')],
      [
        caller?.kind === 'api-key' ? 'API key' : 'Client',
        name === '' ? 'unknown' : link({ client: name }, name),
      ],
      ...(caller?.kind === 'client' && caller.userId !== null
        ? [['User', html`<code>${caller.userId}</code>`] as const]
        : []),
      ...(caller?.kind === 'api-key' ? [['Owner of the key', caller.owner ?? caller.ownerId] as const] : []),
      ...(entry.answered ? [] : [['Answer', 'The caller did not receive a whole answer.'] as const]),
      ...(fault === null ? [] : [['Fault', html`<code>${fault}</code>`] as const]),
      ...(replayOf === null ? [] : [['Replay of', link({ id: replayOf }, replayOf)] as const]),
      ...(redirect === null ? [] : [['Redirect', html`<code>${redirect}</code>`] as const]),
    ];
    return html`<dl class="facts">
      ${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}
    </dl>`;
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

/** Returns one line for each field of a form. */
function formText(text: string): string {
  return text.replaceAll('&', '\n&');
}

function headers(label: string, values: LoggedHeaders): TemplateResult {
  return html`<details>
    <summary>${label} <span class="muted">${Object.keys(values).length}</span></summary>
    ${headerList(values)}
  </details>`;
}

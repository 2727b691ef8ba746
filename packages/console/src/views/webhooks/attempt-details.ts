import type { AttemptEntry } from '@latchkey/sandbox';
import { html, nothing, type TemplateResult } from 'lit';
import '../../parts/console-copy.js';
import '../../parts/console-json.js';
import { headerList } from '../../parts/header-list.js';

/** Words for what was done to an attempt. */
const EFFECTS: Readonly<Record<string, string>> = {
  duplicate: 'sent twice',
  delay: 'delayed',
  reorder: 'held for the next',
  drop: 'dropped',
  'wrong-signature': 'wrong signature',
};

function outcomeOf({ status, request, failure }: AttemptEntry): { text: string; kind: string } {
  if (request === null && status === null && failure !== null) return { text: 'not sent', kind: 'warn' };
  return { text: status === null ? 'no answer' : String(status), kind: failure === null ? 'good' : 'bad' };
}

/** One attempt: a line, and below it the request and the response. */
export function attemptDetails(attempt: AttemptEntry, isOpen: boolean): TemplateResult {
  const { at, durationMs, effect, fault, listener, request, response, failure } = attempt;
  const { text, kind } = outcomeOf(attempt);
  return html`<details class="attempt" ?open=${isOpen}>
    <summary>
      <span class="pill pill-${kind}">${text}</span>
      <time datetime=${at}>${at.slice(0, 19).replace('T', ' ')} UTC</time>
      ${request === null ? nothing : html`<span class="muted">${durationMs} ms</span>`}
      ${effect === null ? nothing : html`<span class="mark">${EFFECTS[effect] ?? effect}${fault === null ? '' : ` by ${fault}`}</span>`}
      ${listener === null ? nothing : html`<span class="mark">listener ${listener}</span>`}
    </summary>
    <div class="exchange">
      ${failure === null ? nothing : html`<p>${failure}</p>`}
      ${request === null ? nothing : requestPart(request)}
      ${response === null ? nothing : responsePart(response)}
      ${request === null && failure === null ? html`<p class="muted">The sandbox no longer has the request and the response.</p>` : nothing}
    </div>
  </details>`;
}

function requestPart({ url, headers, body }: NonNullable<AttemptEntry['request']>): TemplateResult {
  const text = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
  return html`<section>
    <div class="part-heading">
      <h4>Request</h4>
      <console-copy .text=${`POST ${url}\n${text}\n\n${body}`} name="the request as it was sent">Copy all</console-copy>
    </div>
    <p class="address"><code>POST ${url}</code></p>
    ${headerList(headers)}
    <console-json .value=${body} name="Request body"></console-json>
  </section>`;
}

function responsePart({ status, headers, body }: NonNullable<AttemptEntry['response']>): TemplateResult {
  return html`<section>
    <h4>
      Response ${status}
      <span class="muted">${body.bytes} bytes${body.truncated ? ', cut' : ''}</span>
    </h4>
    ${headerList(headers)}
    ${body.text === '' ? html`<p class="muted">No body.</p>` : html`<console-json .value=${body.text} name="Response body"></console-json>`}
  </section>`;
}

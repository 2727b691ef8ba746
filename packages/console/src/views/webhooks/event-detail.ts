import '../../parts/console-copy.js';
import '../../parts/console-json.js';
import type { AttemptEntry, DeliveryEntry, EventEntry, ResendEffect } from '@latchkey/sandbox';
import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { logRowStyles } from '../../parts/split-view.styles.js';
import { EntryDetail, headerList, type State } from '../../shell/entry-detail.js';

type Delivery = EventEntry['deliveries'][number];

function deliveryState({ status, nextAttemptAt }: Pick<Delivery, 'status' | 'nextAttemptAt'>): State {
  if (status === 'delivered') return { text: 'delivered', kind: 'good' };
  if (status === 'failed') return { text: 'failed', kind: 'bad' };
  return nextAttemptAt === null ? { text: 'held', kind: 'warn' } : { text: 'pending', kind: 'warn' };
}

/** Returns the state of an event: the worst state of its deliveries. */
function eventState({ deliveries }: EventEntry): State {
  const [worst] = ['failed', 'pending', 'delivered'].flatMap((status) =>
    deliveries.filter((delivery) => delivery.status === status),
  );
  return worst === undefined ? { text: 'no webhook', kind: 'neutral' } : deliveryState(worst);
}

function userOf({ body }: EventEntry): string {
  const { data } = (body ?? {}) as { data?: { user?: { email?: string | null; sub?: string } } };
  return data?.user?.email ?? data?.user?.sub ?? '';
}

/**
 * Returns the number of attempts of a single delivery. For several, the number of deliveries, plus all attempts once
 * one was repeated.
 */
function attemptsText({ deliveries }: EventEntry): string {
  const attempts = deliveries.reduce((sum, { attemptCount }) => sum + attemptCount, 0);
  const ofAll = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
  if (deliveries.length < 2) return ofAll;
  return `${deliveries.length} endpoints${attempts > deliveries.length ? `, ${ofAll}` : ''}`;
}

export function eventRow(event: EventEntry): TemplateResult {
  const { text, kind } = eventState(event);
  return html`<span class="event-row">
    <span class="pill pill-${kind}">${text}</span>
    <span class="type" translate="no">${event.type}</span>
    <span class="user" translate="no">${userOf(event)}</span>
    <span class="count">${attemptsText(event)}</span>
    <span class="time">${event.createdAt.slice(5, 19).replace('T', ' ')}</span>
  </span>`;
}

export const rowStyles = css`
  ${logRowStyles}
  .event-row {
    grid-template-columns: minmax(6.5rem, max-content) minmax(0, 14rem) minmax(0, 1fr) minmax(6rem, max-content) 8rem;
  }
  @container (max-width: 46rem) {
    .event-row {
      grid-template-columns: minmax(6.5rem, max-content) minmax(0, 1fr) auto;
    }
    .count {
      display: none;
    }
    .type,
    .user {
      min-block-size: 1lh;
    }
    .user {
      grid-row: 2;
      grid-column: 2 / -1;
    }
  }
  @container (max-width: 26rem) {
    .event-row {
      grid-template-columns: minmax(0, 1fr) auto;
      gap: 0.125rem 0.5rem;
    }
    .pill {
      grid-area: 1 / 2;
      justify-self: end;
    }
    .type {
      grid-area: 1 / 1;
    }
    .user {
      grid-area: 2 / 1;
    }
    .time {
      grid-area: 2 / 2;
    }
  }
`;

const EFFECTS: Readonly<Record<string, string>> = {
  duplicate: 'sent twice',
  delay: 'delayed',
  reorder: 'held for the next',
  drop: 'dropped',
  'wrong-signature': 'wrong signature',
};

function outcomeOf({ status, request, failure }: AttemptEntry): State {
  if (request === null && status === null && failure !== null) return { text: 'not sent', kind: 'warn' };
  return { text: status === null ? 'no answer' : String(status), kind: failure === null ? 'good' : 'bad' };
}

function attemptDetails(attempt: AttemptEntry, isOpen: boolean): TemplateResult {
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
    <div class="round-trip">
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

const RESEND_WORDS: Readonly<Record<ResendEffect | 'again', string>> = {
  again: 'Sent again, with the same event id.',
  duplicate: 'Two copies were sent at once.',
  'wrong-signature': 'Sent with a wrong signature.',
};

/**
 * An event with its deliveries, and the request and response of each attempt.
 *
 * @fires console-verify - The visitor wants to verify a delivery's signature: `detail` has the signature and the body.
 */
@customElement('console-event-detail')
export class EventDetail extends EntryDetail {
  @property({ attribute: false }) event!: EventEntry;
  @state() private _deliveries: readonly DeliveryEntry[] = [];
  @state() private _isSending = false;

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has('event')) return;
    const before = changed.get('event') as EventEntry | undefined;
    if (before?.id !== this.event.id) this._deliveries = [];
    void this.#load();
  }

  async #load(): Promise<void> {
    const { id, deliveries } = this.event;
    const loaded = await this.attempt(() =>
      Promise.all(deliveries.map((delivery) => this.api.call('GET /deliveries/{id}', { id: delivery.id }))),
    );
    if (loaded !== undefined && id === this.event.id) this._deliveries = loaded;
  }

  async #resend(id: string, as?: ResendEffect): Promise<void> {
    this._isSending = true;
    const delivery = await this.attempt(() => this.api.call('POST /deliveries/{id}/resend', { id, as }));
    this._isSending = false;
    if (delivery === undefined) return;
    this._deliveries = this._deliveries.map((known) => (known.id === id ? delivery : known));
    const [latest] = delivery.attempts;
    this.announce(
      `${RESEND_WORDS[as ?? 'again']} ${latest?.status == null ? (latest?.failure ?? '') : `The endpoint answered ${latest.status}.`}`,
    );
  }

  #verify({ request }: DeliveryEntry): void {
    const signature = Object.entries(request.headers).find(([name]) => /-signature$/i.test(name))?.[1] ?? '';
    this.dispatchEvent(new CustomEvent('console-verify', { detail: { body: request.body, signature } }));
  }

  protected override render(): TemplateResult {
    const { id, type, createdAt, body, deliveries } = this.event;
    return html`
      ${this.header(
        html`<code>${type}</code>`,
        html`<console-copy .text=${id} name="the event id">Copy id</console-copy>
          <console-copy .text=${location.href} name="to this event">Copy link</console-copy>`,
        this.facts([
          ['Event', id, 'wide code'],
          ['Recorded', createdAt, 'time'],
        ]),
      )}
      ${
        deliveries.length === 0
          ? html`<p class="muted">No active webhook belongs to its community or product, so nothing is sent.</p>`
          : this._deliveries.map((delivery, index) => this.#delivery(delivery, index === 0))
      }
      <section aria-label="Body">
        <h3>Body</h3>
        <console-json .value=${body} name="Event body"></console-json>
      </section>
    `;
  }

  #delivery(delivery: DeliveryEntry, isFirst: boolean): TemplateResult {
    const { id, url, webhookId, attempts, nextAttemptAt } = delivery;
    const { text, kind } = deliveryState(delivery);
    const button = (label: string, as?: ResendEffect) =>
      html`<button class="button secondary small"
        type="button"
        aria-label="${label} to ${url}"
        ?disabled=${this._isSending}
        @click=${() => this.#resend(id, as)}
      >${label}</button>`;
    return html`<section class="delivery" aria-label="Delivery to ${url}">
      <div class="delivery-heading">
        <h3>${url}</h3>
        <span class="pill pill-${kind}">${text}</span>
      </div>
      <p class="muted">
        Webhook <a href="?webhook=${webhookId}"><code>${webhookId}</code></a>
        ${nextAttemptAt === null || delivery.status !== 'pending' ? nothing : html`, next attempt at <time datetime=${nextAttemptAt}>${nextAttemptAt}</time>`}
      </p>
      <div class="row" role="group" aria-label="Send the delivery to ${url}">
        ${button('Send again')} ${button('Send twice', 'duplicate')}
        ${button('Send with a wrong signature', 'wrong-signature')}
        <button class="button secondary small" type="button" @click=${() => this.#verify(delivery)}>Verify its signature</button>
      </div>
      <div class="attempts">
        ${
          attempts.length === 0
            ? html`<p class="muted">Not sent yet.</p>`
            : repeat(attempts, keyOf, (attempt, index) => attemptDetails(attempt, isFirst && index === 0))
        }
      </div>
    </section>`;
  }
}

const keyOf = ({ id }: { id: string }) => id;

import { WEBHOOK_EVENT_TYPES } from '@latchkey/contract/constants';
import type { EventEntry, ReceiverState, SignatureCheck } from '@latchkey/sandbox';
import { css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { LiveEvent } from '../../api/live.js';
import { baseStyles } from '../../parts/base.styles.js';
import '../../parts/console-dialog.js';
import type { Option } from '../../parts/form-parts.js';
import { splitViewStyles } from '../../parts/split-view.styles.js';
import { ControlElement, PacedRefresh, webhookOptions } from '../../shell/console-view.js';
import { LogFeed } from '../../shell/log-feed.js';
import { type LogFilters, type LogTemplates, LogView } from '../../shell/log-view.js';
import './event-detail.js';
import { eventRow, rowStyles } from './event-detail.js';
import './test-event-form.js';

const STATUS_LABELS: Readonly<Record<string, string>> = {
  pending: 'Pending or held',
  delivered: 'Delivered',
  failed: 'Failed',
  none: 'No webhook',
};

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

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

type DialogName = '' | 'test' | 'verify';

/** Webhook inspector: live events with their deliveries and attempts, and tools that send, change and verify them. */
@customElement('console-webhooks')
export class WebhooksView extends LogView<EventEntry, EventEntry> {
  static override styles = [baseStyles, splitViewStyles, viewStyles];
  @state() private _dialog: DialogName = '';
  @state() private _pasted: { body: string; signature: string } = { body: '', signature: '' };
  @state() private _webhooks: readonly Option[] = [];
  // Leaves out values that the control API would reject.
  protected readonly filters: LogFilters = {
    text: () => true,
    type: (value) => WEBHOOK_EVENT_TYPES.some((type) => type === value),
    status: (value) => value in STATUS_LABELS,
    webhook: (value) => UUID.test(value),
  };
  protected readonly feed = new LogFeed<EventEntry>(this, {
    path: 'events',
    limit: 100,
    changes: ['delivery', 'clock', 'request', 'data'],
    query: () => {
      const { text = '', webhook, ...filters } = this.filterValues;
      return { ...filters, text: text.slice(0, 200), webhookId: webhook };
    },
  });
  readonly #refresh = new PacedRefresh(this, async () => {
    await this.renderRoot.querySelector<ReceiverModeControl>('console-receiver-mode')?.load();
    await this.showEntry();
  });

  protected override get ignoresKeys(): boolean {
    return this._dialog !== '';
  }

  protected override loadEntry(id: string): Promise<EventEntry> {
    return this.api.call('GET /events/{id}', { id });
  }

  protected override liveEvent(event: LiveEvent): void {
    super.liveEvent(event);
    if (event.type === 'reset') void this.load();
    this.#refresh.ask();
  }

  override async load(): Promise<void> {
    this._webhooks = (await this.attempt(() => webhookOptions(this.api))) ?? [];
  }

  #verify({ detail }: CustomEvent<WebhooksView['_pasted']>): void {
    this._pasted = detail;
    this._dialog = 'verify';
  }

  #sent({ detail: { id, type, deliveries } }: CustomEvent<EventEntry>): void {
    this._dialog = '';
    this.announce(
      deliveries.length === 0
        ? `Recorded ${type}. No webhook receives it.`
        : `Sent ${type} to ${deliveries.length === 1 ? 'one webhook' : `${deliveries.length} webhooks`}.`,
    );
    this.select(id);
    void this.reloadList();
  }

  protected override templates(): LogTemplates<EventEntry> {
    return {
      above: html`${this.#top()} ${this.#filterBar()}`,
      one: 'event',
      hint: 'Buy or provision a membership, or send a test event.',
      row: eventRow,
      rowStyles,
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
        <a class="button secondary small" href="/sandbox/faults?effect=duplicate">Faults of deliveries</a>
      </div>
    </div>`;
  }

  #dialogs(): TemplateResult {
    const dialog = this._dialog;
    const close = () => (this._dialog = '');
    const { body, signature } = this._pasted;
    const verifyForm = () =>
      html`<console-verify-form .api=${this.api} .body=${body} .signature=${signature}></console-verify-form>`;
    const testForm = () =>
      html`<console-test-event-form .api=${this.api} @console-sent=${this.#sent}></console-test-event-form>`;
    return html`<console-dialog heading=${dialog === 'verify' ? 'Verify a signature' : 'Send a test event'}
      .open=${dialog !== ''} @console-close=${close}>
      ${dialog === '' ? nothing : dialog === 'verify' ? verifyForm() : testForm()}
    </console-dialog>`;
  }

  #filterBar(): TemplateResult {
    const placeholder = 'In the body, the URL, or a delivery id';
    return html`<form class="bar" role="search" aria-label="Events" @submit=${(event: Event) => event.preventDefault()}>
      ${this.textFilter('text', { label: 'Text', placeholder, maxLength: 200 })}
      ${this.choiceFilter('type', 'Type', [['', 'All'], ...WEBHOOK_EVENT_TYPES])}
      ${this.choiceFilter('status', 'State', [['', 'Any'], ...Object.entries(STATUS_LABELS)])}
      ${this.choiceFilter('webhook', 'Webhook', [['', 'All'], ...this._webhooks])}
    </form>`;
  }
}

const MODES = [
  ['accept', '204'],
  ['fail', '500'],
  ['hang', 'timeout'],
] as const;

/** Controls the built-in receiver: how it responds, and what arrived last. */
@customElement('console-receiver-mode')
class ReceiverModeControl extends ControlElement {
  static override styles = [
    baseStyles,
    css`
      fieldset {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.375rem 0.625rem;
      }
      legend {
        float: inline-start;
      }
    `,
  ];
  @state() private _state: ReceiverState | undefined;

  override async load(): Promise<void> {
    this._state = (await this.attempt(() => this.api.call('GET /receiver'))) ?? this._state;
  }

  async #choose(mode: ReceiverState['mode'], label: string): Promise<void> {
    const state = await this.attempt(() => this.api.call('POST /receiver', { mode }));
    if (state === undefined) return;
    this._state = state;
    this.announce(`The built-in receiver replies with ${label}.`);
  }

  protected override render(): TemplateResult {
    const [last] = this._state?.arrived ?? [];
    return html`<fieldset>
      <legend>Built-in receiver: reply with</legend>
      <div class="segments">
        ${MODES.map(
          ([mode, label]) => html`<div class="segment">
            <input
              id=${mode}
              name="mode"
              type="radio"
              .checked=${mode === this._state?.mode}
              @change=${() => this.#choose(mode, label)}
            />
            <label for=${mode}>${label}</label>
          </div>`,
        )}
      </div>
      <span class="muted" id="last">
        ${
          last === undefined
            ? 'Nothing has arrived yet.'
            : html`Last: <code>${last.eventType === '' ? 'no type' : last.eventType}</code>,
                ${last.verified ? 'signature verified' : 'wrong signature'}${last.repeated ? ', seen before' : ''},
                ${last.answered === null ? 'not answered' : `answered ${last.answered}`}`
        }
      </span>
      ${this._state === undefined ? nothing : html`<span class="visually-hidden">It listens at ${this._state.url}.</span>`}
    </fieldset>`;
  }
}

/** A form that checks a pasted body and signature, and explains the likely mistake. */
@customElement('console-verify-form')
export class VerifyForm extends ControlElement {
  static override styles = [
    baseStyles,
    css`
      form {
        display: grid;
        gap: 0.75rem;
      }
      .result {
        padding: 0.625rem 0.875rem;
        background: var(--sunken);
        border-inline-start: 3px solid var(--danger);
        border-radius: 0 8px 8px 0;
        overflow-wrap: anywhere;
      }
      .result.good {
        border-color: var(--accent);
      }
    `,
  ];
  @property() body = '';
  @property() signature = '';
  @state() private _check: SignatureCheck | undefined;

  async #verify(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    // Not trimmed: white space at the end of the body is one of the mistakes to find.
    const form = new FormData(event.target as HTMLFormElement);
    this.body = String(form.get('body') ?? '').replaceAll('\r\n', '\n');
    this.signature = String(form.get('signature') ?? '');
    this._check = undefined;
    this._check = await this.attempt(() =>
      this.api.call('POST /signatures', { body: this.body, signature: this.signature }),
    );
  }

  protected override render(): TemplateResult {
    return html`<form @submit=${this.#verify}>
      <div class="field">
        <label for="body">Body, byte for byte</label>
        <textarea id="body" name="body" required spellcheck="false" .value=${this.body}></textarea>
      </div>
      <div class="field">
        <label for="signature">Signature</label>
        <input id="signature" name="signature" required maxlength="500" autocomplete="off" spellcheck="false" .value=${this.signature} />
      </div>
      <div class="row"><button class="button primary small">Verify</button></div>
      <div role="status">${this._check === undefined ? nothing : resultOf(this._check)}</div>
    </form>`;
  }
}

function resultOf({ verified, webhookId, hint }: SignatureCheck): TemplateResult {
  if (verified) {
    return html`<p class="result good">The signature is right. It was made with the secret of webhook <code>${webhookId}</code>.</p>`;
  }
  if (hint === null) {
    return html`<p class="result">No secret of this sandbox signed this body, in none of the usual wrong ways. Compare body and secret.</p>`;
  }
  return html`<p class="result">The signature is wrong. ${hint} The secret is that of webhook <code>${webhookId}</code>.</p>`;
}

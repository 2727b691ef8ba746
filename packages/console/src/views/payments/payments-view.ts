import type { PaymentEntry, PaymentProviderState } from '@latchkey/sandbox';
import { css, html, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { LiveEvent } from '../../api/live.js';
import { baseStyles } from '../../parts/base.styles.js';
import { selectField } from '../../parts/form-parts.js';
import { logRowStyles, splitViewStyles } from '../../parts/split-view.styles.js';
import { LogFeed } from '../../shell/log-feed.js';
import { type LogFilters, type LogTemplates, LogView } from '../../shell/log-view.js';
import './payment-detail.js';
import { amountText, stateOf } from './payment-detail.js';

const STATES = ['open', 'paid', 'declined', 'expired'] as const;

const WEBHOOK_MODES: readonly (readonly [PaymentProviderState['webhooks'], string])[] = [
  ['send', 'at once'],
  ['late', 'ten minutes late'],
  ['double', 'twice'],
  ['withhold', 'only by hand'],
];

const rowStyles = css`
  ${logRowStyles}
  .payment-row {
    grid-template-columns: minmax(6.5rem, max-content) minmax(5rem, max-content) minmax(0, 1fr) 8rem;
  }
  .amount {
    text-align: end;
    font-variant-numeric: tabular-nums;
  }
  @container (max-width: 30rem) {
    .payment-row {
      grid-template-columns: minmax(0, 1fr) auto;
      gap: 0.125rem 0.5rem;
    }
    .pill {
      grid-area: 1 / 2;
      justify-self: end;
    }
    .amount {
      grid-area: 1 / 1;
      text-align: start;
    }
    .user {
      grid-area: 2 / 1;
    }
    .time {
      grid-area: 2 / 2;
    }
  }
`;

function paymentRow(payment: PaymentEntry): TemplateResult {
  const { text, kind } = stateOf(payment);
  return html`<span class="payment-row">
    <span class="pill pill-${kind}">${text}</span>
    <span class="amount" translate="no" dir="ltr">${amountText(payment.amountMinor, payment.currency)}</span>
    <span class="user" translate="no">${payment.buyerEmail ?? payment.description}</span>
    <span class="time">${payment.createdAt.slice(5, 19).replace('T', ' ')}</span>
  </span>`;
}

@customElement('console-payments')
export class PaymentsView extends LogView<PaymentEntry, PaymentEntry> {
  static override styles = [
    baseStyles,
    splitViewStyles,
    css`
      .bar .check {
        min-block-size: 2.25rem;
      }
    `,
  ];
  @state() private _provider: PaymentProviderState | undefined;
  protected readonly filters: LogFilters = {
    text: () => true,
    state: (value) => STATES.some((state) => state === value),
  };
  protected readonly feed = new LogFeed<PaymentEntry>(this, {
    path: 'payments',
    limit: 100,
    changes: ['payment', 'clock'],
    query: () => {
      const { text = '', ...filters } = this.filterValues;
      return { ...filters, text: text.slice(0, 200) };
    },
  });

  protected override loadEntry(id: string): Promise<PaymentEntry> {
    return this.api.call('GET /payments/{id}', { id });
  }

  protected override liveEvent(event: LiveEvent): void {
    super.liveEvent(event);
    if (['reset', 'connected', 'payment'].includes(event.type)) void this.load();
    if (['payment', 'clock'].includes(event.type)) void this.showEntry();
  }

  override async load(): Promise<void> {
    this._provider = (await this.attempt(() => this.api.call('GET /payment-provider'))) ?? this._provider;
  }

  async #set(change: Partial<PaymentProviderState>, done: string): Promise<void> {
    const provider = await this.attempt(() => this.api.call('POST /payment-provider', change));
    if (provider === undefined) return;
    this._provider = provider;
    this.announce(done);
  }

  protected override templates(): LogTemplates<PaymentEntry> {
    return {
      above: this.#bar(),
      one: 'payment',
      hint: 'Pay for a plan on a checkout page: each payment appears here at once.',
      row: paymentRow,
      rowStyles,
      detail: this.entry && {
        label: `Payment ${this.entry.id}`,
        content: html`<console-payment-detail
          .api=${this.api}
          .payment=${this.entry}
          @console-changed=${({ detail }: CustomEvent<PaymentEntry>) => {
            this.entry = detail;
          }}
          @console-close=${this.closeToList}
        ></console-payment-detail>`,
      },
    };
  }

  #bar(): TemplateResult {
    const { webhooks, isDown = false } = this._provider ?? {};
    return html`<form class="bar" role="search" aria-label="Payments" @submit=${(event: Event) => event.preventDefault()}>
      ${this.textFilter('text', { label: 'Text', placeholder: 'In the order, the buyer or the description', maxLength: 200 })}
      ${this.choiceFilter('state', 'State', [['', 'Any'], ...STATES])}
      ${selectField('Next webhooks', {
        id: 'webhooks',
        options: WEBHOOK_MODES,
        selected: webhooks ?? 'send',
        onChange: (mode) =>
          this.#set(
            { webhooks: mode as PaymentProviderState['webhooks'] },
            `The provider sends webhooks ${WEBHOOK_MODES.find(([name]) => name === mode)?.[1]}.`,
          ),
      })}
      <label class="check">
        <input type="checkbox" .checked=${isDown}
          @change=${({ target }: Event) => {
            const { checked } = target as HTMLInputElement;
            return this.#set(
              { isDown: checked },
              checked ? 'The provider is down.' : 'The provider can be reached.',
            );
          }} />
        Provider is down
      </label>
    </form>`;
  }
}

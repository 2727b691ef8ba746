import '../../parts/console-copy.js';
import '../../parts/console-json.js';
import type { PaymentEntry, PaymentWebhookEntry } from '@latchkey/sandbox';
import { css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { fieldsOf } from '../../parts/form-parts.js';
import { EntryDetail, type State } from '../../shell/entry-detail.js';

export function amountText(amountMinor: number, currency: string): string {
  return `${(amountMinor / 10 ** digitsOf(currency)).toFixed(digitsOf(currency))} ${currency}`;
}

function digitsOf(currency: string): number {
  try {
    return (
      new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ??
      2
    );
  } catch {
    return 2;
  }
}

export function stateOf({ state, dispute, refundedMinor, amountMinor }: PaymentEntry): State {
  if (state === 'open') return { text: 'open', kind: 'warn' };
  if (state !== 'paid') return { text: state, kind: 'bad' };
  if (dispute === 'open') return { text: 'disputed', kind: 'warn' };
  if (dispute === 'lost') return { text: 'dispute lost', kind: 'bad' };
  if (refundedMinor === amountMinor) return { text: 'refunded', kind: 'neutral' };
  return refundedMinor > 0 ? { text: 'part refunded', kind: 'neutral' } : { text: 'paid', kind: 'good' };
}

const WEBHOOK_STATES: Readonly<Record<PaymentWebhookEntry['state'], readonly [text: string, kind: string]>> =
  {
    withheld: ['withheld', 'neutral'],
    waiting: ['waiting', 'warn'],
    delivered: ['delivered', 'good'],
    failed: ['failed', 'bad'],
  };

/** What can be done to a payment, with the sentence that says so afterwards. */
type Action = readonly [call: () => Promise<PaymentEntry>, done: string];

/**
 * A payment at the simulated provider: its facts, what the buyer, the bank and the seller's support can do, and the
 * provider's webhooks.
 *
 * @fires console-changed - The payment has changed: `detail` is the new state.
 */
@customElement('console-payment-detail')
export class PaymentDetail extends EntryDetail {
  static override styles = [
    ...EntryDetail.styles,
    css`
      .refund {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem;
        align-items: end;
      }
      .refund input {
        inline-size: 8rem;
      }
      .webhook {
        padding-block-start: 0.75rem;
        border-block-start: 1px solid var(--line);
      }
      .webhook-heading {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.25rem 0.5rem;
      }
    `,
  ];

  @property({ attribute: false }) payment!: PaymentEntry;
  @state() private _isBusy = false;
  @state() private _amountError = '';

  async #do([call, done]: Action): Promise<void> {
    this._isBusy = true;
    const changed = await this.attempt(call);
    this._isBusy = false;
    if (changed === undefined) return;
    this.dispatchEvent(new CustomEvent('console-changed', { detail: changed }));
    this.announce(done);
  }

  async #refund(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const { id, currency } = this.payment;
    const { amount = '' } = fieldsOf(event.target as HTMLFormElement);
    const amountMinor = amount === '' ? undefined : Math.round(Number(amount) * 10 ** digitsOf(currency));
    const isAmount = amountMinor === undefined || (Number.isSafeInteger(amountMinor) && amountMinor > 0);
    this._amountError = isAmount ? '' : 'Enter an amount such as 4.50.';
    if (!isAmount) return;
    const refund = () =>
      this.api.call('POST /payments/{id}/refund', { id, ...(amountMinor !== undefined && { amountMinor }) });
    const refunded = amountMinor === undefined ? 'What was left' : amountText(amountMinor, currency);
    await this.#do([refund, `${refunded} was refunded at the provider.`]);
  }

  #button(label: string, action: Action, look = 'secondary'): TemplateResult {
    return html`<button class="button ${look} small" type="button" ?disabled=${this._isBusy}
      @click=${() => this.#do(action)}>${label}</button>`;
  }

  protected override render(): TemplateResult {
    const { payment } = this;
    const { id, amountMinor, currency, webhooks } = payment;
    const { text, kind } = stateOf(payment);
    return html`
      ${this.header(
        html`<span translate="no" dir="ltr">${amountText(amountMinor, currency)}</span>
          <span class="pill pill-${kind}">${text}</span>`,
        html`<console-copy .text=${id} name="the reference">Copy reference</console-copy>`,
        this.#facts(),
      )}
      ${payment.state === 'open' ? this.#answers() : nothing}
      ${payment.state === 'paid' && payment.dispute !== 'open' && payment.dispute !== 'lost' ? this.#refundForm() : nothing}
      ${payment.state === 'paid' ? this.#disputeButtons() : nothing}
      <section aria-label="Webhooks of the provider">
        <h3>Webhooks of the provider</h3>
        ${
          webhooks.length === 0
            ? html`<p class="muted">None. The service got the result at once.</p>`
            : repeat(
                webhooks,
                ({ id: eventId }) => eventId,
                (webhook) => this.#webhook(webhook),
              )
        }
      </section>
    `;
  }

  #facts(): TemplateResult {
    const { id, orderId, description, buyerEmail, method, createdAt, nextAt, reason } = this.payment;
    const { refundedMinor, currency, isRenewal } = this.payment;
    return this.facts([
      ['For', description, 'wide'],
      ['Buyer', buyerEmail, 'wide'],
      ['Reference', id, 'wide code'],
      ['Order', orderId, 'wide code'],
      ['Paid with', `${method}${isRenewal ? ', as a renewal' : ''}`],
      ['Began', createdAt, 'time'],
      ['Reason', reason],
      ['Refunded', refundedMinor === 0 ? null : amountText(refundedMinor, currency)],
      ['Goes on by itself', nextAt, 'time'],
    ]);
  }

  #answers(): TemplateResult {
    const { id, method, pageUrl } = this.payment;
    const answer = (given: 'approve' | 'fail' | 'arrive', done: string): Action => [
      () => this.api.call('POST /payments/{id}/answer', { id, answer: given }),
      done,
    ];
    return html`<section aria-label="Answer for the buyer">
      <h3>Answer for the buyer</h3>
      <div class="row">
        ${
          method.startsWith('card-')
            ? html`${this.#button('Approve', answer('approve', 'The bank’s check was approved.'), 'primary')}
              ${this.#button('Fail the check', answer('fail', 'The bank’s check failed.'))}`
            : this.#button(
                'Let the transfer arrive',
                answer('arrive', 'The transfer has arrived.'),
                'primary',
              )
        }
        ${pageUrl === null ? nothing : html`<a href=${pageUrl}>Open the buyer’s page</a>`}
      </div>
    </section>`;
  }

  #refundForm(): TemplateResult {
    const { amountMinor, refundedMinor, currency } = this.payment;
    const left = amountMinor - refundedMinor;
    if (left === 0) return html`<p class="muted">Everything was refunded.</p>`;
    return html`<section aria-label="Refund">
      <h3>Refund</h3>
      <form class="refund" @submit=${this.#refund}>
        <div class="field">
          <label for="amount">Amount in ${currency}</label>
          <input id="amount" name="amount" inputmode="decimal" autocomplete="off" aria-describedby="amount-error left"
            aria-invalid=${this._amountError === '' ? 'false' : 'true'} placeholder="All that is left" />
        </div>
        <button class="button secondary small" ?disabled=${this._isBusy}>Refund</button>
      </form>
      <p class="field-error" id="amount-error">${this._amountError}</p>
      <p class="muted" id="left">
        ${amountText(left, currency)} are left. The provider refunds without asking the service, which learns of it by the webhook.
      </p>
    </section>`;
  }

  #disputeButtons(): TemplateResult {
    const { id, dispute } = this.payment;
    const step = (taken: 'open' | 'win' | 'lose', done: string): Action => [
      () => this.api.call('POST /payments/{id}/dispute', { id, step: taken }),
      done,
    ];
    return html`<section aria-label="Dispute">
      <h3>Dispute</h3>
      ${
        dispute === 'won' || dispute === 'lost'
          ? html`<p class="muted">The seller has ${dispute} it.</p>`
          : html`<div class="row">
              ${
                dispute === null
                  ? this.#button('Open a dispute', step('open', 'The buyer disputes the payment.'))
                  : html`${this.#button('Seller wins', step('win', 'The seller has won the dispute.'))}
                    ${this.#button('Seller loses', step('lose', 'The seller has lost the dispute.'), 'danger')}`
              }
            </div>`
      }
    </section>`;
  }

  #webhook({
    id: eventId,
    kind,
    createdAt,
    state,
    attempts,
    answer,
    body,
  }: PaymentWebhookEntry): TemplateResult {
    const { id } = this.payment;
    const [text, look] = WEBHOOK_STATES[state];
    const label = attempts === 0 ? 'Send now' : 'Send again';
    const send: Action = [
      () => this.api.call('POST /payments/{id}/webhooks/{eventId}', { id, eventId }),
      `Sent the webhook ${kind}.`,
    ];
    return html`<section class="webhook" aria-label="Webhook ${kind}">
      <div class="webhook-heading">
        <h4><code>${kind}</code></h4>
        <span class="pill pill-${look}">${text}</span>
        ${answer === null ? nothing : html`<span class="muted">answered ${answer}</span>`}
        <time class="muted" datetime=${createdAt}>${createdAt.slice(0, 19).replace('T', ' ')} UTC</time>
      </div>
      <div class="row">
        <button class="button secondary small" type="button" aria-label="${label}: webhook ${kind}" ?disabled=${this._isBusy}
          @click=${() => this.#do(send)}>${label}</button>
      </div>
      <details>
        <summary>Body</summary>
        <console-json .value=${body} name="Body of ${kind}"></console-json>
      </details>
    </section>`;
  }
}

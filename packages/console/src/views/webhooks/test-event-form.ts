import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '@latchkey/contract/constants';
import type { ControlInput } from '@latchkey/sandbox/client';
import { css, html, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { baseStyles } from '../../parts/base.styles.js';
import { fieldsOf, type Option, selectField } from '../../parts/form-parts.js';
import { ControlElement } from '../../shell/console-view.js';

type DataRow = Readonly<Record<string, unknown>>;

interface Objects {
  readonly users: readonly DataRow[];
  readonly memberships: readonly DataRow[];
  readonly plans: readonly DataRow[];
  /** Names of the records that these belong to, by id. */
  readonly labels: Readonly<Record<string, string>>;
}

const REASONS = ['card_declined', 'insufficient_funds', 'transfer_expired'];

/** How many records are offered. Any other id can be typed. */
const OFFERED = 500;

const FIELDS: Readonly<Record<WebhookEventType, readonly string[]>> = {
  'membership.created': ['membershipId'],
  'membership.updated': ['membershipId'],
  'payment.success': ['membershipId', 'pricingPlanId', 'amount', 'externalId', 'utmSource'],
  'payment.failed': ['userId', 'pricingPlanId', 'reason', 'amount', 'externalId', 'utmSource'],
  'digital.product.purchase': ['membershipId', 'amount'],
};

/**
 * A form that records a test event of any type about a real object.
 *
 * @fires console-sent - It was sent: `detail` is the event.
 */
@customElement('console-test-event-form')
export class TestEventForm extends ControlElement {
  static override styles = [
    baseStyles,
    css`
      form {
        display: grid;
        gap: 0.75rem;
      }
    `,
  ];
  @state() private _type: WebhookEventType = 'membership.updated';
  @state() private _objects: Objects = { users: [], memberships: [], plans: [], labels: {} };
  @state() private _isSending = false;

  override async load(): Promise<void> {
    const read = (kind: 'users' | 'memberships' | 'plans') =>
      this.api.call('GET /data/{kind}', { kind, limit: OFFERED });
    const objects = await this.attempt(async () => {
      const [{ users = [] }, { memberships = [], labels }, { plans = [], labels: more }] = await Promise.all([
        read('users'),
        read('memberships'),
        read('plans'),
      ]);
      return { users, memberships, plans, labels: { ...labels, ...more } };
    });
    if (objects !== undefined) this._objects = objects;
  }

  async #send(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const { amount, ...fields } = fieldsOf(event.target as HTMLFormElement);
    this._isSending = true;
    const entry = await this.attempt(() =>
      this.api.call('POST /events', {
        type: this._type,
        ...fields,
        ...(amount !== undefined && { amount: Number(amount) }),
      } as ControlInput<'POST /events'>),
    );
    this._isSending = false;
    if (entry !== undefined) this.dispatchEvent(new CustomEvent('console-sent', { detail: entry }));
  }

  protected override render(): TemplateResult {
    const objects = (label: string, id: string, options: readonly Option[]) =>
      selectField(label, { id, options, isRequired: true });
    const fields: Readonly<Record<string, () => TemplateResult>> = {
      membershipId: () => objects('Membership', 'membershipId', this.#memberships()),
      userId: () => objects('User', 'userId', this.#users()),
      pricingPlanId: () => objects('Plan', 'pricingPlanId', this.#plans()),
      reason: () => selectField('Reason', { id: 'reason', options: REASONS }),
      amount: () => textField('amount', 'Amount in cents, in place of the price', 'number'),
      externalId: () => textField('externalId', 'External id'),
      utmSource: () => textField('utmSource', 'UTM source'),
    };
    return html`<form @submit=${this.#send}>
      <p class="muted">A test event shows an object as it is now. Nothing else changes.</p>
      ${selectField('Type', {
        id: 'type',
        options: WEBHOOK_EVENT_TYPES,
        selected: this._type,
        onChange: (type) => {
          this._type = type as WebhookEventType;
        },
      })}
      ${repeat(
        FIELDS[this._type],
        (name) => name,
        (name) => fields[name]?.(),
      )}
      <div class="row">
        <button class="button primary small" ?disabled=${this._isSending}>${this._isSending ? 'Sending…' : 'Send test event'}</button>
      </div>
    </form>`;
  }

  #emailOf(userId: unknown): string {
    return String(this._objects.users.find(({ id }) => id === userId)?.email ?? userId);
  }

  #memberships(): Option[] {
    const isOfProduct = this._type === 'digital.product.purchase';
    const isOfCommunity = this._type === 'payment.success';
    return this._objects.memberships
      .filter(({ communityId, productId }) =>
        isOfProduct ? productId !== null : !isOfCommunity || communityId !== null,
      )
      .map(({ id, userId, communityId, productId, productType }) => [
        String(id),
        `${this.#emailOf(userId)}, ${this.#nameOf(communityId ?? productId ?? productType)}, ${endingOf(id)}`,
      ]);
  }

  #users(): Option[] {
    return this._objects.users.map(({ id, email }) => [String(id), String(email ?? id)]);
  }

  #plans(): Option[] {
    return this._objects.plans.map(({ id, name, communityId }) => [
      String(id),
      `${String(name)}, ${this.#nameOf(communityId)}, ${endingOf(id)}`,
    ]);
  }

  #nameOf(id: unknown): string {
    return this._objects.labels[String(id)] ?? String(id);
  }
}

/** Returns the end of an id, which tells records with the same name apart. */
function endingOf(id: unknown): string {
  return `…${String(id).slice(-4)}`;
}

function textField(name: string, label: string, type = 'text'): TemplateResult {
  return html`<div class="field">
    <label for=${name}>${label} <span class="muted">(optional)</span></label>
    <input id=${name} name=${name} type=${type} min="0" step="1" maxlength="100" autocomplete="off" />
  </div>`;
}

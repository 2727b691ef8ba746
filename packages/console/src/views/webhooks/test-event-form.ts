import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '@latchkey/contract/constants';
import type { EventEntry } from '@latchkey/sandbox';
import { css, html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { baseStyles } from '../../parts/base.styles.js';
import { formStyles } from '../../parts/form.styles.js';
import { fieldsOf, ViewPart } from './view-part.js';

type DataRow = Readonly<Record<string, unknown>>;

/** Records that a test event can be about. */
interface Objects {
  readonly users: readonly DataRow[];
  readonly memberships: readonly DataRow[];
  readonly plans: readonly DataRow[];
  /** Names of the records that the others belong to, by id. */
  readonly labels: Readonly<Record<string, string>>;
}

/** Records that are offered. Any other id can be typed. */
const OFFERED = 500;

const FIELDS: Readonly<Record<WebhookEventType, readonly string[]>> = {
  'membership.created': ['membershipId'],
  'membership.updated': ['membershipId'],
  'payment.success': ['membershipId', 'pricingPlanId', 'amount', 'externalId', 'utmSource'],
  'payment.failed': ['userId', 'pricingPlanId', 'reason', 'amount', 'externalId', 'utmSource'],
  'digital.product.purchase': ['membershipId', 'amount'],
};

/** Event of {@link TestEventForm}: a test event was sent. */
export class TestSentEvent extends Event {
  readonly entry: EventEntry;

  constructor(entry: EventEntry) {
    super('console-sent');
    this.entry = entry;
  }
}

/**
 * Form that records a test event about a real object, of any type.
 *
 * @fires console-sent - It was sent.
 */
export class TestEventForm extends ViewPart {
  static override styles = [
    baseStyles,
    formStyles,
    css`
      form {
        display: grid;
        gap: 0.75rem;
      }
    `,
  ];
  static override properties: PropertyDeclarations = {
    _type: { state: true },
    _objects: { state: true },
    _isSending: { state: true },
  };
  declare private _type: WebhookEventType;
  declare private _objects: Objects;
  declare private _isSending: boolean;

  constructor() {
    super();
    this._type = 'membership.updated';
    this._objects = { users: [], memberships: [], plans: [], labels: {} };
    this._isSending = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#load();
  }

  async #load(): Promise<void> {
    const read = (kind: 'users' | 'memberships' | 'plans') =>
      this.api.get<Objects>(`/data/${kind}`, { limit: OFFERED });
    const objects = await this.attempt(async () => {
      const [{ users }, { memberships, labels }, { plans, labels: more }] = await Promise.all([
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
      this.api.post<EventEntry>('/events', {
        type: this._type,
        ...fields,
        ...(amount !== undefined && { amount: Number(amount) }),
      }),
    );
    this._isSending = false;
    if (entry !== undefined) this.dispatchEvent(new TestSentEvent(entry));
  }

  protected override render(): TemplateResult {
    const fields = FIELDS[this._type];
    const shown = (name: string, content: () => TemplateResult) =>
      fields.includes(name) ? content() : nothing;
    return html`<form @submit=${this.#send}>
      <p class="muted">A test event shows an object as it is now. Nothing else changes.</p>
      <div class="field">
        <label for="type">Type</label>
        <select id="type" @change=${(event: Event) => {
          this._type = (event.target as HTMLSelectElement).value as WebhookEventType;
        }}>
          ${WEBHOOK_EVENT_TYPES.map((type) => html`<option ?selected=${type === this._type}>${type}</option>`)}
        </select>
      </div>
      ${shown('membershipId', () => this.#objectField('membershipId', 'Membership', this.#memberships()))}
      ${shown('userId', () => this.#objectField('userId', 'User', this.#users()))}
      ${shown('pricingPlanId', () => this.#objectField('pricingPlanId', 'Plan', this.#plans()))}
      ${shown(
        'reason',
        () => html`<div class="field">
          <label for="reason">Reason</label>
          <select id="reason" name="reason">
            <option>card_declined</option>
            <option>insufficient_funds</option>
            <option>transfer_expired</option>
          </select>
        </div>`,
      )}
      ${shown('amount', () => textField('amount', 'Amount in cents, in place of the price', 'number'))}
      ${shown('externalId', () => textField('externalId', 'External id'))}
      ${shown('utmSource', () => textField('utmSource', 'UTM source'))}
      <div class="row">
        <button class="button primary small" ?disabled=${this._isSending}>${this._isSending ? 'Sending…' : 'Send test event'}</button>
      </div>
    </form>`;
  }

  #objectField(name: string, label: string, options: readonly (readonly [string, string])[]): TemplateResult {
    return html`<div class="field">
      <label for=${name}>${label}</label>
      <select id=${name} name=${name} required>
        ${options.map(([id, text]) => html`<option value=${id}>${text}</option>`)}
      </select>
    </div>`;
  }

  #emailOf(userId: unknown): string {
    return String(this._objects.users.find(({ id }) => id === userId)?.email ?? userId);
  }

  #memberships(): (readonly [string, string])[] {
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

  #users(): (readonly [string, string])[] {
    return this._objects.users.map(({ id, email }) => [String(id), String(email ?? id)]);
  }

  #plans(): (readonly [string, string])[] {
    return this._objects.plans.map(({ id, name, communityId }) => [
      String(id),
      `${String(name)}, ${this.#nameOf(communityId)}, ${endingOf(id)}`,
    ]);
  }

  #nameOf(id: unknown): string {
    return this._objects.labels[String(id)] ?? String(id);
  }
}

/** End of an id, which distinguishes records with the same names. */
function endingOf(id: unknown): string {
  return `…${String(id).slice(-4)}`;
}

function textField(name: string, label: string, type = 'text'): TemplateResult {
  return html`<div class="field">
    <label for=${name}>${label} <span class="muted">(optional)</span></label>
    <input id=${name} name=${name} type=${type} min="0" step="1" maxlength="100" autocomplete="off" />
  </div>`;
}

customElements.define('console-test-event-form', TestEventForm);

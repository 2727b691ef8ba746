import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Fault } from './faults.js';

const RETRY_MS = 50;

interface Envelope {
  success?: boolean;
  data?: Record<string, unknown> | null;
  errorCode?: string;
  message?: string;
  correlationKey?: string;
}

/** A call failed. */
class CallFailure extends Error {
  readonly status: number;
  readonly envelope: Envelope;
  constructor(status: number, envelope: Envelope) {
    super('The service rejected the call.');
    this.status = status;
    this.envelope = envelope;
  }
}

const KNOWN_FIELDS = new Set(['success', 'data', 'errorCode', 'message', 'correlationKey', 'logUrl']);
const REJECTION_FIELDS = ['statusCode', 'timestamp', 'path'];
const KNOWN_CODES = ['not_found', 'conflict', 'internal_server_error', 'service_unavailable', 'unauthorized'];
const RETRIED_CODES = ['internal_server_error', 'service_unavailable'];

/** A client of the five endpoints with an API key. */
export class SmallClient {
  /** Reports for the support of the service. */
  readonly reports: string[] = [];
  readonly #env: Readonly<Record<string, string>>;
  readonly #faults: ReadonlySet<Fault>;

  constructor(env: Readonly<Record<string, string>>, faults: ReadonlySet<Fault>) {
    this.#env = env;
    this.#faults = faults;
  }

  /** Page for a failed call. */
  pageOf(error: unknown): { status: number; text: string } {
    if (!(error instanceof CallFailure)) return { status: 500, text: 'Internal error' };
    const { status, envelope } = error;
    const text = this.#faults.has('shows-message') ? envelope.message : undefined;
    if (status >= 500) return { status: 503, text: 'Try again later.' };
    const isMembership = status === 401 && envelope.errorCode === 'unauthorized';
    if (isMembership && !this.#faults.has('confuses-401'))
      return { status: 403, text: text ?? 'Buy a membership.' };
    return { status: 502, text: text ?? 'The shop is not available.' };
  }

  async provision(order: { orderId: string; email: string; messengerUserId: number }): Promise<string> {
    const { orderId, email, messengerUserId } = order;
    const stable = this.#faults.has('time-as-order-id') ? `${orderId}-${randomUUID()}` : `shop-${orderId}`;
    const data = await this.#call('/membership/provision-external', () => ({
      communityId: this.#env.LATCHKEY_COMMUNITY_ID,
      externalOrderId: this.#faults.has('random-id-per-retry') ? randomUUID() : stable,
      email,
      ...(!this.#faults.has('one-identifier') && { messengerUserId }),
      ...(this.#faults.has('far-future-end') && { validUntil: '2999-12-31T00:00:00Z' }),
      ...(this.#faults.has('null-end') && { validUntil: null }),
    }));
    return String(data?.membershipId);
  }

  async isActive(messengerUserId: string): Promise<boolean> {
    const path = `/membership/check-messenger/${this.#env.LATCHKEY_COMMUNITY_ID}/${messengerUserId}`;
    return (await this.#call(path))?.isActive === true;
  }

  async buyPlan(email: string, ids: { externalId: string; successUrl: string }): Promise<string> {
    const data = await this.#call('/api/checkout/buy-plan', () => ({
      pricingPlanId: this.#env.LATCHKEY_PRICING_PLAN_ID,
      communityId: this.#env.LATCHKEY_COMMUNITY_ID,
      cancelUrl: ids.successUrl,
      email,
      ...ids,
    }));
    const url = data?.checkoutUrl;
    if (this.#faults.has('allowlists-host') && typeof url === 'string' && !url.includes('card-provider')) {
      throw new CallFailure(500, {});
    }
    if (this.#faults.has('rewrites-checkout-url') && typeof url === 'string') return url.split('#')[0] ?? '';
    if (typeof url !== 'string' && !this.#faults.has('no-checkout-url-check')) throw new CallFailure(500, {});
    return String(url);
  }

  async inviteLink(externalId: string): Promise<{ link: string; expiresAt: number }> {
    const data = await this.#call(`/membership/join-messenger-community-external/${externalId}`);
    return { link: String(data?.link), expiresAt: Date.parse(String(data?.expiresAt)) };
  }

  async dropSignup(email: string): Promise<boolean> {
    const data = await this.#call('/api/drop-notification/signup', () => ({
      communityId: this.#env.LATCHKEY_COMMUNITY_ID,
      email,
    }));
    const slot = data?.dropSlotInfo as { dropNotification?: unknown } | undefined;
    if (this.#faults.has('reads-internal-fields') && slot?.dropNotification !== null) {
      throw new CallFailure(500, {});
    }
    return this.#faults.has('ignores-signed-up') || data?.signedUp === true;
  }

  async #call(path: string, body?: () => object): Promise<Record<string, unknown> | null | undefined> {
    for (let attempt = 0; ; attempt += 1) {
      const response = await this.#send(path, body?.());
      const envelope = (await response.json()) as Envelope;
      const { status } = response;
      if (this.#isFailure(status, envelope)) {
        const isRetried = attempt < 2 && this.#isRetried(status, envelope);
        if (!isRetried) {
          this.#report(path, status, envelope);
          throw new CallFailure(status, envelope);
        }
        if (!this.#faults.has('retries-at-once')) await pause(RETRY_MS * 2 ** attempt);
        continue;
      }
      this.#checkStrictly(envelope);
      return envelope.data;
    }
  }

  async #send(path: string, body: object | undefined): Promise<Response> {
    const key = this.#env.LATCHKEY_API_KEY ?? '';
    const query = this.#faults.has('key-in-query') ? `?api_key=${key}` : '';
    return await fetch(`${this.#env.LATCHKEY_SERVICE_URL}${path}${query}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        traceparent: `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`,
        'content-type': 'application/json',
        ...(this.#faults.has('key-from-browser') && { origin: 'https://shop.example' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  #isFailure(status: number, { success, errorCode = '' }: Envelope): boolean {
    if (this.#faults.has('unknown-code-crashes') && status === 409 && !KNOWN_CODES.includes(errorCode)) {
      throw new TypeError(`Unknown errorCode ${errorCode}`);
    }
    if (this.#faults.has('reads-success-only')) return success === false;
    if (status >= 400) return true;
    return success === false && !this.#faults.has('ignores-success-false');
  }

  #isRetried(status: number, { errorCode = '' }: Envelope): boolean {
    if (this.#faults.has('retries-409') && status === 409) return true;
    if (this.#faults.has('retries-401') && status === 401) return true;
    if (this.#faults.has('retries-422') && status === 422) return true;
    if (this.#faults.has('never-retries-503') && status === 503) return false;
    if (this.#faults.has('never-retries')) return false;
    if (this.#faults.has('retries-by-code')) return RETRIED_CODES.includes(errorCode);
    return status >= 500;
  }

  #checkStrictly(envelope: Envelope): void {
    const unknown = Object.keys(envelope).filter(
      (name) => !KNOWN_FIELDS.has(name) && !REJECTION_FIELDS.includes(name),
    );
    if (this.#faults.has('strict-fields') && unknown.length > 0) throw new TypeError('Unknown fields');
    if (this.#faults.has('requires-success') && envelope.success === undefined) {
      throw new TypeError('success is missing');
    }
  }

  #report(path: string, status: number, { errorCode, message, correlationKey }: Envelope): void {
    const time = new Date().toISOString();
    this.reports.push(
      this.#faults.has('poor-report')
        ? `${time} call failed: ${status}`
        : `${time} ${path} ${status} ${errorCode} ${message} ${correlationKey}`,
    );
  }
}

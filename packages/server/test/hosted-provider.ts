import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type DeclineReason,
  type FoundPayment,
  InvalidProviderWebhookError,
  type PaymentProvider,
  type PaymentRefund,
  type PaymentStart,
  type ProviderEvent,
} from '../src/index.js';
import type { ReachableService } from './service-under-test.js';

const SECRET = 'tollgate-webhook-secret';
/** Oldest signature that counts, in milliseconds of real time. */
const TOLERANCE_MS = 5 * 60_000;

/** Session of the provider's payment page. */
interface Session {
  readonly id: string;
  readonly start: PaymentStart;
  state: 'open' | 'paid' | 'expired';
  payment: { readonly id: string; amountMinor: number; currency: string; refundedMinor: number } | undefined;
  dispute: 'open' | 'won' | 'lost' | undefined;
  subscription: string | undefined;
}

type Details = ProviderEvent extends infer E ? (E extends ProviderEvent ? Omit<E, Common> : never) : never;
type Common = 'id' | 'createdAt' | 'mode' | 'orderId' | 'reference';

/**
 * Payment provider with pages of its own: an HTTP server that keeps sessions, refunds and subscriptions, and signs its webhooks. Tests
 * press its buttons by the methods, and decide which webhooks arrive, and when.
 */
export class Tollgate {
  readonly #server: Server;
  /** Newest session by order. */
  readonly sessions = new Map<string, Session>();
  readonly refunds = new Map<string, { amountMinor: number; status: 'refunded' | 'pending' | 'failed' }>();
  readonly endedSubscriptions: string[] = [];
  /** Paths of all requests. */
  readonly requests: string[] = [];
  /** Events that were not sent yet. */
  readonly events: ProviderEvent[] = [];
  isDown = false;
  /** Result of the next refunds. */
  refundStatus: 'refunded' | 'pending' | 'failed' = 'refunded';
  #time = Date.UTC(2026, 5, 12);

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<Tollgate> {
    const server = createServer((request, response) => void tollgate.#answer(request, response));
    const tollgate: Tollgate = new Tollgate(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return tollgate;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const body = text === '' ? undefined : JSON.parse(text);
    this.requests.push(`${request.method} ${request.url}`);
    const [status, answer] = this.isDown ? [503, {}] : this.#handle(`${request.url}`, body);
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
  }

  #handle(path: string, body: unknown): [number, unknown] {
    if (path === '/sessions') return [200, this.#startSession(body as PaymentStart)];
    if (path === '/refunds') return [200, this.#refund(body as PaymentRefund)];
    const [, kind, id = ''] = path.split('/').map(decodeURIComponent);
    if (kind === 'orders') return [200, this.#find(id)];
    if (kind === 'subscriptions') {
      this.endedSubscriptions.push(id);
      return [200, {}];
    }
    return [404, {}];
  }

  #startSession(start: PaymentStart) {
    const known = this.sessions.get(start.orderId);
    if (known?.state === 'paid')
      return { kind: 'paid', reference: known.payment?.id, subscription: known.subscription };
    const session: Session =
      known?.state === 'open'
        ? known
        : {
            ...{
              id: `session_${randomUUID()}`,
              start,
              state: 'open',
              payment: undefined,
              dispute: undefined,
            },
            subscription: start.renews === null ? undefined : `subscription_${randomUUID()}`,
          };
    this.sessions.set(start.orderId, session);
    return { kind: 'redirect', url: `${this.url}/pay/${session.id}`, reference: session.id };
  }

  #find(orderId: string): FoundPayment {
    const session = this.sessions.get(orderId);
    if (session?.payment === undefined) return { kind: session?.state === 'open' ? 'pending' : 'none' };
    const { payment, dispute, subscription } = session;
    const { id: reference, amountMinor, currency, refundedMinor } = payment;
    return { kind: 'paid', reference, amountMinor, currency, refundedMinor, dispute, subscription };
  }

  #refund({ refundId, orderId, amountMinor }: PaymentRefund) {
    const known = this.refunds.get(refundId);
    if (known !== undefined) return { kind: known.status };
    if (this.refundStatus === 'failed') return { kind: 'failed', reason: 'The card was closed.' };
    this.refunds.set(refundId, { amountMinor, status: this.refundStatus });
    const { payment } = this.#session(orderId);
    if (payment !== undefined && this.refundStatus === 'refunded') payment.refundedMinor += amountMinor;
    return { kind: this.refundStatus };
  }

  #session(orderId: string): Session {
    const session = this.sessions.get(orderId);
    if (session === undefined) throw new Error(`There is no session of the order ${orderId}.`);
    return session;
  }

  /** Order of the newest session. */
  get lastOrder(): string {
    return [...this.sessions.keys()].at(-1) ?? '';
  }

  /** The buyer pays on the provider's page. */
  pay(orderId = this.lastOrder, price: { amountMinor?: number; currency?: string } = {}): ProviderEvent {
    const session = this.#session(orderId);
    const { amountMinor, currency } = { ...session.start, ...price };
    const payment = { id: `payment_${randomUUID()}`, amountMinor, currency, refundedMinor: 0 };
    Object.assign(session, { state: 'paid', payment });
    const { subscription } = session;
    return this.#emit(orderId, payment.id, { kind: 'paid', amountMinor, currency, subscription });
  }

  decline(reason: DeclineReason, orderId = this.lastOrder): ProviderEvent {
    return this.#emit(orderId, this.#session(orderId).id, { kind: 'declined', reason });
  }

  expire(orderId = this.lastOrder): ProviderEvent {
    const session = this.#session(orderId);
    session.state = 'expired';
    return this.#emit(orderId, session.id, { kind: 'expired' });
  }

  /** Someone refunds a part in the provider's dashboard. */
  refundPart(amountMinor: number, orderId = this.lastOrder): ProviderEvent {
    const { payment } = this.#session(orderId);
    if (payment === undefined) throw new Error('Nothing was paid.');
    payment.refundedMinor += amountMinor;
    return this.#emit(orderId, payment.id, { kind: 'refunded', amountMinor: payment.refundedMinor });
  }

  dispute(state: 'open' | 'won' | 'lost', orderId = this.lastOrder): ProviderEvent {
    const session = this.#session(orderId);
    session.dispute = state;
    const kind = state === 'open' ? 'dispute-opened' : (`dispute-${state}` as const);
    return this.#emit(orderId, session.payment?.id ?? '', { kind });
  }

  /** The provider charges the next period, tries to, or ends the subscription. */
  renewal(
    details: Extract<Details, { kind: 'renewed' | 'renewal-failed' | 'subscription-ended' }>,
    orderId = this.lastOrder,
  ) {
    return this.#emit(orderId, `payment_${randomUUID()}`, details);
  }

  #emit(orderId: string, reference: string, details: Details): ProviderEvent {
    this.#time += 1000;
    const event = {
      id: `event_${randomUUID()}`,
      createdAt: this.#time,
      mode: 'test' as const,
      orderId,
      reference,
    };
    const emitted = { ...event, ...details } as ProviderEvent;
    this.events.push(emitted);
    return emitted;
  }

  /** Sends events in the given order, by default all that were not sent. */
  async deliver(
    service: Pick<ReachableService, 'request'>,
    events: readonly ProviderEvent[] = this.events.splice(0),
    changes: { secret?: string; signedAt?: number; name?: string } = {},
  ): Promise<Response> {
    const { secret = SECRET, signedAt = Date.now(), name = 'tollgate' } = changes;
    const body = JSON.stringify(events);
    const signature = sign(`${signedAt}.${body}`, secret);
    return await service.request(`/payments/${name}/webhook`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Tollgate-Signature': `t=${signedAt},v1=${signature}` },
      body,
    });
  }

  /** Client of the provider, as an operator would write it. */
  payments({ renewals = 'provider' }: { renewals?: PaymentProvider['renewals'] } = {}): PaymentProvider {
    const call = async (path: string, body?: object) => {
      const response = await fetch(`${this.url}${path}`, {
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`Tollgate answered ${response.status}.`);
      return await response.json();
    };
    return {
      ...{ name: 'tollgate', mode: 'test', renewals, disclaimer: 'You pay at Tollgate.' },
      methods: () => [],
      start: (payment) => call('/sessions', payment),
      find: ({ orderId }) => call(`/orders/${encodeURIComponent(orderId)}`),
      refund: (refund) => call('/refunds', refund),
      renew: async () => ({ kind: 'declined', reason: 'card_declined' }),
      cancelRenewals: ({ reference }) => call(`/subscriptions/${encodeURIComponent(reference)}/end`, {}),
      async readEvents({ headers, body }) {
        const [, time = '', signature = ''] =
          /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['tollgate-signature'] ?? '') ?? [];
        const expected = Buffer.from(sign(`${time}.${Buffer.from(body)}`, SECRET));
        const isValid =
          signature.length === expected.length && timingSafeEqual(Buffer.from(signature), expected);
        if (!isValid) throw new InvalidProviderWebhookError('The signature does not match.');
        if (Math.abs(Date.now() - Number(time)) > TOLERANCE_MS)
          throw new InvalidProviderWebhookError('The signature is too old.');
        return JSON.parse(Buffer.from(body).toString());
      },
    };
  }
}

function sign(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}

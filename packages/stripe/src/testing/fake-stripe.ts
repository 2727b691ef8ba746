import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import Stripe from 'stripe';
import { checkRequest, type Form, parseForm } from './check-request.js';
import { type AccountEvent, ApiError, FakeAccount } from './fake-account.js';
import { actsPage, BANK_ACTS, PAGE_ACTS, type PageAct } from './payment-page.js';

/** A webhook endpoint of the fake account. */
export interface FakeEndpoint {
  readonly url: string;
  readonly secret: string;
  /** @default all */
  readonly enabledEvents?: readonly string[];
}

export interface SignedWebhook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Options of {@link startFakeStripe}. */
export interface FakeStripeOptions {
  /** Key that the API accepts. @default sk_test_fake */
  readonly secretKey?: string;
  /** Port on 127.0.0.1. @default a free one */
  readonly port?: number;
  /** Time by Stripe's clock. Webhooks are still signed with this machine's time. */
  readonly now?: () => number;
}

/** A running fake Stripe. */
export interface FakeStripe {
  /** URL of the API and the payment pages. Pass it to `stripePayments` as `apiUrl`. */
  readonly url: string;
  readonly secretKey: string;
  /** What was sold, paid and refunded, with methods for what buyers, banks and staff do. */
  readonly account: FakeAccount;
  /** All events so far, oldest first. */
  readonly events: readonly AccountEvent[];
  addEndpoint(endpoint: FakeEndpoint): void;
  /** Presses a button of the payment page. Returns where the buyer is sent, or `undefined` if they stay. */
  act(sessionId: string, act: PageAct): string | undefined;
  /** Holds webhooks back until you release them. */
  holdWebhooks(isHeld: boolean): void;
  /** Sends all events again, newest first, as Stripe may. */
  replay(): Promise<void>;
  /** Resolves when every webhook has been delivered. */
  delivered(): Promise<void>;
  /** Makes the API respond with 503, or work again. */
  setDown(isDown: boolean): void;
  close(): Promise<void>;
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2_000;
const KEY_LIFE_MS = 24 * 3600_000;

/**
 * Starts a fake Stripe: the API, which rejects every request that Stripe's OpenAPI document doesn't allow; payment
 * pages with a button for everything that a buyer or a bank can do; and signed webhooks, which it repeats until they're
 * received.
 */
export async function startFakeStripe({
  secretKey = 'sk_test_fake',
  port = 0,
  now = Date.now,
}: FakeStripeOptions = {}): Promise<FakeStripe> {
  const keys = new Map<string, { at: number; request: string; status: number; body: string }>();
  const endpoints: FakeEndpoint[] = [];
  const events: AccountEvent[] = [];
  const deliveries = new Set<Promise<void>>();
  const closing = new AbortController();
  let isDown = false;
  let isHeld = false;
  let release: (() => void)[] = [];

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      const status = error instanceof ApiError ? error.status : 500;
      const details = error instanceof ApiError ? error.body : { type: 'api_error' };
      const message = error instanceof Error ? error.message : String(error);
      send(response, status, JSON.stringify({ error: { ...details, message } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`;
  const account = new FakeAccount({ url, livemode: secretKey.includes('_live_'), now, emit });

  return {
    ...{ url, secretKey, account, events, act },
    addEndpoint: (endpoint) => void endpoints.push(endpoint),
    holdWebhooks(held) {
      isHeld = held;
      if (held) return;
      for (const resume of release) resume();
      release = [];
    },
    async replay() {
      await Promise.all(
        events.toReversed().flatMap((event) => endpoints.map((endpoint) => post(event, endpoint))),
      );
    },
    async delivered() {
      while (deliveries.size > 0) await Promise.all(deliveries);
    },
    setDown: (down) => {
      isDown = down;
    },
    async close() {
      closing.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  function emit(event: AccountEvent): void {
    events.push(event);
    for (const endpoint of endpoints) {
      const { enabledEvents } = endpoint;
      if (enabledEvents !== undefined && !enabledEvents.includes(event.type)) continue;
      const delivery = deliver(event, endpoint).finally(() => deliveries.delete(delivery));
      deliveries.add(delivery);
    }
  }

  async function deliver(event: AccountEvent, endpoint: FakeEndpoint): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; !closing.signal.aborted; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      if (isHeld) await new Promise<void>((resolve) => release.push(resolve));
      if (await post(event, endpoint)) return;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  async function post(event: AccountEvent, { url: target, secret }: FakeEndpoint): Promise<boolean> {
    const { headers, body } = signWebhook(event, secret);
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(10_000)]);
    const answer = await fetch(target, { method: 'POST', headers, body, redirect: 'manual', signal }).catch(
      () => undefined,
    );
    await answer?.body?.cancel().catch(() => undefined);
    return answer?.ok === true;
  }

  function act(sessionId: string, name: PageAct): string | undefined {
    const { success_url: paid, cancel_url: cancelled } = account.page(sessionId);
    switch (name) {
      case 'pay':
      case 'complete-action':
        account.payPage(sessionId);
        return paid ?? undefined;
      case 'pay-later':
        account.payPage(sessionId, { later: true });
        return paid ?? undefined;
      case 'pay-with-action':
        return `${url}/c/bank/${sessionId}`;
      case 'decline':
      case 'fail-action':
        account.declinePage(sessionId);
        return undefined;
      case 'cancel':
        return cancelled ?? undefined;
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = new URL(request.url ?? '/', url);
    if (isDown)
      return send(
        response,
        503,
        JSON.stringify({ error: { type: 'api_error', message: 'Stripe is down.' } }),
      );
    const body = await readText(request);
    const page = /^\/c\/(pay|bank)\/(\w+)$/.exec(target.pathname);
    if (page !== null)
      return answerPage(response, { kind: page[1] ?? '', id: page[2] ?? '', method: request.method, body });
    const answer = answerApi(request, target, body);
    send(response, answer.status, answer.body, answer.isReplayed ? { 'idempotent-replayed': 'true' } : {});
  }

  function answerPage(
    response: ServerResponse,
    { kind, id, method, body }: { kind: string; id: string; method: string | undefined; body: string },
  ): void {
    const session = account.page(id);
    if (method === 'POST') {
      const chosen = new URLSearchParams(body).get('act') as PageAct;
      const next = act(id, chosen) ?? `/c/pay/${id}?declined`;
      response.writeHead(303, { location: next }).end();
      return;
    }
    const price = `${session.amount_total} ${session.currency?.toUpperCase()} (minor unit)`;
    const isOpen = session.status === 'open';
    const html = isOpen
      ? actsPage({
          title: kind === 'bank' ? 'Your bank' : 'Checkout',
          lines: kind === 'bank' ? ['3-D Secure: is it you who pays?'] : [price],
          acts: kind === 'bank' ? BANK_ACTS : PAGE_ACTS,
          action: `/c/pay/${id}`,
        })
      : actsPage({ title: `This page is ${session.status}.`, lines: [], acts: {}, action: `/c/pay/${id}` });
    send(response, 200, html, { 'content-type': 'text/html; charset=utf-8' });
  }

  /** Responds to an API request, once for each idempotency key. */
  function answerApi(request: IncomingMessage, target: URL, body: string) {
    const { method = 'GET', headers } = request;
    if (headers.authorization !== `Bearer ${secretKey}`) throw new ApiError(401, 'Invalid API Key provided.');
    if (headers['stripe-version'] !== Stripe.API_VERSION)
      throw new ApiError(400, 'Unexpected Stripe-Version.');
    const form = parseForm(method === 'GET' ? target.search.slice(1) : body);
    const checked = checkRequest(method, target.pathname, form);
    if (checked.kind === 'unknown')
      throw new ApiError(404, `Unrecognized request URL (${method}: ${target.pathname}).`);
    if (checked.kind === 'invalid')
      throw new ApiError(400, checked.message, { code: 'parameter_unknown', param: checked.param });
    const key = method === 'POST' ? String(headers['idempotency-key']) : undefined;
    const known = key === undefined ? undefined : keys.get(key);
    const fingerprint = `${method} ${target.pathname} ${body}`;
    if (known !== undefined && known.at > now() - KEY_LIFE_MS) {
      if (known.request !== fingerprint) {
        const message =
          'Keys for idempotent requests can only be used with the same parameters they were first used with.';
        throw new ApiError(400, message, { type: 'idempotency_error' });
      }
      return { status: known.status, body: known.body, isReplayed: true };
    }
    const result = JSON.stringify(answerOperation(`${method} ${checked.path}`, checked.id, form));
    if (key !== undefined) keys.set(key, { at: now(), request: fingerprint, status: 200, body: result });
    return { status: 200, body: result, isReplayed: false };
  }

  function answerOperation(operation: string, id: string, form: Form): unknown {
    const expand = Array.isArray(form.expand) ? form.expand : [];
    switch (operation) {
      case 'POST /v1/checkout/sessions':
        return account.openPage(form);
      case 'GET /v1/checkout/sessions':
        return list([...account.sessions.values()].toReversed());
      case 'GET /v1/checkout/sessions/{session}':
        return account.page(id);
      case 'POST /v1/checkout/sessions/{session}/expire': {
        if (account.page(id).status !== 'open')
          throw new ApiError(400, 'Only Checkout Sessions with a status in ["open"] can be expired.');
        account.expirePage(id);
        return account.page(id);
      }
      case 'GET /v1/payment_intents/{intent}': {
        const intent = found(account.intents.get(id), id);
        const charge = account.charges.get(String(intent.latest_charge));
        return expand.includes('latest_charge') && charge ? { ...intent, latest_charge: charge } : intent;
      }
      case 'GET /v1/charges/{charge}':
        return found(account.charges.get(id), id);
      case 'GET /v1/invoices/{invoice}':
        return withPayments(found(account.invoices.get(id), id), expand.includes('payments'));
      case 'GET /v1/invoices':
        return list(
          [...account.invoices.values()]
            .filter(({ customer }) => form.customer === undefined || customer === form.customer)
            .map((invoice) => withPayments(invoice, expand.includes('data.payments'))),
        );
      case 'GET /v1/disputes':
        return list(
          [...account.disputes.values()].filter((one) => one.payment_intent === form.payment_intent),
        );
      case 'GET /v1/refunds':
        return list(
          [...account.refunds.values()].filter((one) => one.payment_intent === form.payment_intent),
        );
      case 'POST /v1/refunds':
        return account.refund(form);
      case 'DELETE /v1/subscriptions/{subscription_exposed_id}':
        return account.cancelSubscription(id);
      case 'GET /v1/account':
        return {
          id: 'acct_fake',
          object: 'account',
          charges_enabled: true,
          settings: { dashboard: { display_name: 'Fake' } },
        };
      case 'GET /v1/webhook_endpoints':
        return list(
          endpoints.map(({ url: target, enabledEvents }, index) => ({
            ...{ id: `we_${index}`, object: 'webhook_endpoint', url: target, status: 'enabled' },
            ...{ api_version: Stripe.API_VERSION, enabled_events: enabledEvents ?? ['*'] },
          })),
        );
      default:
        throw new ApiError(500, `The fake has no ${operation}.`);
    }
  }
}

/** Signs an event as Stripe does. */
export function signWebhook(event: AccountEvent, secret: string): SignedWebhook {
  const payload = JSON.stringify(event);
  const signature = new Stripe('sk_test_unused').webhooks.generateTestHeaderString({ payload, secret });
  return {
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
    body: new TextEncoder().encode(payload),
  };
}

function list(data: readonly unknown[]) {
  return { object: 'list', has_more: false, url: '/v1', data };
}

function found<Value>(value: Value | undefined, id: string): Value {
  if (value === undefined) throw new ApiError(404, `No such object: '${id}'`, { code: 'resource_missing' });
  return value;
}

function withPayments<Value extends { payments: unknown }>(invoice: Value, isExpanded: boolean) {
  const { payments, ...others } = invoice;
  return isExpanded ? { ...others, payments } : others;
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

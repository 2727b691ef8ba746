import type { LoggedRequest, RunningSandbox, SandboxEvent } from '@latchkey/sandbox';

/** Clients, keys and webhooks of one shop. Nothing else is shown on its pages. */
export interface ShopParts {
  readonly clientId: string;
  /** Name of the API key and id of its owner; undefined for a shop without a server. */
  readonly apiKey?: { readonly name: string; readonly ownerId: string };
  readonly webhookIds: readonly string[];
}

/** Calls of one shop, from the sandbox in this process. The control token is not involved. */
export interface ShopCalls {
  /** Lists the newest calls, newest first. */
  list(): Promise<readonly ShopCall[]>;
  /** Returns the call that an event of the sandbox reports; undefined if it is not one of this shop. */
  read(event: SandboxEvent): Promise<ShopCall | undefined>;
}

type Service = Pick<RunningSandbox, 'baseUrl' | 'control'>;

/** Number of calls that the drawer begins with. */
const LISTED = 40;
/** Number of log entries and of events that are searched for them. */
const SEARCHED_REQUESTS = 400;
const SEARCHED_EVENTS = 20;

/** Creates the reader of a shop's calls. */
export function createShopCalls(service: Service, parts: ShopParts): ShopCalls {
  const readDelivery = (id: string) => findDelivery(service, parts, id);
  return {
    async list() {
      const requests = service.control.requests
        .list({ limit: SEARCHED_REQUESTS })
        .requests.filter((request) => isOfShop(request, parts))
        .slice(0, LISTED)
        .map(({ id }) => asCall(service, service.control.requests.find(id)));
      const { events } = await service.control.deliveries.list({ limit: SEARCHED_EVENTS });
      const deliveries = await Promise.all(
        events.flatMap((event) => event.deliveries.map(({ id }) => readDelivery(id))),
      );
      return [...requests, ...deliveries.filter((call) => call !== undefined)]
        .sort((a, b) => b.at.localeCompare(a.at))
        .slice(0, LISTED);
    },
    async read({ type, data }) {
      const { id, deliveryId } = Object(data) as { id?: unknown; deliveryId?: unknown };
      if (type === 'delivery' && typeof deliveryId === 'string') return await readDelivery(deliveryId);
      if (type !== 'request' || typeof id !== 'string') return undefined;
      const request = findRequest(service, id);
      return request && isOfShop(request, parts) ? asCall(service, request) : undefined;
    },
  };
}

/** Returns a log entry; undefined if the log dropped it since. */
function findRequest({ control }: Service, id: string): LoggedRequest | undefined {
  try {
    return control.requests.find(id);
  } catch {
    return undefined;
  }
}

function isOfShop(
  { caller, endpoint, method }: Pick<LoggedRequest, 'caller' | 'endpoint' | 'method'>,
  { clientId, apiKey }: ShopParts,
): boolean {
  // Preflight requests and the service's own forms explain nothing here.
  if (endpoint === null || method === 'OPTIONS' || caller === null) return false;
  if (caller.kind === 'client') return caller.clientId === clientId;
  return caller.keyName === apiKey?.name && caller.ownerId === apiKey.ownerId;
}

function asCall({ baseUrl }: Service, request: LoggedRequest): ShopCall {
  const { id, serviceTime, method, path, status } = request;
  return {
    key: id,
    at: serviceTime,
    direction: 'out',
    method,
    path: shownPath(path),
    status,
    sentence: sentenceOfCall(request),
    href: `${baseUrl}/sandbox/requests?id=${encodeURIComponent(id)}`,
  };
}

/** Returns the path without its query. The external id of a checkout is a secret of the shop. */
function shownPath(path: string): string {
  return (path.split('?')[0] ?? '').replace(/\/lk\.[^/]*$/, '/{externalId}');
}

async function findDelivery(
  { baseUrl, control }: Service,
  { webhookIds }: ShopParts,
  id: string,
): Promise<ShopCall | undefined> {
  const delivery = await control.deliveries.find(id).catch(() => undefined);
  // Another program can listen along, with attempts of its own.
  const attempt = delivery?.attempts.find(({ listener }) => listener === null);
  if (delivery === undefined || attempt === undefined) return undefined;
  if (!webhookIds.includes(delivery.webhookId)) return undefined;
  const type = eventTypeOf(delivery.request.headers);
  return {
    key: `${id} ${delivery.attempts.length}`,
    at: attempt.at,
    direction: 'in',
    method: 'POST',
    path: `/webhooks ${type}`,
    status: attempt.status,
    sentence: sentenceOfDelivery(type, attempt.failure),
    href: `${baseUrl}/sandbox/webhooks?id=${encodeURIComponent(delivery.eventId)}`,
  };
}

function eventTypeOf(headers: Readonly<Record<string, string>>): string {
  const name = Object.keys(headers).find((header) => header.toLowerCase().endsWith('-event-type'));
  return (name && headers[name]) ?? '';
}

/** One call or webhook delivery, as the drawer shows it. It contains no token, code or secret. */
interface ShopCall {
  /** Differs between all entries. A later attempt of the same delivery has another one. */
  readonly key: string;
  /** ISO 8601, by the service's clock. */
  readonly at: string;
  /** `in`: the service called the shop. `out`: the shop or its page called the service. */
  readonly direction: 'in' | 'out';
  readonly method: string;
  /** Path without its query. */
  readonly path: string;
  /** Null without a response. */
  readonly status: number | null;
  /** Explanation in one sentence. */
  readonly sentence: string;
  /** URL of the entry in the sandbox's console. */
  readonly href: string;
}

/** Facts of a logged call that choose its sentence. */
type Call = Pick<LoggedRequest, 'endpoint' | 'status' | 'location' | 'requestBody' | 'responseBody'>;

/** Sentences for calls that succeeded, by endpoint. */
const SUCCEEDED: Readonly<Record<string, (call: Call) => string>> = {
  authorize: ({ location }) => {
    if (location?.includes('error=')) return 'The visitor declined, so the service sent no code.';
    return location?.includes('code=')
      ? 'The service sent the browser back with a one-time code.'
      : 'The browser asked to sign in, and the service showed its own pages first.';
  },
  token: ({ requestBody }) =>
    requestBody?.text.includes('refresh_token')
      ? 'The session got new tokens in place of the old ones.'
      : 'The one-time code was redeemed for tokens.',
  userinfo: () => 'The shop asked who signed in.',
  memberships: () => 'The shop asked which memberships run now. Its gates decide by this list.',
  products: () => 'The shop asked which products this user sells.',
  revoke: () => 'The visitor signed out, so the shop revoked the tokens.',
  clientIdentity: () => 'The callback page checked that this shop may receive the code.',
  buyPlan: () => 'The shop opened a hosted checkout with its API key. The buyer pays at the service.',
  inviteLink: () => 'The shop got a chat invite for this buyer, valid for 24 hours.',
  checkMessenger: () => 'The shop asked whether a messenger account has a membership.',
  provisionExternal: () => 'The shop granted a membership for an order of its own.',
  dropSignup: ({ responseBody }) =>
    responseBody?.text.includes('"signedUp":false')
      ? 'The address has an account at the service, so no signup was needed.'
      : 'The address is signed up for the drop, and one slot is taken.',
};

/** Sentences for expected failures, by endpoint and status. */
const FAILED: Readonly<Record<string, string>> = {
  'inviteLink 404': 'No payment of this buyer was completed yet, so there is no chat invite.',
  'inviteLink 401': 'This buyer has paid before, but has no running membership now.',
  'dropSignup 404': 'The community has no running or upcoming drop.',
  'dropSignup 409': 'The address is already signed up, or no slot is left.',
  'token 400': 'The code or refresh token is no longer valid, so the visitor signs in again.',
  'memberships 401': 'The access token is no longer valid.',
  'userinfo 401': 'The access token is no longer valid.',
};

/** Explains a call to the service in one sentence. */
function sentenceOfCall(call: Call): string {
  const { endpoint, status } = call;
  if (status === null) return 'The connection ended before the service had answered.';
  if (status < 400) return SUCCEEDED[endpoint ?? '']?.(call) ?? 'The service answered.';
  const expected = FAILED[`${endpoint} ${status}`];
  if (expected !== undefined) return expected;
  return status < 500
    ? 'The service rejected this call. The entry names the reason.'
    : 'The service failed. The shop keeps its gates closed and tries again.';
}

const EVENTS: Readonly<Record<string, string>> = {
  'membership.created': 'A membership began. The shop checked the signature and recorded the membership.',
  'membership.updated': 'A membership changed: it was renewed, cancelled or ended.',
  'payment.success': 'A payment is confirmed. Only this event proves it, not the buyer’s return.',
  'payment.failed': 'A payment failed, and no gate opens.',
  'digital.product.purchase': 'A product of this shop was bought.',
};

/** Explains the delivery of a webhook event in one sentence. */
function sentenceOfDelivery(type: string, failure: string | null): string {
  if (failure !== null) return `The delivery failed, and the service will send it again. ${failure}`;
  return EVENTS[type] ?? 'The service reported an event that this shop does not use.';
}

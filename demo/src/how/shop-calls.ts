import type { LoggedRequest, RunningSandbox, SandboxEvent } from '@latchkey/sandbox';
import { sentenceOfCall, sentenceOfDelivery } from './call-sentences.js';
import type { ShopCall } from './shop-call.js';

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

import { randomUUID } from 'node:crypto';
import { formatTimestamp, type ServiceNames, webhookHeadersOf } from '@latchkey/contract/constants';
import type { Clock } from '@latchkey/server';
import { type Database, deliveryHeaders } from '@latchkey/server/extension';
import type * as z from 'zod';
import { ControlFailure, unknown } from '../access/control-failure.js';
import type { ExchangeLog } from '../deliveries/exchange-log.js';
import type { forwardInput, listenerInput } from './listener-input.js';
import {
  type ListenerFilter,
  ListenerStore,
  type StoredListener,
  type WaitingDelivery,
} from './listener-store.js';

/** Program that forwards deliveries to an address of its own. The sandbox remembers what it has forwarded. */
export interface ListenerEntry {
  readonly name: string;
  readonly filter: ListenerFilter;
  /** First instant of its deliveries, ISO 8601. */
  readonly since: string;
  /** Number of deliveries that it has not forwarded. */
  readonly waiting: number;
}

/** Delivery to forward: the request that the service would send. */
export interface ForwardedDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly webhookId: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** All headers, with the signature by the webhook's own secret. */
  readonly headers: Readonly<Record<string, string>>;
  /** Signed text. Send its bytes in UTF-8 unchanged. */
  readonly body: string;
}

export interface Listeners {
  list(): Promise<readonly ListenerEntry[]>;
  /** Creates a listener, or changes its filter. It then belongs to the caller with this `consumer`. */
  open(listener: z.output<typeof listenerInput>): Promise<ListenerEntry>;
  /** @throws ControlFailure `not_found` if there is no such listener. */
  remove(name: string): Promise<void>;
  /**
   * Lists deliveries that are not forwarded yet, oldest first.
   *
   * @throws ControlFailure `not_found`; `conflict` if another program has opened the listener since.
   */
  waiting(name: string, options: { consumer: string; limit: number }): Promise<readonly ForwardedDelivery[]>;
  /** Logs an attempt to forward a delivery. Unless it will be retried, the delivery is done. */
  record(name: string, deliveryId: string, attempt: z.output<typeof forwardInput>): Promise<void>;
  /** Makes a delivery wait again, for every listener. */
  forget(deliveryId: string): Promise<void>;
  /** Returns the work that lets all listeners begin at an instant, for the transaction that replaces all data. */
  restart(now: number): Promise<(transaction: Database) => Promise<void>>;
  /** Continues at the time of a start, which may be before the time at which the sandbox stopped. */
  continueAt(now: number): Promise<void>;
}

interface ListenerNeeds {
  readonly clock: Clock;
  readonly exchanges: ExchangeLog;
  db(): Database;
  names(): ServiceNames;
  /** Called after an attempt to forward a delivery. */
  onForward(forwarded: { listener: string; deliveryId: string; statusCode: number | null }): void;
}

export function createListeners({ clock, exchanges, db, names, onForward }: ListenerNeeds): Listeners {
  const store = new ListenerStore(db);
  /** Program that has opened a listener last, by name. */
  const consumers = new Map<string, string>();
  const find = async (name: string) => {
    const listener = await store.find(name);
    if (listener === undefined) throw unknown('listener', name);
    return listener;
  };
  const entryOf = async (listener: StoredListener): Promise<ListenerEntry> => ({
    ...listener,
    since: formatTimestamp(listener.since),
    waiting: await store.countWaiting(listener),
  });
  return {
    list: async () => await Promise.all((await store.list()).map(entryOf)),
    async open({ name, consumer, from, ...filter }) {
      const known = await store.find(name);
      const sinceOf = { start: 0, now: clock.now(), last: known?.since ?? clock.now() };
      const listener = { name, filter, since: sinceOf[from] };
      await store.save(listener);
      consumers.set(name, consumer);
      return await entryOf(listener);
    },
    async remove(name) {
      await find(name);
      consumers.delete(name);
      await store.remove(name);
    },
    async waiting(name, { consumer, limit }) {
      const listener = await find(name);
      // After a restart of the sandbox, the first program that asks continues.
      if (!consumers.has(name)) consumers.set(name, consumer);
      if (consumers.get(name) !== consumer) {
        throw new ControlFailure(
          'conflict',
          `Another program has opened the listener ${JSON.stringify(name)}.`,
        );
      }
      const deliveries = await store.waiting(listener, limit);
      return deliveries.map((delivery) => signed(delivery, names()));
    },
    async record(name, deliveryId, { result, url, durationMs, status, failure, headers, body }) {
      await find(name);
      const delivery = await readDelivery(db(), deliveryId);
      const bytes = Buffer.from(body);
      exchanges.add({
        id: randomUUID(),
        deliveryId,
        listener: name,
        at: clock.now(),
        durationMs,
        sent: {
          statusCode: status,
          failure,
          durationMs,
          request: { url, headers: signed(delivery, names()).headers, body: delivery.body },
          response: status === null ? null : { status, headers, body: bytes, bytes: bytes.byteLength },
        },
      });
      if (result !== 'retry') await store.acknowledge(name, deliveryId);
      onForward({ listener: name, deliveryId, statusCode: status });
    },
    forget: (deliveryId) => store.forget(deliveryId),
    restart: (now) => store.restart(now),
    continueAt: (now) => store.continueAt(now),
  };
}

function signed(
  { id, event, webhookId, createdAt, secret, body }: WaitingDelivery,
  names: ServiceNames,
): ForwardedDelivery {
  const headers = deliveryHeaders(event, { body: Buffer.from(body), secret, names: webhookHeadersOf(names) });
  return {
    id,
    eventId: event.id,
    eventType: event.type,
    webhookId,
    createdAt: formatTimestamp(createdAt),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body,
  };
}

async function readDelivery(db: Database, id: string): Promise<WaitingDelivery> {
  const row = await db
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhook_events as event', 'event.id', 'delivery.event_id')
    .innerJoin('webhooks', 'webhooks.id', 'delivery.webhook_id')
    .select(['delivery.created_at', 'delivery.webhook_id', 'event.id', 'event.type', 'event.body'])
    .select('webhooks.secret')
    .where('delivery.id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw unknown('delivery', id);
  const { created_at: createdAt, webhook_id: webhookId, secret, body } = row;
  return { id, event: { id: row.id, type: row.type }, createdAt, webhookId, secret, body };
}

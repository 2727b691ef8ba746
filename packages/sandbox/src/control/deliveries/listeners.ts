import { randomUUID } from 'node:crypto';
import { formatTimestamp, webhookHeadersOf } from '@latchkey/contract/constants';
import { type Database, deliveryHeaders } from '@latchkey/server/extension';
import type * as z from 'zod';
import type { Needs } from '../../services/services.js';
import { ControlFailure, unknown } from '../access/control-failure.js';
import type { ControlHandlers } from '../routes/routes.js';
import type { forwardInput, listenerInput } from '../routes/webhook-inputs.js';
import {
  type ListenerFilter,
  ListenerStore,
  type StoredListener,
  type WaitingDelivery,
} from './listener-store.js';
import type { RoundTripLog } from './round-trip-log.js';

/** A program that forwards deliveries to its own URL. The sandbox remembers what it has forwarded. */
export interface ListenerEntry {
  readonly name: string;
  readonly filter: ListenerFilter;
  /** Deliveries from this time on, ISO 8601. */
  readonly since: string;
  /** Number of deliveries that it hasn't forwarded. */
  readonly waiting: number;
}

/** A delivery to forward: the request that the service would send. */
export interface ForwardedDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly webhookId: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** All headers, with a signature by the webhook's own secret. */
  readonly headers: Readonly<Record<string, string>>;
  /** The signed body. Send its UTF-8 bytes unchanged. */
  readonly body: string;
}

export class Listeners {
  readonly #services: Needs<'clock' | 'db' | 'hub' | 'serviceNames'>;
  readonly #roundTrips: RoundTripLog;
  readonly #store: ListenerStore;
  /** The program that opened a listener last, by the listener's name. */
  readonly #consumers = new Map<string, string>();

  constructor(services: Needs<'clock' | 'db' | 'hub' | 'serviceNames'>, roundTrips: RoundTripLog) {
    this.#services = services;
    this.#roundTrips = roundTrips;
    this.#store = new ListenerStore(services);
  }

  async list(): Promise<readonly ListenerEntry[]> {
    return await Promise.all((await this.#store.list()).map((listener) => this.#entryOf(listener)));
  }

  /** Creates a listener, or changes its filter. It then belongs to the program with this `consumer`. */
  async open({ name, consumer, from, ...filter }: z.output<typeof listenerInput>): Promise<ListenerEntry> {
    const known = await this.#store.find(name);
    const now = this.#services.clock.now();
    const sinceOf = { start: 0, now, last: known?.since ?? now };
    const listener = { name, filter, since: sinceOf[from] };
    await this.#store.save(listener);
    this.#consumers.set(name, consumer);
    return await this.#entryOf(listener);
  }

  /** @throws ControlFailure `not_found` if there is no such listener. */
  async remove(name: string): Promise<void> {
    await this.#find(name);
    this.#consumers.delete(name);
    await this.#store.remove(name);
  }

  /**
   * Lists deliveries that aren't forwarded yet, oldest first.
   *
   * @throws ControlFailure `not_found`; `conflict` if another program has opened the listener since.
   */
  async waiting(
    name: string,
    { consumer, limit }: { consumer: string; limit: number },
  ): Promise<readonly ForwardedDelivery[]> {
    const listener = await this.#find(name);
    // After a restart of the sandbox, the first program that asks continues.
    if (!this.#consumers.has(name)) this.#consumers.set(name, consumer);
    if (this.#consumers.get(name) !== consumer) {
      throw new ControlFailure(
        'conflict',
        `Another program has opened the listener ${JSON.stringify(name)}.`,
      );
    }
    const deliveries = await this.#store.waiting(listener, limit);
    return deliveries.map(({ event, secret, createdAt, ...delivery }) => ({
      ...delivery,
      eventId: event.id,
      eventType: event.type,
      createdAt: formatTimestamp(createdAt),
      headers: this.#headersOf({ event, secret, body: delivery.body }),
    }));
  }

  /** Logs an attempt to forward a delivery. If it won't be retried, the delivery is done. */
  async record(name: string, deliveryId: string, attempt: z.output<typeof forwardInput>): Promise<void> {
    const { result, url, durationMs, status, failure, headers, body } = attempt;
    await this.#find(name);
    const delivery = await this.#readDelivery(deliveryId);
    const bytes = Buffer.from(body);
    this.#roundTrips.add({
      id: randomUUID(),
      deliveryId,
      listener: name,
      at: this.#services.clock.now(),
      durationMs,
      sent: {
        statusCode: status,
        failure,
        durationMs,
        request: { url, headers: this.#headersOf(delivery), body: delivery.body },
        response: status === null ? null : { status, headers, body: bytes, bytes: bytes.byteLength },
      },
    });
    if (result !== 'retry') await this.#store.acknowledge(name, deliveryId);
    this.#services.hub.publish('delivery', { listener: name, deliveryId, statusCode: status });
  }

  /** Makes a delivery wait again, for every listener. */
  async forget(deliveryId: string): Promise<void> {
    await this.#store.forget(deliveryId);
  }

  /** Returns the work that makes all listeners start at a given time, for the transaction that replaces all data. */
  async restart(now: number): Promise<(transaction: Database) => Promise<void>> {
    return await this.#store.restart(now);
  }

  /** Continues when the sandbox starts, possibly at an earlier time than when it stopped. */
  async continueAt(now: number): Promise<void> {
    await this.#store.continueAt(now);
  }

  async #find(name: string): Promise<StoredListener> {
    const listener = await this.#store.find(name);
    if (listener === undefined) throw unknown('listener', name);
    return listener;
  }

  async #entryOf(listener: StoredListener): Promise<ListenerEntry> {
    const waiting = await this.#store.countWaiting(listener);
    return { ...listener, since: formatTimestamp(listener.since), waiting };
  }

  #headersOf({ event, ...signed }: Pick<WaitingDelivery, 'event' | 'secret' | 'body'>) {
    return signedHeaders(event, { ...signed, serviceNames: this.#services.serviceNames });
  }

  async #readDelivery(id: string): Promise<Pick<WaitingDelivery, 'event' | 'secret' | 'body'>> {
    const row = await this.#services.db
      .selectFrom('webhook_deliveries as delivery')
      .innerJoin('webhook_events as event', 'event.id', 'delivery.event_id')
      .innerJoin('webhooks', 'webhooks.id', 'delivery.webhook_id')
      .select(['event.id', 'event.type', 'event.body', 'webhooks.secret'])
      .where('delivery.id', '=', id)
      .executeTakeFirst();
    if (row === undefined) throw unknown('delivery', id);
    return { event: { id: row.id, type: row.type }, secret: row.secret, body: row.body };
  }
}

/** Returns a delivery's headers, with the signature. */
export function signedHeaders(
  event: WaitingDelivery['event'],
  { body, secret, serviceNames }: { body: string; secret: string } & Needs<'serviceNames'>,
): Readonly<Record<string, string>> {
  const names = webhookHeadersOf(serviceNames);
  const headers = Object.entries(deliveryHeaders(event, { body: Buffer.from(body), secret, names }));
  return Object.fromEntries(headers.map(([name, value]) => [name, String(value)]));
}

export function listenerHandlers(listeners: Listeners) {
  return {
    'GET /listeners': async () => ({ listeners: await listeners.list() }),
    'POST /listeners': ({ body }) => listeners.open(body),
    'DELETE /listeners/{name}': ({ params }) => listeners.remove(params.name),
    'GET /listeners/{name}/deliveries': async ({ params, query }) => ({
      deliveries: await listeners.waiting(params.name, query),
    }),
    'POST /listeners/{name}/deliveries/{id}': ({ params, body }) =>
      listeners.record(params.name, params.id, body),
  } satisfies Partial<ControlHandlers>;
}

import { randomUUID } from 'node:crypto';
import { formatTimestamp, webhookHeadersOf } from '@latchkey/contract/constants';
import { type Database, deliveryHeaders, inTransaction } from '@latchkey/server/extension';
import type * as z from 'zod';
import type { Needs } from '../../services/services.js';
import { ControlFailure, unknown } from '../access/control-failure.js';
import type { forwardInput, listenerInput } from '../routes/webhook-inputs.js';
import type { RoundTripLog } from './round-trip-log.js';

/** Which deliveries a listener forwards. Missing fields restrict nothing. */
export type ListenerFilter = Omit<z.output<typeof listenerInput>, 'name' | 'consumer' | 'from'>;

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

interface StoredListener {
  readonly name: string;
  readonly filter: ListenerFilter;
  /** Deliveries from this time on, in milliseconds since the epoch. */
  readonly since: number;
}

interface SignedEvent {
  readonly event: { readonly id: string; readonly type: string };
  readonly body: string;
  readonly secret: string;
}

/** The sandbox's own tables, next to the service's. Resets and snapshots leave them as they are. */
type ListenerTables = {
  sandbox_listeners: { name: string; filter: string; since: number };
  sandbox_listener_acks: { listener: string; delivery_id: string };
};

/**
 * The listeners, in the sandbox's database, so they survive a restart. It stores which deliveries are done instead of a
 * position: a slow transaction can commit an event that is older than the last one.
 */
export class Listeners {
  readonly #services: Needs<'clock' | 'db' | 'hub' | 'serviceNames'>;
  readonly #roundTrips: RoundTripLog;
  /** The program that opened a listener last, by the listener's name. */
  readonly #consumers = new Map<string, string>();
  #tables: Promise<void> | undefined;

  constructor(services: Needs<'clock' | 'db' | 'hub' | 'serviceNames'>, roundTrips: RoundTripLog) {
    this.#services = services;
    this.#roundTrips = roundTrips;
  }

  async list(): Promise<readonly ListenerEntry[]> {
    return await Promise.all((await this.#stored()).map((listener) => this.#entryOf(listener)));
  }

  /** Creates a listener, or changes its filter. It then belongs to the program with this `consumer`. */
  async open({ name, consumer, from, ...filter }: z.output<typeof listenerInput>): Promise<ListenerEntry> {
    const known = (await this.#stored()).find((listener) => listener.name === name);
    const now = this.#services.clock.now();
    const since = { start: 0, now, last: known?.since ?? now }[from];
    const values = { name, filter: JSON.stringify(filter), since };
    await (await this.#open())
      .insertInto('sandbox_listeners')
      .values(values)
      .onConflict((conflict) => conflict.column('name').doUpdateSet(values))
      .execute();
    this.#consumers.set(name, consumer);
    return await this.#entryOf({ name, filter, since });
  }

  /** @throws ControlFailure `not_found` if there is no such listener. */
  async remove(name: string): Promise<void> {
    await this.#find(name);
    this.#consumers.delete(name);
    const db = await this.#open();
    // Leftover entries have no effect without the listener. The other way round, the listener would forward everything
    // again.
    await db.deleteFrom('sandbox_listeners').where('name', '=', name).execute();
    await db.deleteFrom('sandbox_listener_acks').where('listener', '=', name).execute();
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
    const rows = await (await this.#waiting(listener))
      .select(['delivery.id', 'delivery.event_id', 'delivery.webhook_id', 'delivery.created_at'])
      .select(['event.type', 'event.body', 'webhooks.secret'])
      .orderBy('delivery.created_at')
      .orderBy('delivery.id')
      .limit(limit)
      .execute();
    return rows.map(({ id, event_id: eventId, type: eventType, body, secret, ...row }) => ({
      id,
      webhookId: row.webhook_id,
      body,
      eventId,
      eventType,
      createdAt: formatTimestamp(row.created_at),
      headers: this.#headersOf({ event: { id: eventId, type: eventType }, secret, body }),
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
      sent: {
        statusCode: status,
        failure,
        durationMs,
        request: { url, headers: this.#headersOf(delivery), body: delivery.body },
        response: status === null ? null : { status, headers, body: bytes, bytes: bytes.byteLength },
      },
    });
    if (result !== 'retry') {
      await (await this.#open())
        .insertInto('sandbox_listener_acks')
        .values({ listener: name, delivery_id: deliveryId })
        .onConflict((conflict) => conflict.columns(['listener', 'delivery_id']).doNothing())
        .execute();
    }
    this.#services.hub.publish('delivery', { listener: name, deliveryId, statusCode: status });
  }

  /** Makes a delivery wait again for every listener. */
  async forget(deliveryId: string): Promise<void> {
    const db = await this.#open();
    await db.deleteFrom('sandbox_listener_acks').where('delivery_id', '=', deliveryId).execute();
  }

  /**
   * Returns the work that makes all listeners start at a given time. Makes sure that the tables exist before its
   * transaction begins.
   */
  async restart(since: number): Promise<(transaction: Database) => Promise<void>> {
    await this.#open();
    return async (transaction) => {
      const db = transaction.withTables<ListenerTables>();
      await db.updateTable('sandbox_listeners').set({ since }).execute();
      await db.deleteFrom('sandbox_listener_acks').execute();
    };
  }

  /**
   * Continues after the clock went back, as it does when the sandbox restarts. Otherwise a listener that was opened at
   * a later time would miss the deliveries until then. Deliveries that it skipped stay skipped.
   */
  async continueAt(now: number): Promise<void> {
    const db = await this.#open();
    await inTransaction(db as unknown as Database, async (transaction) => {
      const listeners = transaction.withTables<ListenerTables>();
      const ahead = await listeners
        .selectFrom('sandbox_listeners')
        .select(['name', 'since'])
        .where('since', '>', now)
        .execute();
      for (const { name, since } of ahead) {
        await listeners
          .insertInto('sandbox_listener_acks')
          .columns(['listener', 'delivery_id'])
          .expression((query) =>
            query
              .selectFrom('webhook_deliveries')
              .select(({ val, ref }) => [val(name).as('listener'), ref('id').as('delivery_id')])
              .where('created_at', '>', now)
              .where('created_at', '<', since),
          )
          .onConflict((conflict) => conflict.columns(['listener', 'delivery_id']).doNothing())
          .execute();
        await listeners
          .updateTable('sandbox_listeners')
          .set({ since: now })
          .where('name', '=', name)
          .execute();
      }
    });
  }

  async #stored(): Promise<readonly StoredListener[]> {
    const rows = await (await this.#open())
      .selectFrom('sandbox_listeners')
      .selectAll()
      .orderBy('name')
      .execute();
    return rows.map((row) => ({ ...row, filter: JSON.parse(row.filter) }));
  }

  async #find(name: string): Promise<StoredListener> {
    const found = (await this.#stored()).find((listener) => listener.name === name);
    if (found === undefined) throw unknown('listener', name);
    return found;
  }

  async #entryOf(listener: StoredListener): Promise<ListenerEntry> {
    const { count } = await (await this.#waiting(listener))
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return { ...listener, since: formatTimestamp(listener.since), waiting: Number(count) };
  }

  #headersOf({ event, ...signed }: SignedEvent) {
    return signedHeaders(event, { ...signed, serviceNames: this.#services.serviceNames });
  }

  async #readDelivery(id: string): Promise<SignedEvent> {
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

  async #waiting({ name, filter, since }: StoredListener) {
    const { communityId, productId, webhookId, events } = filter;
    return (await this.#open())
      .selectFrom('webhook_deliveries as delivery')
      .innerJoin('webhook_events as event', 'event.id', 'delivery.event_id')
      .innerJoin('webhooks', 'webhooks.id', 'delivery.webhook_id')
      .where('delivery.created_at', '>=', since)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('sandbox_listener_acks as ack')
              .select('ack.delivery_id')
              .whereRef('ack.delivery_id', '=', 'delivery.id')
              .where('ack.listener', '=', name),
          ),
        ),
      )
      .$if(communityId !== undefined, (query) => query.where('webhooks.community_id', '=', communityId ?? ''))
      .$if(productId !== undefined, (query) => query.where('webhooks.product_id', '=', productId ?? ''))
      .$if(webhookId !== undefined, (query) => query.where('webhooks.id', '=', webhookId ?? ''))
      .$if(events !== undefined, (query) => query.where('event.type', 'in', (events ?? []) as never[]));
  }

  async #open() {
    this.#tables ??= inTransaction(this.#services.db, createTables).catch((error: unknown) => {
      // A temporary failure must not last until the next start.
      this.#tables = undefined;
      throw error;
    });
    await this.#tables;
    return this.#services.db.withTables<ListenerTables>();
  }
}

async function createTables(db: Database): Promise<void> {
  await db.schema
    .createTable('sandbox_listeners')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('filter', 'text', (column) => column.notNull())
    .addColumn('since', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('sandbox_listener_acks')
    .ifNotExists()
    .addColumn('listener', 'text', (column) => column.notNull())
    .addColumn('delivery_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('sandbox_listener_acks_key', ['listener', 'delivery_id'])
    .execute();
}

export function signedHeaders(
  event: SignedEvent['event'],
  { body, secret, serviceNames }: { body: string; secret: string } & Needs<'serviceNames'>,
): Readonly<Record<string, string>> {
  const names = webhookHeadersOf(serviceNames);
  const headers = Object.entries(deliveryHeaders(event, { body: Buffer.from(body), secret, names }));
  return Object.fromEntries(headers.map(([name, value]) => [name, String(value)]));
}

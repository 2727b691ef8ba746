import { type Database, inTransaction } from '@latchkey/server/extension';
import type { Needs } from '../../services/services.js';

/** Which deliveries a listener forwards. Missing fields restrict nothing. */
export interface ListenerFilter {
  readonly communityId?: string | undefined;
  readonly productId?: string | undefined;
  readonly webhookId?: string | undefined;
  readonly events?: readonly string[] | undefined;
}

export interface StoredListener {
  readonly name: string;
  readonly filter: ListenerFilter;
  /** Deliveries from this time on, in milliseconds since the epoch. */
  readonly since: number;
}

/** A delivery that a listener hasn't acknowledged. */
export interface WaitingDelivery {
  readonly id: string;
  readonly event: { readonly id: string; readonly type: string };
  readonly createdAt: number;
  readonly webhookId: string;
  readonly secret: string;
  readonly body: string;
}

/** The sandbox's own tables, next to the service's. Resets and snapshots leave them as they are. */
type ListenerTables = {
  sandbox_listeners: { name: string; filter: string; since: number };
  sandbox_listener_acks: { listener: string; delivery_id: string };
};

/**
 * Stores listeners in the sandbox's database, so they survive a restart. It stores which deliveries are done instead of
 * a position: a slow transaction can commit an event that is older than the last one.
 */
export class ListenerStore {
  readonly #services: Needs<'db'>;
  #tables: Promise<void> | undefined;

  constructor(services: Needs<'db'>) {
    this.#services = services;
  }

  async list(): Promise<readonly StoredListener[]> {
    const rows = await (await this.#open())
      .selectFrom('sandbox_listeners')
      .selectAll()
      .orderBy('name')
      .execute();
    return rows.map(({ name, filter, since }) => ({ name, filter: JSON.parse(filter), since }));
  }

  async find(name: string): Promise<StoredListener | undefined> {
    return (await this.list()).find((listener) => listener.name === name);
  }

  async save({ name, filter, since }: StoredListener): Promise<void> {
    const values = { name, filter: JSON.stringify(filter), since };
    await (await this.#open())
      .insertInto('sandbox_listeners')
      .values(values)
      .onConflict((conflict) => conflict.column('name').doUpdateSet(values))
      .execute();
  }

  async remove(name: string): Promise<void> {
    const db = await this.#open();
    // Leftover entries have no effect without the listener. The other way round, the listener would forward everything
    // again.
    await db.deleteFrom('sandbox_listeners').where('name', '=', name).execute();
    await db.deleteFrom('sandbox_listener_acks').where('listener', '=', name).execute();
  }

  /** Lists unacknowledged deliveries, oldest first. */
  async waiting({ name, filter, since }: StoredListener, limit: number): Promise<readonly WaitingDelivery[]> {
    const rows = await (await this.#selectWaiting({ name, filter, since }))
      .select(['delivery.id', 'delivery.event_id', 'delivery.webhook_id', 'delivery.created_at'])
      .select(['event.type', 'event.body', 'webhooks.secret'])
      .orderBy('delivery.created_at')
      .orderBy('delivery.id')
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      id: row.id,
      event: { id: row.event_id, type: row.type },
      createdAt: row.created_at,
      webhookId: row.webhook_id,
      secret: row.secret,
      body: row.body,
    }));
  }

  async countWaiting(listener: StoredListener): Promise<number> {
    const row = await (await this.#selectWaiting(listener))
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return Number(row.count);
  }

  /** Marks a delivery as done. Repeating this is a no-op. */
  async acknowledge(name: string, deliveryId: string): Promise<void> {
    await (await this.#open())
      .insertInto('sandbox_listener_acks')
      .values({ listener: name, delivery_id: deliveryId })
      .onConflict((conflict) => conflict.columns(['listener', 'delivery_id']).doNothing())
      .execute();
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

  async #selectWaiting({ name, filter, since }: StoredListener) {
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

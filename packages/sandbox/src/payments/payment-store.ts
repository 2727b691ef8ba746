import { type Database, inTransaction } from '@latchkey/server/extension';
import * as z from 'zod';
import type { Needs } from '../services/services.js';

const instant = z.number().int().min(0);
const amount = z.number().int();

const simulatedWebhook = z.strictObject({
  /** Id of the event. */
  id: z.string(),
  kind: z.string(),
  createdAt: instant,
  body: z.string(),
  /** `withheld`: only sent by hand. `waiting`: sent at `dueAt`. */
  state: z.enum(['withheld', 'waiting', 'delivered', 'failed']),
  dueAt: instant,
  copies: z.union([z.literal(1), z.literal(2)]),
  attempts: amount,
  /** Status of the last response; null if there was none. */
  answer: z.number().nullable(),
});

/** A payment in the simulated provider's books. Times are milliseconds since the epoch, by the service's clock. */
export const simulatedPayment = z.strictObject({
  orderId: z.string(),
  /** Id of the current attempt, and of the payment if it succeeds. */
  reference: z.string(),
  /** Number of the attempt at the order, from 1. */
  attempt: amount,
  /** Secret part of its page's URL; null without a page. */
  pageKey: z.string().nullable(),
  amountMinor: amount,
  currency: z.string(),
  method: z.string(),
  description: z.string(),
  buyerEmail: z.string().nullable(),
  isRenewal: z.boolean(),
  /** Id of the saved payment method; null if the order doesn't renew. */
  subscription: z.string().nullable(),
  returnUrl: z.string(),
  cancelUrl: z.string(),
  state: z.enum(['open', 'paid', 'declined', 'expired']),
  /** Why the payment was declined; null if it wasn't. */
  reason: z.enum(['card_declined', 'insufficient_funds', 'transfer_expired']).nullable(),
  createdAt: instant,
  expiresAt: instant,
  /** When a late transfer arrives; null for other methods. */
  arrivesAt: instant.nullable(),
  refunds: z.array(z.strictObject({ id: z.string(), amountMinor: amount })),
  dispute: z.enum(['open', 'won', 'lost']).nullable(),
  /** Oldest first. */
  webhooks: z.array(simulatedWebhook),
});

export type SimulatedWebhook = z.output<typeof simulatedWebhook>;
export type SimulatedPayment = z.output<typeof simulatedPayment>;

/** Returns when something happens to a payment by itself; null if nothing will. */
export function dueAt({ state, arrivesAt, expiresAt, webhooks }: SimulatedPayment): number | null {
  const times = webhooks.filter((webhook) => webhook.state === 'waiting').map((webhook) => webhook.dueAt);
  if (state === 'open') times.push(Math.min(arrivesAt ?? expiresAt, expiresAt));
  return times.length === 0 ? null : Math.min(...times);
}

export interface PaymentQuery {
  readonly text?: string | undefined;
  readonly state?: SimulatedPayment['state'] | undefined;
  /** Reference of the last payment on the previous page. */
  readonly after?: string | undefined;
  readonly limit: number;
}

type PaymentTables = {
  sandbox_payments: {
    order_id: string;
    reference: string;
    page_key: string | null;
    state: string;
    created_at: number;
    due_at: number | null;
    payment: string;
  };
};

/** The simulated provider's books, in the sandbox's database, so they survive a restart. */
export class PaymentStore {
  readonly #services: Needs<'db'>;
  #tables: Promise<void> | undefined;

  constructor(services: Needs<'db'>) {
    this.#services = services;
  }

  async find(column: 'order_id' | 'reference' | 'page_key', value: string) {
    const row = await (await this.#open())
      .selectFrom('sandbox_payments')
      .select('payment')
      .where(column, '=', value)
      .executeTakeFirst();
    return row && paymentOf(row);
  }

  async save(payment: SimulatedPayment): Promise<void> {
    const row = rowOf(payment);
    await (await this.#open())
      .insertInto('sandbox_payments')
      .values(row)
      .onConflict((conflict) => conflict.column('order_id').doUpdateSet(row))
      .execute();
  }

  /** Lists payments, newest first. */
  async list({ text, state, after, limit }: PaymentQuery): Promise<readonly SimulatedPayment[]> {
    const last = after === undefined ? undefined : await this.find('reference', after);
    const rows = await (await this.#open())
      .selectFrom('sandbox_payments')
      .select('payment')
      .$if(text !== undefined, (query) => query.where('payment', 'like', `%${escapeLike(text ?? '')}%`))
      .$if(state !== undefined, (query) => query.where('state', '=', state ?? ''))
      .$if(last !== undefined, (query) =>
        query.where((eb) =>
          eb(
            eb.refTuple('created_at', 'reference'),
            '<',
            eb.tuple(last?.createdAt ?? 0, last?.reference ?? ''),
          ),
        ),
      )
      .orderBy('created_at', 'desc')
      .orderBy('reference', 'desc')
      .limit(limit)
      .execute();
    return rows.map(paymentOf);
  }

  /** Lists payments to which something happens by a given time. */
  async due(now: number, limit: number): Promise<readonly SimulatedPayment[]> {
    const rows = await (await this.#open())
      .selectFrom('sandbox_payments')
      .select('payment')
      .where('due_at', '<=', now)
      .orderBy('due_at')
      .limit(limit)
      .execute();
    return rows.map(paymentOf);
  }

  /** Returns when something next happens by itself, after `from` and up to `to`. */
  async nextDue({ from, to }: { from: number; to: number }): Promise<number | undefined> {
    const row = await (await this.#open())
      .selectFrom('sandbox_payments')
      .select('due_at')
      .where('due_at', '>', from)
      .where('due_at', '<=', to)
      .orderBy('due_at')
      .limit(1)
      .executeTakeFirst();
    return row?.due_at ?? undefined;
  }

  async all(): Promise<readonly SimulatedPayment[]> {
    const rows = await (await this.#open()).selectFrom('sandbox_payments').select('payment').execute();
    return rows.map(paymentOf);
  }

  /** Returns the work that replaces all payments. Makes sure that the table exists before its transaction begins. */
  async replacement(
    payments: readonly SimulatedPayment[],
  ): Promise<(transaction: Database) => Promise<void>> {
    await this.#open();
    return async (transaction) => {
      const db = transaction.withTables<PaymentTables>();
      await db.deleteFrom('sandbox_payments').execute();
      for (const payment of payments)
        await db.insertInto('sandbox_payments').values(rowOf(payment)).execute();
    };
  }

  async #open() {
    this.#tables ??= inTransaction(this.#services.db, createTable).catch((error: unknown) => {
      // A temporary failure must not last until the next start.
      this.#tables = undefined;
      throw error;
    });
    await this.#tables;
    return this.#services.db.withTables<PaymentTables>();
  }
}

function rowOf(payment: SimulatedPayment): PaymentTables['sandbox_payments'] {
  const { orderId, reference, pageKey, state, createdAt } = payment;
  return {
    ...{ order_id: orderId, reference, page_key: pageKey, state, created_at: createdAt },
    ...{ due_at: dueAt(payment), payment: JSON.stringify(payment) },
  };
}

function paymentOf({ payment }: { payment: string }): SimulatedPayment {
  return JSON.parse(payment);
}

async function createTable(db: Database): Promise<void> {
  await db.schema
    .createTable('sandbox_payments')
    .ifNotExists()
    .addColumn('order_id', 'text', (column) => column.primaryKey())
    .addColumn('reference', 'text', (column) => column.notNull())
    .addColumn('page_key', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('due_at', 'bigint')
    .addColumn('payment', 'text', (column) => column.notNull())
    .execute();
  for (const column of ['reference', 'page_key', 'due_at', 'created_at']) {
    await db.schema
      .createIndex(`sandbox_payments_${column}`)
      .ifNotExists()
      .on('sandbox_payments')
      .column(column)
      .execute();
  }
}

/** SQLite has no escape character by default, so searches leave out the wildcards. */
function escapeLike(text: string): string {
  return text.replaceAll(/[%_\\]/g, '');
}

import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { BooksEntry } from '../log/log-entries.ts';

/** What is stored about payments. */
export type Books = Omit<BooksEntry, 'kind' | 'at'>;

const PAYMENTS = `select order_id, external_id, status, refunded_minor from payments
  left join checkout_reservations on checkout_reservations.id = payments.reservation_id where order_id is not null`;
const EVENTS = `select id from provider_events`;
const ACCESS = `select payments.order_id, memberships.valid_until from payments
  inner join memberships on memberships.user_id = payments.user_id and memberships.community_id = payments.community_id
  where payments.status = 'succeeded' and payments.order_id is not null`;

type Row = Record<string, string | number | null>;

/** Reads what the database contains about payments. */
export async function readBooks(database: string): Promise<Books> {
  const { rows, close } = await open(database);
  const [payments, events, access] = [await rows(PAYMENTS), await rows(EVENTS), await rows(ACCESS)];
  await close();
  return {
    payments: payments.map((row) => ({
      orderId: String(row.order_id),
      externalId: row.external_id === null ? null : String(row.external_id),
      isPaid: row.status === 'succeeded',
      refundedMinor: Number(row.refunded_minor),
    })),
    events: events.map(({ id }) => String(id)),
    access: access.map(({ order_id: orderId, valid_until: until }) => ({
      orderId: String(orderId),
      validUntil: until === null ? null : Number(until),
    })),
  };
}

async function open(
  database: string,
): Promise<{ rows(sql: string): Promise<Row[]>; close(): Promise<void> }> {
  if (database.startsWith('sqlite:')) {
    const file = new DatabaseSync(database.slice('sqlite:'.length), { readOnly: true });
    return { rows: async (sql) => file.prepare(sql).all() as Row[], close: async () => file.close() };
  }
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  return { rows: async (sql) => (await client.query<Row>(sql)).rows, close: () => client.end() };
}

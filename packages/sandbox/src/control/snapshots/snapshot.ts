import { isDeepStrictEqual } from 'node:util';
import { formatTimestamp, isError, jsonOf } from '@latchkey/contract/constants';
import {
  type Database,
  readTables,
  replaceTables,
  schemaStatus,
  type TableContents,
} from '@latchkey/server/extension';
import * as z from 'zod';
import { type PaymentStore, simulatedPayment } from '../../payments/payment-store.js';
import type { Services } from '../../services/services.js';
import { ControlFailure } from '../access/control-failure.js';

/** Columns with a list in JSON. */
const LISTS: ReadonlySet<string> = new Set([
  'oauth_clients.redirect_uris',
  'oauth_clients.widget_origins',
  'oauth_clients.scopes',
  'api_keys.permissions',
]);

const json = (content: z.ZodType, message: string) =>
  z.string(message).refine((text) => content.safeParse(jsonOf(text)).success, message);

/** What columns hold. The engine itself checks which of them can be null. */
const WHOLE = z.int('expected a whole number');
const NO_TIME = 'expected a time in milliseconds';
/** What a Date can hold: the service stores years that it never shows, such as for deliveries that wait. */
const TIME = z.int(NO_TIME).refine((ms) => !Number.isNaN(new Date(ms).getTime()), NO_TIME);
const TEXT = z.string('expected a text');
const LIST = json(z.array(z.string()), 'expected a list of texts as JSON');
const EVENT_BODY = json(z.looseObject({}), 'expected an object as JSON');

function schemaOf(column: string, dataType: string): z.ZodType {
  if (column === 'webhook_events.body') return EVENT_BODY;
  if (LISTS.has(column)) return LIST;
  if (!/int/i.test(dataType)) return TEXT;
  return /_(?:at|from|until)$/.test(column) ? TIME : WHOLE;
}

/**
 * Returns a sentence about the first value that doesn't fit its column, or `undefined`. SQLite stores any value in any
 * column, and the service would fail later.
 */
async function findMisfit(db: Database, contents: TableContents): Promise<string | undefined> {
  const tables = await db.introspection.getTables();
  for (const [table, rows] of Object.entries(contents)) {
    const columns = tables.find(({ name }) => name === table)?.columns ?? [];
    const row = z.object(
      Object.fromEntries(
        columns.map(({ name, dataType }) => [name, schemaOf(`${table}.${name}`, dataType).nullish()]),
      ),
    );
    for (const [index, values] of rows.entries()) {
      const [issue] = row.safeParse(values).error?.issues ?? [];
      if (issue !== undefined) return `${table}[${index}].${String(issue.path[0])}: ${issue.message}.`;
    }
  }
  return undefined;
}

const FORMAT = 'latchkey-sandbox-snapshot';

/**
 * A file with all data and the time of a sandbox. It contains email addresses, hashes of secrets, webhook secrets, and
 * the secrets of authenticator apps.
 */
export const snapshotSchema = z.strictObject({
  format: z.literal(FORMAT, 'The file is no snapshot of a sandbox.'),
  version: z.literal(1, 'The snapshot is of another version of the sandbox.'),
  /** Migrations of the database. A snapshot with another schema is rejected. */
  migrations: z.array(z.string()),
  serviceNames: z.strictObject({ apiKeyPrefix: z.string(), headerPrefix: z.string(), messenger: z.string() }),
  /** URL of the sandbox. URLs below it are adapted to the sandbox that loads the snapshot. */
  baseUrl: z.url(),
  /** Time of the service, ISO 8601. */
  serviceTime: z.iso.datetime(),
  tables: z.record(z.string(), z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()])))),
  /** The simulated payment provider's books. */
  payments: z.array(simulatedPayment),
});

export type Snapshot = z.output<typeof snapshotSchema>;

export async function takeSnapshot(
  { db, baseUrl, clock, serviceNames }: Services,
  store: PaymentStore,
): Promise<Snapshot> {
  const { applied } = await schemaStatus(db);
  const { apiKeyPrefix, headerPrefix, messenger } = serviceNames;
  return {
    format: FORMAT,
    version: 1,
    migrations: [...applied],
    serviceNames: { apiKeyPrefix, headerPrefix, messenger },
    baseUrl,
    serviceTime: formatTimestamp(clock.now()),
    tables: structuredClone(await readTables(db)) as Snapshot['tables'],
    payments: [...(await store.all())],
  };
}

/**
 * Replaces all data with a snapshot's, in one transaction.
 *
 * @param restart runs in the same transaction, after the data.
 * @throws ControlFailure `conflict` if the snapshot has another schema or other service names, or doesn't fit the
 * schema.
 */
export async function restoreSnapshot(
  { db, baseUrl, serviceNames }: Services,
  snapshot: Snapshot,
  { restart, store }: { restart: (transaction: Database) => Promise<void>; store: PaymentStore },
): Promise<void> {
  const { applied } = await schemaStatus(db);
  if (applied.join() !== snapshot.migrations.join()) {
    throw new ControlFailure('conflict', 'The snapshot has the schema of another version of the sandbox.');
  }
  const { apiKeyPrefix, headerPrefix, messenger } = serviceNames;
  if (!isDeepStrictEqual(snapshot.serviceNames, { apiKeyPrefix, headerPrefix, messenger })) {
    throw new ControlFailure('conflict', 'The snapshot was taken under other service names.');
  }
  const misfit = await findMisfit(db, snapshot.tables);
  if (misfit !== undefined) throw notFitting(misfit);
  try {
    const { tables, payments } = withAddress(snapshot, baseUrl);
    const replacePayments = await store.replacement(payments);
    await replaceTables(db, tables, async (transaction) => {
      await restart(transaction);
      await replacePayments(transaction);
    });
  } catch (error) {
    throw notFitting(isError(error) ? error.message : undefined);
  }
}

function notFitting(reason: string | undefined): ControlFailure {
  const fields = reason === undefined ? {} : { tables: reason };
  const detail = reason === undefined ? '' : ` Reason: ${reason}`;
  return new ControlFailure(
    'conflict',
    `The rows of the snapshot do not fit the database. Nothing changed.${detail}`,
    fields,
  );
}

/** Webhooks to the built-in receiver, hosted callbacks and payment pages contain the sandbox's URL. */
function withAddress(
  { tables, payments, baseUrl: saved }: Snapshot,
  baseUrl: string,
): Pick<Snapshot, 'tables' | 'payments'> {
  if (saved === baseUrl) return { tables, payments };
  // A URL with another port or a longer host name begins with the same characters.
  const address = new RegExp(`${saved.replaceAll(/[^\w:/]/g, String.raw`\$&`)}(?![\\w.:-])`, 'g');
  const moved = (value: string | number | null) =>
    typeof value === 'string' ? value.replaceAll(address, () => baseUrl) : value;
  const movedRow = (row: Snapshot['tables'][string][number]) =>
    Object.fromEntries(Object.entries(row).map(([column, value]) => [column, moved(value)]));
  return {
    tables: Object.fromEntries(Object.entries(tables).map(([table, rows]) => [table, rows.map(movedRow)])),
    payments: payments.map((payment) => ({
      ...payment,
      returnUrl: payment.returnUrl.replaceAll(address, () => baseUrl),
      cancelUrl: payment.cancelUrl.replaceAll(address, () => baseUrl),
    })),
  };
}

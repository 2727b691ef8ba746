import { formatTimestamp, type ServiceNames } from '@latchkey/contract/constants';
import { type Database, readTables, replaceTables, schemaStatus } from '@latchkey/server/extension';
import * as z from 'zod';
import { ControlFailure } from '../access/control-failure.js';
import { findMisfit } from './find-misfit.js';

const FORMAT = 'latchkey-sandbox-snapshot';

/**
 * File with all data and the time of a sandbox. It contains email addresses, hashes of secrets, webhook secrets, and the secrets of
 * authenticator apps.
 */
export const snapshotSchema = z.strictObject({
  format: z.literal(FORMAT, 'The file is no snapshot of a sandbox.'),
  version: z.literal(1, 'The snapshot is of another version of the sandbox.'),
  /** Migrations of the database. A snapshot of another schema is rejected. */
  migrations: z.array(z.string()),
  serviceNames: z.strictObject({ apiKeyPrefix: z.string(), headerPrefix: z.string(), messenger: z.string() }),
  /** Address of the sandbox. Addresses below it follow the sandbox that loads the snapshot. */
  baseUrl: z.url(),
  /** Time of the service, ISO 8601. */
  serviceTime: z.iso.datetime(),
  tables: z.record(z.string(), z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()])))),
});

/** File with all data and the time of a sandbox. */
export type Snapshot = z.output<typeof snapshotSchema>;

/** Parts of the running sandbox that a snapshot needs. */
export interface SnapshotContext {
  readonly db: Database;
  readonly baseUrl: string;
  readonly serviceNames: ServiceNames;
}

/** Reads all data, as of one instant. */
export async function takeSnapshot(
  { db, baseUrl, serviceNames }: SnapshotContext,
  now: number,
): Promise<Snapshot> {
  const { applied } = await schemaStatus(db);
  const { apiKeyPrefix, headerPrefix, messenger } = serviceNames;
  return {
    format: FORMAT,
    version: 1,
    migrations: [...applied],
    serviceNames: { apiKeyPrefix, headerPrefix, messenger },
    baseUrl,
    serviceTime: formatTimestamp(now),
    tables: structuredClone(await readTables(db)) as Snapshot['tables'],
  };
}

/**
 * Replaces all data with those of a snapshot, in one transaction.
 *
 * @param restored runs in the same transaction, after the data.
 * @throws ControlFailure `conflict` if the snapshot has another schema or other service names, or does not fit the schema.
 */
export async function restoreSnapshot(
  { db, baseUrl, serviceNames }: SnapshotContext,
  snapshot: Snapshot,
  restored: (transaction: Database) => Promise<void>,
): Promise<void> {
  const { applied } = await schemaStatus(db);
  if (applied.join() !== snapshot.migrations.join()) {
    throw new ControlFailure('conflict', 'The snapshot has the schema of another version of the sandbox.');
  }
  const { apiKeyPrefix, headerPrefix, messenger } = snapshot.serviceNames;
  if (
    apiKeyPrefix !== serviceNames.apiKeyPrefix ||
    headerPrefix !== serviceNames.headerPrefix ||
    messenger !== serviceNames.messenger
  ) {
    throw new ControlFailure('conflict', 'The snapshot was taken under other service names.');
  }
  const misfit = await findMisfit(db, snapshot.tables);
  if (misfit !== undefined) throw notFitting(misfit);
  try {
    await replaceTables(db, withAddress(snapshot, baseUrl), restored);
  } catch (error) {
    throw notFitting(error instanceof Error ? error.message : undefined);
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

/** Webhooks to the built-in receiver and hosted callbacks contain the address of the sandbox. */
function withAddress({ tables, baseUrl: saved }: Snapshot, baseUrl: string): Snapshot['tables'] {
  if (saved === baseUrl) return tables;
  // The address with another port or a longer host name begins with the same text.
  const address = new RegExp(`${saved.replaceAll(/[^\w:/]/g, String.raw`\$&`)}(?![\\w.:-])`, 'g');
  const moved = (value: string | number | null) =>
    typeof value === 'string' ? value.replaceAll(address, () => baseUrl) : value;
  return Object.fromEntries(
    Object.entries(tables).map(([table, rows]) => [
      table,
      rows.map((row) =>
        Object.fromEntries(Object.entries(row).map(([column, value]) => [column, moved(value)])),
      ),
    ]),
  );
}

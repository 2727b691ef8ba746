import { isError } from '@latchkey/contract/constants';
import { codeOf } from './kysely/engine.js';
import { isLostConnection, isQueryTimeout } from './postgres/postgres-statements.js';
import { WaitTimeoutError } from './postgres/semaphore.js';

/**
 * PostgreSQL error classes of temporary failures: out of memory or connections (532, 533), operator intervention or
 * statement timeout (57), and repeated serialization failures (40). {@link isStorageFull} covers a full disk (531).
 * {@link isLostConnection} covers connection errors.
 */
const POSTGRES_STATES = /^(?:532|533|57|40)/;

const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_FULL = 13;

const POSTGRES_DISK_FULL = '53100';
const POSTGRES_READ_ONLY = '25006';

/** True if the database can't run a statement now but may in a moment. The request itself is valid. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!isError(error)) return false;
  if (error instanceof WaitTimeoutError || isQueryTimeout(error) || isLostConnection(error)) return true;
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.some(isDatabaseUnavailable);
  const code = codeOf(error);
  return typeof code === 'string' ? code.length === 5 && POSTGRES_STATES.test(code) : code === SQLITE_BUSY;
}

/** True if the database can't write because its disk is full. An operator has to make room first. */
export function isStorageFull(error: unknown): boolean {
  const code = codeOf(error);
  return code === SQLITE_FULL || code === POSTGRES_DISK_FULL;
}

/** Why the database accepts no writes, for `/readyz`. */
export type WriteProblem = 'database is full' | 'database is read-only';

/** True if the database accepts no writes: it's a standby, or its operator has made it read-only. */
export function isReadOnly(error: unknown): boolean {
  const code = codeOf(error);
  return code === SQLITE_READONLY || code === POSTGRES_READ_ONLY;
}

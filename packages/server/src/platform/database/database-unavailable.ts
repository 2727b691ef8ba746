import { isLostConnection } from './lost-connection.js';
import { isSilence } from './postgres-statements.js';
import { WaitedTooLongError } from './semaphore.js';

/**
 * PostgreSQL error classes for a failure that may be gone in a moment: too many connections or no memory (532, 533; a full
 * disk is 531 and stays full), an operator's intervention or a statement timeout (57), and a transaction that lost to
 * concurrent ones on every attempt (40). {@link isLostConnection} covers the errors of a connection.
 */
const POSTGRES_STATES = /^(?:532|533|57|40)/;

const SQLITE_BUSY = 5;

/** True if the database cannot run a statement now but may in a moment. The request itself is not at fault. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof WaitedTooLongError || isSilence(error) || isLostConnection(error)) return true;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  if ('errcode' in error) return (Number(error.errcode) & 0xff) === SQLITE_BUSY;
  const code = 'code' in error ? String(error.code) : '';
  return code.length === 5 && POSTGRES_STATES.test(code);
}

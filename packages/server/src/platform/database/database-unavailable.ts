import { isSilence } from './postgres-statements.js';
import { WaitedTooLongError } from './semaphore.js';

/** What the operating system says of a server that cannot be reached. */
const SOCKET_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
]);

/**
 * PostgreSQL's own: no connection (class 08), no room for one (532 and 533; a full disk is 531 and stays full), going down or
 * stopping a statement that took too long (57), and a transaction that somebody else was faster than, time and again (40).
 */
const POSTGRES_STATES = /^(?:08|532|533|57|40)/;

/** What pg says itself, without a code. */
const PG_MESSAGES = ['timeout exceeded when trying to connect', 'Connection terminated'];

const SQLITE_BUSY = 5;

/** Whether an error means that the database cannot do it now, and may in a moment: nothing is wrong with the request. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof WaitedTooLongError || isSilence(error)) return true;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  if ('errcode' in error) return (Number(error.errcode) & 0xff) === SQLITE_BUSY;
  const code = 'code' in error ? String(error.code) : '';
  if (SOCKET_ERRORS.has(code) || (code.length === 5 && POSTGRES_STATES.test(code))) return true;
  return PG_MESSAGES.some((message) => error.message.startsWith(message));
}

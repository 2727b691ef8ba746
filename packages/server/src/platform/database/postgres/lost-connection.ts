/** Errors of the operating system after which a socket to the database cannot be used. */
const SOCKET_ERRORS: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETRESET',
  'ENETUNREACH',
  'ENOTCONN',
  'ENOTFOUND',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ETIMEDOUT',
]);

/**
 * PostgreSQL error codes that end the session: connection exceptions (class 08), and server shutdown, crash, start or
 * dropped database (57P01 to 57P05). Timeouts inside a transaction (25P03, 25P04) also close the connection.
 */
const SESSION_ENDED = /^(?:08[0-9A-Z]{3}|57P0[1-5]|25P0[34])$/;

/** Starts of the messages of pg's errors without a code. */
const PG_MESSAGES = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
];

/** Error of a statement on a connection that had already failed. `cause` is the error that ended the connection. */
export class LostConnectionError extends Error {
  override readonly name = 'LostConnectionError';

  constructor(cause: unknown) {
    super('The database connection was lost.', { cause });
  }
}

/** True if the error means that the connection is unusable and must not return to the pool. */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof LostConnectionError) return true;
  if (error instanceof AggregateError) return error.errors.some(isLostConnection);
  const code = 'code' in error ? String(error.code) : '';
  if (SOCKET_ERRORS.has(code) || SESSION_ENDED.test(code)) return true;
  return PG_MESSAGES.some((message) => error.message.startsWith(message));
}

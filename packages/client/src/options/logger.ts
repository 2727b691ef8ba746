/**
 * Receives the log entries of the client. They never contain the API key, a body or an identifier of a buyer; an endpoint
 * appears as its path template. `console` is a logger, and so is pino with a small adapter.
 */
export interface Logger {
  /** An event that the client handled: a retry, or a replaced `traceparent`. */
  warn(message: string, details: Readonly<Record<string, unknown>>): void;
  /** Every response: endpoint, status, attempt, duration. Optional. */
  debug?(message: string, details: Readonly<Record<string, unknown>>): void;
}

/** Discards all entries. Failures are thrown, so the default needs no log. */
export const silentLogger: Logger = { warn: () => {} };

/**
 * What is told besides the answers. It never receives the API key, a body or an identifier of a buyer: an endpoint is
 * named by its path's template. `console` fits, and so does pino behind a small adapter.
 */
export interface Logger {
  /** Something that the client took care of: a request is sent again, a trace parent was replaced. */
  warn(message: string, details: Readonly<Record<string, unknown>>): void;
  /** Every answer: endpoint, status, attempt, duration. Left out, nobody is told. */
  debug?(message: string, details: Readonly<Record<string, unknown>>): void;
}

/** The default says nothing: what fails is thrown. */
export const silentLogger: Logger = { warn: () => {} };

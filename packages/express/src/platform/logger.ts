/**
 * Receives the messages for the operator: why a sign-in failed, why the service did not respond. Visitors never see
 * them. They never contain a token, code, secret or cookie. `console` fits, and so does pino behind a small adapter.
 */
export interface Logger {
  warn(message: string, details?: Record<string, unknown>): void;
  error(message: string, details?: Record<string, unknown>): void;
}

/** Wraps a logger so that its own errors are dropped: a failing logger must not make a completed operation fail. */
export function safeLogger(logger: Logger): Logger {
  const write = (level: keyof Logger, message: string, details: Record<string, unknown> | undefined) => {
    try {
      // An async function also satisfies the interface.
      const returned: unknown = logger[level](message, details);
      if (returned instanceof Promise) returned.catch(() => {});
    } catch {
      // There is no second place to log to.
    }
  };
  return {
    warn: (message, details) => write('warn', message, details),
    error: (message, details) => write('error', message, details),
  };
}

/** Writes to standard error, one line for each message. Used by default. */
export const consoleLogger: Logger = {
  // biome-ignore lint/suspicious/noConsole: the only place that writes to the console, when no logger is configured.
  warn: (message, details) => console.warn(`[latchkey] ${message}`, ...(details ? [details] : [])),
  // biome-ignore lint/suspicious/noConsole: see above.
  error: (message, details) => console.error(`[latchkey] ${message}`, ...(details ? [details] : [])),
};

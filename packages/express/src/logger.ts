/**
 * Where the kit tells the operator what visitors are not told: why a sign-in check failed, why the service could
 * not be asked. It never receives a token, code, secret or cookie. `console`, pino behind a small adapter, or your own.
 */
export interface Logger {
  warn(message: string, details?: Record<string, unknown>): void;
  error(message: string, details?: Record<string, unknown>): void;
}

/** The logger, made safe to call anywhere: one that fails must not turn what was done into a failure. */
export function unfailing(logger: Logger): Logger {
  const tell = (level: keyof Logger, message: string, details: Record<string, unknown> | undefined) => {
    try {
      // An async function fits the type too.
      const told: unknown = logger[level](message, details);
      if (told instanceof Promise) told.catch(() => {});
    } catch {
      // There is nobody left to tell.
    }
  };
  return {
    warn: (message, details) => tell('warn', message, details),
    error: (message, details) => tell('error', message, details),
  };
}

/** The default: standard error, one line a message. */
export const consoleLogger: Logger = {
  // biome-ignore lint/suspicious/noConsole: the one place that writes to the console, and only when no logger is given.
  warn: (message, details) => console.warn(`[latchkey] ${message}`, ...(details ? [details] : [])),
  // biome-ignore lint/suspicious/noConsole: see above.
  error: (message, details) => console.error(`[latchkey] ${message}`, ...(details ? [details] : [])),
};

import { DEFAULT_SERVICE_NAMES, type ServiceNames } from '@latchkey/contract/constants';
import { type LogFields, type Logger, writesInfo } from './logger.js';
import { createRedactor } from './redaction.js';

/** Prefix of the API keys that a wrapped logger redacts. */
const redactedPrefix = new WeakMap<Logger, string>();

/**
 * Wraps a logger so that secrets are redacted from its messages and fields. A logger that was wrapped for the same names is
 * returned unchanged.
 */
export function redactingLogger(
  logger: Logger,
  { apiKeyPrefix }: Pick<ServiceNames, 'apiKeyPrefix'> = DEFAULT_SERVICE_NAMES,
): Logger {
  if (redactedPrefix.get(logger) === apiKeyPrefix) return logger;
  const { text, value } = createRedactor({ apiKeyPrefix });
  const clean = (fields: LogFields) => value(fields) as LogFields;
  const wrapped: Logger = {
    ...(logger.level !== undefined && { level: logger.level }),
    info: writesInfo(logger)
      ? (fields, message) => logger.info(clean(fields), text(message))
      : () => undefined,
    warn: (fields, message) => logger.warn(clean(fields), text(message)),
    error: (fields, message) => logger.error(clean(fields), text(message)),
  };
  redactedPrefix.set(wrapped, apiKeyPrefix);
  return wrapped;
}

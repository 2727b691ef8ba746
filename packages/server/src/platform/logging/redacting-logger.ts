import { type LogFields, type Logger, writesInfo } from './logger.js';
import { redact, redactText } from './redaction.js';

const redacting = new WeakSet<Logger>();

/** Wraps a logger so that secrets are redacted from its messages and fields. A wrapped logger is returned unchanged. */
export function redactingLogger(logger: Logger): Logger {
  if (redacting.has(logger)) return logger;
  const wrapped: Logger = {
    ...(logger.level !== undefined && { level: logger.level }),
    info: writesInfo(logger)
      ? (fields, message) => logger.info(clean(fields), redactText(message))
      : () => undefined,
    warn: (fields, message) => logger.warn(clean(fields), redactText(message)),
    error: (fields, message) => logger.error(clean(fields), redactText(message)),
  };
  redacting.add(wrapped);
  return wrapped;
}

function clean(fields: LogFields): LogFields {
  return redact(fields) as LogFields;
}

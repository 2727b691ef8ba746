import type { Writable } from 'node:stream';
import { DEFAULT_SERVICE_NAMES, isError } from '@latchkey/contract/constants';
import type { pino as pinoLogger } from 'pino';
import { type LogFields, type Logger, writesInfo } from './logger.js';

/** Replaces a secret in the log. */
export const HIDDEN = '[hidden]';

/** Fields with secret values. Their names are compared in lower case, without `-` and `_`. */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  'authorization',
  'proxyauthorization',
  'cookie',
  'setcookie',
  'signature',
  'clientsecret',
  'secret',
  'webhooksecret',
  'codeverifier',
  'token',
  'accesstoken',
  'refreshtoken',
  'password',
  'apikey',
  'key',
  'signincode',
  'database',
  'databaseurl',
  'smtpurl',
  'text',
]);

const SEPARATOR = /[-_]/;

/** Matches error codes (`ECONNREFUSED`, `23505`). Other values of a field named `code` may be secrets. */
const ERROR_CODE = /^(?:[A-Z][A-Z0-9_]*|[0-9A-Z]{5})$/;

/**
 * Matches secrets anywhere in a string:
 *
 * - credentials of a header, a URL or a parameter
 * - API keys and client secrets, by their prefixes; API keys with the spec's prefix too, which an older key may have
 * - 64 hex characters: webhook secrets and hashes
 * - base64url of 256 bits: tokens, codes, verifiers and session ids
 * - six digits: sign-in codes
 */
const secretShapes = (apiKeyPrefix: string) =>
  new RegExp(
    [
      String.raw`(?<scheme>\b(?:Bearer|Basic)\s+)[^\s"',;]+`,
      String.raw`(?<authority>:\/\/)[^\s/?#@"']+@`,
      String.raw`(?<parameter>\b(?:code|code_verifier|client_secret|token|access_token|refresh_token|password|secret)(?:=|\\?"\s*:\s*\\?"))[^&\s"'<>\\]+`,
      String.raw`(?<prefix>\b(?:svc_|ocs_|${apiKeyPrefix}))[A-Za-z0-9_-]+`,
      '(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{43,}',
      String.raw`(?<![A-Za-z0-9.])\d{6}(?![A-Za-z0-9])`,
    ].join('|'),
    'gi',
  );

/** Maximum depth of nested values, which also ends cycles. */
const MAX_DEPTH = 6;
/** Maximum length of a string, in characters. A longer one would flood the log. */
const MAX_TEXT_LENGTH = 8_000;

export function createRedactor(apiKeyPrefix: string) {
  const shapes = secretShapes(apiKeyPrefix);
  const redactText = (text: string) => {
    // Redact before shortening. Otherwise half a secret could remain at the end, and would no longer match.
    const shown = replaceSecrets(text.slice(0, 2 * MAX_TEXT_LENGTH), shapes);
    return shown.length > MAX_TEXT_LENGTH ? `${shown.slice(0, MAX_TEXT_LENGTH)}…` : shown;
  };
  const redact = (value: unknown, name: string, depth: number): unknown => {
    if (value === null || value === undefined || typeof value === 'boolean') return value;
    if (isSecretName(name) || (name === 'code' && !ERROR_CODE.test(String(value)))) return HIDDEN;
    if (typeof value === 'number') return value;
    if (typeof value === 'bigint') return value.toString();
    if (typeof value === 'string') return redactText(value);
    if (typeof value !== 'object') return `[${typeof value}]`;
    if (depth >= MAX_DEPTH) return '[deeper]';
    if (isError(value)) return redactError(value, depth);
    if (value instanceof Date) return value.toISOString();
    if (ArrayBuffer.isView(value)) return '[bytes]';
    if (Array.isArray(value)) return value.map((item) => redact(item, '', depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, redact(item, key, depth + 1)]),
    );
  };
  const redactError = (error: Error, depth: number): object => {
    const { name, message, stack = '', cause } = error;
    return {
      name,
      message: redactText(message),
      stack: redactText(stack),
      ...('code' in error && { code: redact(error.code, 'code', 0) }),
      ...(cause !== undefined && { cause: redact(cause, '', depth + 1) }),
    };
  };
  return {
    text: redactText,
    /** Returns a copy of a value without secrets, which it finds by field name and by format. Errors become objects. */
    value: (value: unknown, name = '') => redact(value, name, 0),
    isSecretName,
  };
}

function replaceSecrets(text: string, shapes: RegExp): string {
  return text.replace(shapes, (...match) => {
    const { scheme, authority, parameter, prefix } = match.at(-1) as Record<string, string | undefined>;
    return `${scheme ?? authority ?? parameter ?? prefix ?? ''}${HIDDEN}${authority === undefined ? '' : '@'}`;
  });
}

/** A webhook's signature header has a prefix that depends on the service. */
function isSecretName(name: string): boolean {
  if (name === '') return false;
  const lower = name.toLowerCase();
  // Most names have no separator, and searching is cheaper than replacing.
  const plain = SEPARATOR.test(lower) ? lower.replaceAll(/[-_]/g, '') : lower;
  return SECRET_NAMES.has(plain) || plain.endsWith('signature');
}

const redactedPrefix = new WeakMap<Logger, string>();

/** A logger that was already wrapped for the same prefix is returned unchanged. */
export function redactingLogger(logger: Logger, apiKeyPrefix = DEFAULT_SERVICE_NAMES.apiKeyPrefix): Logger {
  if (redactedPrefix.get(logger) === apiKeyPrefix) return logger;
  const { text, value } = createRedactor(apiKeyPrefix);
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

/** Lowest level that is logged. `silent` logs nothing. */
export type LogLevel = 'info' | 'warn' | 'error' | 'silent';

/** Options of {@link openJsonLogger}. */
export interface JsonLoggerOptions {
  /** @default "info", which includes one line per request */
  level?: LogLevel;
  /** @default standard output, written synchronously: no line is lost when the process ends */
  destination?: Pick<Writable, 'write'>;
}

/**
 * Creates a logger that writes lines of JSON with pino: `level`, `time` (ISO-8601), `pid`, `msg` and the fields. Secrets are
 * redacted by field name and by format.
 */
export async function openJsonLogger({
  level = 'info',
  destination,
}: JsonLoggerOptions = {}): Promise<Logger> {
  // Loaded on demand: servers with another logger start faster.
  const { pino } = await import('pino');
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return redactingLogger(pino(options, destination ?? standardOutput(pino)));
}

/** Maximum size of lines that wait for a full disk, in bytes. Later ones are dropped. */
const WAITING_BYTES = 1024 * 1024;

/** Writes to standard output. A full disk for the log must not end the service. */
function standardOutput(pino: typeof pinoLogger): Pick<Writable, 'write'> {
  const output = pino.destination({ fd: 1, sync: true, maxLength: WAITING_BYTES });
  let isBroken = false;
  output.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (!isBroken)
      process.stderr.write(`The log cannot be written (${code}). Lines are lost until it can.\n`);
    isBroken = true;
  });
  return output;
}

/** Replaces a secret in the log. */
export const HIDDEN = '[hidden]';

/**
 * Names of fields with secret values: headers, OAuth parameters and settings. Names are compared in lower case, without `-`
 * and `_`.
 */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  'authorization',
  'proxyauthorization',
  'cookie',
  'setcookie',
  'xsvcsignature',
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

/** Matches error codes (`ECONNREFUSED`, `23505`). Other values of a field named `code` may be secrets. */
const ERROR_CODE = /^(?:[A-Z][A-Z0-9_]*|[0-9A-Z]{5})$/;

/**
 * Matches secrets in any text:
 *
 * - credentials of a header, a URL or a parameter
 * - API keys and client secrets, by their prefixes
 * - 64 hex characters: webhook secrets and hashes
 * - base64url of 256 bits: tokens, codes, verifiers and session ids
 * - six digits: sign-in codes
 */
const SECRET_SHAPES = new RegExp(
  [
    String.raw`(?<scheme>\b(?:Bearer|Basic)\s+)[^\s"',;]+`,
    String.raw`(?<authority>:\/\/)[^\s/?#@"']+@`,
    String.raw`(?<parameter>\b(?:code|code_verifier|client_secret|token|access_token|refresh_token|password|secret)(?:=|\\?"\s*:\s*\\?"))[^&\s"'<>\\]+`,
    String.raw`(?<prefix>\b(?:svc|ocs)_)[A-Za-z0-9_-]+`,
    '(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{43,}',
    String.raw`(?<![A-Za-z0-9.])\d{6}(?![A-Za-z0-9])`,
  ].join('|'),
  'gi',
);

/** Maximum depth of nested values. It also ends cyclic values. */
const MAX_DEPTH = 6;
/** Maximum length of a text, in characters. A longer one would flood the log. */
const MAX_TEXT_LENGTH = 8_000;

/** Replaces everything in a text that has the format of a secret. */
export function redactText(text: string): string {
  // Redacts before shortening. Otherwise half of a secret could remain at the end and no longer match.
  const shown = replaceSecrets(text.slice(0, 2 * MAX_TEXT_LENGTH));
  return shown.length > MAX_TEXT_LENGTH ? `${shown.slice(0, MAX_TEXT_LENGTH)}…` : shown;
}

function replaceSecrets(text: string): string {
  return text.replace(SECRET_SHAPES, (...match) => {
    const { scheme, authority, parameter, prefix } = match.at(-1) as Record<string, string | undefined>;
    return `${scheme ?? authority ?? parameter ?? prefix ?? ''}${HIDDEN}${authority === undefined ? '' : '@'}`;
  });
}

/**
 * Returns a copy of a value without secrets, for a log line. Secrets are found by field name and by format. Errors become
 * objects.
 */
export function redact(value: unknown, name = '', depth = 0): unknown {
  if (value === null || value === undefined || typeof value === 'boolean') return value;
  if (isSecretName(name) || (name === 'code' && !ERROR_CODE.test(String(value)))) return HIDDEN;
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object') return `[${typeof value}]`;
  if (depth >= MAX_DEPTH) return '[deeper]';
  if (value instanceof Error) return redactError(value, depth);
  if (value instanceof Date) return value.toISOString();
  if (ArrayBuffer.isView(value)) return '[bytes]';
  if (Array.isArray(value)) return value.map((item) => redact(item, '', depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redact(item, key, depth + 1)]));
}

function redactError(error: Error, depth: number): object {
  const { name, message, stack = '', cause } = error;
  return {
    name,
    message: redactText(message),
    stack: redactText(stack),
    ...('code' in error && { code: redact(error.code, 'code') }),
    ...(cause !== undefined && { cause: redact(cause, '', depth + 1) }),
  };
}

function isSecretName(name: string): boolean {
  return SECRET_NAMES.has(name.toLowerCase().replaceAll(/[-_]/g, ''));
}
